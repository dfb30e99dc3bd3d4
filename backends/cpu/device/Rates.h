//===- Rates.h - measured rates of the processor ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_DEVICE_RATES_H
#define GLOW_BACKENDS_CPU_DEVICE_RATES_H

#include "Threads.h"
#include "glow/Runtime/DeviceInfo.h"

namespace glow::cpu {

/// The peak rates of these threads together: products in registers, and bytes
/// read from memory. No program reaches them. Takes some 50 ms. Fails with
/// Code::OutOfMemory.
Result<DeviceRates> measureRates(Threads &threads);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_DEVICE_RATES_H
