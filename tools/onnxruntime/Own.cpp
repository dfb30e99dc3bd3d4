//===- Own.cpp - Glow's own provider --------------------------------------===//
// SPDX-License-Identifier: MIT

#include "Identity.h"

using namespace glow;
using namespace glow::ort;

const Identity &ort::identity() {
  static const Identity own = {"GlowExecutionProvider", "Glow", ""};
  return own;
}

void ort::loadBackend() {} // all backends of Glow are known
