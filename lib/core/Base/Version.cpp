//===- Version.cpp - version of Glow --------------------------------------===//

#include "glow/Base/Version.h"

std::string_view glow::version() { return GLOW_VERSION; }
