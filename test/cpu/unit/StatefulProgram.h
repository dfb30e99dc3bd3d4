//===- StatefulProgram.h - programs of texts with states --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TEST_CPU_UNIT_STATEFULPROGRAM_H
#define GLOW_TEST_CPU_UNIT_STATEFULPROGRAM_H

#include "glow/Compile/CompilerDriver.h"
#include "glow/Program/States.h"
#include <gtest/gtest.h>

namespace glow {

/// The program of the module at `request.path`, whose states are declared.
inline Program statefulProgram(const CompileRequest &request) {
  std::shared_ptr<mlir::MLIRContext> context = makeContext();
  auto program = compileModule(
      context, request, [&]() -> Result<mlir::OwningOpRef<mlir::ModuleOp>> {
        return parseModule(*context, request.path);
      });
  EXPECT_TRUE(program) << program.status().message();
  EXPECT_TRUE(declareStates(**program, request.states).ok());
  return std::move(**program);
}

} // namespace glow

#endif // GLOW_TEST_CPU_UNIT_STATEFULPROGRAM_H
