# PROJ::proj: PROJ's library, for its geodesics, which are C. PROJ's own package file refuses every cross build, and newer ones ask
# for a C++ compiler.
find_library(PROJ_LIBRARY proj)
find_path(PROJ_INCLUDE_DIR geodesic.h)
mark_as_advanced(PROJ_LIBRARY PROJ_INCLUDE_DIR)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(PROJ REQUIRED_VARS PROJ_LIBRARY PROJ_INCLUDE_DIR)
if(PROJ_FOUND AND NOT TARGET PROJ::proj)
  add_library(PROJ::proj UNKNOWN IMPORTED)
  set_target_properties(PROJ::proj PROPERTIES
    IMPORTED_LOCATION "${PROJ_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${PROJ_INCLUDE_DIR}")
endif()
