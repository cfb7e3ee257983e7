#include "base/netrc.h"

#include <algorithm>

#include "base/printable.h"

namespace curupira {
namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t max_netrc_bytes = 1u << 20;

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/// Words of a netrc file, one after the other.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  /// The next word without its quotes; nothing at the end. Where a value is expected, # begins no comment.
  std::optional<std::string> next(bool value) {
    for (;;) {
      while (at_ < text_.size() && is_space(text_[at_]))
        ++at_;
      if (at_ == text_.size()) return std::nullopt;
      if (value || text_[at_] != '#') break;
      at_ = std::min(text_.find('\n', at_), text_.size());
    }
    std::string word;
    if (text_[at_] != '"') {
      while (at_ < text_.size() && !is_space(text_[at_]))
        word.push_back(text_[at_++]);
      return word;
    }
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      char c = text_[at_];
      if (c == '\\' && at_ + 1 < text_.size()) {
        c = text_[++at_];
        if (c == 'n') c = '\n';
        if (c == 'r') c = '\r';
        if (c == 't') c = '\t';
      }
      word.push_back(c);
    }
    if (at_ < text_.size()) ++at_;
    return word;
  }

  /// A macro's definition ends with an empty line.
  void pass_macro() {
    const std::size_t unix_end = text_.find("\n\n", at_), dos_end = text_.find("\r\n\r\n", at_);
    at_ = std::min({unix_end, dos_end, text_.size()});
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

std::string lower_case(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

}  // namespace

Netrc Netrc::parse(std::string_view text, std::size_t* unknown) {
  Netrc netrc;
  Words words(text);
  bool in_entry = false;
  while (const auto word = words.next(false)) {
    if (*word == "macdef") {
      words.pass_macro();
      in_entry = false;
    } else if (*word == "default") {
      netrc.entries_.push_back({});
      in_entry = true;
    } else if (*word == "machine") {
      const auto name = words.next(true);
      netrc.entries_.push_back({.machine = lower_case(name.value_or("")), .login = {}, .password = {}});
      in_entry = name && !name->empty();
      if (!in_entry) netrc.entries_.pop_back();
    } else if (*word == "login" || *word == "user" || *word == "password" || *word == "account") {
      auto value = words.next(true);
      if (!in_entry || !value) continue;
      if (*word == "password") {
        netrc.entries_.back().password = Secret(*std::move(value));
      } else if (*word != "account") {
        netrc.entries_.back().login = *std::move(value);
      }
    } else if (unknown != nullptr) {
      ++*unknown;
    }
  }
  return netrc;
}

std::optional<Secret> Netrc::user_info_for(const Url& url, std::string_view user, bool also_default) const {
  for (const Entry& entry : entries_) {
    if (entry.machine.empty() ? !also_default : entry.machine != url.host()) continue;
    if ((!user.empty() && entry.login != user) || (entry.login.empty() && entry.password.empty())) continue;
    return Secret(entry.login + ":" + entry.password.reveal());
  }
  return std::nullopt;
}

Netrc Netrc::load(const Environment& environment, const ReadOnlyFileSystem& files, Diagnostics& diagnostics) {
  std::string name = environment.get_or("NETRC", "");
  const bool named = !name.empty();
  if (!named) {
    const std::string home = environment.get_or("HOME", "");
    if (home.empty()) return {};
    name = (fs::path(home) / ".netrc").string();
  }
  if (name == "/dev/null") return {};  // the usual way to have none
  const auto text = files.read_file(name, max_netrc_bytes);
  if (!text) {
    if (named || text.error().code() != ErrorCode::file_not_found)
      diagnostics.warn("the netrc file is not used: " + text.error().detail());
    return {};
  }
  std::size_t unknown = 0;
  Netrc netrc = parse(*text, &unknown);
  if (unknown > 0) {
    diagnostics.warn(printable(name) + ": " + std::to_string(unknown) +
                     (unknown == 1 ? " word has" : " words have") +
                     " no meaning in a netrc file and were passed over; a value with spaces needs quotes");
  }
  if (const auto status = files.status(name);
      !netrc.empty() && status && *status && (*status)->type == FileType::regular && ((*status)->mode & 077u))
    diagnostics.warn("other users of this machine may read the passwords in " + printable(name) +
                     ": `chmod 600` it");
  return netrc;
}

}  // namespace curupira
