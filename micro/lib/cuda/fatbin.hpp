#pragma once
// The device code inside this very program: which architectures it has and the identity of the
// machine code, read from the program's own file, so that no disassembler is needed.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cuda {

struct DeviceImage {
  bool is_ptx = false;   // else machine code (a cubin)
  int architecture = 0;  // 90: 10 x major + minor
  bool compressed = false;
  std::string_view bytes = {};  // into the file that was handed in
};

/// The images in the sections .nv_fatbin and __nv_relfatbin of a 64-bit little-endian ELF file, in
/// file order. Empty where there is none. Throws std::invalid_argument for a file that is no such
/// ELF or whose device code does not have the layout that nvcc 11 to 13 write.
std::vector<DeviceImage> device_images(std::string_view elf_file);

/// The images that a device of that compute capability runs: machine code of its own major version
/// and the highest minor version not above its own; where there is none, the highest PTX not above
/// it.
std::vector<DeviceImage> images_for(std::span<const DeviceImage> images, int major, int minor);

/// Identity of these images: sha256 over what each that holds a kernel executes (instructions,
/// constants, sizes of shared memory and registers), in an order that linking does not change. The
/// same source and compiler give the same identity wherever and however often they are built; the
/// images' own bytes do not, because nvcc writes hashes of the path and its process id into names.
/// Empty when no image holds a kernel. Throws std::invalid_argument for a compressed image.
std::string machine_code_sha256(std::span<const DeviceImage> images);

/// "sm_90", "sm_80 sm_90 compute_90": for messages, sorted.
std::string architectures_text(std::span<const DeviceImage> images);

/// Bytes of the program that runs (/proc/self/exe). Throws std::runtime_error.
std::string own_program();

}  // namespace cuda
