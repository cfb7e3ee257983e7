#include "base/error.h"

#include <algorithm>
#include <array>

namespace curupira {
namespace {

constexpr std::array table{
#define X(number, name, exit_code, rpc_code, title, remedy) \
  ErrorInfo{ErrorCode::name, #name, exit_code, rpc_code, title, remedy},
#include "base/error_codes.def"
#undef X
};

constexpr bool numbers_ascend() {
  return std::ranges::adjacent_find(table, [](const ErrorInfo& a, const ErrorInfo& b) {
           return static_cast<int>(a.code) >= static_cast<int>(b.code);
         }) == table.end();
}
static_assert(numbers_ascend(), "error_codes.def has to be sorted by unique numbers");

}  // namespace

std::span<const ErrorInfo> error_table() {
  return table;
}

const ErrorInfo& error_info(ErrorCode code) {
  auto row = std::ranges::lower_bound(table, code, {}, &ErrorInfo::code);
  if (row != table.end() && row->code == code) return *row;
  // Only a cast from a foreign number gets here; that is a fault of ours.
  return *std::ranges::find(table, ErrorCode::internal, &ErrorInfo::code);
}

std::string error_name(ErrorCode code) {
  std::string number = std::to_string(static_cast<int>(code));
  if (number.size() < 4) number.insert(0, 4 - number.size(), '0');
  return "CUR-" + number;
}

std::string Error::help() const {
  if (help_) return *help_;
  return std::string(error_info(code_).remedy);
}

std::string Error::summary() const {
  std::string text(error_info(code_).title);
  if (!detail_.empty()) text += ": " + detail_;
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace curupira
