# SPDX-License-Identifier: MIT
#
# LLVM and MLIR as they are packaged: shared libraries, or archives for a program with the
# property GLOW_HOLDS_LLVM, which then has their code in itself. It starts in half the time,
# as 50,000 symbols need no looking up, but loads no plug-ins: those share the libraries.
find_package(ZLIB REQUIRED)
find_library(GLOW_ZSTD zstd REQUIRED)
file(GLOB archives ${LLVM_LIBRARY_DIR}/libMLIR*.a ${LLVM_LIBRARY_DIR}/libLLVM*.a)
set(held -Wl,--start-group ${archives} -Wl,--end-group ZLIB::ZLIB ${GLOW_ZSTD} ${CMAKE_DL_LIBS})
set(holds $<BOOL:$<TARGET_PROPERTY:GLOW_HOLDS_LLVM>>)
# The linker is in the compiler, which then needs none of the system.
foreach(part ELF Common)
  find_library(GLOW_LLD_${part} lld${part} PATHS ${LLVM_LIBRARY_DIR} NO_DEFAULT_PATH REQUIRED)
  list(APPEND linker ${GLOW_LLD_${part}})
endforeach()
add_library(LinkedLLVM INTERFACE)
target_link_libraries(LinkedLLVM INTERFACE ${linker} ZLIB::ZLIB ${GLOW_ZSTD}
  "$<${holds}:${held}>" "$<$<NOT:${holds}>:MLIR;LLVM>")
