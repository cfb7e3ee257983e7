#include "registry/carriers.h"

#include <optional>

#include "base/printable.h"
#include "base/url.h"
#include "registry/bundle_carrier.h"
#include "registry/bundle_writer.h"
#include "registry/folder_carrier.h"
#include "registry/http_carrier.h"
#include "registry/mirrored_carrier.h"
#include "registry/oci_carrier.h"

namespace curupira::registry {
namespace {

bool has_scheme(const std::string& address) {
  const std::size_t colon = address.find("://");
  return colon != std::string::npos && address.find('/') == colon + 1;
}

Result<Url> parse_url(const std::string& address) {
  auto url = Url::parse(address);
  if (url) return url;
  return fail(Error(ErrorCode::carrier_address, url.error().detail()));
}

/// Of a folder or a bundle; nothing for what is no file of this machine.
Result<std::optional<std::filesystem::path>> path_of(const SourceTools& tools, const std::string& address) {
  if (address.empty()) return fail(ErrorCode::carrier_address, "it is empty");
  if (address.find('\0') != std::string::npos)
    return fail(ErrorCode::carrier_address, "\"" + excerpt(address) + "\" contains NUL");
  if (!has_scheme(address)) return tools.current_folder / address;
  if (!address.starts_with("file:")) return std::nullopt;
  CURUPIRA_TRY(const Url url, parse_url(address));
  CURUPIRA_TRY(std::string path, percent_decode(url.path()));
  return path;
}

bool is_bundle(const std::filesystem::path& path) {
  return path.extension() == ".bundle";
}

}  // namespace

Result<std::unique_ptr<Carrier>> make_carrier(const SourceTools& tools, Diagnostics& diagnostics,
                                              const std::string& address) {
  if (!address.starts_with("https://") && !address.starts_with("http://")) {
    CURUPIRA_TRY(auto path, path_of(tools, address));
    if (path && is_bundle(*path)) return std::make_unique<BundleCarrier>(*std::move(path));
    return make_writable_carrier(tools, diagnostics, address);
  }
  CURUPIRA_TRY(Url url, parse_url(address));
  return HttpCarrier::open(tools, std::move(url));
}

Result<std::unique_ptr<Carrier>> make_carrier(const SourceTools& tools, Diagnostics& diagnostics,
                                              const std::string& address,
                                              const std::vector<std::string>& mirrors) {
  if (mirrors.empty()) return make_carrier(tools, diagnostics, address);
  std::vector<std::string> addresses{address};
  addresses.insert(addresses.end(), mirrors.begin(), mirrors.end());
  std::vector<std::unique_ptr<Carrier>> carriers;
  std::optional<Error> offline;
  for (const std::string& each : addresses) {
    auto carrier = make_carrier(tools, diagnostics, each);
    if (carrier) {
      carriers.push_back(*std::move(carrier));
    } else if (carrier.error().code() != ErrorCode::offline_missing) {
      return fail(std::move(carrier).error());
    } else if (!offline) {
      offline = std::move(carrier).error();  // a mirror in a folder is as good as ever
    }
  }
  if (carriers.empty()) return fail(*std::move(offline));
  return std::make_unique<MirroredCarrier>(std::move(carriers), diagnostics);
}

std::string shown_address(const std::string& address) {
  if (!has_scheme(address)) return printable(address);
  if (const auto url = Url::parse(address)) return printable(url->to_string());
  if (const auto repository = OciRepository::parse(address)) return printable(repository->to_string());
  return printable(address.substr(0, address.find("://"))) + "://…";  // a password may be anywhere in it
}

Result<std::unique_ptr<WritableCarrier>> make_writable_carrier(const SourceTools& tools,
                                                               Diagnostics& diagnostics,
                                                               const std::string& address) {
  CURUPIRA_TRY(auto path, path_of(tools, address));
  if (path && is_bundle(*path)) return std::make_unique<BundleWriter>(tools.files, *std::move(path));
  if (path) return std::make_unique<FolderCarrier>(tools.files, *std::move(path));
  if (address.starts_with("oci://")) {
    CURUPIRA_TRY(OciRepository repository, OciRepository::parse(address));
    return OciCarrier::open(tools, diagnostics, std::move(repository));
  }
  CURUPIRA_TRY(const Url url, parse_url(address));
  return fail(ErrorCode::carrier_read_only, printable(url.to_string()));
}

}  // namespace curupira::registry
