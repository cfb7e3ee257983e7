#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "launcher/supervised_process.h"
#include "runtime/frame.h"

namespace curupira::runtime {

/// An error that the extension answered with; the session goes on.
struct RpcErrorReply {
  std::int64_t code = 0;
  std::string message;
};

/// JSON-RPC 2.0 with one process, one request in flight, ids from 1 (spec/protocol.md §1).
class RpcClient {
 public:
  using Deadline = std::chrono::steady_clock::time_point;
  using Reply = tl::expected<json::Value, RpcErrorReply>;

  RpcClient(launcher::SupervisedProcess& process, std::uint32_t max_frame_bytes)
      : process_(process), decoder_(max_frame_bytes), max_frame_bytes_(max_frame_bytes) {}

  /// Sends the request and waits for its answer. Errors end the connection: extension_transport,
  /// extension_timeout, extension_stdout, extension_frame_too_large, extension_protocol.
  Result<Reply> call(std::string_view method, json::Value params, Deadline deadline);

 private:
  Result<std::string> read_frame(Deadline deadline);
  Error ended_early();
  Error with_rest_of_line(Error error);

  launcher::SupervisedProcess& process_;
  FrameDecoder decoder_;
  std::uint32_t max_frame_bytes_;
  std::int64_t last_id_ = 0;
};

/// The answer to request `id` in a frame's body. Errors: extension_protocol, naming the member that is wrong.
Result<RpcClient::Reply> parse_reply(std::string_view body, std::int64_t id, std::uint32_t max_bytes);

}  // namespace curupira::runtime
