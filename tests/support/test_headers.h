#pragma once

// Precompiled for all unit tests (tests/CMakeLists.txt). Tests include what they use all the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <variant>
#include <vector>
