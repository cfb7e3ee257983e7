#include "base/json.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/printable.h"

namespace curupira::json {
namespace {

/// Up to here every whole number has a double of its own.
constexpr double exact_double_limit = 9007199254740992.0;

/// Bytes of the text, counting how many the parser has taken: its callbacks do not tell where they are.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, std::size_t* count) : at_(at), count_(count) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    ++*count_;
    return *this;
  }
  CountingIterator operator++(int) {
    auto before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  std::size_t* count_;
};

/// "line 2, column 7 (byte 31): " for the byte with the number `byte`, counted from 1.
std::string place(std::string_view text, std::size_t byte) {
  const auto before = text.substr(0, byte == 0 ? 0 : byte - 1);
  const auto line = 1 + std::ranges::count(before, '\n');
  // npos + 1 is 0: without a line break, the line starts with the text.
  const auto line_text = before.substr(before.rfind('\n') + 1);
  const auto column = 1 + std::ranges::count_if(line_text, [](char c) {
                        return (static_cast<unsigned char>(c) & 0xc0u) != 0x80;
                      });
  return "line " + std::to_string(line) + ", column " + std::to_string(column) + " (byte " +
         std::to_string(byte) + "): ";
}

/// The library's message without its own prefix and without the text that it quotes, which can be long and
/// hostile.
std::string reason_of(std::string_view message) {
  if (const auto prefix = message.find(" - "); prefix != std::string_view::npos)
    message.remove_prefix(prefix + 3);
  std::string reason(message);
  if (const auto quoted = reason.find("; last read: '"); quoted != std::string::npos) {
    const auto expected = reason.rfind("; expected ");
    reason.erase(quoted,
                 expected != std::string::npos && expected > quoted ? expected - quoted : std::string::npos);
  }
  return excerpt(reason);
}

}  // namespace

/// Takes the parser's callbacks and builds the value, without recursion; a callback that returns false ends
/// the parse.
class TreeBuilder {
 public:
  TreeBuilder(const Limits& limits, const std::size_t& consumed) : limits_(limits), consumed_(consumed) {}

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(std::int64_t value) { return add(value); }
  bool number_unsigned(std::uint64_t value) {
    if (value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      return add(static_cast<std::int64_t>(value));
    }
    return add(value);
  }
  bool number_float(double value, const std::string&) {
    if (limits_.whole_numbers_only)
      return stop(consumed_, "a number that is not written as a whole one, or is too large");
    return add(value);
  }
  bool string(std::string& value) { return add(std::move(value)); }
  bool binary(nlohmann::json::binary_t&) { return stop(consumed_, "binary data"); }

  bool start_object(std::size_t) { return open(Object()); }
  bool key(std::string& name) {
    open_.back().name = std::move(name);
    open_.back().name_ends.push_back(consumed_);
    return true;
  }
  bool end_object() {
    if (!names_are_unique(open_.back())) return false;
    return close();
  }
  bool start_array(std::size_t) { return open(Array()); }
  bool end_array() { return close(); }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& error) {
    return stop(position, reason_of(error.what()));
  }

  Value take() { return std::move(root_); }
  std::size_t fault_position() const { return fault_position_; }
  const std::string& fault() const { return fault_; }

 private:
  /// An array or object whose end has not been read.
  struct Open {
    Value value;
    std::string name;                    ///< of the member whose value comes next
    std::vector<std::size_t> name_ends;  ///< where each member's name ends in the text
  };

  bool stop(std::size_t position, std::string reason) {
    fault_position_ = position;
    fault_ = std::move(reason);
    return false;
  }

  bool open(Value container) {
    if (open_.size() >= static_cast<std::size_t>(std::max(limits_.max_depth, 0))) {
      return stop(consumed_, "nested deeper than " + std::to_string(limits_.max_depth) + " levels");
    }
    open_.push_back({std::move(container), {}, {}});
    return true;
  }

  bool close() {
    Value finished = std::move(open_.back().value);
    open_.pop_back();
    return add(std::move(finished));
  }

  bool add(Value value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (Open& parent = open_.back(); Array* array = parent.value.as_array()) {
      array->push_back(std::move(value));
    } else {
      parent.value.as_object()->members_.emplace_back(std::move(parent.name), std::move(value));
    }
    return true;
  }

  /// Sorting keeps the cost of an object with very many members bounded, whatever their names are.
  bool names_are_unique(const Open& object) {
    const auto& members = object.value.as_object()->members_;
    std::vector<std::size_t> order(members.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
      const int compared = members[a].first.compare(members[b].first);
      return compared != 0 ? compared < 0 : a < b;
    });
    std::size_t first_repeated = members.size();
    for (std::size_t i = 1; i < order.size(); ++i) {
      if (members[order[i]].first == members[order[i - 1]].first)
        first_repeated = std::min(first_repeated, order[i]);
    }
    if (first_repeated == members.size()) return true;
    return stop(object.name_ends[first_repeated],
                "the name \"" + excerpt(members[first_repeated].first) + "\" appears twice in one object");
  }

  const Limits& limits_;
  const std::size_t& consumed_;
  std::vector<Open> open_;
  Value root_;
  std::size_t fault_position_ = 0;
  std::string fault_;
};

Result<Value> parse(std::string_view text, const Limits& limits) {
  if (text.size() > limits.max_bytes) {
    return fail(ErrorCode::json_invalid, "the text has " + format_bytes(text.size()) + "; allowed are " +
                                             format_bytes(limits.max_bytes));
  }
  // The library would take it for the end of the text.
  if (const auto nul = text.find('\0'); nul != std::string_view::npos) {
    return fail(ErrorCode::json_invalid, place(text, nul + 1) + "the text contains NUL");
  }
  std::size_t consumed = 0;
  TreeBuilder builder(limits, consumed);
  const CountingIterator begin(text.data(), &consumed);
  const CountingIterator end(text.data() + text.size(), &consumed);
  bool parsed = false;
  std::string fault;
  try {
    parsed = nlohmann::json::sax_parse(begin, end, &builder);
    fault = builder.fault();
  } catch (const nlohmann::json::exception& error) {
    fault = reason_of(error.what());
  }
  if (!parsed) {
    const auto position = builder.fault_position() != 0 ? builder.fault_position() : consumed;
    return fail(ErrorCode::json_invalid, place(text, position) + fault);
  }
  return builder.take();
}

const Value* Object::find(std::string_view name) const {
  const auto member = std::ranges::find(members_, name, &Member::first);
  return member == members_.end() ? nullptr : &member->second;
}

Value* Object::find(std::string_view name) {
  const auto member = std::ranges::find(members_, name, &Member::first);
  return member == members_.end() ? nullptr : &member->second;
}

void Object::set(std::string name, Value value) {
  if (Value* present = find(name)) {
    *present = std::move(value);
  } else {
    members_.emplace_back(std::move(name), std::move(value));
  }
}

void Object::append(std::string name, Value value) {
  members_.emplace_back(std::move(name), std::move(value));
}

bool Object::operator==(const Object& other) const {
  return members_ == other.members_;
}

std::optional<std::int64_t> Value::as_int() const {
  if (const auto* i = std::get_if<std::int64_t>(&variant_)) return *i;
  if (const auto* u = std::get_if<std::uint64_t>(&variant_)) {
    if (*u <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      return static_cast<std::int64_t>(*u);
  }
  if (const auto* d = std::get_if<double>(&variant_)) {
    if (std::abs(*d) <= exact_double_limit && std::trunc(*d) == *d) return static_cast<std::int64_t>(*d);
  }
  return std::nullopt;
}

std::optional<std::uint64_t> Value::as_uint() const {
  if (const auto* u = std::get_if<std::uint64_t>(&variant_)) return *u;
  if (const auto i = as_int(); i && *i >= 0) return static_cast<std::uint64_t>(*i);
  return std::nullopt;
}

std::optional<double> Value::as_double() const {
  if (const auto* i = std::get_if<std::int64_t>(&variant_)) return static_cast<double>(*i);
  if (const auto* u = std::get_if<std::uint64_t>(&variant_)) return static_cast<double>(*u);
  if (const auto* d = std::get_if<double>(&variant_)) return *d;
  return std::nullopt;
}

const Value* Value::find(std::string_view name) const {
  const Object* object = as_object();
  return object ? object->find(name) : nullptr;
}

const std::string* Value::find_string(std::string_view name) const {
  const Value* member = find(name);
  return member ? member->as_string() : nullptr;
}

std::string_view Value::type_name() const {
  if (is_null()) return "null";
  if (as_bool()) return "boolean";
  if (as_string()) return "string";
  if (as_array()) return "array";
  if (as_object()) return "object";
  return "number";
}

}  // namespace curupira::json
