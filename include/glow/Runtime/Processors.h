//===- Processors.h - the processors of this machine ------------*- C++ -*-===//

#ifndef GLOW_RUNTIME_PROCESSORS_H
#define GLOW_RUNTIME_PROCESSORS_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glow {

/// Processors by their numbers, which ascend.
using Processors = std::vector<unsigned>;

/// "0-3,8": numbers and ranges of them, none twice, in any order. None for any
/// other text and for numbers that no system has.
std::optional<Processors> parseProcessors(std::string_view text);
std::string textOf(const Processors &processors);

/// Those that this process may run on, at least one.
Processors allowedProcessors();

/// What processors have in common.
enum class GroupBy {
  Nodes, ///< memory that is as near to all of them
  Cores, ///< the units of one core
};

/// The processors of `allowed` in groups, none of which is empty, in the order
/// of their first numbers. `system` is where Linux tells of them; what it does
/// not tell is taken as one node, or as a core for each.
std::vector<Processors>
processorGroups(GroupBy what, const Processors &allowed,
                const std::string &system = "/sys/devices/system");

} // namespace glow

#endif // GLOW_RUNTIME_PROCESSORS_H
