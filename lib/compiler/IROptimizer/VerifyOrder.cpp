//===- VerifyOrder.cpp - every read follows a write -----------------------===//
// SPDX-License-Identifier: MIT

#include "glow/IR/Access.h"
#include "glow/IR/Names.h"
#include "glow/IROptimizer/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace glow::ir {

#define GEN_PASS_DEF_VERIFYORDER
#include "glow/IROptimizer/Passes.h.inc"

namespace {

/// Checks the order in which buffers are written, read and freed.
///
/// Pinned after IRGen, as the verification that opens the phase: later passes
/// on instructions need not check the order again. Ends because it visits each
/// operation once.
struct VerifyOrder : impl::VerifyOrderBase<VerifyOrder> {
  void runOnOperation() override;

private:
  llvm::DenseSet<Value> written;
  llvm::DenseMap<Value, Operation *> freed;
  llvm::MapVector<Value, Operation *> flights; ///< by their tokens
  llvm::DenseMap<Value, Operation *> starts;   ///< all of them, by tokens
  bool wrong = false;

  void checkInstr(Operation *instr);
  void checkOverlap(Operation *instr, const Accesses &accesses);
  void checkRead(Operation *instr, Value buffer);
  void checkFlights(Operation *instr, const Accesses &accesses);
  void checkLanded(Operation *user, const Access &use);
  void checkAlive(Operation *user, Value buffer);
  void checkDealloc(DeallocOp dealloc);
  void checkEnds(FuncOp function);
  InFlightDiagnostic refuse(Operation *operation) {
    wrong = true;
    return operation->emitOpError();
  }
};

} // namespace

void VerifyOrder::checkAlive(Operation *user, Value buffer) {
  auto found = freed.find(buffer);
  if (found == freed.end())
    return;
  InFlightDiagnostic error = refuse(user);
  error << "uses '" << nameOf(buffer)
        << "' after its dealloc [no-use-after-dealloc]";
  error.attachNote(found->second->getLoc()) << "its dealloc is here";
}

void VerifyOrder::checkRead(Operation *instr, Value buffer) {
  if (!written.insert(buffer).second)
    return;
  if (Operation *start = starts.lookup(buffer)) {
    InFlightDiagnostic error = refuse(instr);
    error << "waits for '" << nameOf(start) << "' by its token '"
          << nameOf(buffer)
          << "', and that begins after it: each waits for the other "
             "[no-circular-wait]";
    error.attachNote(start->getLoc()) << "it is started here";
    return;
  }
  refuse(instr) << "reads '" << nameOf(buffer)
                << "', which no instruction before it writes "
                   "[read-follows-write]";
}

// Two results in one buffer, or a result over an input that is still needed.
void VerifyOrder::checkOverlap(Operation *instr, const Accesses &accesses) {
  for (const Access &one : accesses.buffers) {
    if (!one.writes)
      continue;
    for (const Access &other : accesses.buffers) {
      if (one.buffer() != other.buffer() || one.operand == other.operand ||
          (!one.reads && !other.writes &&
           mayWorkInPlace(instr, one.buffer(), one.buffer())))
        continue;
      refuse(instr) << "has '" << nameOf(one.buffer())
                    << "' for two operands, one of which it writes; they "
                       "should be different buffers [result-stands-alone]";
      return;
    }
  }
}

/// Checks that no asynchronous instruction in flight conflicts with `use`. It
/// may still read and write the buffers that it touches.
void VerifyOrder::checkLanded(Operation *user, const Access &use) {
  for (auto [token, start] : flights)
    for (const Access &access : accessesOf(start).buffers) {
      if (access.buffer() != use.buffer() || !areInConflict(access, use))
        continue;
      InFlightDiagnostic error = refuse(user);
      error << "touches '" << nameOf(use.buffer())
            << "' before an instruction waits for '" << nameOf(start)
            << "' by its token '" << nameOf(token) << "' [wait-before-use]";
      error.attachNote(start->getLoc()) << "it is started here";
      flights.erase(token); // reported once
      return;
    }
}

void VerifyOrder::checkFlights(Operation *instr, const Accesses &accesses) {
  for (const Access &access : accesses.buffers)
    if (access.reads)
      flights.erase(access.buffer());
  for (const Access &access : accesses.buffers)
    checkLanded(instr, access);
  if (Value token = tokenOf(instr))
    flights.insert({token, instr});
}

void VerifyOrder::checkInstr(Operation *instr) {
  Accesses accesses = accessesOf(instr);
  llvm::SmallDenseSet<Value> seen;
  for (const Access &access : accesses.buffers)
    if (seen.insert(access.buffer()).second)
      checkAlive(instr, access.buffer());
  for (const Access &access : accesses.buffers)
    if (access.reads)
      checkRead(instr, access.buffer());
  for (const Access &access : accesses.buffers)
    if (access.writes)
      written.insert(access.buffer());
  checkOverlap(instr, accesses);
  checkFlights(instr, accesses);
}

void VerifyOrder::checkDealloc(DeallocOp dealloc) {
  checkLanded(dealloc, {&dealloc->getOpOperand(0), false, /*writes=*/true});
  auto [found, first] = freed.try_emplace(dealloc.getBuffer(), dealloc);
  if (first)
    return;
  InFlightDiagnostic error = refuse(dealloc);
  error << "frees '" << nameOf(dealloc.getBuffer())
        << "' a second time [dealloc-once]";
  error.attachNote(found->second->getLoc()) << "its dealloc is here";
}

void VerifyOrder::checkEnds(FuncOp function) {
  for (auto [token, start] : flights)
    refuse(start) << "is asynchronous, and no instruction after it reads its "
                     "token '"
                  << nameOf(token) << "' [start-is-awaited]";
  for (AllocOp alloc : function.block().getOps<AllocOp>())
    if (!freed.contains(alloc.getBuffer()))
      refuse(alloc) << "of '" << nameOf(alloc.getBuffer())
                    << "' has no dealloc, but should have one [dealloc-once]";
  for (BlockArgument binding : function.bindings()) {
    if (function.kindOf(binding) != BindingKind::Output ||
        written.contains(binding))
      continue;
    wrong = true;
    emitError(binding.getLoc()) << "no instruction writes the output '"
                                << nameOf(binding) << "' [output-is-written]";
  }
}

void VerifyOrder::runOnOperation() {
  FuncOp function = getOperation();
  written.clear();
  freed.clear();
  flights.clear();
  starts.clear();
  wrong = false;
  for (Operation &operation : function.block())
    if (isInstr(&operation))
      if (Value token = tokenOf(&operation))
        starts.try_emplace(token, &operation);
  for (BlockArgument binding : function.bindings())
    if (function.kindOf(binding) != BindingKind::Output)
      written.insert(binding);
  for (Operation &operation : function.block()) {
    if (auto dealloc = dyn_cast<DeallocOp>(operation))
      checkDealloc(dealloc);
    else if (auto alloc = dyn_cast<AllocOp>(operation); !alloc)
      checkInstr(&operation);
    else
      for (Value other : alloc->getOperands())
        checkAlive(alloc, other);
  }
  checkEnds(function);
  markAllAnalysesPreserved();
  if (wrong)
    signalPassFailure();
}

} // namespace glow::ir
