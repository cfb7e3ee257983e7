#include "cli/registry_command.h"

namespace curupira::cli {
namespace {

/// Which function has which arguments: overloads, so that a new command is one line.
struct Commands {
  const Invocation& invocation;
  Terminal& terminal;

  Result<int> operator()(const RegistryInitArguments& given) const {
    return registry_init_command(invocation, given, terminal);
  }
  Result<int> operator()(const RegistryPublishArguments& given) const {
    return registry_publish_command(invocation, given, terminal);
  }
  Result<int> operator()(const RegistryYankArguments& given) const {
    return registry_yank_command(invocation, given, terminal);
  }
  Result<int> operator()(const RegistryRefreshArguments& given) const {
    return registry_refresh_command(invocation, given, terminal);
  }
  Result<int> operator()(const RegistryKeysListArguments& given) const {
    return registry_keys_list_command(invocation, given, terminal);
  }
  Result<int> operator()(const RegistryKeysNewArguments& given) const {
    return registry_keys_new_command(invocation, given, terminal);
  }
  Result<int> operator()(const RegistryKeysChangeArguments& given) const {
    return registry_keys_change_command(invocation, given, terminal);
  }
  Result<int> operator()(const RegistryDelegateArguments& given) const {
    return registry_delegate_command(invocation, given, terminal);
  }
  Result<int> operator()(const RegistrySignArguments& given) const {
    return registry_sign_command(invocation, given, terminal);
  }
  Result<int> operator()(const RegistryVerifyArguments& given) const {
    return registry_verify_command(invocation, given, terminal);
  }
  Result<int> operator()(const RegistryCopyArguments& given) const {
    return registry_copy_command(invocation, given, terminal);
  }
  Result<int> operator()(const RegistryAddArguments& given) const {
    return registry_add_command(invocation, given, terminal);
  }
  Result<int> operator()(const RegistryListArguments&) const {
    return registry_list_command(invocation, terminal);
  }
  Result<int> operator()(const RegistryRemoveArguments& given) const {
    return registry_remove_command(invocation, given, terminal);
  }
  Result<int> operator()(const SearchArguments& given) const {
    return search_command(invocation, given, terminal);
  }
  Result<int> operator()(const RegistryUseArguments& given) const { return std::visit(*this, given); }
  Result<int> operator()(const RegistryMirrorArguments& given) const {
    return registry_mirror_command(invocation, given, terminal);
  }
  Result<int> operator()(const RegistryPruneArguments& given) const {
    return registry_prune_command(invocation, given, terminal);
  }
  Result<int> operator()(const RegistryUndelegateArguments& given) const {
    return registry_undelegate_command(invocation, given, terminal);
  }
  Result<int> operator()(const RegistryServeArguments& given) const {
    return registry_serve_command(invocation, given, terminal);
  }
};

}  // namespace

Result<int> registry_command(const Invocation& invocation, const RegistryArguments& arguments,
                             Terminal& terminal) {
  return std::visit(Commands{invocation, terminal}, arguments);
}

}  // namespace curupira::cli
