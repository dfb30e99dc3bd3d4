//===- Runtime.cpp - glow.h without a compiler ----------------------------===//
// SPDX-License-Identifier: MIT

#include "../Guard.h"
#include "glow/Front/Front.h"

using namespace glow;

static Status refuse() {
  return Status(Code::Unsupported,
                "libglow-runtime has no compiler; it opens what `glow compile "
                "MODEL -o MODEL.so` writes, and libglow compiles");
}

SessionFactory &capi::sessions() {
  static Front front(refuse); // keeps nothing, and reads no cache
  return front;
}
