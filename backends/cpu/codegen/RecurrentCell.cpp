//===- RecurrentCell.cpp - cells of recurrent networks --------------------===//

#include "Recurrent.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

RecurrentKind cpu::kindOf(const Instr &instr) {
  StringRef mnemonic = instr.op->getName().stripDialect();
  if (mnemonic == "rnn")
    return RecurrentKind::Rnn;
  if (mnemonic == "lstm")
    return RecurrentKind::Lstm;
  return instr.flag("resetAfter") ? RecurrentKind::GruAfter
                                  : RecurrentKind::Gru;
}

CellEmitter::CellEmitter(Emitter &code, const cpu::Instr &instr,
                         RecurrentKind kind, int64_t direction)
    : code(code), instr(instr), kind(kind), direction(direction),
      hidden(instr.shape(0)[3]), clip(instr.real("clip")),
      activations(parseActivations(instr.text("activations").str())) {
  size_t each = activations.size() / size_t(instr.shape(0)[1]);
  activations.erase(activations.begin(),
                    activations.begin() + long(size_t(direction) * each));
}

void CellEmitter::emit(const UnitBlock &where, int64_t first) {
  block = &where, firstGate = first;
  Value *h = nullptr;
  if (kind == RecurrentKind::Rnn)
    h = activate(0, gateOf(0));
  else if (kind == RecurrentKind::Lstm)
    h = lstm();
  else if (kind == RecurrentKind::GruAfter)
    h = gruAfter();
  else if (first == 0)
    return gruGates();
  else
    h = mix(code.loadVector(block->z), code.CreateFAdd(gateOf(2), bias()));
  code.storeVector(h, block->after, block->count);
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

Value *CellEmitter::lstm() {
  Value *c = load(block->cell);
  Value *i = activate(0, peep(0, c, gateOf(0)));
  Value *one = code.splat(ConstantFP::get(code.getFloatTy(), 1));
  Value *f = instr.flag("coupled") ? code.CreateFSub(one, i)
                                   : activate(0, peep(2, c, gateOf(2)));
  Value *g = activate(1, gateOf(3));
  c = code.multiplyAdd(f, c, code.CreateFMul(i, g));
  code.storeVector(c, block->cell, block->count);
  Value *o = activate(0, peep(1, c, gateOf(1)));
  return code.CreateFMul(o, activate(2, c));
}

/// What a gate sees of the cell.
Value *CellEmitter::peep(int64_t which, Value *cell, Value *gate) {
  int from = instr.find("peepholes");
  if (from < 0)
    return gate;
  Value *weights = code.at(
      code.buffer(unsigned(from)),
      code.add(block->unit, code.integer((direction * 3 + which) * hidden)));
  return code.multiplyAdd(load(weights), cell, gate);
}

Value *CellEmitter::gruAfter() {
  Value *r = activate(0, gateOf(1));
  Value *seen = code.CreateFAdd(sumOf(2), bias());
  return mix(activate(0, gateOf(0)), code.multiplyAdd(r, seen, inputOf(2)));
}

/// What the other pass needs.
void CellEmitter::gruGates() {
  Value *r = activate(0, gateOf(1));
  code.storeVector(activate(0, gateOf(0)), block->z);
  code.storeVector(code.CreateFMul(r, load(block->before)), block->seen);
}

Value *CellEmitter::mix(Value *z, Value *g) {
  g = activate(1, g);
  return code.multiplyAdd(z, code.CreateFSub(load(block->before), g), g);
}

//===----------------------------------------------------------------------===//
// Their parts
//===----------------------------------------------------------------------===//

Value *CellEmitter::load(Value *pointer) {
  return code.loadVector(pointer, block->count);
}

Value *CellEmitter::bias() {
  int from = instr.find("bias");
  if (from < 0)
    return ConstantAggregateZero::get(code.vector);
  return load(code.at(code.buffer(unsigned(from)),
                      code.add(block->unit, code.integer(direction * hidden))));
}

Value *CellEmitter::inputOf(int64_t gate) {
  return load(code.at(block->gates, gate * hidden));
}
Value *CellEmitter::sumOf(int64_t gate) {
  return code.loadVector(code.at(block->sums, (gate - firstGate) * lanes));
}
Value *CellEmitter::gateOf(int64_t gate) {
  return code.CreateFAdd(inputOf(gate), sumOf(gate));
}

Value *CellEmitter::activate(int64_t index, Value *x) {
  Formula formula;
  Formula::Argument from = Formula::Input{0};
  if (clip > 0) {
    formula.calls.push_back({"clip", {from, -clip, clip}});
    from = Formula::Value{0};
  }
  const Activation &activation = activations[size_t(index)];
  Formula::Call call{activation.mnemonic, {from}};
  call.arguments.insert(call.arguments.end(), activation.values.begin(),
                        activation.values.end());
  formula.calls.push_back(std::move(call));
  return emitFormula(code, formula, {x});
}
