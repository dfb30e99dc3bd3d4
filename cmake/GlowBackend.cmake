# SPDX-License-Identifier: MIT
#
# glow_backend(NAME [COMPILE folder...] [CODE folder...] [DEVICE folder...]
#              [COMPILE_OBJECTS item...] [DEVICE_OBJECTS item...]
#              [DEPENDS target...] [TOOLS_ONLY])
#
# Makes the folder of the CMakeLists.txt that calls it the backend NAME: its
# record is in <Name>.td, its compile half in compile/*.cpp and its device half
# in device/*.cpp, or in the folders that are named instead. The folders of CODE
# belong to the compile half, too, and include no header of MLIR. A half includes its
# own headers relative to the folder: "device/Device.h".
#
# In the tree, the code of its records is in object libraries <Name>Operators,
# <Name>Kernels and so on, like that of a plug-in. The halves are Glow<Name>, with
# Glow<Name>Code, and Glow<Name>Device. The compiler links all of them; a program
# without a compiler links the last alone. The OBJECTS are linked beside them, when the
# targets of DEPENDS are built.
# Outside, they are the plug-in lib<Name>.so, which `glow --load-backend` loads.
# DEVICE_OBJECTS, DEPENDS and TOOLS_ONLY are for the tree alone. With TOOLS_ONLY, the
# device half is in libglow and in the commands, and not in libglow-runtime.

# The record file of the folder whose name is NAME, except for case and `_`.
function(glow_backend_record name result)
  string(REPLACE "_" "" wanted ${name})
  file(GLOB files CONFIGURE_DEPENDS *.td)
  foreach(file ${files})
    get_filename_component(stem ${file} NAME_WE)
    string(TOLOWER ${stem} lower)
    if(lower STREQUAL wanted)
      set(${result} ${file} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR
    "backend '${name}' has no record: ${CMAKE_CURRENT_SOURCE_DIR} should have "
    "a file of that name with the ending .td")
endfunction()

function(glow_backend_sources result)
  set(sources)
  foreach(folder ${ARGN})
    file(GLOB found CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
    list(APPEND sources ${found})
  endforeach()
  set(${result} ${sources} PARENT_SCOPE)
endfunction()

# A half as an object library, for those that link all of LIST, with the set
# PRECOMPILED of headers, which includes what the target RECORDS makes.
function(glow_backend_half target list libraries precompiled records)
  if(NOT ARGN)
    return()
  endif()
  add_library(${target} OBJECT ${ARGN})
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}
    ${PROJECT_SOURCE_DIR}/backends)
  target_link_libraries(${target} PUBLIC ${libraries})
  add_dependencies(${target} GlowRecords ${records})
  glow_precompile(${precompiled} ${target})
  set_property(GLOBAL APPEND PROPERTY ${list} $<TARGET_OBJECTS:${target}>)
endfunction()

function(glow_backend name)
  cmake_parse_arguments(arg TOOLS_ONLY "" "COMPILE;CODE;DEVICE;COMPILE_OBJECTS;DEVICE_OBJECTS;DEPENDS"
    ${ARGN})
  if(NOT arg_COMPILE)
    set(arg_COMPILE compile)
  endif()
  if(NOT arg_DEVICE)
    set(arg_DEVICE device)
  endif()
  glow_backend_record(${name} record)
  get_filename_component(stem ${record} NAME_WE)
  glow_backend_sources(compile ${arg_COMPILE})
  glow_backend_sources(code ${arg_CODE})
  glow_backend_sources(device ${arg_DEVICE})
  if(COMMAND glow_add_plugin)
    glow_add_plugin(${stem} ${record})
    target_sources(${stem} PRIVATE ${compile} ${code} ${device} ${arg_COMPILE_OBJECTS})
    target_include_directories(${stem} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
    return()
  endif()
  glow_operators(${stem} ${record} BUILTIN LIBRARY ${GLOW_RECORD_DIRS}/glow
    INCLUDES ${PROJECT_SOURCE_DIR}/backends)
  add_dependencies(${stem}Records GlowRecords)
  glow_precompile(nodes ${stem}Operators ${stem}Samples)
  glow_backend_half(Glow${stem} GLOW_COMPILE_HALVES "GlowOptimizer;GlowLowering;GlowIRGen"
    mlir ${stem}Records ${compile})
  glow_backend_half(Glow${stem}Code GLOW_COMPILE_HALVES "GlowOptimizer;GlowLowering;GlowIRGen"
    llvm ${stem}Records ${code})
  set(halves GLOW_DEVICE_HALVES)
  if(arg_TOOLS_ONLY)
    set(halves GLOW_TOOL_HALVES)
  endif()
  glow_backend_half(Glow${stem}Device ${halves} GlowRuntime cxx ${stem}Records ${device})
  set_property(GLOBAL APPEND PROPERTY GLOW_BACKENDS ${stem})
  set_property(GLOBAL APPEND PROPERTY GLOW_BACKEND_FOLDERS ${CMAKE_CURRENT_SOURCE_DIR})
  set_property(GLOBAL APPEND PROPERTY GLOW_COMPILE_HALVES ${arg_COMPILE_OBJECTS})
  set_property(GLOBAL APPEND PROPERTY ${halves} ${arg_DEVICE_OBJECTS})
  set_property(GLOBAL APPEND PROPERTY GLOW_HALVES_DEPEND ${arg_DEPENDS})
endfunction()
