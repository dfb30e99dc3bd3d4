//===- Version.cpp - version of Glow --------------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/Version.h"

std::string_view glow::version() { return GLOW_VERSION; }
