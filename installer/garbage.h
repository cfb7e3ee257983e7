#pragma once

#include <cstdint>

#include "installer/store.h"

namespace curupira::installer {

/// Removes the objects of the store that no receipt and no running command names; gives the bytes that became
/// free. Call it under the home's lock only. A receipt that cannot be read keeps everything: what it names is
/// not known.
Result<std::uint64_t> collect_garbage(const Store& store);

}  // namespace curupira::installer
