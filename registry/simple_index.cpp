#include "registry/simple_index.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/byte_sink.h"
#include "base/json.h"
#include "base/printable.h"
#include "registry/limits.h"

namespace curupira::registry {

namespace {

constexpr std::size_t max_file_name = 255;
constexpr std::array strong_algorithms = {DigestAlgorithm::sha256, DigestAlgorithm::sha384,
                                          DigestAlgorithm::sha512};

bool is_file_name(std::string_view name) {
  const auto legal = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-._+!").find(c) != std::string_view::npos;
  };
  return !name.empty() && name.size() <= max_file_name && name.front() != '.' &&
         std::ranges::all_of(name, legal);
}

Error unreadable(std::string detail) {
  return Error(ErrorCode::registry_unreadable, "a package's page of the index: " + std::move(detail));
}

// ---- JSON, PEP 691

Result<std::optional<IndexFile>> read_json_file(const json::Value& value, const Url& page) {
  const std::string* name = value.find_string("filename");
  const std::string* address = value.find_string("url");
  if (name == nullptr || address == nullptr) return fail(unreadable("a file without filename or url"));
  auto url = page.resolve(*address);
  if (!url || url->scheme() == "file" || !is_file_name(*name)) return std::optional<IndexFile>();
  IndexFile file{.name = *name, .url = url->without_fragment(), .digests = {}};
  if (const json::Value* hashes = value.find("hashes")) {
    for (const DigestAlgorithm algorithm : strong_algorithms) {
      const std::string* hex = hashes->find_string(name_of(algorithm));
      if (hex == nullptr) continue;
      auto digest = Digest::from_hex(algorithm, *hex);
      if (!digest) return fail(unreadable("a digest of " + *name + " has not the length of its algorithm"));
      file.digests.push_back(*digest);
    }
  }
  if (const json::Value* size = value.find("size")) file.size = size->as_uint();
  if (const json::Value* yanked = value.find("yanked")) {
    const bool* flag = yanked->as_bool();
    if (const std::string* reason = yanked->as_string()) file.yanked = *reason;
    if (flag != nullptr && *flag) file.yanked = "";
  }
  return std::optional(std::move(file));
}

Result<std::vector<IndexFile>> read_json(std::string_view text, const Url& page) {
  const auto document = json::parse(text, {.max_bytes = Limits::max_index_page_bytes, .max_depth = 32});
  if (!document) return fail(unreadable(document.error().summary()));
  const json::Value* list = document->find("files");
  const json::Array* entries = list ? list->as_array() : nullptr;
  if (entries == nullptr) return fail(unreadable("it has no list of files"));
  if (entries->size() > Limits::max_index_files)
    return fail(unreadable("it lists " + std::to_string(entries->size()) + " files, the limit is " +
                           std::to_string(Limits::max_index_files)));
  std::vector<IndexFile> files;
  for (const json::Value& entry : *entries) {
    CURUPIRA_TRY(auto file, read_json_file(entry, page));
    if (file) files.push_back(*std::move(file));
  }
  return files;
}

// ---- HTML, PEP 503: only the anchors matter

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

/// The entities that stand in addresses.
std::string without_entities(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, char>, 8> entities = {{{"&amp;", '&'},
                                                                                 {"&#38;", '&'},
                                                                                 {"&#43;", '+'},
                                                                                 {"&#x2b;", '+'},
                                                                                 {"&quot;", '"'},
                                                                                 {"&#39;", '\''},
                                                                                 {"&lt;", '<'},
                                                                                 {"&gt;", '>'}}};
  std::string out;
  while (!text.empty()) {
    const auto found =
        std::ranges::find_if(entities, [&](const auto& e) { return text.starts_with(e.first); });
    out += found == entities.end() ? text.front() : found->second;
    text.remove_prefix(found == entities.end() ? 1 : found->first.size());
  }
  return out;
}

using Attributes = std::vector<std::pair<std::string, std::string>>;

/// The attributes up to '>', which `text` loses.
Attributes take_attributes(std::string_view& text) {
  Attributes attributes;
  const auto skip_space = [&] {
    while (!text.empty() && (is_space(text.front()) || text.front() == '/'))
      text.remove_prefix(1);
  };
  while (true) {
    skip_space();
    if (text.empty()) return attributes;
    if (text.front() == '>') {
      text.remove_prefix(1);
      return attributes;
    }
    const std::size_t end = std::min(text.find_first_of(" \t\r\n\f=>", 1), text.size());
    const std::string name = lower(text.substr(0, end));
    text.remove_prefix(end);
    skip_space();
    std::string value;
    if (text.starts_with('=')) {
      text.remove_prefix(1);
      while (!text.empty() && is_space(text.front()))
        text.remove_prefix(1);
      const char quote = text.empty() ? '\0' : text.front();
      const bool quoted = quote == '"' || quote == '\'';
      if (quoted) text.remove_prefix(1);
      const std::size_t stop =
          std::min(quoted ? text.find(quote) : text.find_first_of(" \t\r\n\f>"), text.size());
      value = without_entities(text.substr(0, stop));
      text.remove_prefix(std::min(stop + (quoted ? 1 : 0), text.size()));
    }
    attributes.emplace_back(name, std::move(value));
  }
}

const std::string* attribute(const Attributes& attributes, std::string_view name) {
  const auto found = std::ranges::find(attributes, name, &Attributes::value_type::first);
  return found == attributes.end() ? nullptr : &found->second;
}

/// "#sha256=…"
void read_fragment(const std::string& fragment, IndexFile& file) {
  const auto equals = fragment.find('=');
  if (equals == std::string::npos) return;
  for (const DigestAlgorithm algorithm : strong_algorithms) {
    if (fragment.substr(0, equals) != name_of(algorithm)) continue;
    const std::string_view rest = std::string_view(fragment).substr(equals + 1);
    if (auto digest = Digest::from_hex(algorithm, rest.substr(0, rest.find('&'))))
      file.digests.push_back(*digest);
  }
}

Result<std::vector<IndexFile>> read_html(std::string_view text, const Url& page) {
  if (!is_valid_utf8(text)) return fail(unreadable("it is neither JSON nor text in UTF-8"));
  std::vector<IndexFile> files;
  Url base = page;
  bool anything = false;
  while (true) {
    const std::size_t open = text.find('<');
    if (open == std::string_view::npos) break;
    text.remove_prefix(open + 1);
    if (text.starts_with("!--")) {
      const std::size_t end = text.find("-->");
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 3);
      continue;
    }
    const std::size_t end = std::min(text.find_first_of(" \t\r\n\f/>", 1), text.size());
    const std::string tag = lower(text.substr(0, end));
    text.remove_prefix(end);
    anything = anything || tag == "html" || tag == "a" || tag == "body" || tag == "!doctype";
    if (tag.starts_with('/')) continue;
    const Attributes attributes = take_attributes(text);
    const std::string* href = attribute(attributes, "href");
    if (href == nullptr) continue;
    auto url = base.resolve(*href);
    if (!url || url->scheme() == "file") continue;
    if (tag == "base") base = *url;
    if (tag != "a" || !is_file_name(url->file_name())) continue;
    IndexFile file{.name = url->file_name(), .url = url->without_fragment(), .digests = {}};
    read_fragment(url->fragment(), file);
    if (const std::string* reason = attribute(attributes, "data-yanked")) file.yanked = *reason;
    files.push_back(std::move(file));
    if (files.size() > Limits::max_index_files)
      return fail(unreadable("it lists more than " + std::to_string(Limits::max_index_files) + " files"));
  }
  if (!anything) return fail(unreadable("it is neither JSON nor HTML"));
  return files;
}

// ---- asking

constexpr std::string_view page_types =
    "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1";

Result<Url> page_of(const Url& index, const std::string& package) {
  std::string base = index.to_string();
  if (!base.ends_with('/')) base += '/';
  return Url::parse(base + percent_encode(package) + "/");
}

Error explain(Error error, const std::string& package, const Url& index) {
  if (error.code() == ErrorCode::credentials_refused)
    return Error(ErrorCode::credentials_refused, index.to_string() + " refuses access to " + package)
        .with_help("give the credentials of this index; no other index is asked instead")
        .caused_by(std::move(error));
  return std::move(error).while_doing("asking " + index.to_string() + " about " + package);
}

}  // namespace

const Digest* IndexFile::digest(DigestAlgorithm algorithm) const {
  const auto found = std::ranges::find(digests, algorithm, &Digest::algorithm);
  return found == digests.end() ? nullptr : &*found;
}

Result<std::vector<IndexFile>> read_simple_page(std::string_view text, const Url& page) {
  if (text.size() > Limits::max_index_page_bytes)
    return fail(unreadable("it is longer than " + std::to_string(Limits::max_index_page_bytes) + " bytes"));
  const auto first = std::ranges::find_if_not(text, is_space);
  return first != text.end() && *first == '{' ? read_json(text, page) : read_html(text, page);
}

Result<std::vector<std::vector<IndexFile>>> list_python_files(HttpClient* http, const IndexPlaces& places,
                                                              std::span<const std::string> packages) {
  std::vector<std::vector<IndexFile>> answers(packages.size());
  std::vector<std::size_t> open(packages.size());
  for (std::size_t i = 0; i < open.size(); ++i)
    open[i] = i;
  if (!open.empty() && http == nullptr)
    return fail(ErrorCode::offline_missing, "the files that the package index has of " + packages[0]);
  for (const Url& index : places.indexes) {
    if (open.empty()) break;
    std::vector<StringSink> bodies(open.size(), StringSink(Limits::max_index_page_bytes));
    std::vector<HttpTransfer> transfers;
    for (std::size_t i = 0; i < open.size(); ++i) {
      CURUPIRA_TRY(Url url, page_of(index, packages[open[i]]));
      HttpTransfer transfer{.request = {.url = std::move(url),
                                        .headers = {{"Accept", std::string(page_types)}},
                                        .credentials = places.credentials.get(),
                                        .max_bytes = Limits::max_index_page_bytes},
                            .body = &bodies[i]};
      transfers.push_back(std::move(transfer));
    }
    http->perform(transfers);
    std::vector<std::size_t> not_there;
    for (std::size_t i = 0; i < open.size(); ++i) {
      const std::string& package = packages[open[i]];
      auto& outcome = transfers[i].outcome;
      if (!outcome && outcome.error().code() == ErrorCode::http_not_found) {
        not_there.push_back(open[i]);
        continue;
      }
      if (!outcome) return fail(explain(std::move(outcome).error(), package, index));
      auto files = read_simple_page(bodies[i].text(), outcome->url);
      if (!files) return fail(explain(std::move(files).error(), package, index));
      answers[open[i]] = *std::move(files);
    }
    open = std::move(not_there);
  }
  if (open.empty()) return answers;
  std::string asked;
  for (const Url& index : places.indexes)
    asked += (asked.empty() ? "" : ", ") + index.to_string();
  return fail(Error(ErrorCode::package_not_found,
                    packages[open[0]] + " is not in " + (asked.empty() ? "any index" : asked))
                  .with_help("check which index the package belongs to: UV_INDEX, UV_DEFAULT_INDEX or pip's "
                             "settings name it"));
}

}  // namespace curupira::registry
