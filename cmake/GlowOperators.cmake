# SPDX-License-Identifier: MIT
#
# glow_operators(NAME root.td [FAMILIES ...] [INCLUDES dir ...]
#                [LIBRARY dir] [BUILTIN] [PATTERNS patterns.td [HEADER functions.h]])
#
# From the records of `root.td` makes an object library NAME with their nodes,
# instructions, rules, gradients, imports, legality, all of which register
# themselves, NAMEKernels with reference kernels, NAMESamples with what generated
# tests build, NAMEBackends with what also tools without a compiler know of backends.
# Headers appear below GLOW_GENERATED_DIR as glow/Generated/NAME*.inc, pages of
# reference in GLOW_REFERENCE_DIR. LIBRARY is the folder of Glow's own records;
# nothing is emitted for them. All code that depends on a record is then in one source, as
# several sources would read the same headers. Samples and backends are part of it. Names
# are distinguished from Glow's by a scope, unless the library is BUILTIN: part of the
# tree, which has one page for all.
# The classes of nodes and instructions are sources of their own, and precompiled for all
# others: they change with signatures alone.
# FAMILIES splits the kernels into as many files.
# PATTERNS is a second root, with DRR patterns on the nodes; HEADER declares the
# C++ functions that they call.

# glow_generate(FILE TOOL ... ROOT ... [ARGS ...] [DEPENDS ...] [PRODUCTS ...]
#               [WITHOUT_SUMMARIES]): a generator's file. WITHOUT_SUMMARIES is for declarations
# of mlir-tblgen, so that sources that include them depend on no summary.
function(glow_generate output)
  cmake_parse_arguments(arg "WITHOUT_SUMMARIES" "TOOL;ROOT" "ARGS;DEPENDS;PRODUCTS" ${ARGN})
  set(made ${output})
  set(copy)
  if(arg_WITHOUT_SUMMARIES)
    set(made ${output}.whole)
    set(script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/WithoutSummaries.cmake)
    set(copy COMMAND ${CMAKE_COMMAND} -DFROM=${made} -DTO=${output} -P ${script})
    list(APPEND arg_PRODUCTS ${output})
    list(APPEND arg_DEPENDS ${script})
  endif()
  add_custom_command(OUTPUT ${made} ${arg_PRODUCTS}
    COMMAND ${arg_TOOL} ${arg_ARGS} ${arg_ROOT} --write-if-changed
            -o ${made} -d ${made}.d
    ${copy}
    DEPENDS ${arg_TOOL} ${arg_ROOT} ${arg_DEPENDS}
    DEPFILE ${made}.d VERBATIM
    COMMENT "Generating ${output}")
endfunction()

# glow_generate_all(NAME ROOT root.td PRODUCTS generator=file... [ARGS ...] [DEPENDS ...])
#
# Runs several generators of ClassGen on one reading of the records. Their files are
# added to the list NAME.
function(glow_generate_all list)
  cmake_parse_arguments(arg "" "ROOT" "ARGS;DEPENDS;PRODUCTS" ${ARGN})
  string(REGEX REPLACE "[^;=]*=" "" files "${arg_PRODUCTS}")
  list(GET files 0 first)
  list(TRANSFORM arg_PRODUCTS PREPEND -product=)
  glow_generate(${first}.txt TOOL ${GLOW_CLASSGEN} ROOT ${arg_ROOT}
    ARGS -gen-products ${arg_PRODUCTS} ${arg_ARGS} DEPENDS ${arg_DEPENDS} PRODUCTS ${files})
  set(${list} ${${list}} ${files} PARENT_SCOPE)
endfunction()

function(glow_operators name root)
  cmake_parse_arguments(arg "BUILTIN" "LIBRARY;PATTERNS;HEADER" "FAMILIES;INCLUDES"
    ${ARGN})
  set(is_plugin FALSE)
  if(arg_LIBRARY AND NOT arg_BUILTIN)
    set(is_plugin TRUE)
  endif()
  set(out ${GLOW_GENERATED_DIR}/glow/Generated)
  file(MAKE_DIRECTORY ${out})
  set(include_flags)
  foreach(dir ${arg_INCLUDES} ${GLOW_RECORD_DIRS} ${MLIR_INCLUDE_DIRS})
    list(APPEND include_flags -I ${dir})
  endforeach()
  get_filename_component(root ${root} ABSOLUTE)
  get_filename_component(root_name ${root} NAME)
  get_filename_component(root_dir ${root} DIRECTORY)
  list(APPEND include_flags -I ${root_dir})
  set(library_flag)
  set(scope)
  set(GLOW_PLUGIN_STAMP)
  set(GLOW_SCOPED_NAMES)
  set(GLOW_UNSCOPED_NAMES)
  set(GLOW_BASE_NODES)
  set(GLOW_LIBRARY_NODES "#include \"glow/Graph/Nodes.h\"")
  if(arg_LIBRARY)
    set(library_flag -library=${arg_LIBRARY})
    set(GLOW_BASE_NODES "#include \"glow/Graph/Nodes.h\"
")
  endif()
  if(is_plugin AND NOT arg_PATTERNS)
    # Reading the library's classes takes longer than the rest of a small plug-in.
    set(GLOW_BASE_NODES "#ifndef GLOW_GENERATED
#include \"glow/Graph/Nodes.h\"
#endif
#include \"glow/Generated/${name}LibraryNodes.h.inc\"
")
    set(GLOW_LIBRARY_NODES)
  endif()
  if(is_plugin)
    set(GLOW_PLUGIN_STAMP "#include \"glow/Base/PluginStamp.h\"
GLOW_STAMP_PLUGIN(\"${name}\");
")
    # Names that both the plug-in and the library declare are first put into scopes.
    set(copies ${CMAKE_CURRENT_BINARY_DIR}/records/${name})
    set(scope ${out}/${name}Scope.txt)
    add_custom_command(OUTPUT ${scope}
      COMMAND ${GLOW_CLASSGEN} -scope ${root} ${include_flags} -library=${arg_LIBRARY}
              -out=${copies} -o ${scope} -d ${scope}.d
      DEPENDS ${GLOW_CLASSGEN} ${root} DEPFILE ${scope}.d VERBATIM
      COMMENT "Generating ${scope}")
    set(library_flag -library=${arg_LIBRARY} -library=${copies} -plugin=${name})
    set(include_flags -I ${copies} ${include_flags})
    set(GLOW_UNSCOPED_NAMES "
#ifndef GLOW_GENERATED // whose sources say names in full
#define GLOW_UNSCOPED
#include \"glow/Generated/${name}ScopedNames.h.inc\"
#undef GLOW_UNSCOPED
#endif
")
    set(GLOW_SCOPED_NAMES "
#ifndef GLOW_GENERATED
#include \"glow/Generated/${name}ScopedNames.h.inc\"
#endif
")
  endif()

  # Gradients that follow from index notation, and second ones, then instructions
  # that follow from nodes, as records of their own.
  list(APPEND include_flags -I ${out})
  set(gradients ${out}/${name}Gradients.td)
  glow_generate(${gradients} TOOL ${GLOW_CLASSGEN} ROOT ${root}
    ARGS -gen-gradient-records -include-name=${root_name} ${include_flags}
         ${library_flag} DEPENDS ${scope})
  set(second_gradients ${out}/${name}SecondGradients.td)
  glow_generate(${second_gradients} TOOL ${GLOW_CLASSGEN} ROOT ${gradients}
    ARGS -gen-second-gradient-records -include-name=${name}Gradients.td
         ${include_flags} ${library_flag})
  set(records ${out}/${name}Instrs.td)
  glow_generate(${records} TOOL ${GLOW_CLASSGEN} ROOT ${second_gradients}
    ARGS -gen-instr-records -include-name=${name}SecondGradients.td
         ${include_flags} ${library_flag})
  set(generated ${gradients} ${second_gradients} ${records})
  # ClassGen makes all of its products in one run.
  set(products)
  set(product_flags)
  macro(product file generator)
    list(APPEND products ${file})
    list(APPEND product_flags -product=${generator}=${file})
  endmacro()
  macro(classgen file generator)
    product(${out}/${name}${file} ${generator})
  endmacro()
  # mlir-tblgen derives C++ names from the name of its root, and one source includes the
  # output of two runs: each run gets a root of its own name.
  macro(tblgen file own)
    set(own_root ${out}/${name}${own}.td)
    set(includes "include \"${name}Instrs.td\"\n")
    if(is_plugin)
      string(APPEND includes "include \"${name}ScopedNodes.td\"\n")
    endif()
    file(CONFIGURE OUTPUT ${own_root} CONTENT "${includes}")
    set(without)
    if("${file}" MATCHES "[.]h[.]inc$")
      set(without WITHOUT_SUMMARIES)
    endif()
    glow_generate(${out}/${name}${file} TOOL ${GLOW_MLIR_TBLGEN} ROOT ${own_root}
      ARGS ${ARGN} @${out}/${name}${own}.rsp ${include_flags}
      DEPENDS ${records} ${out}/${name}${own}.rsp ${scoped_nodes} ${without})
    list(APPEND generated ${out}/${name}${file})
  endmacro()
  set(scoped_nodes)
  if(is_plugin)
    classgen(ScopedNodes.td gen-scoped-nodes)
    classgen(ScopedNames.h.inc gen-scoped-names)
    set(scoped_nodes ${out}/${name}ScopedNodes.td)
  endif()
  classgen(OwnNodes.rsp gen-own-nodes)
  classgen(OwnInstrs.rsp gen-own-instrs)
  tblgen(Nodes.h.inc OwnNodes -gen-op-decls)
  tblgen(Nodes.cpp.inc OwnNodes -gen-op-defs)
  tblgen(Instrs.h.inc OwnInstrs -gen-op-decls)
  tblgen(Instrs.cpp.inc OwnInstrs -gen-op-defs)
  classgen(Shapes.h.inc gen-shape-decls)
  classgen(Shapes.cpp.inc gen-shape-defs)
  classgen(Functions.h.inc gen-functions)
  classgen(Lowerings.cpp.inc gen-lowerings)
  classgen(Gradients.cpp.inc gen-gradients)
  classgen(Rewrites.cpp.inc gen-rewrites)
  classgen(Imports.cpp.inc gen-onnx-imports)
  classgen(HostOperators.h.inc gen-host-decls)
  classgen(HostOperators.cpp.inc gen-host-operators)
  classgen(IRGen.cpp.inc gen-irgen)
  classgen(InstrTable.cpp.inc gen-instr-table)
  classgen(Loops.cpp.inc gen-loops)
  classgen(NodeTable.cpp.inc gen-node-table)
  classgen(Legality.cpp.inc gen-legality)
  classgen(BackendKernels.cpp.inc gen-backend-kernels)
  classgen(Backends.cpp.inc gen-backend-records)
  classgen(Choices.h.inc gen-choices)
  classgen(Calls.h.inc gen-calls)
  classgen(HandKernels.h.inc gen-hand-decls)
  classgen(Samples.cpp.inc gen-samples)
  classgen(RewriteSamples.cpp.inc gen-rewrite-samples)
  set(GLOW_OPERATORS ${name})
  configure_file(${GLOW_TEMPLATE_DIR}/Nodes.h.in ${out}/${name}Nodes.h)
  configure_file(${GLOW_TEMPLATE_DIR}/Instrs.h.in ${out}/${name}Instrs.h)
  # The library that these records build on has calls and choices, too.
  set(GLOW_BASE_CHOICES)
  set(GLOW_BASE_CALLS "namespace glow::kernels {
#include \"glow/IR/StructureCalls.h.inc\"
#include \"glow/IR/StructureHandKernels.h.inc\"
} // namespace glow::kernels")
  if(arg_LIBRARY)
    set(GLOW_BASE_CHOICES "#include \"glow/Generated/GlowChoices.h\"")
    set(GLOW_BASE_CALLS "#include \"glow/Generated/GlowCalls.h\"")
  endif()
  configure_file(${GLOW_TEMPLATE_DIR}/Choices.h.in ${out}/${name}Choices.h)
  configure_file(${GLOW_TEMPLATE_DIR}/Calls.h.in ${out}/${name}Calls.h)
  set(sources)
  foreach(part Nodes Shapes NodeTable Instrs InstrTable Loops Rules Gradients Imports HostOperators Tables)
    configure_file(${GLOW_TEMPLATE_DIR}/${part}.cpp.in ${out}/${name}${part}.cpp)
    list(APPEND sources ${out}/${name}${part}.cpp)
  endforeach()
  set(GLOW_PATTERN_SAMPLES)
  if(arg_PATTERNS)
    set(GLOW_PATTERN_SAMPLES "namespace patterns {
#include \"glow/Generated/${name}PatternSamples.cpp.inc\"
[[maybe_unused]] const bool registered = (registerRewriteSamples(patternSamples), true);
} // namespace patterns")
    get_filename_component(patterns ${arg_PATTERNS} ABSOLUTE)
    glow_generate(${out}/${name}Patterns.cpp.inc TOOL ${GLOW_MLIR_TBLGEN}
      ROOT ${patterns} ARGS -gen-rewriters ${include_flags})
    list(APPEND generated ${out}/${name}Patterns.cpp.inc)
    glow_generate_all(generated ROOT ${patterns} ARGS ${include_flags} ${library_flag}
      PRODUCTS gen-pattern-samples=${out}/${name}PatternSamples.cpp.inc
               gen-pattern-table=${out}/${name}PatternTable.cpp.inc)
    set(GLOW_PATTERN_INCLUDE)
    if(arg_HEADER)
      get_filename_component(header ${arg_HEADER} ABSOLUTE)
      set(GLOW_PATTERN_INCLUDE "#include \"${header}\"")
    endif()
    configure_file(${GLOW_TEMPLATE_DIR}/Patterns.cpp.in ${out}/${name}Patterns.cpp)
    list(APPEND sources ${out}/${name}Patterns.cpp)
  endif()
  if(NOT arg_FAMILIES)
    set(arg_FAMILIES All)
  endif()
  foreach(family ${arg_FAMILIES})
    set(flag :${family})
    if(family STREQUAL All)
      set(flag)
    endif()
    classgen(${family}Kernels.cpp.inc gen-kernels${flag})
    set(GLOW_FAMILY ${family})
    configure_file(${GLOW_TEMPLATE_DIR}/Kernels.cpp.in
                   ${out}/${name}${family}Kernels.cpp)
    list(APPEND kernel_sources ${out}/${name}${family}Kernels.cpp)
  endforeach()
  if(is_plugin)
    # Behind all sources.
    classgen(LibraryNodes.h.inc gen-library-nodes)
  endif()
  file(MAKE_DIRECTORY ${GLOW_REFERENCE_DIR})
  set(pages)
  macro(page file generator)
    list(APPEND pages ${GLOW_REFERENCE_DIR}/${file})
    product(${GLOW_REFERENCE_DIR}/${file} ${generator})
  endmacro()
  if(NOT arg_BUILTIN)
    page(Operators.md gen-reference)
    page(Functions.md gen-function-reference)
  endif()
  if(is_plugin)
    page(Instructions.md gen-instr-reference)
    page(Backends.md gen-backend-reference)
  endif()
  list(JOIN product_flags "\n" product_flags)
  file(CONFIGURE OUTPUT ${out}/${name}Products.rsp CONTENT "${product_flags}\n")
  set(tried)
  if(is_plugin)
    # A command that fails is shown with all that it makes: mistakes come before.
    set(tried ${out}/${name}Tried.txt)
    glow_generate(${tried} TOOL ${GLOW_CLASSGEN} ROOT ${records}
      ARGS -gen-products -try @${out}/${name}Products.rsp ${include_flags} ${library_flag}
      DEPENDS ${out}/${name}Products.rsp)
  endif()
  glow_generate(${out}/${name}Products.txt TOOL ${GLOW_CLASSGEN} ROOT ${records}
    ARGS -gen-products @${out}/${name}Products.rsp ${include_flags} ${library_flag}
    DEPENDS ${out}/${name}Products.rsp ${tried} PRODUCTS ${products})
  list(APPEND generated ${products})
  add_custom_target(${name}Reference ALL DEPENDS ${pages})
  add_custom_target(${name}Records DEPENDS ${generated})
  foreach(part Samples Backends)
    configure_file(${GLOW_TEMPLATE_DIR}/${part}.cpp.in ${out}/${name}${part}.cpp)
    if(is_plugin)
      list(APPEND sources ${out}/${name}${part}.cpp)
    else()
      add_library(${name}${part} OBJECT EXCLUDE_FROM_ALL ${out}/${name}${part}.cpp)
      list(APPEND libraries ${name}${part})
    endif()
  endforeach()
  add_library(${name}Operators OBJECT ${sources})
  add_library(${name}Kernels OBJECT ${kernel_sources})
  if(arg_LIBRARY)
    set_target_properties(${name}Operators PROPERTIES UNITY_BUILD ON
                          UNITY_BUILD_BATCH_SIZE 0)
  endif()
  if(is_plugin)
    foreach(library ${name}Operators ${name}Kernels)
      target_compile_definitions(${library} PRIVATE GLOW_GENERATED)
    endforeach()
    set_source_files_properties(${out}/${name}Nodes.cpp ${out}/${name}Instrs.cpp
      PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    target_precompile_headers(${name}Operators PRIVATE
      <glow/Backend/Backend.h> <glow/Backend/Tiles.h> <glow/Graph/Build.h> <glow/Graph/Format.h>
      <glow/Graph/NodeInfo.h> <glow/Graph/Storage.h> <glow/Graph/Verify.h>
      <glow/IRGen/IRGen.h> <glow/Importer/ImportContext.h> <glow/Lowering/Rules.h>
      <glow/Optimizer/Rewrites.h> <mlir/IR/OpImplementation.h> <mlir/IR/PatternMatch.h>
      <glow/Generated/${name}Nodes.h> <glow/Generated/${name}Instrs.h>)
    # It runs when a model is compiled, and optimizing it takes as long as the rest.
    target_compile_options(${name}Operators PRIVATE -O0)
  endif()
  foreach(library ${name}Operators ${name}Kernels ${libraries})
    add_dependencies(${library} ${name}Records)
    target_include_directories(${library} PRIVATE ${GLOW_KERNEL_INCLUDE_DIR})
    set_target_properties(${library} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_options(${library} PRIVATE -fno-exceptions -w)
  endforeach()
  if(NOT arg_LIBRARY)
    # Much code that runs seldom: a call is better than a copy.
    target_compile_options(${name}Operators PRIVATE
      "$<$<CXX_COMPILER_ID:Clang>:SHELL:-mllvm -inline-threshold=20>")
  endif()
  # Element arithmetic wraps around; the reference must not be slow in any build.
  target_compile_options(${name}Kernels PRIVATE -O2 -fwrapv)
endfunction()
