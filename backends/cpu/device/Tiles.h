//===- Tiles.h - permission to use the tiles of AMX -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_DEVICE_TILES_H
#define GLOW_BACKENDS_CPU_DEVICE_TILES_H

namespace glow::cpu {

/// The request of `arch_prctl` by which a process asks Linux for a state, and
/// the state of tiles (Documentation/arch/x86/xstate.rst of Linux).
constexpr long requestOfState = 0x1023, stateOfTiles = 18;

/// Whether this process may use tiles. The system permits them only to a
/// process that asks for them; the first call asks. Any thread may call it.
bool mayUseTiles();

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_DEVICE_TILES_H
