#pragma once

#include "cli/command.h"
#include "cli/registry_arguments.h"

namespace curupira::cli {

/// The commands of `curupira registry`; each calls its module, prints, and returns the exit code.
Result<int> registry_command(const Invocation& invocation, const RegistryArguments& arguments,
                             Terminal& terminal);

Result<int> registry_init_command(const Invocation& invocation, const RegistryInitArguments& arguments,
                                  Terminal& terminal);
Result<int> registry_publish_command(const Invocation& invocation, const RegistryPublishArguments& arguments,
                                     Terminal& terminal);
Result<int> registry_yank_command(const Invocation& invocation, const RegistryYankArguments& arguments,
                                  Terminal& terminal);
Result<int> registry_refresh_command(const Invocation& invocation, const RegistryRefreshArguments& arguments,
                                     Terminal& terminal);
Result<int> registry_keys_list_command(const Invocation& invocation,
                                       const RegistryKeysListArguments& arguments, Terminal& terminal);
Result<int> registry_keys_new_command(const Invocation& invocation, const RegistryKeysNewArguments& arguments,
                                      Terminal& terminal);
Result<int> registry_keys_change_command(const Invocation& invocation,
                                         const RegistryKeysChangeArguments& arguments, Terminal& terminal);
Result<int> registry_delegate_command(const Invocation& invocation,
                                      const RegistryDelegateArguments& arguments, Terminal& terminal);
Result<int> registry_sign_command(const Invocation& invocation, const RegistrySignArguments& arguments,
                                  Terminal& terminal);
Result<int> registry_verify_command(const Invocation& invocation, const RegistryVerifyArguments& arguments,
                                    Terminal& terminal);
Result<int> registry_copy_command(const Invocation& invocation, const RegistryCopyArguments& arguments,
                                  Terminal& terminal);

Result<int> registry_add_command(const Invocation& invocation, const RegistryAddArguments& arguments,
                                 Terminal& terminal);
Result<int> registry_list_command(const Invocation& invocation, Terminal& terminal);
Result<int> registry_remove_command(const Invocation& invocation, const RegistryRemoveArguments& arguments,
                                    Terminal& terminal);
/// `plugins search`.
Result<int> search_command(const Invocation& invocation, const SearchArguments& arguments,
                           Terminal& terminal);
Result<int> registry_mirror_command(const Invocation& invocation, const RegistryMirrorArguments& arguments,
                                    Terminal& terminal);
Result<int> registry_prune_command(const Invocation& invocation, const RegistryPruneArguments& arguments,
                                   Terminal& terminal);
Result<int> registry_undelegate_command(const Invocation& invocation,
                                        const RegistryUndelegateArguments& arguments, Terminal& terminal);
/// Until SIGINT or SIGTERM.
Result<int> registry_serve_command(const Invocation& invocation, const RegistryServeArguments& arguments,
                                   Terminal& terminal);

}  // namespace curupira::cli
