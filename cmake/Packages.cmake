# SPDX-License-Identifier: MIT
#
# Packages of Debian: `cpack` in the folder of a build, or tools/package.sh, which makes
# a release first.
#
# glow_package(COMPONENT NAME [ALL] [DEPENDS text] [RECOMMENDS text] SECTION word
#              DESCRIPTION line...)
# makes the package NAME of the files installed as COMPONENT, for every architecture with
# ALL. dpkg-shlibdeps finds the libraries that its files are linked with; DEPENDS lists
# further dependencies. The first line of the description is the synopsis.
function(glow_package component name)
  cmake_parse_arguments(arg "ALL" "DEPENDS;RECOMMENDS;SECTION" "DESCRIPTION" ${ARGN})
  string(TOUPPER ${component} key)
  list(JOIN arg_DESCRIPTION "\n" description)
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_DEPENDS "${arg_DEPENDS}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_RECOMMENDS "${arg_RECOMMENDS}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_SECTION ${arg_SECTION} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_DESCRIPTION "${description}" PARENT_SCOPE)
  if(arg_ALL)
    set(CPACK_DEBIAN_${key}_PACKAGE_ARCHITECTURE all PARENT_SCOPE)
    set(CPACK_DEBIAN_${key}_PACKAGE_SHLIBDEPS OFF PARENT_SCOPE)
  endif()
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} ${component} PARENT_SCOPE)
endfunction()

set(same "(= ${PROJECT_VERSION})")
glow_package(tools glow SECTION science
  DESCRIPTION "compiler of neural networks"
  "Compiles ONNX models into code for the processor at hand, runs and measures"
  "them, and writes them as libraries, objects or C. A small model, pictures for"
  "it and examples are in /usr/share/glow.")
foreach(row "grpc;gRPC;other processes and on other machines" "mpi;Open MPI;other ranks of a job")
  list(GET row 0 transport)
  list(GET row 1 library)
  list(GET row 2 places)
  if(TARGET glow-${transport})
    glow_package(${transport} glow-${transport} SECTION science
      DEPENDS "glow ${same} | libglow0 ${same} | libglow-runtime0 ${same}"
      DESCRIPTION "devices in other processes for glow, by ${library}"
      "Programs that run neural networks with glow reach devices in ${places}"
      "by this module.")
  endif()
endforeach()
glow_package(library libglow0 SECTION libs
  DESCRIPTION "compiler of neural networks, as a library"
  "Programs in C and C++ compile ONNX models when they run, and run them. LLVM"
  "is a part of the library.")
glow_package(runtime libglow-runtime0 SECTION libs
  DESCRIPTION "runtime of compiled neural networks"
  "Programs in C and C++ run what the command glow compiled. The library has the"
  "functions of libglow0, but no compiler.")
glow_package(onnxruntime glow-onnxruntime SECTION science
  DEPENDS "libglow0 ${same}, libc6, libstdc++6, libgcc-s1"
  DESCRIPTION "glow as an execution provider of ONNX Runtime"
  "Applications of ONNX Runtime run their models with glow: they register the"
  "library of this package, and otherwise stay as they are. Another library of it"
  "takes the place of ONNX Runtime's.")
# libglow0 is no installed package where this one is made.
set(CPACK_DEBIAN_ONNXRUNTIME_PACKAGE_SHLIBDEPS OFF)
glow_package(development libglow-dev SECTION libdevel
  DEPENDS "libglow0 ${same}, libglow-runtime0 ${same}"
  DESCRIPTION "headers of libglow and libglow-runtime"
  "What programs in C and C++ that compile or run neural networks are built"
  "with: headers, and files for pkg-config and CMake.")
glow_package(plugins glow-dev SECTION devel
  DEPENDS "glow ${same}, libglow-dev ${same}, libmlir-22-dev, mlir-22-tools"
  DESCRIPTION "what plug-ins of glow are made with"
  "Operators and backends of one's own are records, of which a tool of this"
  "package makes code. Others try passes, make models smaller, and tell editors"
  "of mistakes.")
set(architecture ALL)
if(TARGET glow-python-fast)
  set(architecture)
endif()
glow_package(python python3-glow ${architecture} SECTION python
  DEPENDS "python3 (>= 3.9), python3-numpy, libglow0 (>= ${PROJECT_VERSION}) | libglow-runtime0 (>= ${PROJECT_VERSION})"
  DESCRIPTION "compiler of neural networks, for Python"
  "The module glow compiles ONNX models and runs them on arrays, without copies,"
  "by way of the library for C.")
glow_package(documentation glow-doc ALL SECTION doc
  DESCRIPTION "manual of glow"
  "The pages of the compiler of neural networks, and the reference of its"
  "commands, operators, instructions and passes, as text and for a browser.")

set(CPACK_PACKAGE_NAME glow)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR "the Glow authors")
# The maintainer field: a builder of changed sources sets its own name.
set(GLOW_MAINTAINER "Glow maintainers <maintainers@glow.example>" CACHE STRING
  "the maintainer that packages name, as NAME <ADDRESS>")
set(GLOW_HOMEPAGE "https://glow.example/" CACHE STRING "the address that packages name")
foreach(row "GLOW_MAINTAINER;^[^<>]+ <[^<> ]+@[^<> ]+[.][a-z]+>$;NAME <ADDRESS>"
            "GLOW_HOMEPAGE;^https?://[^ ]+$;an address of the web")
  list(GET row 0 name)
  list(GET row 1 form)
  list(GET row 2 wanted)
  if(NOT ${name} MATCHES "${form}")
    message(FATAL_ERROR "${name} is '${${name}}', it should be ${wanted}")
  endif()
endforeach()
set(CPACK_PACKAGE_CONTACT "${GLOW_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE "${GLOW_HOMEPAGE}")
set(CPACK_PACKAGE_HOMEPAGE_URL "${GLOW_HOMEPAGE}")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Libraries that glow-dev only copies do not lead to those that they need.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${LLVM_LIBRARY_DIR}
  ${PROJECT_BINARY_DIR}/tools/onnxruntime/plugin)
# The names of the libraries, and that the system's list of libraries is to be renewed.
foreach(row "library libglow" "runtime libglow-runtime")
  string(REGEX MATCH "(.*) (.*)" row ${row})
  set(component ${CMAKE_MATCH_1})
  set(control ${PROJECT_BINARY_DIR}/control/${component})
  file(CONFIGURE OUTPUT ${control}/triggers CONTENT "activate-noawait ldconfig\n")
  file(CONFIGURE OUTPUT ${control}/shlibs CONTENT
    "${CMAKE_MATCH_2} ${PROJECT_VERSION_MAJOR} ${CMAKE_MATCH_2}${PROJECT_VERSION_MAJOR} (>= ${PROJECT_VERSION})\n")
  string(TOUPPER ${component} key)
  set(CPACK_DEBIAN_${key}_PACKAGE_CONTROL_EXTRA ${control}/triggers ${control}/shlibs)
endforeach()
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
  GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)

# Licences of what is a part of the files: LLVM's libraries, and headers.
configure_file(cmake/PackageTexts.cmake.in ${PROJECT_BINARY_DIR}/PackageTexts.cmake @ONLY)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_BINARY_DIR}/PackageTexts.cmake)
include(CPack)
