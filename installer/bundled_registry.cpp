#include "installer/bundled_registry.h"

#include <memory>
#include <utility>

#include "base/printable.h"
#include "installer/locked_release.h"
#include "registry/carried_target.h"
#include "registry/registry_clients.h"

namespace curupira::installer {
namespace {

using Kind = BundleItem::Kind;

/// What to do about metadata that an update refuses; empty where the error says it.
std::string help_for(ErrorCode code, const std::string& name) {
  switch (code) {
    case ErrorCode::tuf_rollback:
      return "this machine knows the registry " + name +
             " from a newer bundle, or from itself: carry a newer bundle in";
    case ErrorCode::tuf_expired:
    case ErrorCode::tuf_freeze:
      return "what the bundle says of the registry " + name +
             " is too old: carry a newer bundle in; check this machine's clock";
    case ErrorCode::registry_unknown:
    case ErrorCode::root_unconfirmed:
      return "[registries." + name +
             "] in the settings, with url and root_fingerprint, says whose signatures count";
    default:
      return {};
  }
}

Error explained(Error error, const std::string& name) {
  std::string doing = "reading what the bundle says of the registry " + name;
  std::string help = help_for(error.code(), name);
  if (help.empty()) return std::move(error).while_doing(std::move(doing));
  return std::move(error).with_help(std::move(help)).while_doing(std::move(doing));
}

}  // namespace

Result<std::optional<std::string>> BundledRegistry::metadata(const std::string& file_name,
                                                             std::uint64_t max_bytes) {
  CURUPIRA_CHECK(registry::check_metadata_name(file_name));
  const BundleItem* const item = bundle_.contents().find(Kind::metadata, registry_ + "/" + file_name);
  if (item == nullptr || !item->carried) return std::nullopt;
  if (item->size > max_bytes)
    return fail(ErrorCode::response_too_large, file_name + " of " + name() + " has " +
                                                   format_bytes(item->size) + ", allowed are " +
                                                   format_bytes(max_bytes));
  CURUPIRA_TRY(std::string text, bundle_.archive().read_text(item->blob, max_bytes));
  return std::optional(std::move(text));
}

Result<> BundledRegistry::target(const std::string& path, const Digest* sha256, std::uint64_t max_bytes,
                                 ByteSink& sink) {
  CURUPIRA_TRY(const auto target, registry::CarriedTarget::parse(path, sha256));
  const BundleItem* item = bundle_.contents().find(Kind::target, registry_ + "/" + path);
  if (item == nullptr && target.sha256) item = bundle_.contents().find(Kind::artifact, target.sha256->sri());
  if (item == nullptr || !item->carried)
    return fail(ErrorCode::carrier_file_missing, name() + " does not have " + printable(path));
  const std::string carrier = name();
  registry::TargetCheck check(target, carrier, max_bytes, sink);
  CURUPIRA_CHECK(bundle_.archive().read(item->blob, check));
  return check.finish();
}

std::set<std::string> registries_of(const BundleContents& contents) {
  std::set<std::string> names;
  for (const BundleItem& item : contents.items)
    if (item.kind == Kind::metadata) names.insert(item.key.substr(0, item.key.find('/')));
  return names;
}

Result<> read_bundled_registries(const InstallerTools& tools, const Bundle& bundle, const Store& store,
                                 Diagnostics& diagnostics) {
  const std::set<std::string> names = registries_of(bundle.contents());
  if (names.empty()) return {};
  const registry::SourceTools& sources = *tools.source_tools;
  if (sources.registry_clients == nullptr) return fail(ErrorCode::internal, "no registry can be asked");
  for (const std::string& name : names) {
    sources.registry_clients->offer(name, std::make_shared<BundledRegistry>(bundle, name));
    auto client = sources.registry_clients->open(name);
    if (!client) return fail(explained(std::move(client).error(), name));
  }
  for (const LockedExtension& entry : bundle.lock().extensions) {
    if (!names.contains(registry_of(entry))) continue;
    CURUPIRA_TRY(const auto reference, registry::parse_reference(entry.reference));
    const auto* const wanted = std::get_if<registry::RegistryReference>(&reference);
    if (wanted == nullptr || wanted->registry != registry_of(entry))
      return fail(ErrorCode::lock_mismatch, printable(entry.name) + ": its reference is " +
                                                printable(entry.reference) + ", its source " +
                                                printable(entry.source));
    auto confirmed = confirm_locked_release(sources, store, entry, *wanted, diagnostics);
    if (!confirmed) return fail(explained(std::move(confirmed).error(), wanted->registry));
  }
  return {};
}

}  // namespace curupira::installer
