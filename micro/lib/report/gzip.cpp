#include "report/gzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace report {
namespace {

constexpr int kGzipWindow = 15 + 16;  // zlib: largest window, gzip header and trailer
constexpr std::size_t kStepBytes = 1 << 20;
constexpr std::size_t kMostBytes = std::size_t{1}
                                   << 30;  // a file that inflates further is no result

Bytef* input(std::string_view bytes) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib's type; never written
}

uInt counted(std::size_t size) {
  if (size > std::numeric_limits<uInt>::max()) throw std::runtime_error("is larger than 4 GiB");
  return static_cast<uInt>(size);
}

struct Inflater {
  z_stream stream{};
  Inflater() {
    if (inflateInit2(&stream, kGzipWindow) != Z_OK) throw std::runtime_error("zlib: no memory");
  }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
};

}  // namespace

std::string compress(std::string_view content) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow, 9, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    throw std::runtime_error("zlib: no memory");
  std::string out(deflateBound(&stream, static_cast<uLong>(content.size())), '\0');
  stream.next_in = input(content);
  stream.avail_in = counted(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = counted(out.size());
  const int done = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (done != Z_STREAM_END) throw std::runtime_error("zlib: compression did not finish");
  return out;
}

bool is_compressed(std::string_view bytes) {
  return bytes.size() >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b';
}

std::string decompress(std::string_view bytes) {
  Inflater inflater;
  z_stream& stream = inflater.stream;
  stream.next_in = input(bytes);
  stream.avail_in = counted(bytes.size());
  std::string out;
  for (;;) {
    const std::size_t before = out.size();
    out.resize(before + kStepBytes);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + before);
    stream.avail_out = static_cast<uInt>(kStepBytes);
    const int state = inflate(&stream, Z_NO_FLUSH);
    out.resize(out.size() - stream.avail_out);
    if (state == Z_STREAM_END) break;
    if (state != Z_OK && state != Z_BUF_ERROR) throw std::runtime_error("is damaged (gzip)");
    if (out.size() > kMostBytes) throw std::runtime_error("holds more than 1 GiB");
    if (stream.avail_in == 0 && stream.avail_out != 0)
      throw std::runtime_error("is truncated: the gzip stream ends early");
  }
  if (stream.avail_in != 0) throw std::runtime_error("is damaged: bytes after the gzip stream");
  return out;
}

}  // namespace report
