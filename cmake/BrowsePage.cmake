# curupira_browse_page(TARGET)
# puts the parts of the browse page (registry/browse/) into the program: a source with their text is made when CMake
# runs, which it does again when one of them changes.

set(CURUPIRA_BROWSE_SCRIPTS sha256 fetch toml manifest metadata search elements listing package_view page)

function(curupira_browse_page TARGET)
  set(folder "${PROJECT_SOURCE_DIR}/registry/browse")
  file(READ "${folder}/page.html" BROWSE_HTML)
  file(READ "${folder}/style.css" BROWSE_STYLE)
  set(BROWSE_SCRIPT "")
  set(parts "${folder}/page.html" "${folder}/style.css")
  foreach(name IN LISTS CURUPIRA_BROWSE_SCRIPTS)
    file(READ "${folder}/${name}.js" script)
    string(APPEND BROWSE_SCRIPT "${script}")
    list(APPEND parts "${folder}/${name}.js")
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${parts})
  set(made "${PROJECT_BINARY_DIR}/browse_page_parts.cpp")
  configure_file("${folder}/parts.cpp.in" "${made}" @ONLY)
  target_sources(${TARGET} PRIVATE "${made}")
endfunction()
