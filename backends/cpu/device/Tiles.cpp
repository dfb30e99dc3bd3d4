//===- Tiles.cpp - permission to use the tiles of AMX ---------------------===//
// SPDX-License-Identifier: MIT

#include "Tiles.h"
#if defined(__linux__) && defined(__x86_64__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

bool glow::cpu::mayUseTiles() {
#if defined(__linux__) && defined(__x86_64__)
  static const bool may =
      ::syscall(SYS_arch_prctl, requestOfState, stateOfTiles) == 0;
  return may;
#else
  return false;
#endif
}
