#include "host/machine_code.hpp"

#include <elf.h>
#include <link.h>

#include <string_view>

#include "core/sha256.hpp"

namespace host {
namespace {

// The first object that is visited is the program itself: 1 ends the visit.
int take_executable_segments(dl_phdr_info* object, std::size_t, void* out) {
  auto& code = *static_cast<std::string*>(out);
  for (int index = 0; index < object->dlpi_phnum; ++index) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[index];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    code.append(reinterpret_cast<const char*>(object->dlpi_addr + segment.p_vaddr),
                segment.p_filesz);
  }
  return 1;
}

}  // namespace

const std::string& machine_code_sha256() {
  static const std::string hash = [] {
    std::string code;
    dl_iterate_phdr(take_executable_segments, &code);
    return code.empty() ? std::string() : core::sha256(code);
  }();
  return hash;
}

}  // namespace host
