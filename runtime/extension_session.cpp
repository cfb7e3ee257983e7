#include "runtime/extension_session.h"

#include <utility>

#include "base/printable.h"
#include "launcher/supervised_process.h"
#include "runtime/call_failure.h"
#include "runtime/method_results.h"
#include "runtime/poll_result.h"
#include "runtime/rpc_client.h"

namespace curupira::runtime {
namespace {

constexpr std::size_t max_reply_message_bytes = 4000;

json::Object trigger_params(std::string_view trigger) {
  json::Object params;
  params.set("trigger_type", trigger);
  return params;
}

json::Object initialize_params() {
  json::Object client;
  client.set("name", "curupira");
  client.set("version", CURUPIRA_VERSION);
  json::Object params;
  params.set("protocol_version", supported_protocol_version);
  params.set("client_info", std::move(client));
  return params;
}

Error reply_error(const RpcErrorReply& reply) {
  const bool cut = reply.message.size() > max_reply_message_bytes;
  return Error(ErrorCode::extension_error,
               "it answered with the error " + std::to_string(reply.code) + ": " +
                   printable(reply.message.substr(0, max_reply_message_bytes), true) + (cut ? "…" : ""));
}

Error timeout_error(Error failure, std::chrono::milliseconds budget) {
  if (failure.code() != ErrorCode::extension_timeout) return failure;
  return Error(ErrorCode::extension_timeout,
               "no answer within " + std::to_string(budget.count()) + " ms: " + failure.detail());
}

}  // namespace

struct ExtensionSession::State {
  using Clock = std::chrono::steady_clock;

  std::unique_ptr<launcher::SupervisedProcess> process;
  std::optional<RpcClient> client;
  ExtensionIdentity identity;
  SessionLimits limits;
  std::vector<std::string> withheld;

  /// After a failure of the connection: nothing of the extension may stay, so its whole tree ends now.
  void end() {
    client.reset();
    process.reset();
  }

  Error described(Error failure, std::string_view method, std::optional<std::int64_t> reply_code = {}) {
    const std::string tail = process ? process->stderr_tail() : std::string();
    return describe_failure(std::move(failure), {.method = method,
                                                 .identity = identity,
                                                 .stderr_tail = tail,
                                                 .withheld = withheld,
                                                 .reply_code = reply_code});
  }

  /// A broken connection or an answer that breaks the protocol.
  tl::unexpected<Error> failed(Error failure, std::string_view method) {
    Error error = described(std::move(failure), method);
    end();
    return fail(std::move(error));
  }

  Result<json::Value> call(std::string_view method, json::Value params, Clock::time_point begin,
                           std::chrono::milliseconds budget) {
    if (!client) {
      return fail(described(Error(ErrorCode::extension_transport, "its process has ended before"), method));
    }
    auto reply = client->call(method, std::move(params), begin + budget);
    if (!reply) return failed(timeout_error(std::move(reply).error(), budget), method);
    if (!*reply) return fail(described(reply_error(reply->error()), method, reply->error().code));
    return **std::move(reply);
  }

  /// Calls and reads the result with `parse`, whose errors end the session.
  template <class Parse>
  auto call_and_parse(std::string_view method, json::Value params, std::chrono::milliseconds budget,
                      Parse parse) -> decltype(parse(std::declval<const json::Value&>())) {
    CURUPIRA_TRY(const json::Value result, call(method, std::move(params), Clock::now(), budget));
    auto parsed = parse(result);
    if (!parsed) return failed(std::move(parsed).error(), method);
    return parsed;
  }
};

ExtensionSession::ExtensionSession(std::unique_ptr<State> state) : state_(std::move(state)) {}
ExtensionSession::ExtensionSession(ExtensionSession&&) noexcept = default;

ExtensionSession& ExtensionSession::operator=(ExtensionSession&& other) noexcept {
  if (this != &other) {
    shut_down();
    state_ = std::move(other.state_);
  }
  return *this;
}

ExtensionSession::~ExtensionSession() {
  shut_down();
}

Result<ExtensionSession> ExtensionSession::start(const launcher::LaunchCommand& command,
                                                 const Environment& environment, ExtensionIdentity identity,
                                                 const SessionLimits& limits,
                                                 std::vector<std::string> withheld) {
  auto state = std::make_unique<State>();
  state->identity = std::move(identity);
  state->limits = limits;
  state->withheld = std::move(withheld);
  // The budget begins at exec: what came before is not the extension's time (github/copilot-cli#4421).
  auto process = launcher::SupervisedProcess::start(command, environment);
  if (!process) return fail(state->described(std::move(process).error(), "initialize"));
  const auto begin = State::Clock::now();
  state->process = *std::move(process);
  state->client.emplace(*state->process, limits.max_frame_bytes);
  auto result = state->call("initialize", initialize_params(), begin, limits.start);
  if (!result) return fail(std::move(result).error());
  if (auto version = check_initialize_result(*result); !version) {
    return state->failed(std::move(version).error(), "initialize");
  }
  return ExtensionSession(std::move(state));
}

int ExtensionSession::pid() const {
  return alive() ? state_->process->pid() : -1;
}

const ExtensionIdentity& ExtensionSession::identity() const {
  return state_->identity;
}

bool ExtensionSession::alive() const {
  return state_ && state_->process;
}

Result<std::vector<TriggerDescription>> ExtensionSession::describe() {
  return state_->call_and_parse("describe", nullptr, state_->limits.describe, parse_describe_result);
}

Result<TriggerSchema> ExtensionSession::schema(std::string_view trigger) {
  return state_->call_and_parse("trigger/schema", trigger_params(trigger), state_->limits.schema,
                                parse_schema_result);
}

Result<ValidationOutcome> ExtensionSession::validate(std::string_view trigger,
                                                     const json::Value& configuration) {
  auto params = trigger_params(trigger);
  params.set("configuration", configuration);
  return state_->call_and_parse("trigger/validate", std::move(params), state_->limits.validate,
                                parse_validate_result);
}

Result<std::optional<Item>> ExtensionSession::poll(std::string_view trigger, const json::Value& automation,
                                                   bool preview, std::uint32_t limit) {
  auto params = trigger_params(trigger);
  params.set("automation", automation);
  params.set("preview", preview);
  params.set("limit", std::int64_t{limit});
  return state_->call_and_parse("trigger/poll", std::move(params), state_->limits.poll, parse_poll_result);
}

Result<> ExtensionSession::on_started(std::string_view trigger, const Item& item) {
  auto params = trigger_params(trigger);
  params.set("values", to_json(item));
  CURUPIRA_CHECK(
      state_->call("trigger/onStarted", std::move(params), State::Clock::now(), state_->limits.lifecycle));
  return {};
}

Result<> ExtensionSession::on_finished(std::string_view trigger, const Item& item) {
  auto params = trigger_params(trigger);
  params.set("values", to_json(item));
  CURUPIRA_CHECK(
      state_->call("trigger/onFinished", std::move(params), State::Clock::now(), state_->limits.lifecycle));
  return {};
}

void ExtensionSession::shut_down() {
  if (!alive()) return;
  const auto step = state_->limits.shutdown_step;
  // What it answers does not matter, nor whether it does; the steps that follow are bounded.
  static_cast<void>(state_->client->call("shutdown", nullptr, State::Clock::now() + step));
  state_->process->shut_down(step);
  state_->end();
}

}  // namespace curupira::runtime
