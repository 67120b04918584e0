# What is installed: library, header, command, its completion scripts, man page, documents, and the two ways in which other projects find predt.
include(CMakePackageConfigHelpers)

install(TARGETS predt EXPORT predt-targets)
install(FILES include/predt.h TYPE INCLUDE)
install(FILES man/gdal_predt.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES README.md CHANGELOG.md LICENSE TYPE DOC)
install(DIRECTORY docs TYPE DOC PATTERN decisions EXCLUDE)

install(TARGETS gdal_predt)
install(FILES completions/gdal_predt.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME gdal_predt)
install(FILES completions/_gdal_predt DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES completions/gdal_predt.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# find_package(predt)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/predt)
install(EXPORT predt-targets NAMESPACE predt:: DESTINATION ${config_dir} FILE predt-config.cmake)
write_basic_package_version_file(predt-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/predt-config-version.cmake DESTINATION ${config_dir})

# pkg-config. The prefix is written relative to the .pc file, so that the installed tree can be moved.
file(RELATIVE_PATH from_pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" from_pc_to_prefix ${from_pc_to_prefix})
configure_file(cmake/predt.pc.in predt.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/predt.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
