#pragma once

#include <tl/expected.hpp>
#include <utility>

#include "base/error.h"

namespace curupira {

/// A value, or why there is none.
template <class T = void>
using Result = tl::expected<T, Error>;

/// `return fail(ErrorCode::usage, "…");`
inline tl::unexpected<Error> fail(ErrorCode code, std::string detail = {}) {
  return tl::unexpected<Error>(Error(code, std::move(detail)));
}
inline tl::unexpected<Error> fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}

#define CURUPIRA_CONCAT_INNER(a, b) a##b
#define CURUPIRA_CONCAT(a, b) CURUPIRA_CONCAT_INNER(a, b)

/// CURUPIRA_TRY(auto file, open(path)); – declares `file`, or returns the error of `open`.
#define CURUPIRA_TRY(declaration, expression) \
  CURUPIRA_TRY_AS(CURUPIRA_CONCAT(curupira_result_, __LINE__), declaration, expression)
#define CURUPIRA_TRY_AS(result, declaration, expression)           \
  auto result = (expression);                                      \
  if (!result) return ::curupira::fail(std::move(result).error()); \
  declaration = *std::move(result)

/// CURUPIRA_CHECK(write(path)); – returns the error of a Result<void>, if any.
#define CURUPIRA_CHECK(expression)                                \
  do {                                                            \
    if (auto curupira_check = (expression); !curupira_check)      \
      return ::curupira::fail(std::move(curupira_check).error()); \
  } while (false)

}  // namespace curupira
