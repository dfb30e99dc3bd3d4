//===- CxxNames.h - what a name of a record is in C++ -----------*- C++ -*-===//

#ifndef GLOW_GEN_CHECK_CXXNAMES_H
#define GLOW_GEN_CHECK_CXXNAMES_H

#include "llvm/ADT/StringRef.h"

namespace glow::gen {

/// Names of a signature are names in C++, and none of its words.
bool isWordOfCxx(llvm::StringRef name);

} // namespace glow::gen

#endif // GLOW_GEN_CHECK_CXXNAMES_H
