//===- DeviceCut.h - the best items for one device --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_PARTITION_DEVICECUT_H
#define GLOW_LIB_PARTITION_DEVICECUT_H

#include "PairCut.h"

namespace glow::partition {

/// The items of one device, with their sums.
struct DeviceItems {
  std::vector<bool> has; ///< by item
  double seconds = 0;    ///< of items and transfers
  double bytes = 0;      ///< of shares of constants
  double value = 0;      ///< the weighted sum, less the prices of the items
};

/// The items for which the weighted load of a device, minus a price for each
/// item, is smallest. A value crosses the device's link if its producer is on
/// the device and a reader is elsewhere, or the other way round. The placement
/// among the other devices does not matter, so the result is an exact minimum
/// cut. `value` exceeds the minimum at most by the rounding of capacities.
DeviceItems cutDevice(const Problem &problem, const std::vector<double> &shares,
                      uint32_t device, const Weights &weights,
                      const std::vector<double> &prices);

} // namespace glow::partition

#endif // GLOW_LIB_PARTITION_DEVICECUT_H
