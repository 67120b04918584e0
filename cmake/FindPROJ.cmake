# PROJ::proj by PROJ's own package file, or, as that refuses every cross build, by its library and header.
find_package(PROJ CONFIG QUIET)
if(TARGET PROJ::proj)
  set(PROJ_FOUND TRUE)
  return()
endif()

find_library(PROJ_LIBRARY proj)
find_path(PROJ_INCLUDE_DIR geodesic.h)
mark_as_advanced(PROJ_LIBRARY PROJ_INCLUDE_DIR)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(PROJ REQUIRED_VARS PROJ_LIBRARY PROJ_INCLUDE_DIR)
if(PROJ_FOUND)
  add_library(PROJ::proj UNKNOWN IMPORTED)
  set_target_properties(PROJ::proj PROPERTIES
    IMPORTED_LOCATION "${PROJ_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${PROJ_INCLUDE_DIR}")
endif()
