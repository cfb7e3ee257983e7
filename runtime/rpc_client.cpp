#include "runtime/rpc_client.h"

#include <algorithm>
#include <array>
#include <thread>

#include "base/printable.h"

namespace curupira::runtime {
namespace {

constexpr std::string_view rpc_version = "2.0";
/// How long the rest of a stray text is waited for, so that the error can quote a whole line of it.
constexpr std::chrono::milliseconds stray_text_wait{50};
constexpr std::size_t stray_text_bytes = 200;
/// The end of the pipe is seen a little before that of the process; how it ended is worth so much time.
constexpr std::chrono::milliseconds end_wait{50};
constexpr std::size_t quoted_value_bytes = 80;

tl::unexpected<Error> broken(std::string text) {
  return fail(ErrorCode::extension_protocol, std::move(text));
}

std::string shown(const json::Value* value) {
  if (value == nullptr) return "nothing";
  const std::string text = json::write(*value);
  return printable(text.substr(0, quoted_value_bytes)) + (text.size() > quoted_value_bytes ? "…" : "");
}

Result<RpcErrorReply> parse_error_member(const json::Value& error) {
  const auto* code = error.find("code");
  const auto number = code == nullptr ? std::nullopt : code->as_int();
  const auto* message = error.find_string("message");
  if (!number) return broken("`error.code` of the answer is " + shown(code) + "; expected a whole number");
  if (message == nullptr) {
    return broken("`error.message` of the answer is " + shown(error.find("message")) + "; expected a string");
  }
  return RpcErrorReply{*number, *message};
}

}  // namespace

Result<RpcClient::Reply> parse_reply(std::string_view body, std::int64_t id, std::uint32_t max_bytes) {
  auto parsed = json::parse(body, {.max_bytes = max_bytes, .max_depth = 128});
  if (!parsed) {
    return fail(Error(ErrorCode::extension_protocol, "the body of the frame (" + format_bytes(body.size()) +
                                                         ") is not JSON: " + parsed.error().detail()));
  }
  const auto* reply = parsed->as_object();
  if (reply == nullptr) {
    return broken("the answer is of type " + std::string(parsed->type_name()) + "; expected an object");
  }
  if (reply->contains("method")) {
    return broken("the extension sent a request (`method` is " + shown(reply->find("method")) +
                  "); only the host sends requests");
  }
  const auto* version = reply->find("jsonrpc");
  if (version == nullptr || version->as_string() == nullptr || *version->as_string() != rpc_version) {
    return broken("`jsonrpc` of the answer is " + shown(version) + "; expected \"2.0\"");
  }
  const auto* found_id = reply->find("id");
  if (found_id == nullptr || found_id->as_int() != id) {
    return broken("`id` of the answer is " + shown(found_id) + "; expected " + std::to_string(id));
  }
  const auto* result = reply->find("result");
  const auto* error = reply->find("error");
  if (result != nullptr && error != nullptr)
    return broken("the answer has both `result` and `error`; expected one");
  if (error != nullptr) {
    CURUPIRA_TRY(auto failure, parse_error_member(*error));
    return RpcClient::Reply(tl::unexpected(std::move(failure)));
  }
  if (result == nullptr) return broken("the answer has neither `result` nor `error`");
  return RpcClient::Reply(*result);
}

Result<RpcClient::Reply> RpcClient::call(std::string_view method, json::Value params, Deadline deadline) {
  json::Object request;
  request.set("jsonrpc", rpc_version);
  request.set("id", ++last_id_);
  request.set("method", method);
  request.set("params", std::move(params));
  CURUPIRA_TRY(const std::string frame, encode_frame(json::write(request), max_frame_bytes_));
  CURUPIRA_CHECK(process_.write(frame, deadline));
  CURUPIRA_TRY(const std::string body, read_frame(deadline));
  return parse_reply(body, last_id_, max_frame_bytes_);
}

Result<std::string> RpcClient::read_frame(Deadline deadline) {
  std::array<char, 64 * 1024> chunk{};
  while (true) {
    auto frame = decoder_.next();
    if (!frame) return fail(with_rest_of_line(std::move(frame).error()));
    if (*frame) return **std::move(frame);
    CURUPIRA_TRY(const std::size_t count, process_.read(chunk, deadline));
    if (count == 0) return fail(ended_early());
    decoder_.feed({chunk.data(), count});
  }
}

Error RpcClient::ended_early() {
  auto status = process_.exit_status();
  for (const auto give_up = std::chrono::steady_clock::now() + end_wait;
       !status && std::chrono::steady_clock::now() < give_up; status = process_.exit_status()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::string text =
      status ? "the process ended (" + status->to_string() + ")" : "the process closed its stdout";
  if (const auto progress = decoder_.progress()) {
    text += " in the middle of its answer: " + std::to_string(progress->come) + " of " +
            std::to_string(progress->announced) + " bytes came";
  } else if (!decoder_.pending().empty()) {
    text += " in the middle of a frame header: \"" + printable(decoder_.pending()) + "\" came";
  } else {
    text += " before it answered";
  }
  return Error(ErrorCode::extension_transport, std::move(text));
}

/// Text on stdout mostly is a line: what has come of it when the first wrong byte is seen says little.
Error RpcClient::with_rest_of_line(Error error) {
  if (error.code() != ErrorCode::extension_stdout) return error;
  const auto deadline = std::chrono::steady_clock::now() + stray_text_wait;
  std::array<char, stray_text_bytes> chunk{};
  while (decoder_.pending().size() < stray_text_bytes &&
         decoder_.pending().find('\n') == std::string_view::npos) {
    const auto count = process_.read(chunk, deadline);
    if (!count || *count == 0) break;
    decoder_.feed({chunk.data(), *count});
  }
  return stdout_pollution(decoder_.pending());
}

}  // namespace curupira::runtime
