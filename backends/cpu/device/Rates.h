//===- Rates.h - how fast the processor is ----------------------*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_DEVICE_RATES_H
#define GLOW_BACKENDS_CPU_DEVICE_RATES_H

#include "Threads.h"
#include "glow/Runtime/DeviceInfo.h"

namespace glow::cpu {

/// What these threads reach together, as no program does: vectors of f32 that
/// are multiplied and added in registers, and bytes that are read from memory.
/// Takes some 50 ms. Fails with Code::OutOfMemory.
Result<DeviceRates> measureRates(Threads &threads);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_DEVICE_RATES_H
