#include "cuda/fatbin.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
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

/// The contents of the sections that `wanted` accepts by name.
template <typename Wanted>
std::vector<std::string_view> sections(std::string_view elf, Wanted wanted) {
  const auto header = read<Elf64_Ehdr>(elf, 0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB) {
    throw std::invalid_argument("device code: no 64-bit little-endian ELF file");
  }
  const auto section = [&](std::size_t i) {
    return read<Elf64_Shdr>(elf, header.e_shoff + i * header.e_shentsize);
  };
  std::vector<std::string_view> found;
  if (header.e_shnum == 0) {
    return found;
  }
  const auto names_header = section(header.e_shstrndx);
  const std::string_view names = part(elf, names_header.sh_offset, names_header.sh_size);
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    const auto one = section(i);
    const std::string_view rest = part(names, one.sh_name, names.size() - one.sh_name);
    if (wanted(rest.substr(0, rest.find('\0')))) {
      found.push_back(one.sh_type == SHT_NOBITS ? std::string_view{}
                                                : part(elf, one.sh_offset, one.sh_size));
    }
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

bool holds_kernel(const DeviceImage& image) {
  if (image.is_ptx) {
    return image.bytes.find(".entry") != std::string_view::npos;
  }
  return !sections(image.bytes, [](std::string_view name) {
            return name.starts_with(".text.");
          }).empty();
}

std::string without_path_hashes(std::string_view bytes) {
  std::string text(bytes);
  for (const std::string_view prefix : {"_GLOBAL__N__", "_INTERNAL_"}) {
    for (auto at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at)) {
      at += prefix.size();
      const std::string_view digits = std::string_view(text).substr(at, 8);
      if (digits.size() == 8 &&
          digits.find_first_not_of("0123456789abcdef") == std::string_view::npos) {
        text.replace(at, 8, 8, '0');
      }
    }
  }
  return text;
}

}  // namespace

std::vector<DeviceImage> device_images(std::string_view elf_file) {
  std::vector<DeviceImage> images;
  for (std::string_view section : sections(elf_file, [](std::string_view name) {
         return name == ".nv_fatbin" || name == "__nv_relfatbin";
       })) {
    while (!section.empty()) {
      if (section.front() == '\0') {  // padding between the containers of two object files
        section.remove_prefix(1);
        continue;
      }
      const auto header = read<ContainerHeader>(section, 0);
      if (header.magic != kContainerMagic || header.header_bytes < sizeof header) {
        throw std::invalid_argument("device code: its layout is not known");
      }
      read_container(part(section, header.header_bytes, header.images_bytes), images);
      section.remove_prefix(header.header_bytes + header.images_bytes);
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
    if (holds_kernel(image)) {
      hashes.push_back(core::sha256(without_path_hashes(image.bytes)));
    }
  }
  if (hashes.empty()) {
    return {};
  }
  std::ranges::sort(hashes);
  std::string all;
  for (const std::string& hash : hashes) {
    all += hash + "\n";
  }
  return core::sha256(all);
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
