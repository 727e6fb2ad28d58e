#pragma once
// A folder that looks like the root of a machine, gone at the end of the test.

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace host_test {

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "machine.XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  void write(const std::string& file, const std::string& text) const {
    const std::filesystem::path full = path_ / file;
    std::filesystem::create_directories(full.parent_path());
    std::ofstream(full) << text << '\n';
  }
  void write_cache(int cpu, int index, const std::string& level, const std::string& type,
                   const std::string& size, const std::string& shared) const {
    const std::string folder = "sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cache/index" +
                               std::to_string(index) + "/";
    write(folder + "level", level);
    write(folder + "type", type);
    if (!size.empty()) write(folder + "size", size);
    write(folder + "coherency_line_size", "64");
    write(folder + "ways_of_associativity", "8");
    write(folder + "shared_cpu_list", shared);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace host_test
