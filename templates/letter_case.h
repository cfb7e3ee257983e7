#pragma once

#include <string>
#include <string_view>

namespace curupira::templates {

// Letters of the Latin, Greek and Cyrillic scripts, by rules of ours: the C library's know only the process's
// locale, and prompts must not depend on that. Other text stays as it is.

std::string lower_case(std::string_view text);
std::string upper_case(std::string_view text);
/// The first letter of each word in upper case, the rest in lower case; words begin after white space and
/// -([{<.
std::string title_case(std::string_view text);
/// The first character in upper case, the rest in lower case.
std::string capitalized(std::string_view text);

}  // namespace curupira::templates
