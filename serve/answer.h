#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "base/unique_fd.h"
#include "serve/request.h"
#include "serve/served_folder.h"

namespace curupira::serve {

/// The page at "/", which is the program's and not the folder's: nobody who writes to the folder changes what
/// runs on the registry's address.
struct Page {
  std::string html;
  std::string policy;  ///< of its Content-Security-Policy
};

/// What is sent: a head, and then a text or a part of a file.
struct Answer {
  int status = 0;
  std::string head;  ///< with the empty line at its end
  std::string text = {};
  UniqueFd file = {};
  std::uint64_t offset = 0;
  std::uint64_t length = 0;  ///< of the body; 0 for HEAD
  bool keep_alive = true;
};

/// Gives the files of one registry as answers (RFC 9110).
class Answers {
 public:
  Answers(ServedFolder folder, Page page);

  Answer to(const Request& request, std::chrono::sys_seconds now) const;
  /// To what is no request, and to what cannot be served now; the connection ends with it.
  Answer refusal(int status, std::chrono::sys_seconds now) const;

 private:
  Answer page(const Request& request, std::chrono::sys_seconds now) const;
  Answer folder(const Request& request, const std::string& path, bool with_slash,
                std::chrono::sys_seconds now) const;
  Answer file(const Request& request, const std::string& path, std::string_view type, ServedFile file,
              std::chrono::sys_seconds now) const;

  ServedFolder folder_;
  Page page_;
  std::string page_tag_;
};

/// "Sun, 06 Nov 1994 08:49:37 GMT".
std::string http_date(std::chrono::sys_seconds time);

}  // namespace curupira::serve
