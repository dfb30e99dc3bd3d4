# SPDX-License-Identifier: MIT
#
# Assigns sets of precompiled headers to targets of the tree. A source still includes all
# headers that it uses, and compiles without (CMAKE_DISABLE_PRECOMPILE_HEADERS).
#
# The sets contain headers of other projects, so that no change of the tree makes all
# sources be compiled again, and no source sees a layer beyond its own. Generated code of
# all nodes is the exception: its set begins with the classes of nodes.
# test/docs/Inputs/includes.py checks the targets of a set against docs/Layers.md.
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
set(cxx <algorithm> <cmath> <cstdint> <cstring> <functional> <limits> <map>
  <memory> <mutex> <numeric> <optional> <set> <span> <string> <string_view>
  <unordered_map> <variant> <vector>)
set(adt ${cxx} <llvm/ADT/DenseMap.h> <llvm/ADT/STLExtras.h>
  <llvm/ADT/StringExtras.h> <llvm/ADT/StringMap.h> <llvm/ADT/StringSet.h>
  <llvm/Support/raw_ostream.h>)
set(llvm ${adt} <llvm/IR/IRBuilder.h> <llvm/IR/Module.h>)
set(mlir ${llvm} <mlir/Bytecode/BytecodeOpInterface.h>
  <mlir/Dialect/Quant/IR/Quant.h> <mlir/IR/Builders.h> <mlir/IR/BuiltinOps.h>
  <mlir/IR/OpImplementation.h> <mlir/IR/PatternMatch.h> <mlir/IR/SymbolTable.h>
  <mlir/Interfaces/SideEffectInterfaces.h> <mlir/Pass/Pass.h>
  <mlir/Transforms/GreedyPatternRewriteDriver.h>)
set(nodes ${mlir} <glow/Graph/Nodes.h>)
set(tablegen ${adt} <llvm/Support/CommandLine.h> <llvm/Support/FormatVariadic.h>
  <llvm/TableGen/Error.h> <llvm/TableGen/Record.h>)
set(command ${cxx} <CLI/CLI.hpp> <nlohmann/json.hpp>)

# In words that a compiler cache understands as paths: Clang finds the .pch beside.
set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -include <PCH_HEADER>)

# Each set is compiled once, as position-independent code.
foreach(set cxx llvm mlir nodes tablegen command)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/precompiled/${set}.cpp CONTENT "")
  add_library(GlowPrecompiled_${set} OBJECT EXCLUDE_FROM_ALL
    ${PROJECT_BINARY_DIR}/precompiled/${set}.cpp)
  target_precompile_headers(GlowPrecompiled_${set} PRIVATE ${${set}})
  set_target_properties(GlowPrecompiled_${set} PROPERTIES CXX_COMPILER_LAUNCHER
    "${PROJECT_SOURCE_DIR}/cmake/precompile.sh;${PROJECT_SOURCE_DIR}")
endforeach()
target_link_libraries(GlowPrecompiled_command PRIVATE CLI11::CLI11
  nlohmann_json::nlohmann_json)
foreach(set nodes tablegen)
  target_compile_options(GlowPrecompiled_${set} PRIVATE -fno-exceptions)
endforeach()

# glow_precompile(SET target...)
function(glow_precompile set)
  foreach(target ${ARGN})
    target_precompile_headers(${target} REUSE_FROM GlowPrecompiled_${set})
    get_target_property(type ${target} TYPE)
    if(type STREQUAL EXECUTABLE) # else compiled as code for a program alone
      target_compile_options(${target} PRIVATE -fPIC)
    endif()
  endforeach()
endfunction()

# glow_link_called_functions(target...): libraries contain only the functions of these
# targets that they call.
function(glow_link_called_functions)
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE -ffunction-sections -fdata-sections
      "$<$<CXX_COMPILER_ID:Clang>:SHELL:-mllvm -inline-threshold=10>")
  endforeach()
endfunction()

# Backends do so themselves, by glow_backend.
function(glow_precompile_layers)
  glow_precompile(tablegen glow-classgen)
  glow_precompile(cxx GlowBase GlowProgram GlowValues GlowRuntime GlowImages
    GlowHostOperators GlowTensorFiles GlowTokenizer GlowSession GlowCache GlowReport GlowFront GlowInterface libglow
    libglow-runtime)
  glow_precompile(mlir GlowGraph GlowIR GlowImporter GlowOptimizer GlowPredication GlowScans GlowQuantization GlowBackend
    GlowPartition GlowLowering GlowIRGen GlowIROptimizer GlowMemory GlowPipeline
    GlowExporter GlowCompile GlowDraw GlowExplain GlowCoverage GlowSampleCases GlowStages
    GlowToolchain
    glow-opt glow-reduce glow-lsp-server)
  glow_precompile(llvm GlowDevicePlan)
  add_dependencies(GlowPrecompiled_nodes GlowRecords)
  glow_precompile(nodes GlowOperators GlowSamples)
  glow_precompile(command GlowToolParts GlowCommands glow)
endfunction()
