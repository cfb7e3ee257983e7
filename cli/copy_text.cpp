#include "cli/copy_text.h"

#include <ostream>

#include "base/printable.h"
#include "base/timestamp.h"
#include "cli/counted.h"

namespace curupira::cli {
namespace {

json::Object to_json(const registry::CopyCount& count) {
  json::Object object;
  object.set("metadata", count.metadata);
  object.set("indexes", count.indexes);
  object.set("artifacts", count.artifacts);
  object.set("bytes", count.bytes);
  return object;
}

}  // namespace

CopyProgress::CopyProgress(Terminal& terminal, const Clock& clock)
    : terminal_(terminal), clock_(clock), drawn_(clock.steady_now()) {}

CopyProgress::~CopyProgress() {
  clear();
}

void CopyProgress::copying(const std::string& file, const registry::CopyCount& so_far) {
  const auto now = clock_.steady_now();
  if (!terminal_.progress_visible() || now - drawn_ < std::chrono::milliseconds(100)) return;
  drawn_ = now;
  open_ = true;
  terminal_.err() << "\r\x1b[K" << counted(so_far.indexes + so_far.artifacts, "file") << ", "
                  << format_bytes(so_far.bytes) << ": " << excerpt(file.substr(file.rfind('/') + 1), 60)
                  << std::flush;
}

void CopyProgress::clear() {
  if (open_) terminal_.err() << "\r\x1b[K" << std::flush;
  open_ = false;
}

bool copies_nothing(const registry::CopyReport& report) {
  const registry::CopyCount& count = report.copied;
  return count.metadata + count.indexes + count.artifacts == 0;
}

std::string copy_text(const registry::CopyCount& count) {
  return counted(count.metadata, "metadata file") + ", " +
         (count.indexes == 1 ? "1 index" : std::to_string(count.indexes) + " indexes") + " and " +
         counted(count.artifacts, "artifact") + " (" + format_bytes(count.bytes) + ")";
}

void add_copy_report(json::Object& object, const registry::CopyReport& report) {
  object.set("snapshot", report.snapshot);
  object.set("expires", format_timestamp(report.expires));
  object.set("copied", to_json(report.copied));
  object.set("there", to_json(report.there));
  object.set("roles", report.roles);
  object.set("sameRoles", report.same_roles);
  object.set("expired", json::Array(report.expired.begin(), report.expired.end()));
  if (report.packages)
    object.set("packages", json::Array(report.packages->begin(), report.packages->end()));
  else
    object.set("packages", nullptr);
}

}  // namespace curupira::cli
