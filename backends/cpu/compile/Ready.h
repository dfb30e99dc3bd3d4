//===- Ready.h - which kernels need not be compiled -------------*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_COMPILE_READY_H
#define GLOW_BACKENDS_CPU_COMPILE_READY_H

#include "common/Target.h"
#include "device/ReadyTable.h"
#include <string>

namespace glow::cpu {

/// The symbol under which `findReady` knows a kernel of the library that was
/// compiled already for a processor whose features the target has; "" if there
/// is none. Its measure has the same symbol with "_work".
std::string readySymbol(const Target &target, llvm::StringRef kernel);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_COMPILE_READY_H
