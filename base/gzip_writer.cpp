#include "base/gzip_writer.h"

#include <zlib.h>

#include <array>

namespace curupira {
namespace {

constexpr int gzip_window = 15 + 16;  // the largest window, and a gzip header around it
constexpr int memory_level = 9;

}  // namespace

struct GzipWriter::State {
  z_stream stream{};
  std::array<Bytef, 65536> buffer{};
  bool usable = false;

  State() {
    usable = deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_window, memory_level,
                          Z_DEFAULT_STRATEGY) == Z_OK;
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (usable) deflateEnd(&stream);
  }

  Result<> compress(int flush, ByteSink& out) {
    int answer = Z_OK;
    do {
      stream.next_out = buffer.data();
      stream.avail_out = static_cast<uInt>(buffer.size());
      answer = deflate(&stream, flush);
      if (answer != Z_OK && answer != Z_STREAM_END && answer != Z_BUF_ERROR)
        return fail(ErrorCode::internal, "zlib: " + std::to_string(answer));
      const std::size_t made = buffer.size() - stream.avail_out;
      if (made > 0) CURUPIRA_CHECK(out.write(std::as_bytes(std::span(buffer).first(made))));
    } while (stream.avail_out == 0);
    return {};
  }
};

GzipWriter::GzipWriter(ByteSink& out) : out_(out), state_(std::make_unique<State>()) {}
GzipWriter::~GzipWriter() = default;

Result<> GzipWriter::write(std::span<const std::byte> bytes) {
  if (!state_->usable) return fail(ErrorCode::internal, "zlib cannot be used");
  constexpr std::size_t at_once = 1u << 20;
  while (!bytes.empty()) {
    const auto piece = bytes.first(std::min(bytes.size(), at_once));
    bytes = bytes.subspan(piece.size());
    // zlib reads only; its interface is older than const.
    state_->stream.next_in =
        const_cast<Bytef*>(static_cast<const Bytef*>(static_cast<const void*>(piece.data())));
    state_->stream.avail_in = static_cast<uInt>(piece.size());
    CURUPIRA_CHECK(state_->compress(Z_NO_FLUSH, out_));
  }
  return {};
}

Result<> GzipWriter::restart() {
  CURUPIRA_CHECK(out_.restart());
  state_ = std::make_unique<State>();
  return {};
}

Result<> GzipWriter::finish() {
  if (!state_->usable) return fail(ErrorCode::internal, "zlib cannot be used");
  return state_->compress(Z_FINISH, out_);
}

}  // namespace curupira
