#pragma once

#include <span>
#include <string>
#include <string_view>

namespace curupira {

/// What went wrong, as a stable number that users can look up in docs/errors.md. The rows are in
/// error_codes.def.
enum class ErrorCode : int {
#define X(number, name, exit_code, rpc_code, title, remedy) name = number,
#include "base/error_codes.def"
#undef X
};

/// One row of the error table.
struct ErrorInfo {
  ErrorCode code;
  std::string_view name;    ///< the identifier in the sources
  int exit_code;            ///< of the program: 1, 2 or 130 (spec/settings.md)
  int rpc_code;             ///< JSON-RPC code (spec/protocol.md §2)
  std::string_view title;   ///< one sentence without full stop, lower case
  std::string_view remedy;  ///< what the user can do next
};

/// The whole table in the order of the numbers.
std::span<const ErrorInfo> error_table();

/// The row of `code`.
const ErrorInfo& error_info(ErrorCode code);

/// "CUR-2104".
std::string error_name(ErrorCode code);

}  // namespace curupira
