//===- Link.h - from an object to a shared library ------------*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_AOT_LINK_H
#define GLOW_BACKENDS_CPU_AOT_LINK_H

#include "glow/Base/Status.h"
#include <string>

namespace glow::cpu {

/// The bytes of a shared library of one ELF object. Needs LLVM's linker, lld,
/// as a program; fails with Code::NotFound without it, and with
/// Code::Unsupported, in the linker's words, if that fails.
Result<std::string> linkShared(const std::string &object);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_AOT_LINK_H
