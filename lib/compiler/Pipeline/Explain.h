//===- Explain.h - what runs where, and why ---------------------*- C++ -*-===//

#ifndef GLOW_LIB_PIPELINE_EXPLAIN_H
#define GLOW_LIB_PIPELINE_EXPLAIN_H

#include "glow/Pipeline/Session.h"
#include "mlir/IR/MLIRContext.h"

namespace glow {

Result<Explanation> explain(mlir::MLIRContext &context, const std::string &path,
                            const CompileRequest &request, bool json);

} // namespace glow

#endif // GLOW_LIB_PIPELINE_EXPLAIN_H
