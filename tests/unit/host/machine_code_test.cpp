#include "host/machine_code.hpp"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "core/sha256.hpp"

namespace {

TEST(MachineCode, hash_is_that_of_the_executable_segments_on_disk) {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  Elf64_Ehdr header{};
  ASSERT_GE(bytes.size(), sizeof(header));
  std::memcpy(&header, bytes.data(), sizeof(header));
  std::string code;
  for (int index = 0; index < header.e_phnum; ++index) {
    Elf64_Phdr segment{};
    std::memcpy(&segment, bytes.data() + header.e_phoff + index * sizeof(segment), sizeof(segment));
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0)
      code += bytes.substr(segment.p_offset, segment.p_filesz);
  }
  ASSERT_FALSE(code.empty());
  EXPECT_EQ(host::machine_code_sha256(), core::sha256(code));
}

}  // namespace
