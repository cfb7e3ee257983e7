# curupira_module(NAME n DEPS modules… PRIVATE third-party…)
# makes the static library curupira_<n> of the folder <n>/. DEPS are the only modules whose headers the folder
# may include; third parties are PRIVATE, so their headers reach no other module.

find_package(CURL REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(ZLIB REQUIRED)
find_package(LibArchive REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(tomlplusplus REQUIRED)  # headers only, see base/toml.cpp
find_package(tl-expected REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(seccomp REQUIRED IMPORTED_TARGET libseccomp)

set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

find_program(CCACHE ccache)
if(CCACHE)
  # Without this, ccache leaves everything alone that uses a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros;${CCACHE}")
endif()

set(CURUPIRA_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize= takes them")

add_library(curupira_options INTERFACE)
target_compile_options(curupira_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
  -Wnon-virtual-dtor -Wold-style-cast -Wimplicit-fallthrough -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # When it optimises, gcc 12 sees overlapping copies inside std::string (its bug 105651) and uninitialized members
  # of moved-from optionals where there are none. The sanitizers look for real ones.
  target_compile_options(curupira_options INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
endif()
target_compile_definitions(curupira_options INTERFACE CURUPIRA_VERSION="${PROJECT_VERSION}")
target_include_directories(curupira_options INTERFACE "${PROJECT_SOURCE_DIR}")
target_link_libraries(curupira_options INTERFACE tl::expected Threads::Threads)
if(CURUPIRA_SANITIZE)
  target_compile_options(curupira_options INTERFACE -fsanitize=${CURUPIRA_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  target_link_options(curupira_options INTERFACE -fsanitize=${CURUPIRA_SANITIZE})
endif()

function(curupira_module)
  cmake_parse_arguments(MODULE "" "NAME" "DEPS;PRIVATE" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${MODULE_NAME}/*.cpp"
    "${PROJECT_SOURCE_DIR}/${MODULE_NAME}/*.h")
  list(FILTER sources EXCLUDE REGEX "/cli/main\\.cpp$")
  add_library(curupira_${MODULE_NAME} STATIC ${sources})
  set_target_properties(curupira_${MODULE_NAME} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(curupira_${MODULE_NAME} PUBLIC curupira_options PRIVATE ${MODULE_PRIVATE})
  foreach(dep IN LISTS MODULE_DEPS)
    target_link_libraries(curupira_${MODULE_NAME} PUBLIC curupira_${dep})
  endforeach()
endfunction()
