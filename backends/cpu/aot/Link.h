//===- Link.h - from an object to a shared library ------------*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_AOT_LINK_H
#define GLOW_BACKENDS_CPU_AOT_LINK_H

#include "ConstantObject.h"
#include "glow/Base/Status.h"
#include <string>

namespace glow::cpu {

/// The bytes of a shared library of ELF objects and their constants, which they
/// know by `name`; where they come from is let go before the library is
/// in memory. LLVM's linker, lld, is a part of the compiler; fails with
/// Code::Unsupported, in its words, if it fails. Any thread may link; one at a
/// time does.
Result<std::string> linkShared(llvm::ArrayRef<std::string> objects,
                               llvm::StringRef name, ByteSource constants);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_AOT_LINK_H
