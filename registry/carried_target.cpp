#include "registry/carried_target.h"

#include "base/printable.h"
#include "base/url.h"

namespace curupira::registry {
namespace {

constexpr std::size_t hex_digits = 64;

std::optional<Digest> digest_of_name(std::string_view file_name) {
  if (file_name.size() <= hex_digits || file_name[hex_digits] != '.') return std::nullopt;
  auto digest = Digest::from_hex(DigestAlgorithm::sha256, file_name.substr(0, hex_digits));
  if (!digest) return std::nullopt;
  return *digest;
}

}  // namespace

Result<CarriedTarget> CarriedTarget::parse(const std::string& path, const Digest* sha256) {
  auto relative = RelativePath::parse(path);
  if (!relative || relative->text() != path)
    return fail(ErrorCode::carrier_file_missing, "\"" + excerpt(path) + "\" is no path of a target");
  CarriedTarget target{.path = *std::move(relative), .sha256 = std::nullopt};
  target.sha256 = sha256 != nullptr ? std::optional(*sha256) : digest_of_name(target.path.file_name());
  return target;
}

std::string CarriedTarget::url_path() const {
  std::string text;
  for (const std::string_view segment : path.segments())
    text += (text.empty() ? "" : "/") + percent_encode(segment);
  return text;
}

Result<> TargetCheck::write(std::span<const std::byte> bytes) {
  if (bytes.size() > max_bytes_ - count_)
    return fail(ErrorCode::response_too_large, describe_target(target_, carrier_) + " is larger than the " +
                                                   format_bytes(max_bytes_) + " that are allowed");
  count_ += bytes.size();
  hasher_.update(bytes);
  return receiver_.write(bytes);
}

Result<> TargetCheck::restart() {
  count_ = 0;
  hasher_ = Hasher(DigestAlgorithm::sha256);
  return receiver_.restart();
}

Result<> TargetCheck::finish() {
  const Digest found = hasher_.finish();
  if (!target_.sha256 || found == *target_.sha256) return {};
  return fail(ErrorCode::digest_mismatch, describe_target(target_, carrier_) + ", " + format_bytes(count_) +
                                              "\nexpected sha256:" + target_.sha256->hex() +
                                              "  found sha256:" + found.hex());
}

std::string describe_target(const CarriedTarget& target, const std::string& carrier) {
  return printable(target.path.text()) + " of " + carrier;
}

}  // namespace curupira::registry
