//===- Program.cpp - what a backend makes of a model ----------------------===//

#include "glow/Program/Program.h"

using namespace glow;

uint64_t Program::constantBytes() const {
  uint64_t bytes = 0;
  for (const Constant &constant : constants)
    bytes += constant.type.bytes();
  return bytes;
}
