//===- Arithmetic.cpp - arithmetic of a model's nodes ---------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Explain/Arithmetic.h"
#include "glow/Graph/Format.h"
#include "glow/IR/Access.h"
#include "glow/IR/CallText.h"
#include "glow/IR/Loops.h"
#include "glow/IR/Names.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace glow;
using namespace mlir;

/// The number of operations on elements behind a value. Subscripts and
/// conditions are not counted: they are not part of the model.
static unsigned operationsOf(const loops::Node &node,
                             llvm::SmallPtrSet<const loops::Node *, 16> &seen) {
  if (!seen.insert(&node).second || node.op == loops::Op::Load)
    return 0;
  const bool counts = node.form == loops::Form::Element &&
                      !node.operands.empty() && node.op != loops::Op::Convert &&
                      node.op != loops::Op::Select;
  unsigned sum = counts;
  for (const loops::Term &operand : node.operands)
    sum += operationsOf(*operand, seen);
  return sum;
}

static double operationsOf(const loops::Program &program) {
  double sum = 0;
  for (const loops::Statement &statement : program.statements) {
    llvm::SmallPtrSet<const loops::Node *, 16> seen;
    double turns = 1;
    for (unsigned index : statement.indices)
      turns *= double(program.extent(index));
    if (statement.scan)
      turns *= double(program.extent(program.scans[*statement.scan].index));
    unsigned each = statement.combine != loops::ReductionKind::Assign;
    if (statement.value)
      each += operationsOf(*statement.value, seen);
    sum += turns * each;
  }
  return sum;
}

std::map<std::string, double> glow::arithmeticOf(ModuleOp instructions) {
  std::map<std::string, double> sums;
  ir::CallCounts counts(instructions);
  instructions.walk([&](ir::FuncOp function) {
    const double calls = counts.mostOf(function);
    for (Operation &op : function.block()) {
      if (!ir::isInstr(&op))
        continue;
      std::unique_ptr<loops::Program> program = ir::loopsOf(&op);
      if (double operations = program ? operationsOf(*program) : 0)
        sums[nameIn(op.getLoc()).str()] += operations * calls;
    }
  });
  return sums;
}
