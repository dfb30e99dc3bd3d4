//===- Processors.h - the processors of this machine ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_PROCESSORS_H
#define GLOW_RUNTIME_PROCESSORS_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glow {

/// Numbers of processors, in ascending order.
using Processors = std::vector<unsigned>;

/// Parses "0-3,8": numbers and ranges without repetition, in any order. Nothing
/// for any other text and for numbers that no system has.
std::optional<Processors> parseProcessors(std::string_view text);
std::string textOf(const Processors &processors);

/// The processors that this process may run on, at least one.
Processors allowedProcessors();

/// Common property of a group of processors.
enum class GroupBy {
  Nodes, ///< equally near memory
  Cores, ///< the units of one core
};

/// Groups the processors of `allowed`; no group is empty, and groups are in the
/// order of their first numbers. `system` is Linux's description of processors.
/// Without a description, all are one node, and each is a core of its own.
std::vector<Processors>
processorGroups(GroupBy what, const Processors &allowed,
                const std::string &system = "/sys/devices/system");

} // namespace glow

#endif // GLOW_RUNTIME_PROCESSORS_H
