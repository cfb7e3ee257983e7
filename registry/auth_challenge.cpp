#include "registry/auth_challenge.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace curupira::registry {
namespace {

bool is_token_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

class ChallengeText {
 public:
  explicit ChallengeText(std::string_view text) : text_(text) {}

  bool at_end() const { return text_.empty(); }
  void skip(std::string_view characters) {
    text_.remove_prefix(std::min(text_.find_first_not_of(characters), text_.size()));
  }
  std::string_view token() {
    const auto end = std::ranges::find_if_not(text_, is_token_character);
    const std::string_view found = text_.substr(0, static_cast<std::size_t>(end - text_.begin()));
    text_.remove_prefix(found.size());
    return found;
  }
  bool take(char c) {
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  /// A token, or a text in quotes; nothing when the quotes do not end.
  std::optional<std::string> value() {
    if (!take('"')) return std::string(token());
    std::string value;
    while (!text_.empty() && text_.front() != '"') {
      take('\\');
      if (text_.empty()) break;
      value += text_.front();
      text_.remove_prefix(1);
    }
    if (!take('"')) return std::nullopt;
    return value;
  }

 private:
  std::string_view text_;
};

}  // namespace

std::vector<AuthChallenge> parse_challenges(std::string_view value) {
  std::vector<AuthChallenge> challenges;
  ChallengeText text(value);
  while (true) {
    text.skip(" \t,");
    if (text.at_end()) return challenges;
    const std::string name = lower_case(text.token());
    if (name.empty()) return challenges;
    text.skip(" \t");
    if (!text.take('=')) {
      challenges.push_back({.scheme = name, .parameters = {}});
      continue;
    }
    if (challenges.empty()) return challenges;
    text.skip(" \t");
    auto parameter = text.value();
    if (!parameter) return challenges;
    challenges.back().parameters.emplace(name, *std::move(parameter));
  }
}

std::vector<AuthChallenge> parse_challenges(const HttpResponse& response) {
  std::vector<AuthChallenge> challenges;
  for (const auto& [name, value] : response.headers) {
    if (name == "www-authenticate")
      std::ranges::move(parse_challenges(value), std::back_inserter(challenges));
  }
  return challenges;
}

}  // namespace curupira::registry
