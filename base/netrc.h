#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/environment.h"
#include "base/file_system.h"
#include "base/secret.h"
#include "base/url.h"

namespace curupira {

/// The logins of a netrc file, as ftp, curl and pip read it: by host, whatever the port and scheme.
class Netrc {
 public:
  /// $NETRC, else ~/.netrc; empty when there is none. What cannot be used is warned about, without any value
  /// of it: a file that cannot be read, one that other users may read, an unknown word.
  static Netrc load(const Environment& environment, const ReadOnlyFileSystem& files,
                    Diagnostics& diagnostics);
  /// `machine NAME`, `default`, `login`, `password`, `account`; words may be quoted; `macdef` up to an empty
  /// line and comments from # are passed over. `unknown`, when given, gets the number of words that mean
  /// nothing.
  static Netrc parse(std::string_view text, std::size_t* unknown = nullptr);

  bool empty() const { return entries_.empty(); }
  /// "user:password" for the URL's host. The first entry that fits counts: one of this host, and where
  /// `user` is not empty of this login; else `default`, if `also_default`.
  std::optional<Secret> user_info_for(const Url& url, std::string_view user, bool also_default) const;

 private:
  struct Entry {
    std::string machine;  ///< lower case; empty for `default`
    std::string login;
    Secret password;
  };
  std::vector<Entry> entries_;
};

}  // namespace curupira
