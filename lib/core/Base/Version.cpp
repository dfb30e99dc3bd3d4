//===- Version.cpp - which Glow this is -----------------------------------===//

#include "glow/Base/Version.h"

std::string_view glow::version() { return GLOW_VERSION; }
