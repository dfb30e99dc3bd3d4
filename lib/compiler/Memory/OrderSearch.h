//===- OrderSearch.h - orders of steps, several at a time -------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_MEMORY_ORDERSEARCH_H
#define GLOW_LIB_MEMORY_ORDERSEARCH_H

#include "glow/Memory/Schedule.h"
#include <optional>

namespace glow {

/// An order of the steps whose peak is below `bound`, if the search finds one.
/// For up to 16 steps its peak is the least of all; for more steps it is a good
/// one. The amount of work hardly grows with the steps.
std::optional<std::vector<unsigned>> searchOrder(const Steps &steps,
                                                 uint64_t bound);

} // namespace glow

#endif // GLOW_LIB_MEMORY_ORDERSEARCH_H
