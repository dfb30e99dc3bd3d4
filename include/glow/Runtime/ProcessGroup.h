//===- ProcessGroup.h - processes that compute together ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_PROCESSGROUP_H
#define GLOW_RUNTIME_PROCESSGROUP_H

#include "glow/Values/Tensor.h"
#include <memory>
#include <span>
#include <string>

namespace glow {

/// The processes of a job, such as the ranks of MPI. One thread of each process
/// at a time uses it, and all processes call the same methods in the same
/// order.
class ProcessGroup {
public:
  virtual ~ProcessGroup() = default;

  /// The number of this process, from 0 on, and that of all.
  virtual unsigned rank() const = 0;
  virtual unsigned count() const = 0;

  /// Begins to add up tensors of f32 and f64 over all processes, in place, and
  /// does not wait. Every process gives tensors of the same types, and gets the
  /// same bits, which are those of any run with as many processes. The memory
  /// of the tensors belongs to the group until `finish`. Fails with
  /// Code::Unsupported for other elements, beginning nothing.
  virtual Status begin(std::span<const TensorView> tensors) = 0;

  /// Waits for the ends of all sums that have begun.
  virtual Status finish() = 0;

  /// Adds up tensors, and waits.
  Status sum(std::span<const TensorView> tensors) {
    Status status = begin(tensors);
    return status.ok() ? finish() : status;
  }
};

/// Joins the job that started this process, by the module of a transport.
/// Fails with Code::NotFound, and a remedy, without the module, and with
/// Code::Unsupported if the transport has no jobs or the job does not start.
Result<std::unique_ptr<ProcessGroup>> joinGroup(const std::string &transport);

/// The number of processes in the job of MPI that started this one; 1 for a
/// process that no job started.
unsigned processesOfJob();

} // namespace glow

#endif // GLOW_RUNTIME_PROCESSGROUP_H
