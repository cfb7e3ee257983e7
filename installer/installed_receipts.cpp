#include "installer/installed_receipts.h"

#include "installer/limits.h"
#include "manifest/manifest.h"

namespace curupira::installer {

std::vector<manifest::Receipt> installed_receipts(const ReadOnlyFileSystem& files, const HomeLayout& home) {
  std::vector<manifest::Receipt> receipts;
  const auto names = files.list(home.extensions());
  if (!names) return receipts;
  for (const auto& name : *names) {
    const auto text =
        files.read_file(home.extensions() / name / manifest::receipt_file_name, max_receipt_bytes);
    if (!text) continue;
    auto receipt = manifest::parse_receipt(*text);
    if (receipt) receipts.push_back(*std::move(receipt));
  }
  return receipts;
}

}  // namespace curupira::installer
