//===- Compiler.cpp - glow.h with a compiler ------------------------------===//
// SPDX-License-Identifier: MIT

#include "../Guard.h"
#include "glow/Toolchain/Toolchain.h"

using namespace glow;

SessionFactory &capi::sessions() { return toolchain(); }

std::unique_ptr<SizedPrograms>
capi::sizedPrograms(const Session &session, const CompileRequest &request,
                    const Program &program) {
  return SizedPrograms::create(session, request, program);
}
