#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/error_code.h"
#include "base/result.h"
#include "base/toml.h"

namespace curupira::manifest {

/// What all messages about one file share.
struct Document {
  std::filesystem::path file;
  ErrorCode field_error;  ///< manifest_field or settings_field
  Diagnostics& diagnostics;

  /// "file:line:column: what", for the detail of an error.
  std::string at(TextPosition position, std::string_view what) const;
  Error error(ErrorCode code, TextPosition position, std::string_view what) const {
    return Error(code, at(position, what));
  }
  void warn(TextPosition position, std::string text) const;
  void note(TextPosition position, std::string text) const;
};

/// The text of a value as messages show it: "\"zork\"", "5", "an array".
std::string describe(const toml::Value& value);

/// Reads the fields of one TOML table. Each error names file, line, column, the field, what was expected and
/// what was found. It remembers which fields were asked for, so that the others can be warned about.
class TableReader {
 public:
  /// `path` is the table's name in messages, "launch"; empty for the document. Both references must outlive
  /// the reader.
  TableReader(const Document& document, const toml::Table& table, TextPosition position, std::string path)
      : document_(&document), table_(&table), position_(position), path_(std::move(path)) {}

  /// A string; one with a NUL is refused, as no path, argument or variable can have one.
  Result<std::string> text(std::string_view name);
  Result<std::optional<std::string>> optional_text(std::string_view name);
  Result<std::int64_t> integer(std::string_view name);
  Result<std::optional<std::int64_t>> optional_integer(
      std::string_view name, std::int64_t least,
      std::int64_t most = std::numeric_limits<std::int64_t>::max());
  /// An array of strings; empty when the field is absent.
  Result<std::vector<std::string>> texts(std::string_view name);
  Result<TableReader> table(std::string_view name);
  Result<std::optional<TableReader>> optional_table(std::string_view name);
  /// The value as it is, now known; nothing when absent.
  const toml::Value* find(std::string_view name);
  bool has(std::string_view name) const { return table_->find(name) != nullptr; }

  /// A reader of each table in this table of tables, in the order of the file. Error: an entry is no table.
  Result<std::vector<TableReader>> tables();

  /// `field "launch.type": expected …, found …`, at the place of the value, or of this table when it is
  /// missing.
  Error wrong(std::string_view name, std::string_view expected) const;
  Error wrong(ErrorCode code, std::string_view name, std::string_view expected) const;
  /// The same for the item `index` of an array.
  Error wrong_item(std::string_view name, std::size_t index, std::string_view expected) const;

  /// One warning for each field that nobody asked for, with the nearest known one. `extra` are known ones
  /// beside those.
  void warn_about_unknown(const std::vector<std::string>& extra = {}) const;

  const Document& document() const { return *document_; }
  const toml::Table& fields() const { return *table_; }
  TextPosition position() const { return position_; }
  /// The place of the field's value, or of this table when it is missing.
  TextPosition position_of(std::string_view name) const;
  const std::string& path() const { return path_; }
  /// The last part of the path: the alias of "plugins.acme".
  const std::string& name() const { return name_; }

 private:
  std::string path_of(std::string_view name) const;
  std::string missing(std::string_view name) const;
  Error wrong_value(std::string_view path, const toml::Value& value, std::string_view expected) const;
  Result<TableReader> reader_of(std::string_view name, const toml::Value& value) const;

  const Document* document_;
  const toml::Table* table_;
  TextPosition position_;
  std::string path_;
  std::string name_ = {};
  std::vector<std::string> known_ = {};
};

/// `"a", "b" or "c"`.
std::string one_of(const std::vector<std::string>& names);

/// ` (did you mean "title"?)`, or nothing when no known name is near.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

/// Where a misspelt key must not be silently off: one that is not known is an error, with the nearest that
/// is.
Result<> refuse_unknown(const TableReader& table, const std::vector<std::string>& known);

/// The position of a found error of the TOML parser with its reason, as an error of the document.
Error syntax_error(const Document& document, const toml::ParseError& error, ErrorCode syntax,
                   ErrorCode too_large);

}  // namespace curupira::manifest
