#include "cli/mirror_text.h"

#include <algorithm>
#include <ostream>

#include "base/printable.h"
#include "cli/counted.h"

namespace curupira::cli {
namespace {

using installer::MirrorAddition;
using Kind = registry::MirrorFile::Kind;

struct Sums {
  std::size_t tarballs = 0, wheels = 0, archives = 0, at_hand = 0, of_unknown_size = 0;
  std::uint64_t bytes = 0;
};

Sums sums_of(const installer::MirrorPlan& plan) {
  Sums sums;
  for (const MirrorAddition& addition : plan.additions) {
    sums.tarballs += addition.file.kind == Kind::tarball ? 1 : 0;
    sums.wheels += addition.file.kind == Kind::wheel ? 1 : 0;
    sums.archives += addition.file.kind == Kind::archive ? 1 : 0;
    if (addition.at_hand)
      ++sums.at_hand;
    else if (addition.artifact.proof.size)
      sums.bytes += *addition.artifact.proof.size;
    else
      ++sums.of_unknown_size;
  }
  return sums;
}

std::string label_of(const MirrorAddition& addition) {
  const auto& file = addition.file;
  if (file.kind == Kind::tarball) return "npm:" + printable(file.package) + "@" + printable(file.version);
  return printable(file.path.substr(file.path.rfind('/') + 1));
}

std::string size_of(const MirrorAddition& addition) {
  if (addition.at_hand) return "already here";
  return addition.artifact.proof.size ? format_bytes(*addition.artifact.proof.size) : "size not known yet";
}

}  // namespace

std::string mirror_summary(const installer::MirrorPlan& plan) {
  const Sums sums = sums_of(plan);
  std::string text;
  const auto add = [&](std::size_t number, const char* noun) {
    if (number > 0) text += (text.empty() ? "" : ", ") + counted(number, noun);
  };
  add(sums.tarballs, "npm package");
  add(sums.wheels, "wheel");
  add(sums.archives, "archive");
  return text.empty() ? "no file" : text;
}

void print_mirror_plan(Terminal& terminal, const installer::MirrorPlan& plan) {
  auto& out = terminal.out();
  std::size_t width = 0;
  for (const MirrorAddition& addition : plan.additions)
    width = std::max(width, label_of(addition).size());
  for (const MirrorAddition& addition : plan.additions) {
    const std::string label = label_of(addition);
    out << terminal.out_styled(Terminal::Style::green, "+ " + label)
        << std::string(width - label.size() + 2, ' ') << size_of(addition) << '\n';
  }
  const Sums sums = sums_of(plan);
  if (!plan.additions.empty()) {
    out << "Adds " << mirror_summary(plan);
    if (sums.bytes > 0) out << ": " << format_bytes(sums.bytes) << " to fetch";
    if (sums.of_unknown_size > 0)
      out << (sums.bytes > 0 ? ", and " : "; ") << counted(sums.of_unknown_size, "file")
          << " whose size is known when it is here";
    if (sums.at_hand > 0)
      out << "; " << counted(sums.at_hand, "file") << (sums.at_hand == 1 ? " is" : " are")
          << " here from an earlier run";
    out << '\n';
  }
  if (plan.additions.empty() && plan.index.wishes != plan.before.wishes)
    out << "No file to add; what was asked for is noted\n";
  if (plan.present > 0) out << counted(plan.present, "file") << " asked for: mirrored already\n";
  if (plan.refreshed > 0)
    out << counted(plan.refreshed, "page") << " to write anew: the registry says something else now\n";
  if (!plan.before.url.empty() && plan.index.url != plan.before.url)
    out << "The address changes from " << printable(plan.before.url) << " to " << printable(plan.index.url)
        << '\n';
}

json::Object mirror_plan_to_json(const installer::MirrorPlan& plan) {
  json::Array files;
  for (const MirrorAddition& addition : plan.additions) {
    json::Object object;
    object.set("path", addition.file.path);
    object.set("kind", registry::word_of(addition.file.kind));
    object.set("package", addition.file.package);
    object.set("version", addition.file.version.empty() ? json::Value() : json::Value(addition.file.version));
    object.set("digest", addition.artifact.proof.any_of.front().sri());
    object.set("size",
               addition.artifact.proof.size ? json::Value(*addition.artifact.proof.size) : json::Value());
    object.set("atHand", addition.at_hand);
    files.emplace_back(std::move(object));
  }
  json::Object object;
  object.set("url", plan.index.url.empty() ? json::Value() : json::Value(plan.index.url));
  object.set("additions", std::move(files));
  object.set("present", static_cast<std::uint64_t>(plan.present));
  object.set("pages", static_cast<std::uint64_t>(plan.npm_pages.size() + plan.python_pages.size()));
  return object;
}

}  // namespace curupira::cli
