//===- Link.h - from an object to a shared library ------------*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_AOT_LINK_H
#define GLOW_BACKENDS_CPU_AOT_LINK_H

#include "ConstantObject.h"
#include "glow/Base/Status.h"
#include <string>

namespace glow::cpu {

/// The bytes of a shared library of ELF objects and their constants, which they
/// know by `name`; where they come from is let go before the library is
/// in memory. Needs LLVM's linker, lld, as a program; fails with Code::NotFound
/// without it, and with Code::Unsupported, in the linker's words, if that
/// fails.
Result<std::string> linkShared(llvm::ArrayRef<std::string> objects,
                               llvm::StringRef name, ByteSource constants);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_AOT_LINK_H
