#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/http_client.h"
#include "base/process_runner.h"
#include "installer/install_observer.h"
#include "registry/source.h"

namespace curupira::installer::test {

/// Answers by URL; everything else is 404. Counts what it was asked.
class FakeHttp final : public HttpClient {
 public:
  void perform(std::span<HttpTransfer> transfers) override {
    for (HttpTransfer& transfer : transfers)
      transfer.outcome = answer(transfer);
  }
  std::map<std::string, std::string> bodies;
  std::vector<std::string> asked;

 private:
  Result<HttpResponse> answer(HttpTransfer& transfer) {
    const std::string url = transfer.request.url.to_string();
    asked.push_back(url);
    const auto body = bodies.find(url);
    transfer.status = body == bodies.end() ? 404 : 200;
    if (body == bodies.end()) return fail(ErrorCode::http_not_found, "404 " + url);
    // A first attempt that breaks off: the sink has to forget it.
    CURUPIRA_CHECK(
        transfer.body->write(std::as_bytes(std::span(body->second).first(body->second.size() / 2))));
    CURUPIRA_CHECK(transfer.body->restart());
    CURUPIRA_CHECK(transfer.body->write(std::as_bytes(std::span(body->second))));
    if (transfer.on_progress) transfer.on_progress(body->second.size());
    return HttpResponse{.status = 200, .url = transfer.request.url, .body_bytes = body->second.size()};
  }
};

/// Calls a function for each program.
class FakeProcesses final : public ProcessRunner {
 public:
  Result<ProcessOutput> run(const ProcessRequest& request) override {
    requests.push_back(request);
    if (!answer) return fail(ErrorCode::tool_missing, request.argv[0]);
    return answer(request);
  }
  std::function<Result<ProcessOutput>(const ProcessRequest&)> answer;
  std::vector<ProcessRequest> requests;
};

/// Resolves references as a table says; path: and archives as the real sources do.
class FakeSource final : public registry::Source {
 public:
  bool handles(const registry::Reference&) const override { return true; }
  Result<registry::Resolution> resolve(const registry::Reference& reference, const manifest::Platform&,
                                       Diagnostics&) override {
    if (const auto* const path = std::get_if<registry::PathReference>(&reference))
      return registry::Resolution{.reference = reference,
                                  .package = {},
                                  .version = {},
                                  .artifacts = {},
                                  .content = registry::LocalFolder{path->folder}};
    const auto known = resolutions.find(registry::to_string(reference));
    if (known == resolutions.end()) return fail(ErrorCode::package_not_found, registry::to_string(reference));
    registry::Resolution resolution = known->second;
    resolution.reference = reference;
    return resolution;
  }
  std::map<std::string, registry::Resolution> resolutions;
};

/// Remembers what it was told.
class RecordingObserver final : public InstallObserver {
 public:
  void fetching(std::size_t artifacts, std::size_t in_store) override {
    events.push_back("fetch " + std::to_string(artifacts) + " in store " + std::to_string(in_store));
  }
  void fetched_bytes(std::uint64_t received, std::uint64_t expected) override {
    events.push_back("bytes " + std::to_string(received) + "/" + std::to_string(expected));
  }
  void unpacking(std::string_view artifact) override { events.push_back("unpack " + std::string(artifact)); }
  void committed(std::string_view name, std::string_view version) override {
    events.push_back("committed " + std::string(name) + " " + std::string(version));
  }
  std::vector<std::string> events;
};

}  // namespace curupira::installer::test
