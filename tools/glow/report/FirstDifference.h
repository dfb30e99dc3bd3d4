//===- FirstDifference.h - the first wrong instruction ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
//-*-===//

#ifndef GLOW_TOOLS_GLOW_REPORT_FIRSTDIFFERENCE_H
#define GLOW_TOOLS_GLOW_REPORT_FIRSTDIFFERENCE_H

#include "glow/Runtime/Compare.h"
#include "model/Runner.h"

namespace glow::tool {

/// Runs a model twice, by its code and by the reference's kernels for the same
/// instructions, and compares what each instruction writes. Prints how many
/// were the same, and fails with Code::InvalidArgument for the first that is
/// not, naming its node and the worst element.
Status compareStages(std::shared_ptr<Session> session,
                     const CompileRequest &request, unsigned threads,
                     std::span<const NamedTensor> inputs,
                     const Tolerance &tolerance);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_REPORT_FIRSTDIFFERENCE_H
