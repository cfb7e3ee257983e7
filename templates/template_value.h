#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/json.h"

namespace curupira::templates {

/// Whole numbers of templates: wide enough for every number that JSON extensions send as a whole one.
__extension__ typedef __int128 WideInt;

/// What a name or an attribute is when there is none of it. Using it is an error, except for `default` and
/// `is defined`.
struct Undefined {
  std::string what = {};  ///< for the message: the name, or "attribute \"x\""
  bool silent = false;    ///< of `… if …` without else: prints nothing
};

/// A value inside a prompt template (spec/protocol.md §3.4): what JSON has, and undefined. Maps are in the
/// order of their keys, as in the peer.
class TemplateValue {
 public:
  using List = std::vector<TemplateValue>;
  using Map = std::map<std::string, TemplateValue, std::less<>>;

  TemplateValue() : variant_(nullptr) {}
  explicit TemplateValue(Undefined undefined) : variant_(std::move(undefined)) {}
  explicit TemplateValue(bool b) : variant_(b) {}
  explicit TemplateValue(WideInt i) : variant_(i) {}
  explicit TemplateValue(double d) : variant_(d) {}
  explicit TemplateValue(std::string s) : variant_(std::move(s)) {}
  explicit TemplateValue(List list);
  explicit TemplateValue(Map map);
  static TemplateValue of_size(std::size_t n) { return TemplateValue(static_cast<WideInt>(n)); }
  static TemplateValue from(const json::Value& value);

  bool is_none() const { return std::holds_alternative<std::nullptr_t>(variant_); }
  const Undefined* as_undefined() const { return std::get_if<Undefined>(&variant_); }
  const bool* as_bool() const { return std::get_if<bool>(&variant_); }
  const WideInt* as_int() const { return std::get_if<WideInt>(&variant_); }
  const double* as_float() const { return std::get_if<double>(&variant_); }
  const std::string* as_string() const { return std::get_if<std::string>(&variant_); }
  const List* as_list() const;
  const Map* as_map() const;
  bool is_number() const { return as_int() != nullptr || as_float() != nullptr; }
  /// Any number, and booleans as 0 and 1.
  std::optional<double> number() const;
  /// A whole number, and booleans as 0 and 1.
  std::optional<WideInt> whole() const;

  /// How deep lists and maps are nested: 0 for the rest. Walks over a value recurse, so its makers bound
  /// this.
  int depth() const { return depth_; }
  std::string_view type_name() const;  ///< "undefined", "none", "bool", "number", "string", "sequence", "map"
  bool truthy() const;

 private:
  std::variant<std::nullptr_t, Undefined, bool, WideInt, double, std::string, std::shared_ptr<const List>,
               std::shared_ptr<const Map>>
      variant_;
  int depth_ = 0;
};

bool equal(const TemplateValue& a, const TemplateValue& b);
/// A total order: values of one kind among themselves, kinds in the order of `type_name`'s list (as in the
/// peer).
std::strong_ordering compare(const TemplateValue& a, const TemplateValue& b);

/// As `{{ value }}` prints it: strings as they are, the rest as Python does ("None", "True", "['a', 1.0]").
/// Stops growing beyond `max_bytes`; the caller checks the size.
void append_printed(std::string& out, const TemplateValue& value, std::size_t max_bytes);
std::string printed(const TemplateValue& value, std::size_t max_bytes);
/// As the filter `tojson`: ", " and ": " between, and < > & ' as \u escapes. `indent` 0 = on one line.
void append_json(std::string& out, const TemplateValue& value, int indent, std::size_t max_bytes);

std::string to_string(WideInt value);

}  // namespace curupira::templates
