# SPDX-License-Identifier: MIT
#
# The installed files, as relocatable packages. cmake/Packages.cmake has the components.
include(CMakePackageConfigHelpers)
set(GLOW_SHARE share/glow)
set(GLOW_BIN bin)
set(GLOW_INCLUDE include)
configure_package_config_file(cmake/GlowConfig.cmake.in
  ${PROJECT_BINARY_DIR}/GlowConfig.cmake INSTALL_DESTINATION lib/cmake/Glow
  PATH_VARS GLOW_SHARE GLOW_BIN GLOW_INCLUDE)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/GlowConfigVersion.cmake
  COMPATIBILITY SameMajorVersion)

# For programs that embed models.
install(FILES include/glow/glow.h include/glow/glow.hpp include/glow/graph.hpp
  DESTINATION include/glow COMPONENT development)
install(FILES ${GLOW_GENERATED_DIR}/glow/Generated/GraphMethods.h.inc
  DESTINATION include/glow/Generated COMPONENT development)
install(FILES ${PROJECT_BINARY_DIR}/GlowConfig.cmake
  ${PROJECT_BINARY_DIR}/GlowConfigVersion.cmake
  DESTINATION lib/cmake/Glow COMPONENT development)
install(EXPORT GlowTargets NAMESPACE Glow:: DESTINATION lib/cmake/Glow
  COMPONENT development)
set(libraries glow-runtime)
if(NOT GLOW_PORTABLE)
  list(APPEND libraries glow)
endif()
foreach(library ${libraries})
  set(GLOW_LIBRARY ${library})
  set(GLOW_DESCRIPTION "compiles and runs neural networks")
  if(library STREQUAL glow-runtime)
    set(GLOW_DESCRIPTION "runs neural networks that glow compiled")
  endif()
  configure_file(cmake/glow.pc.in ${PROJECT_BINARY_DIR}/${library}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${library}.pc DESTINATION lib/pkgconfig
    COMPONENT development)
endforeach()

# For operators, backends and passes outside the tree: ClassGen, the records, headers,
# and CMake functions.
install(TARGETS glow-classgen glow-opt glow-lsp-server glow-reduce COMPONENT plugins)
install(FILES cmake/GlowOperators.cmake cmake/GlowBackend.cmake
  cmake/WithoutSummaries.cmake
  DESTINATION lib/cmake/Glow COMPONENT plugins)
install(DIRECTORY defs/ DESTINATION share/glow/records/glow COMPONENT plugins
  FILES_MATCHING PATTERN "*.td")
install(DIRECTORY cmake/templates/ DESTINATION share/glow/templates COMPONENT plugins)
install(DIRECTORY backends/ DESTINATION share/glow/backends COMPONENT plugins
  FILES_MATCHING PATTERN "*.h")
install(DIRECTORY include/glow DESTINATION include COMPONENT plugins
  FILES_MATCHING PATTERN "*.h" PATTERN "*.def" PATTERN "*.hpp"
  PATTERN "glow/glow.h*" EXCLUDE PATTERN "glow/graph.hpp" EXCLUDE)
install(DIRECTORY ${PROJECT_BINARY_DIR}/include/glow DESTINATION include COMPONENT plugins
  FILES_MATCHING PATTERN "*.h" PATTERN "*.h.inc" PATTERN "GraphMethods.h.inc" EXCLUDE)

# The manual.
install(DIRECTORY docs/ DESTINATION share/doc/glow COMPONENT documentation
  FILES_MATCHING PATTERN "*.md" PATTERN "*.svg"
  PATTERN models EXCLUDE PATTERN examples EXCLUDE)

# The model that pages speak of, with its pictures, and the examples.
install(DIRECTORY docs/models docs/examples DESTINATION share/glow COMPONENT tools
  PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY ${GLOW_MANUAL_DIR}/reference/ DESTINATION share/doc/glow/reference
  COMPONENT documentation FILES_MATCHING PATTERN "*.md")
