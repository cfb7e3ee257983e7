#include "manifest/receipt.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/printable.h"
#include "manifest/manifest.h"

namespace curupira::manifest {
namespace {

constexpr json::Limits receipt_limits{.max_bytes = 32u << 20, .max_depth = 16};
constexpr std::size_t tree_digest_digits = 64;

/// The names of an enumeration in a receipt.
template <class E>
using Names = std::array<std::pair<E, std::string_view>, 3>;

constexpr Names<ReceiptContent::Kind> content_kinds{{{ReceiptContent::Kind::tree, "tree"},
                                                     {ReceiptContent::Kind::node_modules, "node-modules"},
                                                     {ReceiptContent::Kind::venv, "venv"}}};
constexpr Names<ReceiptCommand::Interpreter> interpreters{
    {{ReceiptCommand::Interpreter::none, "none"},
     {ReceiptCommand::Interpreter::node, "node"},
     {ReceiptCommand::Interpreter::venv_python, "venv-python"}}};
constexpr Names<VerificationLevel> levels{{{VerificationLevel::digest, "digest"},
                                           {VerificationLevel::registry_signed, "registry-signed"},
                                           {VerificationLevel::publisher_signed, "publisher-signed"}}};

template <class E>
std::string_view name_in(const Names<E>& names, E value) {
  for (const auto& [known, name] : names)
    if (known == value) return name;
  return names.front().second;
}

json::Array to_array(const std::vector<std::string>& texts) {
  return json::Array(texts.begin(), texts.end());
}

json::Object to_object(const ReceiptArtifact& artifact) {
  json::Object object;
  object.set("package", artifact.package);
  object.set("version", artifact.version);
  object.set("location", artifact.location);
  object.set("digest", std::string(name_of(artifact.digest.algorithm())) + ":" + artifact.digest.hex());
  object.set("size", artifact.size);
  object.set("level", name_of(artifact.level));
  return object;
}

json::Object to_object(const ReceiptCommand& command) {
  json::Object object;
  object.set("interpreter", name_in(interpreters, command.interpreter));
  if (command.entry) object.set("entry", command.entry->text());
  if (command.path_program) object.set("path_program", *command.path_program);
  object.set("args", to_array(command.args));
  object.set("in_content_folder", command.in_content_folder);
  return object;
}

Error wrong(std::string_view member, std::string_view expected) {
  return Error(ErrorCode::receipt_unreadable,
               "member \"" + std::string(member) + "\": expected " + std::string(expected));
}

Result<std::string> text(const json::Value& object, std::string_view name) {
  const std::string* found = object.find_string(name);
  if (found == nullptr || found->find('\0') != std::string::npos) return fail(wrong(name, "a string"));
  return *found;
}

Result<bool> flag(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  const bool* found = value != nullptr ? value->as_bool() : nullptr;
  if (found == nullptr) return fail(wrong(name, "true or false"));
  return *found;
}

Result<const json::Array*> array(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  const json::Array* found = value != nullptr ? value->as_array() : nullptr;
  if (found == nullptr) return fail(wrong(name, "an array"));
  return found;
}

Result<std::vector<std::string>> texts(const json::Value& object, std::string_view name) {
  CURUPIRA_TRY(const json::Array* items, array(object, name));
  std::vector<std::string> all;
  for (const json::Value& item : *items) {
    const std::string* found = item.as_string();
    if (found == nullptr || found->find('\0') != std::string::npos)
      return fail(wrong(name, "an array of strings"));
    all.push_back(*found);
  }
  return all;
}

template <class E>
Result<E> one_of(const json::Value& object, std::string_view name, const Names<E>& names) {
  CURUPIRA_TRY(const auto found, text(object, name));
  std::string expected;
  for (const auto& [value, known] : names) {
    if (known == found) return value;
    expected += (expected.empty() ? "\"" : ", \"") + std::string(known) + "\"";
  }
  return fail(wrong(name, "one of " + expected + ", found \"" + printable(found) + "\""));
}

/// A name of a folder in the store: it becomes a part of a path.
bool is_tree_digest(std::string_view digest) {
  return digest.size() == tree_digest_digits && std::all_of(digest.begin(), digest.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

Result<Digest> digest(const json::Value& object) {
  CURUPIRA_TRY(const auto found, text(object, "digest"));
  const std::size_t colon = found.find(':');
  if (colon == std::string::npos) return fail(wrong("digest", "\"<algorithm>:<hexadecimal digits>\""));
  auto algorithm = parse_digest_algorithm(std::string_view(found).substr(0, colon));
  if (!algorithm) return fail(wrong("digest", "a known algorithm"));
  auto parsed = Digest::from_hex(*algorithm, std::string_view(found).substr(colon + 1));
  if (!parsed) return fail(wrong("digest", "as many hexadecimal digits as the algorithm has"));
  return *parsed;
}

Result<ReceiptArtifact> artifact(const json::Value& object) {
  if (object.as_object() == nullptr) return fail(wrong("artifacts", "an array of objects"));
  CURUPIRA_TRY(auto package, text(object, "package"));
  CURUPIRA_TRY(auto version, text(object, "version"));
  CURUPIRA_TRY(auto location, text(object, "location"));
  CURUPIRA_TRY(const auto vouched, digest(object));
  const json::Value* member = object.find("size");
  const auto size = member != nullptr ? member->as_uint() : std::nullopt;
  if (!size) return fail(wrong("size", "a number of bytes"));
  CURUPIRA_TRY(const auto level, one_of(object, "level", levels));
  return ReceiptArtifact{.package = std::move(package),
                         .version = std::move(version),
                         .location = std::move(location),
                         .digest = vouched,
                         .size = *size,
                         .level = level};
}

Result<ReceiptContent> content(const json::Value& receipt) {
  const json::Value* object = receipt.find("content");
  if (object == nullptr || object->as_object() == nullptr) return fail(wrong("content", "an object"));
  ReceiptContent result;
  CURUPIRA_TRY(result.kind, one_of(*object, "kind", content_kinds));
  CURUPIRA_TRY(result.digest, text(*object, "digest"));
  if (!is_tree_digest(result.digest))
    return fail(wrong("content.digest", "64 hexadecimal digits in lower case"));
  return result;
}

Result<ReceiptCommand> command(const json::Value& receipt) {
  const json::Value* object = receipt.find("command");
  if (object == nullptr || object->as_object() == nullptr) return fail(wrong("command", "an object"));
  ReceiptCommand result;
  CURUPIRA_TRY(result.interpreter, one_of(*object, "interpreter", interpreters));
  if (object->find("entry") != nullptr) {
    CURUPIRA_TRY(const auto entry, text(*object, "entry"));
    auto path = RelativePath::parse(entry);
    if (!path)
      return fail(wrong("command.entry", "a path inside the content").caused_by(std::move(path).error()));
    result.entry = *std::move(path);
  }
  if (object->find("path_program") != nullptr) {
    CURUPIRA_TRY(result.path_program, text(*object, "path_program"));
  }
  // Exactly one of them says what starts; an interpreter starts an entry.
  if (result.entry.has_value() == result.path_program.has_value()) {
    return fail(wrong("command", "either \"entry\" or \"path_program\""));
  }
  if (result.interpreter != ReceiptCommand::Interpreter::none && !result.entry) {
    return fail(wrong("command.entry", "the script for the interpreter"));
  }
  CURUPIRA_TRY(result.args, texts(*object, "args"));
  CURUPIRA_TRY(result.in_content_folder, flag(*object, "in_content_folder"));
  return result;
}

Result<> check_format(const json::Value& receipt) {
  if (receipt.as_object() == nullptr) return fail(ErrorCode::receipt_unreadable, "expected a JSON object");
  const json::Value* member = receipt.find("format");
  const auto format = member != nullptr ? member->as_int() : std::nullopt;
  if (!format) return fail(wrong("format", "a number"));
  if (*format != Receipt::format) {
    return fail(
        Error(ErrorCode::receipt_unreadable, "format " + std::to_string(*format) +
                                                 ", this program reads format " +
                                                 std::to_string(Receipt::format))
            .with_help("use the version of curupira that installed the extension, or install it again"));
  }
  return {};
}

}  // namespace

std::string_view name_of(VerificationLevel level) {
  return name_in(levels, level);
}

json::Value to_json(const Receipt& receipt) {
  json::Object object;
  object.set("format", Receipt::format);
  object.set("name", receipt.name);
  object.set("version", receipt.version);
  object.set("reference", receipt.reference);
  object.set("source", receipt.source);
  object.set("package", receipt.package);
  object.set("launch_type", receipt.launch_type);
  json::Array artifacts;
  for (const ReceiptArtifact& item : receipt.artifacts)
    artifacts.emplace_back(to_object(item));
  object.set("artifacts", std::move(artifacts));
  json::Object where;
  where.set("kind", name_in(content_kinds, receipt.content.kind));
  where.set("digest", receipt.content.digest);
  object.set("content", std::move(where));
  object.set("command", to_object(receipt.command));
  object.set("trees", to_array(receipt.trees));
  object.set("probed", receipt.probed);
  object.set("sandbox", receipt.sandbox);
  return object;
}

Result<Receipt> parse_receipt(std::string_view text_of_file) {
  auto parsed = json::parse(text_of_file, receipt_limits);
  if (!parsed) {
    std::string detail = parsed.error().detail();
    return fail(ErrorCode::receipt_unreadable, std::move(detail));
  }
  CURUPIRA_CHECK(check_format(*parsed));
  Receipt result;
  CURUPIRA_TRY(result.name, text(*parsed, "name"));
  if (!is_readable_extension_name(result.name)) return fail(wrong("name", "the name of an extension"));
  CURUPIRA_TRY(result.version, text(*parsed, "version"));
  CURUPIRA_TRY(result.reference, text(*parsed, "reference"));
  CURUPIRA_TRY(result.source, text(*parsed, "source"));
  CURUPIRA_TRY(result.package, text(*parsed, "package"));
  CURUPIRA_TRY(result.launch_type, text(*parsed, "launch_type"));
  CURUPIRA_TRY(const json::Array* artifacts, array(*parsed, "artifacts"));
  for (const json::Value& item : *artifacts) {
    CURUPIRA_TRY(auto one, artifact(item));
    result.artifacts.push_back(std::move(one));
  }
  CURUPIRA_TRY(result.content, content(*parsed));
  CURUPIRA_TRY(result.command, command(*parsed));
  CURUPIRA_TRY(result.trees, texts(*parsed, "trees"));
  if (!std::all_of(result.trees.begin(), result.trees.end(), is_tree_digest)) {
    return fail(wrong("trees", "an array of 64 hexadecimal digits each"));
  }
  CURUPIRA_TRY(result.probed, flag(*parsed, "probed"));
  CURUPIRA_TRY(result.sandbox, text(*parsed, "sandbox"));
  return result;
}

}  // namespace curupira::manifest
