//===- Kernels.h - the kernels of a program of loops ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The kernels that a device runs for the loops of a node, before any of them is
// printed: a backend prints the plans, one after the other.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_DEVICEPLAN_KERNELS_H
#define GLOW_DEVICEPLAN_KERNELS_H

#include "glow/Base/Status.h"
#include "glow/DevicePlan/DevicePlan.h"
#include <array>

namespace glow::plans {

/// Work-items of the group that runs a scan.
inline constexpr uint64_t scanGroup = 64;

/// A kernel of one statement, or of the statements of a scan. A scan runs all
/// of its statements for one value of the index after the other, on the
/// work-items of one group, which wait for each other after each statement.
struct PlannedKernel {
  std::vector<DevicePlan> statements; ///< empty: an index is out of range
  std::optional<loops::Scan> scan;
};

/// Whether a backend has a scalar function for a computation kind.
using HasFunction = llvm::function_ref<bool(llvm::StringRef, ElementKind)>;

/// The kernels of a program, one after the other. Fails with
///   Code::Unsupported      if a kernel needs a function or an element kind
///                          that the backend does not have;
///   Code::InvalidArgument  for an impossible part of a plan.
Result<std::vector<PlannedKernel>> planKernels(loops::Program &program,
                                               const PlanForms &forms,
                                               HasFunction hasFunction);

/// Plans all statements, with a given plan where a statement has one. Fails as
/// planKernels.
Status planStatements(loops::Program &program, const PlanForms &forms,
                      HasFunction hasFunction);

/// The kind of all elements if the program only moves them, so that their bits
/// do not matter.
std::optional<ElementKind> movedKind(const loops::Program &program);

/// The integer with as many bytes as an element.
ElementKind integerOf(ElementKind kind);

} // namespace glow::plans

#endif // GLOW_DEVICEPLAN_KERNELS_H
