#include "cuda/fatbin.hpp"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>

namespace {

template <typename T>
std::string bytes_of(const T& value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof value);
}

struct Section {
  std::string name;
  std::string bytes;
};

/// A 64-bit ELF file of these sections.
std::string elf(std::vector<Section> sections) {
  sections.insert(sections.begin(), Section{"", ""});
  sections.push_back({".shstrtab", ""});
  std::string names;
  for (const Section& section : sections) {
    names += section.name + '\0';
  }
  sections.back().bytes = names;
  std::string body;
  std::string headers;
  std::size_t name_at = 0;
  for (const Section& section : sections) {
    Elf64_Shdr header{};
    header.sh_name = static_cast<Elf64_Word>(name_at);
    header.sh_type = SHT_PROGBITS;
    header.sh_offset = sizeof(Elf64_Ehdr) + body.size();
    header.sh_size = section.bytes.size();
    headers += bytes_of(header);
    body += section.bytes;
    name_at += section.name.size() + 1;
  }
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_shoff = sizeof header + body.size();
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = static_cast<Elf64_Half>(sections.size());
  header.e_shstrndx = static_cast<Elf64_Half>(sections.size() - 1);
  return bytes_of(header) + body + headers;
}

std::string cubin(const std::string& kernel, const std::string& code) {
  return elf({{".text." + kernel, code}});
}

std::string image(std::uint16_t kind, std::uint32_t architecture, std::string payload,
                  std::uint64_t flags = 0x11) {
  std::string header(64, '\0');
  const std::uint16_t version = 0x101;
  const std::uint32_t header_bytes = 64;
  const std::uint64_t payload_bytes = payload.size();
  std::memcpy(header.data(), &kind, 2);
  std::memcpy(header.data() + 2, &version, 2);
  std::memcpy(header.data() + 4, &header_bytes, 4);
  std::memcpy(header.data() + 8, &payload_bytes, 8);
  std::memcpy(header.data() + 28, &architecture, 4);
  std::memcpy(header.data() + 40, &flags, 8);
  return header + payload;
}

std::string container(const std::string& images) {
  std::string header(16, '\0');
  const std::uint32_t magic = 0xba55ed50;
  const std::uint16_t version = 1;
  const std::uint16_t header_bytes = 16;
  const std::uint64_t images_bytes = images.size();
  std::memcpy(header.data(), &magic, 4);
  std::memcpy(header.data() + 4, &version, 2);
  std::memcpy(header.data() + 6, &header_bytes, 2);
  std::memcpy(header.data() + 8, &images_bytes, 8);
  return header + images;
}

constexpr std::uint16_t kPtx = 1;
constexpr std::uint16_t kCubin = 2;

std::string program(const std::string& fatbin) {
  return elf({{".text", "host code"}, {".nv_fatbin", fatbin}});
}

std::string hash_of(const std::string& file, int major = 9, int minor = 0) {
  return cuda::machine_code_sha256(cuda::images_for(cuda::device_images(file), major, minor));
}

TEST(DeviceImages, are_read_from_every_container_with_padding_between) {
  const std::string file =
      program(container(image(kCubin, 80, cubin("a", "1")) + image(kCubin, 90, cubin("a", "2"))) +
              std::string(8, '\0') + container(image(kPtx, 90, ".entry b")));
  const auto images = cuda::device_images(file);
  ASSERT_EQ(images.size(), 3U);
  EXPECT_EQ(images[0].architecture, 80);
  EXPECT_EQ(images[1].architecture, 90);
  EXPECT_EQ(images[1].bytes, cubin("a", "2"));
  EXPECT_TRUE(images[2].is_ptx);
  EXPECT_EQ(cuda::architectures_text(images), "sm_80 sm_90 compute_90");
  EXPECT_TRUE(cuda::device_images(elf({{".text", "x"}})).empty());
}

TEST(DeviceImages, of_what_is_damaged_or_no_program_are_refused) {
  const std::string good = program(container(image(kCubin, 90, cubin("a", "1"))));
  EXPECT_THROW(cuda::device_images("#!/bin/sh"), std::invalid_argument);
  EXPECT_THROW(cuda::device_images(std::string(200, 'x')), std::invalid_argument);
  EXPECT_THROW(cuda::device_images(good.substr(0, good.size() - 10)), std::invalid_argument);
  EXPECT_THROW(cuda::device_images(program("no container")), std::invalid_argument);
  EXPECT_THROW(cuda::device_images(program(container("short"))), std::invalid_argument);
}

TEST(ImagesFor, a_device_are_its_own_major_version_then_ptx) {
  const std::string file =
      program(container(image(kCubin, 80, "a") + image(kCubin, 86, "b") + image(kCubin, 90, "c") +
                        image(kPtx, 75, "d") + image(kPtx, 90, "e")));
  const auto images = cuda::device_images(file);
  const auto chosen = [&](int major, int minor) {
    std::string all;
    for (const auto& one : cuda::images_for(images, major, minor)) {
      all += one.bytes;
    }
    return all;
  };
  EXPECT_EQ(chosen(8, 0), "a");
  EXPECT_EQ(chosen(8, 6), "b");
  EXPECT_EQ(chosen(8, 9), "b");
  EXPECT_EQ(chosen(9, 0), "c");
  EXPECT_EQ(chosen(10, 0), "e");
  EXPECT_EQ(chosen(7, 5), "d");
  EXPECT_EQ(chosen(7, 0), "");
}

TEST(MachineCode, is_the_same_in_whatever_order_it_was_linked) {
  const std::string a = container(image(kCubin, 90, cubin("a", "1")));
  const std::string b = container(image(kCubin, 90, cubin("b", "2")));
  EXPECT_EQ(hash_of(program(a + b)), hash_of(program(b + a)));
  EXPECT_EQ(hash_of(program(a + b)).size(), 64U);
}

TEST(MachineCode, changes_with_one_byte_of_one_kernel) {
  EXPECT_NE(hash_of(program(container(image(kCubin, 90, cubin("a", "1"))))),
            hash_of(program(container(image(kCubin, 90, cubin("a", "2"))))));
}

TEST(MachineCode, does_not_see_host_code_other_architectures_or_images_without_kernels) {
  const std::string kernel = image(kCubin, 90, cubin("a", "1"));
  const std::string hash = hash_of(program(container(kernel)));
  EXPECT_EQ(hash, hash_of(elf({{".text", "other host code"}, {".nv_fatbin", container(kernel)}})));
  EXPECT_EQ(hash, hash_of(program(container(image(kCubin, 80, cubin("a", "9")) + kernel))));
  EXPECT_EQ(hash,
            hash_of(program(container(image(kCubin, 90, elf({{".nv.constant3", "x"}})) + kernel))));
}

TEST(MachineCode, does_not_see_the_path_and_the_process_id_in_names) {
  const auto hash = [](const std::string& name) {
    return hash_of(program(container(image(kCubin, 90, cubin(name, "1")))));
  };
  const std::string first = hash("_ZN46_GLOBAL__N__b497f81a_9_global_cu_3a73baab_68684tileEPi");
  EXPECT_EQ(hash("_ZN47_GLOBAL__N__b3a4130b_9_global_cu_d4f3c77c_308404tileEPi"), first);
  EXPECT_NE(hash("_ZN46_GLOBAL__N__b497f81a_9_global_cu_3a73baab_68684timeEPi"), first);
  EXPECT_EQ(hash("_ZN34_INTERNAL_b497f81a_4_x_cu_1_68681aE"),
            hash("_ZN35_INTERNAL_b3a4130b_4_x_cu_1_308401aE"));
  EXPECT_NE(hash("_GLOBAL__N__without_a_length"), hash("_GLOBAL__N__without_a_width"));
}

TEST(MachineCode, sees_constants_and_shared_memory_but_not_symbols_and_debugging) {
  const auto hash = [](const std::string& section, const std::string& bytes) {
    return hash_of(
        program(container(image(kCubin, 90, elf({{".text.a", "1"}, {section, bytes}})))));
  };
  EXPECT_NE(hash(".nv.constant3", "x"), hash(".nv.constant3", "y"));
  EXPECT_NE(hash(".nv.shared.a", "x"), hash(".nv.shared.a", "xx"));
  EXPECT_EQ(hash(".strtab", "x"), hash(".strtab", "yy"));
  EXPECT_EQ(hash(".debug_frame", "x"), hash(".debug_frame", "yy"));
}

TEST(MachineCode, that_is_compressed_is_refused_with_the_remedy) {
  const auto images = cuda::device_images(program(container(image(kCubin, 90, "packed", 0x8011))));
  ASSERT_EQ(images.size(), 1U);
  EXPECT_TRUE(images[0].compressed);
  EXPECT_THROW(cuda::machine_code_sha256(images), std::invalid_argument);
  EXPECT_EQ(cuda::machine_code_sha256({}), "");
}

TEST(OwnProgram, holds_the_kernels_that_it_was_linked_with) {
  const std::string program = cuda::own_program();
  const auto images = cuda::device_images(program);
  ASSERT_FALSE(images.empty());
  EXPECT_EQ(cuda::machine_code_sha256(images).size(), 64U);
}

}  // namespace
