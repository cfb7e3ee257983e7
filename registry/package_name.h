#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace curupira::registry {

/// What a package of a curupira registry is called: "tickets", "@acme/tickets". Lower case letters, digits,
/// '-', '_' and '.', each part beginning with a letter or a digit and of at most 64 bytes.
class PackageName {
 public:
  /// Error: package_name with the reason.
  static Result<PackageName> parse(std::string_view text);
  /// Of the target "packages/@acme/tickets.json". Error: package_name.
  static Result<PackageName> of_target(std::string_view path);

  const std::string& text() const { return text_; }
  /// Where its index is among the targets of the registry.
  std::string target() const { return "packages/" + text_ + ".json"; }
  /// For the name of a file: "acme-tickets".
  std::string file_stem() const;

  auto operator<=>(const PackageName&) const = default;

 private:
  explicit PackageName(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

}  // namespace curupira::registry
