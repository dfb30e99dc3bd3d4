//===- Tiles.cpp - permission to use the tiles of AMX ---------------------===//

#include "Tiles.h"
#include <cstdlib>
#include <string_view>
#if defined(__linux__) && defined(__x86_64__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

bool glow::cpu::mayUseTiles() {
#if defined(__linux__) && defined(__x86_64__)
  static const bool may = [] {
    const char *wanted = std::getenv("GLOW_AMX");
    return !(wanted && std::string_view(wanted) == "0") &&
           ::syscall(SYS_arch_prctl, requestOfState, stateOfTiles) == 0;
  }();
  return may;
#else
  return false;
#endif
}
