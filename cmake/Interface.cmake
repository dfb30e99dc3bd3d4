# SPDX-License-Identifier: MIT
#
# cmake -DROOT=dir -DVERSION=x -DLLVM=x -DOUTPUT=file -P Interface.cmake
#
# Writes a header with a hash of everything that a plug-in is built from: headers,
# records, ClassGen and templates (glow/Base/PluginStamp.h).

file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/include/glow/*.h ${ROOT}/include/glow/*.def
  ${ROOT}/defs/*.td ${ROOT}/gen/*.cpp ${ROOT}/gen/*.h ${ROOT}/cmake/templates/*
  ${ROOT}/backends/*.h)
list(SORT files)
set(text)
foreach(file ${files})
  file(SHA256 ${ROOT}/${file} hash)
  string(APPEND text "${file} ${hash}\n")
endforeach()
string(SHA256 hash "${text}")
string(SUBSTRING ${hash} 0 16 hash)
file(WRITE ${OUTPUT}.new "#define GLOW_INTERFACE \"${hash}\"
#define GLOW_INTERFACE_VERSION \"${VERSION}\"
#define GLOW_INTERFACE_LLVM \"${LLVM}\"
")
file(COPY_FILE ${OUTPUT}.new ${OUTPUT} ONLY_IF_DIFFERENT)
