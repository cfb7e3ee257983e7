#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/file_system.h"

namespace curupira::test {

/// The real file system with one fault. Counted are the operations that change something, writes and commits
/// of files included, from 1.
class FaultyFileSystem final : public FileSystem {
 public:
  enum class Fault {
    none,
    fails,    ///< operation N fails, all others work
    crashes,  ///< from operation N on nothing works any more, as if the process had been killed before it
  };

  explicit FaultyFileSystem(FileSystem& real) : real_(real) {}

  void set_fault(Fault fault, int operation) {
    fault_ = fault;
    at_ = operation;
    count_ = 0;
  }
  /// Names that differ only in case are one, as far as `status` sees.
  void fold_case() { folds_case_ = true; }
  /// How many changing operations were asked for since `set_fault`.
  int count() const { return count_; }
  bool hit() const { return fault_ != Fault::none && count_ >= at_; }

  Result<std::string> read_file(const std::filesystem::path& path, std::uint64_t max_bytes) const override {
    return real_.read_file(path, max_bytes);
  }
  Result<std::optional<FileStatus>> status(const std::filesystem::path& path) const override {
    if (!folds_case_) return real_.status(path);
    std::string name = path.filename().string();
    for (char& c : name)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return real_.status(path.parent_path() / name);
  }
  Result<std::vector<std::string>> list(const std::filesystem::path& folder) const override {
    return real_.list(folder);
  }
  Result<std::string> read_link(const std::filesystem::path& path) const override {
    return real_.read_link(path);
  }

  Result<std::unique_ptr<WritableFile>> create_file(const std::filesystem::path& path,
                                                    unsigned mode) override {
    CURUPIRA_CHECK(step("create_file", path));
    CURUPIRA_TRY(auto file, real_.create_file(path, mode));
    return std::unique_ptr<WritableFile>(new File(*this, std::move(file), path));
  }
  Result<std::unique_ptr<WritableFile>> append_to_file(const std::filesystem::path& path) override {
    CURUPIRA_CHECK(step("append_to_file", path));
    CURUPIRA_TRY(auto file, real_.append_to_file(path));
    return std::unique_ptr<WritableFile>(new File(*this, std::move(file), path));
  }
  Result<> create_folders(const std::filesystem::path& path) override {
    CURUPIRA_CHECK(step("create_folders", path));
    return real_.create_folders(path);
  }
  Result<std::filesystem::path> create_temporary_folder(const std::filesystem::path& parent,
                                                        std::string_view prefix) override {
    CURUPIRA_CHECK(step("create_temporary_folder", parent));
    return real_.create_temporary_folder(parent, prefix);
  }
  Result<> rename(const std::filesystem::path& from, const std::filesystem::path& to) override {
    CURUPIRA_CHECK(step("rename", from));
    return real_.rename(from, to);
  }
  Result<> exchange(const std::filesystem::path& a, const std::filesystem::path& b) override {
    CURUPIRA_CHECK(step("exchange", a));
    if (no_exchange) return fail(ErrorCode::file_failed, "this file system cannot exchange");
    return real_.exchange(a, b);
  }
  Result<> hard_link(const std::filesystem::path& existing, const std::filesystem::path& link) override {
    CURUPIRA_CHECK(step("hard_link", link));
    if (no_hard_links) return fail(ErrorCode::file_failed, "another file system");
    return real_.hard_link(existing, link);
  }
  Result<> symbolic_link(std::string_view target, const std::filesystem::path& link) override {
    CURUPIRA_CHECK(step("symbolic_link", link));
    return real_.symbolic_link(target, link);
  }
  Result<> set_mode(const std::filesystem::path& path, unsigned mode) override {
    CURUPIRA_CHECK(step("set_mode", path));
    return real_.set_mode(path, mode);
  }
  Result<> remove_file(const std::filesystem::path& path) override {
    CURUPIRA_CHECK(step("remove_file", path));
    return real_.remove_file(path);
  }
  Result<> remove_tree(const std::filesystem::path& path) override {
    CURUPIRA_CHECK(step("remove_tree", path));
    return real_.remove_tree(path);
  }
  Result<> sync_folder(const std::filesystem::path& path) override { return step("sync_folder", path); }

  bool no_hard_links = false;  ///< as across file systems
  bool no_exchange = false;    ///< as on file systems without RENAME_EXCHANGE

 private:
  class File final : public WritableFile {
   public:
    File(FaultyFileSystem& files, std::unique_ptr<WritableFile> real, std::filesystem::path path)
        : files_(files), real_(std::move(real)), path_(std::move(path)) {}
    Result<> write(std::span<const std::byte> bytes) override {
      CURUPIRA_CHECK(files_.step("write", path_));
      return real_->write(bytes);
    }
    Result<> restart() override { return real_->restart(); }
    Result<> commit() override {
      CURUPIRA_CHECK(files_.step("commit", path_));
      real_.reset();  // closed; not forced to the disk, which takes most of a test's time
      return {};
    }

   private:
    FaultyFileSystem& files_;
    std::unique_ptr<WritableFile> real_;
    std::filesystem::path path_;
  };

  Result<> step(const char* operation, const std::filesystem::path& path) {
    ++count_;
    const bool now = fault_ == Fault::fails ? count_ == at_ : fault_ == Fault::crashes && count_ >= at_;
    if (!now) return {};
    return fail(ErrorCode::file_failed, std::string("injected: ") + operation + " " + path.string());
  }

  bool folds_case_ = false;
  FileSystem& real_;
  Fault fault_ = Fault::none;
  int at_ = 0;
  int count_ = 0;
};

}  // namespace curupira::test
