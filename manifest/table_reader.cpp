#include "manifest/table_reader.h"

#include <algorithm>

#include "base/json.h"
#include "base/nearest_name.h"
#include "base/printable.h"

namespace curupira::manifest {
namespace {

constexpr std::size_t max_shown_text = 80;
// A hostile file can have as many unknown fields as it has bytes.
constexpr std::size_t max_unknown_warnings = 10;

std::string shown(std::string_view text) {
  if (text.size() <= max_shown_text) return "\"" + printable(text) + "\"";
  return "\"" + printable(text.substr(0, max_shown_text)) + "…\"";
}

bool has_nul(std::string_view text) {
  return text.find('\0') != std::string_view::npos;
}

}  // namespace

std::string Document::at(TextPosition position, std::string_view what) const {
  return printable(file.string()) + ":" + std::to_string(position.line) + ":" +
         std::to_string(position.column) + ": " + std::string(what);
}

void Document::warn(TextPosition position, std::string text) const {
  diagnostics.report(
      {.kind = Diagnostic::Kind::warning, .text = std::move(text), .file = file, .position = position});
}

void Document::note(TextPosition position, std::string text) const {
  diagnostics.report(
      {.kind = Diagnostic::Kind::note, .text = std::move(text), .file = file, .position = position});
}

std::string describe(const toml::Value& value) {
  if (const auto* text = value.as_string()) return shown(*text);
  if (const auto* integer = value.as_integer()) return std::to_string(*integer);
  if (value.as_float() != nullptr) return json::write(value.to_json());
  if (const auto* flag = value.as_bool()) return *flag ? "true" : "false";
  if (const auto* date = value.as_date_time()) return "the date " + printable(date->text);
  if (const auto* array = value.as_array()) return array->empty() ? "an empty array" : "an array";
  return "a table";
}

std::string one_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += "\"" + names[i] + "\"";
  }
  return text;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known) {
  const auto nearest = nearest_name(name, known);
  return nearest ? " (did you mean \"" + printable(*nearest) + "\"?)" : std::string();
}

Result<> refuse_unknown(const TableReader& table, const std::vector<std::string>& known) {
  for (const auto& entry : table.fields()) {
    if (std::ranges::find(known, entry.name) != known.end()) continue;
    return fail(table.document().error(ErrorCode::settings_field, entry.key_position,
                                       "[" + table.path() + "] has no \"" + excerpt(entry.name) + "\"" +
                                           did_you_mean(entry.name, known) + "; it has " + one_of(known)));
  }
  return {};
}

Error syntax_error(const Document& document, const toml::ParseError& error, ErrorCode syntax,
                   ErrorCode too_large) {
  return document.error(error.too_large ? too_large : syntax, error.position, printable(error.reason));
}

std::string TableReader::path_of(std::string_view name) const {
  const std::string key = printable(toml::key(name.substr(0, max_shown_text)));
  return path_.empty() ? key : path_ + "." + key;
}

TextPosition TableReader::position_of(std::string_view name) const {
  const toml::Value* value = table_->find(name);
  return value != nullptr ? value->position() : position_;
}

std::string TableReader::missing(std::string_view name) const {
  // A field that is nearly called so is the likeliest reason.
  std::vector<std::string> unknown;
  for (const auto& entry : *table_) {
    if (std::find(known_.begin(), known_.end(), entry.name) == known_.end()) unknown.push_back(entry.name);
    if (unknown.size() >= 64) break;
  }
  const auto nearest = nearest_name(name, unknown);
  if (!nearest) return "nothing";
  const TextPosition place = table_->key_position(*nearest);
  return "nothing; line " + std::to_string(place.line) + " has \"" + printable(*nearest) + "\"";
}

Error TableReader::wrong(ErrorCode code, std::string_view name, std::string_view expected) const {
  const toml::Value* value = table_->find(name);
  const std::string found = value != nullptr ? describe(*value) : missing(name);
  return document_->error(
      code, position_of(name),
      "field \"" + path_of(name) + "\": expected " + std::string(expected) + ", found " + found);
}

Error TableReader::wrong(std::string_view name, std::string_view expected) const {
  return wrong(document_->field_error, name, expected);
}

Error TableReader::wrong_value(std::string_view path, const toml::Value& value,
                               std::string_view expected) const {
  return document_->error(document_->field_error, value.position(),
                          "field \"" + std::string(path) + "\": expected " + std::string(expected) +
                              ", found " + describe(value));
}

Error TableReader::wrong_item(std::string_view name, std::size_t index, std::string_view expected) const {
  const toml::Value* value = table_->find(name);
  const toml::Array* array = value != nullptr ? value->as_array() : nullptr;
  if (array == nullptr || index >= array->size()) return wrong(name, expected);
  return wrong_value(path_of(name) + "[" + std::to_string(index) + "]", (*array)[index], expected);
}

const toml::Value* TableReader::find(std::string_view name) {
  if (std::find(known_.begin(), known_.end(), name) == known_.end()) known_.emplace_back(name);
  return table_->find(name);
}

Result<std::string> TableReader::text(std::string_view name) {
  CURUPIRA_TRY(auto found, optional_text(name));
  if (!found) return fail(wrong(name, "a string"));
  return *std::move(found);
}

Result<std::optional<std::string>> TableReader::optional_text(std::string_view name) {
  const toml::Value* value = find(name);
  if (value == nullptr) return std::nullopt;
  const std::string* string = value->as_string();
  if (string == nullptr) return fail(wrong(name, "a string"));
  if (has_nul(*string)) return fail(wrong(name, "a string without NUL"));
  return *string;
}

Result<std::int64_t> TableReader::integer(std::string_view name) {
  const toml::Value* value = find(name);
  const std::int64_t* number = value != nullptr ? value->as_integer() : nullptr;
  if (number == nullptr) return fail(wrong(name, "an integer"));
  return *number;
}

Result<std::optional<std::int64_t>> TableReader::optional_integer(std::string_view name, std::int64_t least,
                                                                  std::int64_t most) {
  const toml::Value* value = find(name);
  if (value == nullptr) return std::nullopt;
  const std::int64_t* number = value->as_integer();
  if (number == nullptr || *number < least || *number > most) {
    const bool bounded = most != std::numeric_limits<std::int64_t>::max();
    return fail(wrong(name, bounded
                                ? "an integer from " + std::to_string(least) + " to " + std::to_string(most)
                                : "an integer, at least " + std::to_string(least)));
  }
  return *number;
}

Result<std::vector<std::string>> TableReader::texts(std::string_view name) {
  const toml::Value* value = find(name);
  if (value == nullptr) return std::vector<std::string>();
  const toml::Array* array = value->as_array();
  if (array == nullptr) return fail(wrong(name, "an array of strings"));
  std::vector<std::string> all;
  all.reserve(array->size());
  for (std::size_t i = 0; i < array->size(); ++i) {
    const std::string* string = (*array)[i].as_string();
    if (string == nullptr) return fail(wrong_item(name, i, "a string"));
    if (has_nul(*string)) return fail(wrong_item(name, i, "a string without NUL"));
    all.push_back(*string);
  }
  return all;
}

Result<TableReader> TableReader::reader_of(std::string_view name, const toml::Value& value) const {
  const toml::Table* table = value.as_table();
  if (table == nullptr) return fail(wrong(name, "a table"));
  TableReader reader(*document_, *table, value.position(), path_of(name));
  reader.name_ = std::string(name);
  return reader;
}

Result<TableReader> TableReader::table(std::string_view name) {
  const toml::Value* value = find(name);
  if (value == nullptr) return fail(wrong(name, "a table"));
  return reader_of(name, *value);
}

Result<std::optional<TableReader>> TableReader::optional_table(std::string_view name) {
  const toml::Value* value = find(name);
  if (value == nullptr) return std::nullopt;
  CURUPIRA_TRY(auto reader, reader_of(name, *value));
  return reader;
}

Result<std::vector<TableReader>> TableReader::tables() {
  std::vector<TableReader> all;
  for (const auto& entry : *table_) {
    CURUPIRA_TRY(auto reader, reader_of(entry.name, entry.value));
    all.push_back(std::move(reader));
  }
  return all;
}

void TableReader::warn_about_unknown(const std::vector<std::string>& extra) const {
  std::vector<std::string> known = known_;
  known.insert(known.end(), extra.begin(), extra.end());
  std::size_t unknown = 0;
  for (const auto& entry : *table_) {
    if (std::find(known.begin(), known.end(), entry.name) != known.end()) continue;
    if (++unknown > max_unknown_warnings) continue;
    const std::string_view kind = entry.value.as_table() != nullptr ? "table" : "field";
    document_->warn(entry.key_position, "unknown " + std::string(kind) + " \"" + path_of(entry.name) +
                                            "\" is ignored" + did_you_mean(entry.name, known));
  }
  if (unknown > max_unknown_warnings) {
    document_->warn(position_, std::to_string(unknown - max_unknown_warnings) + " more unknown fields" +
                                   (path_.empty() ? "" : " of \"" + path_ + "\"") + " are ignored");
  }
}

}  // namespace curupira::manifest
