//===- Link.h - from an object to a shared library ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_AOT_LINK_H
#define GLOW_BACKENDS_CPU_AOT_LINK_H

#include "ConstantObject.h"
#include "glow/Base/Status.h"
#include <string>

namespace glow::cpu {

/// Links ELF objects and their constants, which they refer to by `name`, into a
/// shared library, and returns its bytes. `constants` is released before the
/// library is in memory. LLVM's linker, lld, is a part of the compiler; if it
/// fails, this fails with Code::Unsupported and its message. Any thread may
/// link; a lock lets one thread do so at a time.
Result<std::string> linkShared(llvm::ArrayRef<std::string> objects,
                               llvm::StringRef name, ByteSource constants);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_AOT_LINK_H
