//===- Tiles.h - permission to use the tiles of AMX -------------*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_DEVICE_TILES_H
#define GLOW_BACKENDS_CPU_DEVICE_TILES_H

namespace glow::cpu {

/// The request of `arch_prctl` by which a process asks Linux for a state, and
/// the state of tiles (Documentation/arch/x86/xstate.rst of Linux).
constexpr long requestOfState = 0x1023, stateOfTiles = 18;

/// Whether this process may use tiles, which the system lets only those do that
/// ask: what runs code does so first, once. Safe for threads.
bool mayUseTiles();

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_DEVICE_TILES_H
