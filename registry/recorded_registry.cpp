#include "registry/recorded_registry.h"

#include "base/printable.h"
#include "registry/carrier_fetcher.h"
#include "registry/carriers.h"
#include "registry/package_index.h"
#include "registry/registry_trust.h"
#include "tuf/client.h"

namespace curupira::registry {
namespace {

/// Keeps what comes through it.
class Recording final : public Carrier {
 public:
  Recording(Carrier& carrier, RecordedRegistry& recorded) : carrier_(carrier), recorded_(recorded) {}

  std::string name() const override { return carrier_.name(); }
  Result<std::optional<std::string>> metadata(const std::string& file_name,
                                              std::uint64_t max_bytes) override {
    CURUPIRA_TRY(auto file, carrier_.metadata(file_name, max_bytes));
    if (file) recorded_.metadata[file_name] = *file;
    return file;
  }
  bool reject_metadata(const Error& why) override { return carrier_.reject_metadata(why); }
  Result<> target(const std::string& path, const Digest* sha256, std::uint64_t max_bytes,
                  ByteSink& sink) override {
    StringSink text(max_bytes);
    CURUPIRA_CHECK(carrier_.target(path, sha256, max_bytes, text));
    recorded_.targets[path] = text.text();
    return sink.write(std::as_bytes(std::span(text.text())));
  }

 private:
  Carrier& carrier_;
  RecordedRegistry& recorded_;
};

Result<> go(tuf::Client& client, Recording& carrier, const PackageName& package) {
  CURUPIRA_TRY(const auto name, tuf::TargetName::parse(package.target()));
  const auto info = client.find_target(name);
  if (!info && info.error().code() == ErrorCode::tuf_target_unknown)
    return fail(ErrorCode::package_unlisted, printable(package.text()));
  CURUPIRA_CHECK(info);
  if (info->length > max_package_index_bytes)
    return fail(ErrorCode::tuf_target_swapped,
                printable(package.text()) + " would be larger than " + format_bytes(max_package_index_bytes));
  StringSink nowhere(info->length);
  tuf::TargetSink check(nowhere, *info);
  CURUPIRA_CHECK(fetch_target(carrier, info->path, nullptr, info->length, check));
  return check.finish();
}

}  // namespace

Result<RecordedRegistry> record_registry(const SourceTools& tools, const manifest::RegistrySettings& settings,
                                         const Digest& first_root, const std::set<PackageName>& packages,
                                         const std::filesystem::path& scratch, Diagnostics& diagnostics) {
  RecordedRegistry recorded;
  const auto record = [&]() -> Result<> {
    CURUPIRA_TRY(const auto carrier, make_carrier(tools, diagnostics, settings.url, settings.mirrors));
    Recording recording(*carrier, recorded);
    CURUPIRA_TRY(const FirstRoot root, fetch_first_root(recording, first_root));
    CURUPIRA_CHECK(tuf::pin_root(tools.files, scratch, root.file));
    CarrierFetcher fetcher(recording);
    const SystemClock system_clock;
    const Clock& clock = tools.clock != nullptr ? *tools.clock : system_clock;
    CURUPIRA_TRY(auto client, tuf::Client::begin(tools.files, scratch, fetcher, clock, diagnostics));
    CURUPIRA_CHECK(client.refresh());
    for (const PackageName& package : packages)
      CURUPIRA_CHECK(go(client, recording, package));
    return {};
  };
  auto done = record();
  if (!done) return fail(std::move(done).error().while_doing("reading the registry " + settings.name));
  return recorded;
}

}  // namespace curupira::registry
