//===- StepBackend.cpp - from instructions to steps -----------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Backend/StepBackend.h"
#include "glow/Backend/Steps.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/Shape.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/Access.h"
#include "glow/IR/Lifetimes.h"
#include "glow/IR/Loops.h"
#include "glow/IR/MemorySpace.h"
#include "glow/IR/Names.h"
#include "glow/Program/Steps.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace glow;

glow::TensorType glow::tensorTypeOf(RankedTensorType type) {
  return {*kindOf(type.getElementType()), Ints(type.getShape())};
}

Binding glow::bindingOf(PlaceholderOp placeholder) {
  Binding binding{placeholder.portName().str(),
                  tensorTypeOf(cast<RankedTensorType>(placeholder.getType())),
                  {}};
  if (auto names = placeholder.getDimensions())
    for (StringRef name : names->getAsValueRange<StringAttr>())
      binding.dimensions.push_back(name.str());
  binding.lengths =
      lengthsOf(cast<RankedTensorType>(placeholder.getType()).getEncoding());
  return binding;
}

std::vector<Length> glow::lengthsOf(Attribute attribute) {
  auto lengths = dyn_cast_or_null<LengthsAttr>(attribute);
  return lengths ? lengths.lengths() : std::vector<Length>();
}

static AttributeValue valueOf(Attribute attribute,
                              const ir::AttributeInfo &info) {
  if (auto value = dyn_cast<BoolAttr>(attribute))
    return value.getValue();
  if (auto value = dyn_cast<IntegerAttr>(attribute))
    return int64_t(value.getInt());
  if (auto value = dyn_cast<FloatAttr>(attribute))
    return value.getValueAsDouble();
  if (auto value = dyn_cast<StringAttr>(attribute)) {
    if (!info.words.empty())
      return info.numberOf(value.getValue());
    return value.getValue().str();
  }
  if (auto value = dyn_cast<FormulaAttr>(attribute))
    return value.getText().str();
  if (isa<DenseI64ArrayAttr, LengthsAttr>(attribute))
    return sizesOf(attribute).extents();
  if (auto value = dyn_cast<DenseF64ArrayAttr>(attribute))
    return Reals(value.asArrayRef());
  return *kindOf(cast<TypeAttr>(attribute).getValue());
}

std::string glow::modelName(Location location) {
  if (auto name = dyn_cast<NameLoc>(location))
    return name.getName().str();
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location part : fused.getLocations())
      if (std::string name = modelName(part); !name.empty())
        return name;
  return "";
}

static LengthFrom lengthFromOf(Operation *instr, const ir::InstrInfo &info) {
  auto segments = ir::segmentsOf(instr);
  uint32_t operand = 0;
  for (size_t i = 0; info.operands[i].name != StringRef(info.lengthFrom); ++i)
    operand += uint32_t(segments[i]);
  return {operand, sizesOf(instr->getAttr("length")).front().length()};
}

Step glow::stepOf(Operation *instr,
                  llvm::function_ref<uint32_t(Value)> bufferIndex) {
  Step step;
  step.instruction = instr->getName().stripDialect().str();
  step.node = modelName(instr->getLoc());
  for (Value operand : instr->getOperands())
    step.buffers.push_back(bufferIndex(operand));
  // A step records only the number of buffers of each operand, not its name.
  auto segments = ir::segmentsOf(instr);
  step.segments.assign(segments.begin(), segments.end());
  const ir::InstrInfo &info = *ir::infoOf(instr);
  for (size_t i = 0; i < info.operands.size(); ++i)
    // Results come first in every instruction.
    if (info.operands[i].qualifier == ir::Qualifier::Out)
      step.results += uint32_t(step.segments[i]);
  for (const ir::AttributeInfo &attribute : info.attributes) {
    Attribute value = instr->getAttr(attribute.name);
    if (std::vector<Length> lengths = lengthsOf(value); !lengths.empty())
      step.lists.push_back(
          {uint32_t(step.attributes.size()), std::move(lengths)});
    step.attributes.push_back(valueOf(value, attribute));
  }
  if (info.givesLength())
    step.lengthFrom = lengthFromOf(instr, info);
  return step;
}

namespace {

class StepCompiler {
public:
  StepCompiler(ir::FuncOp function, std::shared_ptr<const void> owner)
      : function(function), symbols(function->getParentOfType<ModuleOp>()),
        owner(std::move(owner)), code(std::make_shared<StepCode>()) {}

  FailureOr<Program> run(StringRef backend) {
    program.backend = backend.str();
    program.entry = function.getSymName().str();
    program.arenaBytes = function.getArenaBytes().value_or(0);
    program.liveBytes = function.getLiveBytes().value_or(0);
    program.conditions = conditionsOf(function->getParentOp());
    for (BlockArgument binding : function.bindings())
      kinds[function.storageOf(binding)] = function.kindOf(binding);
    // Inputs and outputs in the order in which the module declares them.
    for (auto placeholder :
         function->getParentOfType<ModuleOp>().getOps<PlaceholderOp>())
      bind(placeholder);
    for (BlockArgument binding : function.bindings())
      if (failed(place(binding)))
        return failure();
    placeMemories();
    for (auto alloc : function.block().getOps<ir::AllocOp>())
      if (StringRef memory = ir::memoryOf(alloc.getBuffer());
          !memory.empty() && !memories.contains(memory))
        return alloc.emitOpError()
               << "of '" << ir::nameOf(alloc.getBuffer()) << "' is in memory '"
               << memory << "', in which nothing has a place";
    ir::Lifetimes lifetimes(function);
    for (Operation &op : function.block())
      if (auto alloc = dyn_cast<ir::AllocOp>(op))
        add(alloc.getBuffer(), placeOf(alloc, lifetimes));
      else if (ir::isInstr(&op)) {
        const ir::LoopsInfo *info = ir::findLoops(op.getName().stripDialect());
        moves.push_back((info && info->moves) || ir::sameBytesAsResult(&op));
        code->steps.push_back(
            stepOf(&op, [&](Value value) { return indices.lookup(value); }));
      }
    nameHelpers();
    program.code = code;
    return program;
  }

private:
  /// Renames the steps of a node that only move elements, where other steps of
  /// the node compute.
  void nameHelpers() {
    llvm::StringSet<> computed;
    for (auto [step, moves] : llvm::zip(code->steps, moves))
      if (!step.node.empty() && !moves)
        computed.insert(step.node);
    for (auto [step, moves] : llvm::zip(code->steps, moves))
      if (computed.contains(step.node) && moves)
        step.node += "." + step.instruction;
  }

  /// Gives the other memories addresses behind the arena: steps run on the
  /// host.
  void placeMemories() {
    if (DictionaryAttr used = function.getMemoryBytesAttr())
      for (NamedAttribute memory : used) {
        program.arenaBytes = llvm::alignTo(program.arenaBytes, 64);
        memories[memory.getName()] = program.arenaBytes;
        program.arenaBytes +=
            uint64_t(cast<IntegerAttr>(memory.getValue()).getInt());
      }
  }

  BufferPlace placeOf(ir::AllocOp alloc, const ir::Lifetimes &lifetimes) const {
    BufferPlace place{BufferPlace::Arena, 0,
                      memories.lookup(ir::memoryOf(alloc.getBuffer())) +
                          uint64_t(alloc.getOffset().value_or(0)),
                      tensorTypeOf(alloc.type().getTensor()),
                      modelName(alloc.getLoc())};
    if (auto [whole, from] = alloc.outermost(); isa<BlockArgument>(whole)) {
      const BufferPlace &binding = code->buffers[indices.lookup(whole)];
      place.where = binding.where, place.index = binding.index;
      place.offset = from;
    }
    place.lengths = lengthsOf(alloc.type().getTensor().getEncoding());
    if (std::optional<ir::Lifetimes::Range> use =
            lifetimes.range(alloc.getBuffer()))
      place.first = use->first, place.last = use->last;
    return place;
  }

  void add(Value value, BufferPlace place) {
    indices[value] = code->buffers.size();
    code->buffers.push_back(std::move(place));
  }

  void bind(PlaceholderOp placeholder) {
    bool output = placeholder.getRole() == PlaceholderRole::Output;
    if (placeholder.getRole() == PlaceholderRole::Between) {
      // A placeholder between functions is bound only by the functions that use
      // it.
      auto kind = kinds.find(placeholder.getSymName());
      if (kind == kinds.end())
        return;
      output = kind->second == ir::BindingKind::Output;
    }
    auto &list = output ? program.outputs : program.inputs;
    bindings[placeholder.getSymName()] = list.size();
    list.push_back(bindingOf(placeholder));
  }

  LogicalResult place(BlockArgument binding) {
    StringRef storage = function.storageOf(binding);
    auto type = cast<ir::BufferType>(binding.getType()).getTensor();
    BufferPlace result{BufferPlace::Constant, 0, 0, tensorTypeOf(type),
                       storage.str()};
    result.lengths = lengthsOf(type.getEncoding());
    if (auto constant = symbols.lookup<ConstantOp>(storage)) {
      result.index = program.constants.size();
      TensorBytes bytes = bytesOf(constant.getValue());
      // The text form of a module may leave out the data of its constants.
      if (bytes.bytes.size() != result.type.bytes())
        return constant.emitError()
               << "the data of constant '" << storage << "' has "
               << bytes.bytes.size() << " bytes, but its type needs "
               << result.type.bytes()
               << (bytes.bytes.empty() ? "; write FILE.mlirbc to keep it" : "");
      program.constants.push_back({storage.str(), result.type,
                                   bytes.bytes.data(),
                                   // Bytes without an owner live in the
                                   // context.
                                   bytes.owner ? bytes.owner : owner});
    } else {
      bool output = function.kindOf(binding) == ir::BindingKind::Output;
      result.where = output ? BufferPlace::Output : BufferPlace::Input;
      result.index = bindings.lookup(storage);
    }
    add(binding, std::move(result));
    return success();
  }

  std::vector<bool> moves; ///< whether the step at this index computes nothing
  ir::FuncOp function;
  SymbolTable symbols;
  std::shared_ptr<const void> owner;
  std::shared_ptr<StepCode> code;
  Program program;
  llvm::StringMap<uint32_t> bindings;
  llvm::StringMap<ir::BindingKind> kinds; ///< kinds of the bindings, by storage
  llvm::DenseMap<Value, uint32_t> indices;
  llvm::StringMap<uint64_t> memories; ///< where they begin in the arena
};

} // namespace

FailureOr<Program> StepBackend::compile(ir::FuncOp function,
                                        std::shared_ptr<const void> owner,
                                        const CodeOptions &) const {
  return StepCompiler(function, std::move(owner)).run(name());
}
