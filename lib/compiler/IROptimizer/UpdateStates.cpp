//===- UpdateStates.cpp - next values of states in their buffers ----------===//
// SPDX-License-Identifier: MIT

#include "glow/Graph/Dialect.h"
#include "glow/Graph/Marks.h"
#include "glow/IR/Access.h"
#include "glow/IR/Lifetimes.h"
#include "glow/IROptimizer/Passes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace glow::ir {

#define GEN_PASS_DEF_UPDATESTATES
#include "glow/IROptimizer/Passes.h.inc"

namespace {

/// Computes the next value of a state in the buffer of the output, which begins
/// as a copy of the input. All else reads the output. A session has one buffer
/// for both, and skips the copy, so that an update has no temporary.
///
/// Pinned before eliminate-copies, while each value has a buffer of its own.
/// Ends because it visits each state once.
struct UpdateStates : impl::UpdateStatesBase<UpdateStates> {
  void runOnOperation() override;
};

/// The input and the output of a state in one function.
class StateUpdate {
public:
  StateUpdate(FuncOp function, BlockArgument input, BlockArgument output)
      : function(function), input(input), output(output) {}

  void run();

private:
  CopyInstr findCopy() const;
  Operation *findMaker(const Lifetimes &lifetimes, Value made) const;
  bool takeOver(Operation *maker, Value made);

  FuncOp function;
  BlockArgument input, output;
};

} // namespace

/// The only instruction on the output, if that is a copy of a whole buffer.
CopyInstr StateUpdate::findCopy() const {
  if (!output.hasOneUse())
    return nullptr;
  auto copy = dyn_cast<CopyInstr>(*output.user_begin());
  if (!copy || copy.getDest() != output ||
      copy.getSrc().getType() != output.getType())
    return nullptr;
  return copy;
}

/// The first instruction that writes a buffer, if none reads the state behind
/// it.
Operation *StateUpdate::findMaker(const Lifetimes &lifetimes,
                                  Value made) const {
  auto entries = lifetimes.entries(made), reads = lifetimes.entries(input);
  if (entries.empty() || lifetimes.inFlight(made) ||
      lifetimes.inFlight(input) || !entries.front().writes ||
      entries.front().reads)
    return nullptr;
  const unsigned position = entries.front().position;
  if (!reads.empty() && reads.back().position > position)
    return nullptr;
  return lifetimes.instrs()[position];
}

/// Lets the instruction write the output and read the state there, if it may
/// work in place.
bool StateUpdate::takeOver(Operation *maker, Value made) {
  const bool reads = llvm::is_contained(maker->getOperands(), input);
  const SmallVector<Value> before(maker->getOperands());
  for (OpOperand &operand : maker->getOpOperands())
    if (operand.get() == made || operand.get() == input)
      operand.set(output);
  if (!reads || mayWorkInPlace(maker, output, output))
    return true;
  maker->setOperands(before);
  return false;
}

void StateUpdate::run() {
  CopyInstr copy = findCopy();
  auto made = copy ? copy.getSrc().getDefiningOp<AllocOp>() : AllocOp();
  if (!made || !made.isAlone() || input.getType() != output.getType())
    return;
  const Lifetimes lifetimes(function);
  Operation *maker = findMaker(lifetimes, made.getBuffer());
  if (!maker || !takeOver(maker, made.getBuffer()))
    return;
  copy.erase();
  for (Operation *user :
       llvm::make_early_inc_range(made.getBuffer().getUsers()))
    if (isa<DeallocOp>(user))
      user->erase();
  made.getBuffer().replaceAllUsesWith(output);
  made.erase();
  input.replaceAllUsesWith(output);
  auto builder = OpBuilder::atBlockBegin(&function.block());
  OperationState state(maker->getLoc(), CopyInstr::getOperationName(),
                       {output, input}, {}, {});
  builder.create(state);
}

/// The binding of a function for storage; null if it has none.
static BlockArgument bindingOf(FuncOp function, StringRef storage) {
  for (BlockArgument binding : function.bindings())
    if (function.storageOf(binding) == storage)
      return binding;
  return nullptr;
}

void UpdateStates::runOnOperation() {
  auto ports = getOperation().getOps<PlaceholderOp>();
  for (PlaceholderOp output : ports) {
    auto name = output->getAttrOfType<StringAttr>(nextOf);
    auto input = llvm::find_if(ports, [&](PlaceholderOp port) {
      return name && port.getRole() == PlaceholderRole::Input &&
             port.portName() == name.getValue();
    });
    if (input == ports.end())
      continue;
    for (FuncOp function : getOperation().getOps<FuncOp>()) {
      BlockArgument from = bindingOf(function, (*input).getSymName()),
                    to = bindingOf(function, output.getSymName());
      if (from && to)
        StateUpdate(function, from, to).run();
    }
  }
}

} // namespace glow::ir
