#include "registry/python_marker.h"

#include <array>

#include "base/printable.h"
#include "registry/limits.h"
#include "registry/python_version.h"

namespace curupira::registry {

namespace {

using Variables = std::map<std::string, std::string, std::less<>>;
constexpr int max_depth = 32;

bool is_version(std::string_view text) {
  return !text.empty() && text.front() >= '0' && text.front() <= '9';
}

class Evaluator {
 public:
  Evaluator(std::string_view text, const Variables& variables) : rest_(text), variables_(variables) {}

  Result<bool> all() {
    CURUPIRA_TRY(const bool value, any_of(0));
    skip_space();
    if (!rest_.empty()) return wrong("an \"and\" or \"or\"");
    return value;
  }

 private:
  Result<bool> any_of(int depth) {
    CURUPIRA_TRY(bool value, all_of(depth));
    while (take_word("or")) {
      CURUPIRA_TRY(const bool next, all_of(depth));
      value = value || next;
    }
    return value;
  }

  Result<bool> all_of(int depth) {
    CURUPIRA_TRY(bool value, one(depth));
    while (take_word("and")) {
      CURUPIRA_TRY(const bool next, one(depth));
      value = value && next;
    }
    return value;
  }

  Result<bool> one(int depth) {
    if (depth > max_depth) return wrong("fewer parentheses");
    if (take("(")) {
      CURUPIRA_TRY(const bool value, any_of(depth + 1));
      if (!take(")")) return wrong("a closing parenthesis");
      return value;
    }
    CURUPIRA_TRY(const std::string left, operand());
    CURUPIRA_TRY(const std::string_view comparison, comparison_operator());
    CURUPIRA_TRY(const std::string right, operand());
    return holds(left, comparison, right);
  }

  Result<std::string> operand() {
    skip_space();
    if (!rest_.empty() && (rest_.front() == '\'' || rest_.front() == '"')) {
      const auto end = rest_.find(rest_.front(), 1);
      if (end == std::string_view::npos) return wrong("the end of a string");
      std::string value(rest_.substr(1, end - 1));
      rest_.remove_prefix(end + 1);
      return value;
    }
    const std::string_view name = word();
    if (name.empty()) return wrong("a variable or a string");
    rest_.remove_prefix(name.size());
    const auto found = variables_.find(name);
    return found == variables_.end() ? std::string() : found->second;
  }

  Result<std::string_view> comparison_operator() {
    static constexpr std::array<std::string_view, 8> operators = {
        "===", "==", "!=", "<=", ">=", "~=", "<", ">"};
    for (const std::string_view candidate : operators)
      if (take(candidate)) return candidate;
    if (take_word("in")) return std::string_view("in");
    if (take_word("not") && take_word("in")) return std::string_view("not in");
    return wrong("a comparison");
  }

  static bool holds(const std::string& left, std::string_view comparison, const std::string& right) {
    if (comparison == "in") return right.find(left) != std::string::npos;
    if (comparison == "not in") return right.find(left) == std::string::npos;
    if (comparison == "===") return left == right;
    constexpr std::string_view wildcard = ".*";
    if (right.ends_with(wildcard) && (comparison == "==" || comparison == "!="))
      return python_version_begins_with(left, right.substr(0, right.size() - wildcard.size())) ==
             (comparison == "==");
    const bool versions = is_version(left) && is_version(right);
    if (comparison == "~=") {
      const auto dot = right.rfind('.');
      return versions && compare_python_versions(left, right) >= 0 &&
             python_version_begins_with(left, right.substr(0, dot));
    }
    const int order = versions ? compare_python_versions(left, right) : left.compare(right);
    if (comparison == "==") return order == 0;
    if (comparison == "!=") return order != 0;
    if (comparison == "<=") return order <= 0;
    if (comparison == ">=") return order >= 0;
    return comparison == "<" ? order < 0 : order > 0;
  }

  void skip_space() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t'))
      rest_.remove_prefix(1);
  }
  std::string_view word() const {
    std::size_t length = 0;
    while (length < rest_.size() &&
           ((rest_[length] >= 'a' && rest_[length] <= 'z') || rest_[length] == '_' || rest_[length] == '.'))
      ++length;
    return rest_.substr(0, length);
  }
  bool take(std::string_view token) {
    skip_space();
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  bool take_word(std::string_view wanted) {
    skip_space();
    if (word() != wanted) return false;
    rest_.remove_prefix(wanted.size());
    return true;
  }
  tl::unexpected<Error> wrong(std::string_view expected) const {
    return fail(ErrorCode::resolution_unreadable,
                "a marker: expected " + std::string(expected) + " before \"" + excerpt(rest_) + "\"");
  }

  std::string_view rest_;
  const Variables& variables_;
};

}  // namespace

Result<bool> marker_holds(std::string_view marker, const Variables& variables) {
  if (marker.empty()) return true;
  if (marker.size() > Limits::max_marker_bytes)
    return fail(ErrorCode::resolution_unreadable, "a marker has " + std::to_string(marker.size()) +
                                                      " bytes, the limit is " +
                                                      std::to_string(Limits::max_marker_bytes));
  return Evaluator(marker, variables).all();
}

}  // namespace curupira::registry
