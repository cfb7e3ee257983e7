#include "cli/bundle_text.h"

#include <algorithm>
#include <ostream>
#include <set>
#include <string>

#include "base/printable.h"
#include "manifest/receipt.h"
#include "registry/oci_manifest.h"

namespace curupira::cli {
namespace {

using Kind = installer::BundleItem::Kind;

struct Sums {
  std::size_t files = 0, left_out = 0;
  std::uint64_t bytes = 0;
};

Sums sums_of(const installer::Bundle& bundle) {
  Sums sums;
  for (const auto& item : bundle.contents().items) {
    if (item.kind != Kind::artifact && item.kind != Kind::tree) continue;
    if (item.carried) {
      ++sums.files;
      sums.bytes += item.size;
    } else {
      ++sums.left_out;
    }
  }
  return sums;
}

std::string counted(std::size_t count, const std::string& word) {
  return std::to_string(count) + ' ' + word + (count == 1 ? "" : "s");
}

std::string list_of(const std::vector<std::string>& texts) {
  std::string list;
  for (const auto& text : texts)
    list += (list.empty() ? "" : ", ") + printable(text);
  return list;
}

/// Whose signatures came along: they prove what they prove only to who knows the key.
std::set<std::string> keys_of(const installer::Bundle& bundle) {
  std::set<std::string> keys;
  for (const auto& item : bundle.contents().items) {
    if (item.kind != Kind::proof) continue;
    const auto digest = Digest::from_sri(item.key);
    const auto proof = digest ? bundle.proof(*digest) : Result<std::optional<installer::KeptProof>>();
    if (!proof || !*proof) continue;
    if (const auto* const word = std::get_if<registry::RegistryProof>(&(*proof)->by))
      keys.insert("the registry " + printable(word->registry));
    else
      for (const auto& signature : std::get<std::vector<registry::RegistrySignature>>((*proof)->by))
        keys.insert(printable(signature.key_id) + " of " + printable(signature.registry));
  }
  return keys;
}

}  // namespace

std::string bundle_platforms(const installer::Bundle& bundle) {
  std::vector<std::string> names;
  for (const auto& platform : bundle.contents().platforms)
    names.push_back(platform.text());
  return list_of(names);
}

std::string bundle_summary(const installer::Bundle& bundle) {
  const Sums sums = sums_of(bundle);
  return counted(bundle.lock().extensions.size(), "extension") + ", " + counted(sums.files, "file") + ", " +
         format_bytes(sums.bytes);
}

void print_bundle(Terminal& terminal, const installer::Bundle& bundle) {
  auto& out = terminal.out();
  const Sums sums = sums_of(bundle);
  out << "Bundle of " << bundle_summary(bundle) << '\n';
  out << "  digest     " << registry::oci_digest(bundle.digest()) << '\n';
  if (!bundle.contents().created.empty())
    out << "  made       " << printable(bundle.contents().created) << '\n';
  out << "  platforms  " << bundle_platforms(bundle) << '\n';
  if (bundle.contents().since)
    out << "  since      " << registry::oci_digest(*bundle.contents().since) << ", which has "
        << counted(sums.left_out, "file") << " that this one leaves out\n";
  for (const auto& key : keys_of(bundle))
    out << "  signed by  " << key << '\n';
  for (const auto& entry : bundle.lock().extensions) {
    out << '\n'
        << printable(entry.name) << ' ' << printable(entry.version) << "  " << printable(entry.reference)
        << '\n';
    out << "  level        " << manifest::name_of(entry.level) << '\n';
    out << "  permissions  " << (entry.permissions.empty() ? "none" : list_of(entry.permissions)) << '\n';
  }
  out << "\nAll blobs are what they are named after, and nothing else is in it\n";
}

json::Value bundle_to_json(const installer::Bundle& bundle) {
  const auto& contents = bundle.contents();
  json::Object object;
  object.set("digest", registry::oci_digest(bundle.digest()));
  object.set("created", contents.created.empty() ? json::Value() : json::Value(contents.created));
  json::Array platforms;
  for (const auto& platform : contents.platforms)
    platforms.push_back(platform.text());
  object.set("platforms", std::move(platforms));
  object.set("since", contents.since ? json::Value(registry::oci_digest(*contents.since)) : json::Value());
  json::Array extensions;
  for (const auto& entry : bundle.lock().extensions) {
    json::Object extension;
    extension.set("name", entry.name);
    extension.set("version", entry.version);
    extension.set("reference", entry.reference);
    extension.set("level", manifest::name_of(entry.level));
    json::Array permissions;
    for (const auto& permission : entry.permissions)
      permissions.push_back(permission);
    extension.set("permissions", std::move(permissions));
    extensions.push_back(std::move(extension));
  }
  object.set("extensions", std::move(extensions));
  json::Array items;
  for (const auto& item : contents.items) {
    json::Object each;
    each.set("kind", installer::word_of(item.kind));
    const bool of_registry = installer::is_of_registry(item.kind);
    each.set("name", of_registry ? item.key : item.name);
    each.set("digest", of_registry || item.key.empty() ? json::Value() : json::Value(item.key));
    each.set("blob", registry::oci_digest(item.blob));
    each.set("size", item.size);
    each.set("carried", item.carried);
    items.push_back(std::move(each));
  }
  object.set("items", std::move(items));
  return object;
}

}  // namespace curupira::cli
