#include "host/device_info.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "folder.hpp"

namespace {

using host_test::Folder;

// Four cores of two hardware threads: core c has CPUs c and c+4; two cores share an L3.
void write_machine(const Folder& root) {
  for (int cpu = 0; cpu < 8; ++cpu) {
    const int core = cpu % 4;
    const std::string siblings = std::to_string(core) + "," + std::to_string(core + 4);
    const std::string folder = "sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/";
    root.write(folder + "topology/thread_siblings_list", siblings);
    root.write(folder + "topology/package_cpus_list", "0-7");
    root.write(folder + "cpufreq/scaling_governor", "performance");
    root.write_cache(cpu, 0, "1", "Data", "48K", siblings);
    root.write_cache(cpu, 1, "1", "Instruction", "32K", siblings);
    root.write_cache(cpu, 2, "2", "Unified", "2048K", siblings);
    root.write_cache(cpu, 3, "3", "Unified", "36M", core < 2 ? "0-1,4-5" : "2-3,6-7");
  }
  root.write("proc/cpuinfo",
             "processor : 0\nmodel name\t: Example CPU 9000\nmicrocode\t: 0x2b\n"
             "flags\t\t: fpu hypervisor avx2\n\nprocessor : 1\nmodel name : Other");
  root.write("proc/meminfo", "MemTotal:       16384 kB\nMemFree: 1 kB\nMemAvailable:    8192 kB");
  root.write("etc/machine-id", "0123456789abcdef0123456789abcdef");
  root.write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never");
}

bool mentions(const std::vector<std::string>& all, const std::string& text) {
  return std::ranges::any_of(
      all, [&](const std::string& one) { return one.find(text) != std::string::npos; });
}

TEST(Caches, of_a_cpu_are_read_nearest_first_without_instruction_caches) {
  const Folder root;
  write_machine(root);
  std::vector<std::string> missing;
  const auto caches = host::read_caches(root.path(), 6, missing);
  ASSERT_EQ(caches.size(), 3u);
  EXPECT_EQ(caches[0].level, 1);
  EXPECT_EQ(caches[0].size_bytes, 48 * 1024);
  EXPECT_EQ(caches[0].line_bytes, 64);
  EXPECT_EQ(caches[0].ways, 8);
  EXPECT_EQ(caches[0].shared_cpus, (std::vector<int>{2, 6}));
  EXPECT_EQ(caches[1].size_bytes, 2 << 20);
  EXPECT_EQ(caches[2].size_bytes, 36 << 20);
  EXPECT_EQ(caches[2].shared_cpus, (std::vector<int>{2, 3, 6, 7}));
  EXPECT_EQ(caches[2].stated_by, "sysfs cpu6/cache/index3/size");
  EXPECT_TRUE(missing.empty());
}

TEST(Caches, in_another_order_are_sorted_by_level) {
  const Folder root;
  root.write_cache(0, 0, "3", "Unified", "8M", "0");
  root.write_cache(0, 1, "1", "Data", "32K", "0");
  std::vector<std::string> missing;
  const auto caches = host::read_caches(root.path(), 0, missing);
  ASSERT_EQ(caches.size(), 2u);
  EXPECT_EQ(caches[0].level, 1);
  EXPECT_EQ(caches[1].level, 3);
}

TEST(Caches, without_a_readable_size_are_missing_with_a_reason_and_do_not_hide_the_others) {
  const Folder root;
  root.write_cache(0, 0, "1", "Data", "", "0");
  root.write_cache(0, 1, "2", "Unified", "1x", "0");
  root.write_cache(0, 2, "3", "Unified", "8M", "0");
  std::vector<std::string> missing;
  const auto caches = host::read_caches(root.path(), 0, missing);
  ASSERT_EQ(caches.size(), 1u);
  EXPECT_EQ(caches[0].level, 3);
  EXPECT_TRUE(mentions(missing, "cpu0/cache/index0"));
  EXPECT_TRUE(mentions(missing, "cpu0/cache/index1"));
}

TEST(Caches, are_scoped_by_who_shares_them) {
  const Folder root;
  write_machine(root);
  const auto info = host::query_device(root.path(), {0, 1, 2, 3, 4, 5, 6, 7});
  ASSERT_EQ(info.caches.size(), 3u);
  EXPECT_EQ(host::scope_of(info.caches[0], info), "core");
  EXPECT_EQ(host::scope_of(info.caches[1], info), "core");
  EXPECT_EQ(host::scope_of(info.caches[2], info), "cluster");
  host::Cache whole = info.caches[2];
  whole.shared_cpus = {0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(host::scope_of(whole, info), "socket");
}

TEST(Cpus, give_every_core_a_thread_before_any_core_a_second) {
  const Folder root;
  write_machine(root);
  const auto info = host::query_device(root.path(), {0, 1, 2, 4, 5, 6});
  EXPECT_EQ(info.core_count, 3);
  EXPECT_EQ(info.cpus, (std::vector<int>{6, 5, 4, 2, 1, 0}));
  EXPECT_EQ(info.cpu(), 6);
}

TEST(Device, is_described_from_its_files) {
  const Folder root;
  write_machine(root);
  const auto info = host::query_device(root.path(), {3});
  EXPECT_EQ(info.model, "Example CPU 9000");
  EXPECT_EQ(info.microcode, "0x2b");
  EXPECT_EQ(info.governor, "performance");
  EXPECT_TRUE(info.virtual_machine);
  EXPECT_EQ(info.memory.total_bytes, 16 << 20);
  EXPECT_EQ(info.memory.free_bytes, 8 << 20);
  EXPECT_EQ(info.cache_bytes(2), 2 << 20);
  EXPECT_EQ(info.cache_bytes(4), 0);
  EXPECT_EQ(info.last_cache_bytes(), 36 << 20);
  EXPECT_TRUE(info.missing.empty()) << info.missing.front();
}

TEST(Device, identity_follows_machine_and_model_and_does_not_show_the_machine_id) {
  const Folder root;
  write_machine(root);
  const auto identity = [&] { return host::query_device(root.path(), {0}).identity; };
  const std::string first = identity();
  EXPECT_EQ(first.size(), std::string("CPU-01234567-0123-0123-0123-0123456789ab").size());
  EXPECT_EQ(first.find("01234567"), std::string::npos);
  EXPECT_EQ(identity(), first);
  root.write("etc/machine-id", "1123456789abcdef0123456789abcdef");
  const std::string second = identity();
  EXPECT_NE(second, first);
  root.write("proc/cpuinfo", "model name : Another CPU");
  EXPECT_NE(identity(), second);
}

TEST(Device, that_says_nothing_is_described_by_what_is_missing) {
  const Folder root;
  const auto info = host::query_device(root.path(), {0});
  for (const char* what :
       {"caches", "identity", "model", "memory", "microcode", "governor", "transparent huge pages"})
    EXPECT_TRUE(mentions(info.missing, what)) << what;
  EXPECT_EQ(info.core_count, 1);
  EXPECT_EQ(info.last_cache_bytes(), 0);
}

TEST(Device, of_arm_is_named_by_implementer_and_part) {
  const Folder root;
  root.write("proc/cpuinfo", "CPU implementer : 0x41\nCPU part : 0xd4f");
  EXPECT_EQ(host::query_device(root.path(), {0}).model, "CPU implementer 0x41 part 0xd4f");
}

TEST(Memory, is_what_the_control_group_leaves) {
  const Folder root;
  write_machine(root);
  root.write("sys/fs/cgroup/memory.max", std::to_string(4 << 20));
  root.write("sys/fs/cgroup/memory.current", std::to_string(3 << 20));
  EXPECT_EQ(host::read_memory(root.path()).total_bytes, 4 << 20);
  EXPECT_EQ(host::read_memory(root.path()).free_bytes, 1 << 20);
  root.write("sys/fs/cgroup/memory.max", "max");
  EXPECT_EQ(host::read_memory(root.path()).total_bytes, 16 << 20);
  EXPECT_EQ(host::read_memory(root.path()).free_bytes, 8 << 20);
}

}  // namespace
