//===- Scan.cpp - instructions that have their loops as text --------------===//
// SPDX-License-Identifier: MIT

#include "Scan.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/Scan.h"

using namespace mlir;
using namespace glow;

LogicalResult glow::generateScan(ScanOp node, InstrBuilder &instr) {
  instr.beginNode(node);
  auto program = ir::programOf(node.getLoops(), [&](const Twine &message) {
    node.emitOpError(message);
  });
  if (!program)
    return mlir::failure();
  const size_t results = node.getNumResults(), inputs = node.getInputs().size();
  if (program->tensors.size() < results + inputs)
    return node.emitOpError()
           << "has loops of " << program->tensors.size() << " tensors, and "
           << results + inputs << " results and operands";
  instr.write(node->getResults());
  SmallVector<SmallVector<Value>> memory;
  for (const loops::Tensor &tensor :
       ArrayRef(program->tensors).drop_front(results).drop_back(inputs))
    memory.push_back(instr.allocate(
        tensor.name, rankedTensorOf(tensor.sizes(),
                                    typeOf(node.getContext(), tensor.kind))));
  instr.use(memory);
  instr.read(node.getInputs());
  instr.attribute("loops", node.getLoops().str());
  return instr.create(ir::ScanInstr::getOperationName());
}
