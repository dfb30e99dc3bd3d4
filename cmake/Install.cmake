# A relocatable package: ClassGen, the records, headers, and CMake functions.
include(CMakePackageConfigHelpers)
set(GLOW_SHARE share/glow)
set(GLOW_BIN bin)
set(GLOW_INCLUDE include)
configure_package_config_file(cmake/GlowConfig.cmake.in
  ${PROJECT_BINARY_DIR}/GlowConfig.cmake INSTALL_DESTINATION lib/cmake/Glow
  PATH_VARS GLOW_SHARE GLOW_BIN GLOW_INCLUDE)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/GlowConfigVersion.cmake
  COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/GlowConfig.cmake
  ${PROJECT_BINARY_DIR}/GlowConfigVersion.cmake cmake/GlowOperators.cmake
  cmake/GlowBackend.cmake
  DESTINATION lib/cmake/Glow)
install(EXPORT GlowTargets NAMESPACE Glow:: DESTINATION lib/cmake/Glow)
foreach(library glow glow-runtime)
  set(GLOW_LIBRARY ${library})
  set(GLOW_DESCRIPTION "compiles and runs neural networks")
  if(library STREQUAL glow-runtime)
    set(GLOW_DESCRIPTION "runs neural networks that glow compiled")
  endif()
  configure_file(cmake/glow.pc.in ${PROJECT_BINARY_DIR}/${library}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${library}.pc DESTINATION lib/pkgconfig)
endforeach()
install(TARGETS glow-classgen glow-opt glow-lsp-server glow-reduce)
install(DIRECTORY defs/ DESTINATION share/glow/records/glow
  FILES_MATCHING PATTERN "*.td")
install(DIRECTORY cmake/templates/ DESTINATION share/glow/templates)
install(DIRECTORY backends/ DESTINATION share/glow/backends
  FILES_MATCHING PATTERN "*.h")
install(DIRECTORY include/glow DESTINATION include
  FILES_MATCHING PATTERN "*.h" PATTERN "*.def" PATTERN "*.hpp")
install(DIRECTORY ${PROJECT_BINARY_DIR}/include/glow DESTINATION include
  FILES_MATCHING PATTERN "*.h" PATTERN "*.h.inc")
install(DIRECTORY ${GLOW_REFERENCE_DIR}/ DESTINATION share/doc/glow/reference
  FILES_MATCHING PATTERN "*.md")
