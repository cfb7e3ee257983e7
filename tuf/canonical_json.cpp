#include "tuf/canonical_json.h"

#include <algorithm>
#include <vector>

namespace curupira::tuf {
namespace {

class Writer {
 public:
  void operator()(std::nullptr_t) { out += "null"; }
  void operator()(bool value) { out += value ? "true" : "false"; }
  void operator()(std::int64_t value) { out += std::to_string(value); }
  void operator()(std::uint64_t value) { out += std::to_string(value); }
  void operator()(double) { whole = false; }
  void operator()(const std::string& value) { append(value); }
  void operator()(const json::Array& array) {
    out += '[';
    for (const json::Value& element : array) {
      if (&element != &array.front()) out += ',';
      std::visit(*this, element.variant());
    }
    out += ']';
  }
  void operator()(const json::Object& object) {
    std::vector<const json::Object::Member*> members;
    members.reserve(object.size());
    for (const auto& member : object)
      members.push_back(&member);
    std::ranges::sort(members, {}, [](const auto* member) -> const std::string& { return member->first; });
    out += '{';
    for (const auto* const member : members) {
      if (member != members.front()) out += ',';
      append(member->first);
      out += ':';
      std::visit(*this, member->second.variant());
    }
    out += '}';
  }

  std::string out = {};
  bool whole = true;

 private:
  void append(const std::string& text) {
    out += '"';
    for (const char c : text) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    out += '"';
  }
};

}  // namespace

Result<std::string> canonical_json(const json::Value& value) {
  Writer writer;
  std::visit(writer, value.variant());
  if (!writer.whole) return fail(ErrorCode::tuf_syntax, "a number is not whole");
  return std::move(writer.out);
}

}  // namespace curupira::tuf
