//===- Compiler.cpp - glow.h with a compiler ------------------------------===//
// SPDX-License-Identifier: MIT

#include "../Guard.h"
#include "glow/Toolchain/Toolchain.h"

using namespace glow;

SessionFactory &capi::sessions() { return toolchain(); }
