//===- LibraryKernels.h - the kernels of a backend's library --------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_EMIT_BACKENDS_LIBRARYKERNELS_H
#define GLOW_GEN_EMIT_BACKENDS_LIBRARYKERNELS_H

#include "Model/node/Node.h"

namespace glow::gen {

/// A kernel for the tensors of one kind.
struct KernelRow {
  const NodeModel *node;
  std::string kind;
  std::optional<size_t> operand; // that is of the kind; none: the first result
  std::string function;          // of the library
  std::string failure;           // what may be wrong with a value; or ""
};

/// The kernels that the Kernel records of a backend declare.
std::vector<KernelRow> kernelsOf(const Model &model,
                                 const llvm::Record &backend);

} // namespace glow::gen

#endif // GLOW_GEN_EMIT_BACKENDS_LIBRARYKERNELS_H
