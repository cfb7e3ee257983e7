#include "registry/registry_client.h"

#include <algorithm>

#include "base/clock.h"
#include "base/printable.h"
#include "base/timestamp.h"
#include "registry/carrier_fetcher.h"
#include "registry/carriers.h"
#include "registry/repository_roles.h"

namespace curupira::registry {
namespace {

/// Nothing when the registry and its mirrors cannot be asked, which is no error: what was read counts.
Result<std::shared_ptr<Carrier>> open_carrier(const SourceTools& tools,
                                              const manifest::RegistrySettings& settings,
                                              Diagnostics& diagnostics) {
  auto carrier = make_carrier(tools, diagnostics, settings.url, settings.mirrors);
  if (carrier) return std::shared_ptr<Carrier>(*std::move(carrier));
  if (carrier.error().code() == ErrorCode::offline_missing) return std::shared_ptr<Carrier>();
  return fail(std::move(carrier).error());
}

/// The sha256 that the metadata promises, when it is one; else the carrier reads it from the file's name.
const Digest* sha256_of(const tuf::TargetInfo& info) {
  for (const Digest& digest : info.digests)
    if (digest.algorithm() == DigestAlgorithm::sha256) return &digest;
  return nullptr;
}

/// The text, when it is what the metadata promises.
bool is_promised(const std::string& text, const tuf::TargetInfo& info) {
  StringSink sink(info.length);
  tuf::TargetSink check(sink, info);
  return check.write(std::as_bytes(std::span(text))) && check.finish();
}

const Clock& clock_of(const SourceTools& tools) {
  static const SystemClock system_clock;
  return tools.clock != nullptr ? *tools.clock : system_clock;
}

/// What another carrier may have better.
bool is_about_metadata(ErrorCode code) {
  return code >= ErrorCode::tuf_syntax && code <= ErrorCode::tuf_metadata_too_large;
}

}  // namespace

RegistryClient::RegistryClient(const SourceTools& tools, const manifest::RegistrySettings& settings,
                               Diagnostics& diagnostics, RegistryTrust trust,
                               std::shared_ptr<Carrier> carrier)
    : tools_(tools),
      settings_(settings),
      diagnostics_(diagnostics),
      trust_(std::move(trust)),
      carrier_(std::move(carrier)) {
  if (carrier_)
    fetcher_ = std::make_unique<CarrierFetcher>(*carrier_);
  else
    fetcher_ = std::make_unique<KeptMetadata>(tools.files, trust_.folder(), settings.name);
}

Result<std::unique_ptr<RegistryClient>> RegistryClient::open(const SourceTools& tools,
                                                             const manifest::RegistrySettings& settings,
                                                             Diagnostics& diagnostics) {
  CURUPIRA_TRY(auto carrier, open_carrier(tools, settings, diagnostics));
  return open(tools, settings, diagnostics, std::move(carrier));
}

Result<std::unique_ptr<RegistryClient>> RegistryClient::open(const SourceTools& tools,
                                                             const manifest::RegistrySettings& settings,
                                                             Diagnostics& diagnostics,
                                                             std::shared_ptr<Carrier> carrier) {
  const auto open_it = [&]() -> Result<std::unique_ptr<RegistryClient>> {
    std::unique_ptr<RegistryClient> client(
        new RegistryClient(tools, settings, diagnostics,
                           RegistryTrust(tools.files, tools.home, settings.name), std::move(carrier)));
    CURUPIRA_CHECK(client->check_trust());
    CURUPIRA_CHECK(client->update());
    return client;
  };
  auto opened = open_it();
  if (!opened) return fail(std::move(opened).error().while_doing("asking the registry " + settings.name));
  return opened;
}

Result<> RegistryClient::begin_trust(const SourceTools& tools, const manifest::RegistrySettings& settings,
                                     Diagnostics& diagnostics, std::shared_ptr<Carrier> carrier,
                                     const FirstRoot& root) {
  RegistryTrust trust(tools.files, tools.home, settings.name);
  tidy_trust(tools.files, tools.home, clock_of(tools).now());
  return trust.establish(root, [&](const RegistryTrust& trial) {
    return RegistryClient(tools, settings, diagnostics, trial, carrier).update();
  });
}

Result<> RegistryClient::check_trust() {
  const auto& expected = settings_.root_fingerprint;
  CURUPIRA_TRY(const bool trusted, trust_.exists());
  if (!trusted) {
    if (!expected)
      return fail(Error(ErrorCode::root_unconfirmed, "the settings name no root_fingerprint for " +
                                                         settings_.name + ", and no root is trusted here")
                      .with_help("`curupira registry add " + settings_.name +
                                 " URL --root-fingerprint sha256:…` trusts one"));
    if (!carrier_) return fail(ErrorCode::offline_missing, "the root of the registry " + settings_.name);
    CURUPIRA_TRY(const FirstRoot root, fetch_first_root(*carrier_, expected));
    tidy_trust(tools_.files, tools_.home, clock_of(tools_).now());
    CURUPIRA_CHECK(trust_.establish(root, [](const RegistryTrust&) { return Result<>(); }));
  }
  if (!expected || trust_.first_root() == expected) return {};
  const auto found = trust_.first_root();
  return fail(Error(ErrorCode::root_fingerprint,
                    "the settings name " + manifest::root_fingerprint_text(*expected) + ", and " +
                        settings_.name + " was trusted here with " +
                        (found ? manifest::root_fingerprint_text(*found) : "another one"))
                  .with_help("two registries need two names; `curupira registry remove " + settings_.name +
                             "` forgets the one that was trusted"));
}

Result<> RegistryClient::update() {
  while (true) {
    auto updated = update_once();
    if (updated || !reject(updated.error())) return updated;
  }
}

Result<> RegistryClient::update_once() {
  client_.reset();  // its lock would keep us waiting for ourselves
  CURUPIRA_TRY(tuf::Client client,
               tuf::Client::begin(tools_.files, trust_.folder(), *fetcher_, clock_of(tools_), diagnostics_));
  client_.emplace(std::move(client));
  auto refreshed = client_->refresh();
  if (!refreshed && !carrier_ && refreshed.error().code() == ErrorCode::tuf_freeze)
    return fail(
        Error(ErrorCode::tuf_expired, refreshed.error().detail())
            .with_help("connect to the registry, or carry newer metadata in; check this machine's clock"));
  CURUPIRA_CHECK(refreshed);
  if (carrier_) {
    const auto since = known_since();
    const auto last = trust_.last_update();
    if (!carrier_->is_carried() || !last || *last < since) CURUPIRA_CHECK(trust_.write_last_update(since));
  }
  if (!carrier_ || carrier_->is_carried()) CURUPIRA_CHECK(check_age());
  client_->pause();
  return {};
}

std::chrono::sys_seconds RegistryClient::known_since() const {
  const auto now = client_->trusted().update_time();
  if (!carrier_->is_carried()) return now;
  // Metadata does not say when it was signed, only until when.
  return std::min(now, client_->trusted().timestamp()->common.expires - Lifetimes().timestamp);
}

Result<> RegistryClient::check_age() const {
  if (!tools_.metadata_age) return {};
  const auto last = trust_.last_update();
  const auto now = client_->trusted().update_time();
  if (last && now - *last <= tools_.metadata_age->maximum) return {};
  return fail(ErrorCode::registry_stale,
              tools_.metadata_age->rule + ": the registry " + settings_.name + " was asked last " +
                  (last ? "on " + format_timestamp(*last) : "at a time that nobody knows"));
}

bool RegistryClient::reject(const Error& error) {
  return carrier_ && is_about_metadata(error.code()) && carrier_->reject_metadata(error);
}

Result<PackageRecord> RegistryClient::find(const PackageName& package) {
  auto found = with_every_carrier<PackageRecord>([&] { return find_once(package); });
  if (!found)
    return fail(std::move(found).error().while_doing("asking the registry " + settings_.name + " for " +
                                                     package.text()));
  return found;
}

Result<PackageRecord> RegistryClient::find_once(const PackageName& package) {
  CURUPIRA_TRY(const auto name, tuf::TargetName::parse(package.target()));
  auto info = client_->find_target(name);
  if (!info && info.error().code() == ErrorCode::tuf_target_unknown)
    return fail(ErrorCode::package_unlisted, settings_.name + " has no package " + package.text());
  CURUPIRA_CHECK(info);
  CURUPIRA_TRY(tuf::TargetProof proof, client_->prove_target(name));
  CURUPIRA_TRY(std::string text, target(*info, max_package_index_bytes));
  CURUPIRA_TRY(PackageIndex index, parse_package_index(text, package));
  return PackageRecord{.index = std::move(index),
                       .text = std::move(text),
                       .info = *std::move(info),
                       .proof = std::move(proof)};
}

Result<std::string> RegistryClient::target(const tuf::TargetInfo& info, std::uint64_t max_bytes) {
  const std::string& name = info.name.text();
  if (info.length > max_bytes)
    return fail(ErrorCode::response_too_large, name + " of the registry " + settings_.name + " has " +
                                                   format_bytes(info.length) + "; allowed are " +
                                                   format_bytes(max_bytes));
  if (auto kept = trust_.kept_target(name, info.length); kept && is_promised(*kept, info))
    return *std::move(kept);
  if (!carrier_)
    return fail(ErrorCode::offline_missing,
                name + " of the registry " + settings_.name + " was not read while it could be");
  StringSink text(info.length);
  tuf::TargetSink check(text, info);
  CURUPIRA_CHECK(fetch_target(*carrier_, info.path, sha256_of(info), info.length, check));
  CURUPIRA_CHECK(check.finish());
  CURUPIRA_CHECK(trust_.keep_target(name, text.text()));
  return text.take();
}

Result<> RegistryClient::fetch(const IndexArtifact& artifact, ByteSink& sink) {
  if (!carrier_)
    return fail(ErrorCode::offline_missing, printable(artifact.file) + " of the registry " + settings_.name);
  return fetch_target(*carrier_, artifact.path(), &artifact.sha256, artifact.size, sink);
}

}  // namespace curupira::registry
