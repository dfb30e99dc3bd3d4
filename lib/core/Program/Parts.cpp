//===- Parts.cpp - a program of several backends --------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Program/Parts.h"
#include <set>

using namespace glow;

std::map<std::string, uint64_t> glow::bytesByDevice(const Program &program) {
  std::map<std::string, uint64_t> bytes;
  std::set<std::pair<std::string, const void *>> seen;
  auto add = [&](const Program &part) {
    bytes[part.device] += part.arenaBytes;
    for (const Constant &constant : part.constants)
      if (!constant.owner || seen.emplace(part.device, constant.data).second)
        bytes[part.device] += constant.type.bytes();
  };
  if (const PartsCode *code = partsOf(program))
    for (const PartsCode::Part &part : code->parts)
      add(part.program);
  else
    add(program);
  return bytes;
}
