#include "cuda/fatbin.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

#include "core/sha256.hpp"

namespace cuda {
namespace {

// Not documented by NVIDIA; seen with nvcc 11 to 13. A section holds containers, each a header and
// images, each with a header of its own.
constexpr std::uint32_t kContainerMagic = 0xba55ed50;
constexpr std::uint16_t kKindPtx = 1;
constexpr std::uint16_t kKindCubin = 2;
constexpr std::uint64_t kCompressedLz4 = 0x2000;
constexpr std::uint64_t kCompressedZstd = 0x8000;
constexpr std::size_t kArchitectureAt = 28;
constexpr std::size_t kFlagsAt = 40;

struct ContainerHeader {
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t header_bytes;
  std::uint64_t images_bytes;
};

struct ImageHeader {
  std::uint16_t kind;
  std::uint16_t version;
  std::uint32_t header_bytes;
  std::uint64_t payload_bytes;
};

template <typename T>
T read(std::string_view bytes, std::size_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(T)) {
    throw std::invalid_argument("device code: the file ends early");
  }
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

std::string_view part(std::string_view bytes, std::uint64_t at, std::uint64_t size) {
  if (at > bytes.size() || size > bytes.size() - at) {
    throw std::invalid_argument("device code: the file ends early");
  }
  return bytes.substr(at, size);
}

struct Section {
  std::string_view name;
  std::string_view bytes;  // empty where the file holds none
  std::uint64_t size_bytes = 0;
  std::uint32_t info = 0;
};

std::vector<Section> sections(std::string_view elf) {
  const auto header = read<Elf64_Ehdr>(elf, 0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB) {
    throw std::invalid_argument("device code: no 64-bit little-endian ELF file");
  }
  const auto header_of = [&](std::size_t i) {
    return read<Elf64_Shdr>(elf, header.e_shoff + i * header.e_shentsize);
  };
  std::vector<Section> found;
  if (header.e_shnum == 0) {
    return found;
  }
  const auto names_header = header_of(header.e_shstrndx);
  const std::string_view names = part(elf, names_header.sh_offset, names_header.sh_size);
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    const auto one = header_of(i);
    const std::string_view rest = part(names, one.sh_name, names.size() - one.sh_name);
    const bool in_file = one.sh_type != SHT_NOBITS && one.sh_type != SHT_NULL;
    found.push_back({.name = rest.substr(0, rest.find('\0')),
                     .bytes = in_file ? part(elf, one.sh_offset, one.sh_size) : "",
                     .size_bytes = one.sh_size,
                     .info = one.sh_info});
  }
  return found;
}

void read_container(std::string_view images, std::vector<DeviceImage>& into) {
  while (!images.empty()) {
    const auto header = read<ImageHeader>(images, 0);
    const std::string_view head = part(images, 0, header.header_bytes);
    const std::uint64_t flags = read<std::uint64_t>(head, kFlagsAt);
    if (header.kind == kKindPtx || header.kind == kKindCubin) {
      into.push_back({.is_ptx = header.kind == kKindPtx,
                      .architecture = static_cast<int>(read<std::uint32_t>(head, kArchitectureAt)),
                      .compressed = (flags & (kCompressedLz4 | kCompressedZstd)) != 0,
                      .bytes = part(images, header.header_bytes, header.payload_bytes)});
    }
    images.remove_prefix(head.size() + part(images, head.size(), header.payload_bytes).size());
  }
}

/// nvcc names what stands in an unnamed namespace, and what is static, by hashes of the source's path
/// and, where the file defines nothing visible, by its own process id: "46_GLOBAL__N__b497f81a_9_
/// global_cu_3a73baab_6868". The whole component goes, with its length in front.
std::string without_build_names(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto at = std::min(text.find("_GLOBAL__N__"), text.find("_INTERNAL_"));
    if (at == std::string_view::npos) {
      return result.append(text);
    }
    auto digits = at;
    while (digits > 0 && text[digits - 1] >= '0' && text[digits - 1] <= '9') {
      --digits;
    }
    std::size_t length = 0;
    std::from_chars(text.data() + digits, text.data() + at, length);
    // Where no length is in front (never seen), the marker stays and the reading goes on behind it.
    const bool known = length > 0 && length <= text.size() - at;
    result.append(text.substr(0, known ? digits : at + 1));
    result.append(known ? "_unnamed_" : "");
    text.remove_prefix(known ? at + length : at + 1);
  }
  return result;
}

/// What the device executes, one line a section, sorted: instructions, constants, and the sizes of
/// shared memory and registers (the upper byte of a code section's info). Symbols, relocations and
/// debugging frames are left out: they carry names and places of the build.
std::string executed(const DeviceImage& image) {
  if (image.is_ptx) {
    return image.bytes.find(".entry") == std::string_view::npos ? ""
                                                                : without_build_names(image.bytes);
  }
  std::vector<std::string> lines;
  bool has_kernel = false;
  for (const Section& section : sections(image.bytes)) {
    const bool code = section.name.starts_with(".text.");
    has_kernel = has_kernel || code;
    if (code || section.name.starts_with(".nv.constant") ||
        section.name.starts_with(".nv.shared.") || section.name.starts_with(".nv.global")) {
      lines.push_back(fmt::format("{} {} {} {}", without_build_names(section.name),
                                  section.size_bytes, code ? section.info >> 24 : 0,
                                  core::sha256(section.bytes)));
    }
  }
  std::ranges::sort(lines);
  return has_kernel ? fmt::format("{}", fmt::join(lines, "\n")) : "";
}

void read_containers(std::string_view bytes, std::vector<DeviceImage>& into) {
  while (!bytes.empty()) {
    if (bytes.front() == '\0') {  // padding between the containers of two object files
      bytes.remove_prefix(1);
      continue;
    }
    const auto header = read<ContainerHeader>(bytes, 0);
    if (header.magic != kContainerMagic || header.header_bytes < sizeof header) {
      throw std::invalid_argument("device code: its layout is not known");
    }
    read_container(part(bytes, header.header_bytes, header.images_bytes), into);
    bytes.remove_prefix(header.header_bytes + header.images_bytes);
  }
}

}  // namespace

std::vector<DeviceImage> device_images(std::string_view elf_file) {
  std::vector<DeviceImage> images;
  for (const Section& section : sections(elf_file)) {
    if (section.name == ".nv_fatbin" || section.name == "__nv_relfatbin") {
      read_containers(section.bytes, images);
    }
  }
  return images;
}

std::vector<DeviceImage> images_for(std::span<const DeviceImage> images, int major, int minor) {
  const auto best = [&](bool ptx) {
    int architecture = 0;
    for (const DeviceImage& image : images) {
      const bool fits = image.architecture <= 10 * major + minor &&
                        (ptx || image.architecture / 10 == major) && image.is_ptx == ptx;
      architecture = fits ? std::max(architecture, image.architecture) : architecture;
    }
    return architecture;
  };
  const bool ptx = best(false) == 0;
  std::vector<DeviceImage> chosen;
  std::ranges::copy_if(images, std::back_inserter(chosen), [&](const DeviceImage& image) {
    return image.is_ptx == ptx && image.architecture == best(ptx);
  });
  return chosen;
}

std::string machine_code_sha256(std::span<const DeviceImage> images) {
  std::vector<std::string> hashes;
  for (const DeviceImage& image : images) {
    if (image.compressed) {
      throw std::invalid_argument("device code is compressed: build with nvcc --no-compress");
    }
    if (const std::string text = executed(image); !text.empty()) {
      hashes.push_back(core::sha256(text));
    }
  }
  if (hashes.empty()) {
    return {};
  }
  std::ranges::sort(hashes);
  return core::sha256(fmt::format("{}", fmt::join(hashes, "\n")));
}

std::string architectures_text(std::span<const DeviceImage> images) {
  std::set<std::pair<bool, int>> all;
  for (const DeviceImage& image : images) {
    all.emplace(image.is_ptx, image.architecture);
  }
  std::vector<std::string> names;
  for (const auto& [is_ptx, architecture] : all) {
    names.push_back(fmt::format("{}_{}", is_ptx ? "compute" : "sm", architecture));
  }
  return fmt::format("{}", fmt::join(names, " "));
}

std::string own_program() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  if (!file || bytes.str().empty()) {
    throw std::runtime_error("cannot read /proc/self/exe");
  }
  return std::move(bytes).str();
}

}  // namespace cuda
