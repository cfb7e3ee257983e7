#include "installer/node_command.h"

#include <array>
#include <fstream>

#include "base/printable.h"

namespace curupira::installer {

Result<manifest::ReceiptCommand> make_node_command(const FileSystem& files,
                                                   const std::filesystem::path& content,
                                                   const RelativePath& entry, const std::string& command) {
  CURUPIRA_TRY(const auto status, files.status(entry.below(content)));
  if (!status || status->type != FileType::regular)
    return fail(ErrorCode::bin_not_found, "bin \"" + printable(command) + "\" is " + printable(entry.text()) +
                                              ", which is no file of the package");
  std::array<char, 256> bytes{};
  std::ifstream stream(entry.below(content), std::ios::binary);
  stream.read(bytes.data(), bytes.size());
  const std::string_view start(bytes.data(), static_cast<std::size_t>(stream.gcount()));
  manifest::ReceiptCommand result{.interpreter = manifest::ReceiptCommand::Interpreter::node, .entry = entry};
  const auto line = start.substr(0, start.find('\n'));
  const bool other_script = line.starts_with("#!") && line.find("node") == std::string_view::npos;
  if (other_script || start.starts_with("\x7f"
                                        "ELF"))
    result.interpreter = manifest::ReceiptCommand::Interpreter::none;
  return result;
}

}  // namespace curupira::installer
