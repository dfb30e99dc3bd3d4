//===- StepBackend.cpp - from instructions to steps -----------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Backend/StepBackend.h"
#include "glow/Backend/Steps.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/Shape.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/Access.h"
#include "glow/IR/ControlFlow.h"
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

/// The buffers and steps of one call of a function, or of the entry.
struct Frame {
  ir::FuncOp function;
  uint64_t base = 0, bytes = 0; ///< its part of the arena
  uint32_t first = 0;           ///< its first step
  bool calls = false;           ///< whether it calls functions
  uint64_t live = 0;            ///< peak of its bytes in use, with its callers'
  llvm::DenseMap<Value, uint32_t> indices{};
  llvm::StringMap<uint64_t> memories = {}; ///< where they begin in the arena
  llvm::StringMap<uint32_t> ports = {};    ///< by storage
};

class StepCompiler {
public:
  StepCompiler(ir::FuncOp function, std::shared_ptr<const void> owner)
      : function(function), symbols(function->getParentOfType<ModuleOp>()),
        owner(std::move(owner)), code(std::make_shared<StepCode>()) {}

  FailureOr<Program> run(StringRef backend) {
    program.backend = backend.str();
    program.entry = function.getSymName().str();
    program.conditions = conditionsOf(function->getParentOp());
    for (BlockArgument binding : function.bindings())
      kinds[function.storageOf(binding)] = function.kindOf(binding);
    // Inputs and outputs in the order in which the module declares them.
    for (auto placeholder :
         function->getParentOfType<ModuleOp>().getOps<PlaceholderOp>())
      bind(placeholder);
    FailureOr<std::vector<ir::CalledFunction>> calls = ir::callsOf(function);
    if (failed(calls))
      return failure();
    code->steps.resize(ir::instrsOf(function).size());
    moves.resize(code->steps.size());
    std::vector<Frame> frames;
    for (const ir::CalledFunction &called : *calls) {
      Frame &frame = frames.emplace_back();
      frame.function = called.function;
      frame.first = called.first;
      frame.calls = llvm::any_of(*calls, [&](const ir::CalledFunction &other) {
        return other.call && other.call->getParentOp() == called.function;
      });
      if (called.call)
        beginCall(called, callerOf(called, *calls, frames), frame);
      if (failed(fill(frame)))
        return failure();
      program.arenaBytes =
          std::max(program.arenaBytes, frame.base + frame.bytes);
      program.liveBytes = std::max(program.liveBytes, frame.live);
    }
    for (auto &[step, made] : callsOfStep)
      code->steps[step].calls = std::move(made);
    nameHelpers();
    program.code = code;
    return program;
  }

private:
  /// The frame with the step that calls.
  static const Frame &callerOf(const ir::CalledFunction &called,
                               ArrayRef<ir::CalledFunction> calls,
                               ArrayRef<Frame> frames) {
    size_t caller = 0;
    while (calls[caller].function != called.call->getParentOp() ||
           called.step < calls[caller].first ||
           called.step >= calls[caller].first + calls[caller].count)
      ++caller;
    return frames[caller];
  }

  /// Places a call behind the memory of its caller, and adds it to the step.
  void beginCall(const ir::CalledFunction &called, const Frame &caller,
                 Frame &frame) {
    frame.base = llvm::alignTo(caller.base + caller.bytes, 64);
    frame.live = caller.live;
    StepCall call{called.first, called.count, {}, {}};
    auto addPorts = [&](ArrayAttr names, std::vector<uint32_t> &list) {
      for (Attribute name : names) {
        StringRef storage = cast<FlatSymbolRefAttr>(name).getValue();
        auto type = cast<RankedTensorType>(
            symbols.lookup<PlaceholderOp>(storage).getType());
        frame.ports[storage] = uint32_t(code->ports.size());
        list.push_back(uint32_t(code->ports.size()));
        code->ports.push_back(
            {tensorTypeOf(type), ::lengthsOf(type.getEncoding())});
      }
    };
    addPorts(frame.function.getTakesAttr(), call.takes);
    addPorts(frame.function.getGivesAttr(), call.gives);
    callsOfStep[called.step].push_back(std::move(call));
  }

  /// Adds the buffers and steps of a frame.
  LogicalResult fill(Frame &frame) {
    frame.bytes = frame.function.getArenaBytes().value_or(0);
    frame.live += frame.function.getLiveBytes().value_or(0);
    for (BlockArgument binding : frame.function.bindings())
      if (failed(place(frame, binding)))
        return failure();
    placeMemories(frame);
    for (auto alloc : frame.function.block().getOps<ir::AllocOp>())
      if (StringRef memory = ir::memoryOf(alloc.getBuffer());
          !memory.empty() && !frame.memories.contains(memory))
        return alloc.emitOpError()
               << "of '" << ir::nameOf(alloc.getBuffer()) << "' is in memory '"
               << memory << "', in which nothing has a place";
    ir::Lifetimes lifetimes(frame.function);
    uint32_t step = frame.first;
    for (Operation &op : frame.function.block())
      if (auto alloc = dyn_cast<ir::AllocOp>(op)) {
        add(frame, alloc.getBuffer(), placeOf(frame, alloc, lifetimes));
      } else if (ir::isInstr(&op)) {
        const ir::LoopsInfo *info = ir::findLoops(op.getName().stripDialect());
        moves[step] = (info && info->moves) || ir::sameBytesAsResult(&op);
        code->steps[step++] = stepOf(
            &op, [&](Value value) { return frame.indices.lookup(value); });
      }
    return success();
  }

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
  static void placeMemories(Frame &frame) {
    if (DictionaryAttr used = frame.function.getMemoryBytesAttr())
      for (NamedAttribute memory : used) {
        frame.bytes = llvm::alignTo(frame.bytes, 64);
        frame.memories[memory.getName()] = frame.bytes;
        frame.bytes += uint64_t(cast<IntegerAttr>(memory.getValue()).getInt());
      }
  }

  BufferPlace placeOf(const Frame &frame, ir::AllocOp alloc,
                      const ir::Lifetimes &lifetimes) const {
    BufferPlace place{
        BufferPlace::Arena, 0,
        frame.base + frame.memories.lookup(ir::memoryOf(alloc.getBuffer())) +
            uint64_t(alloc.getOffset().value_or(0)),
        tensorTypeOf(alloc.type().getTensor()), modelName(alloc.getLoc())};
    if (auto [whole, from] = alloc.outermost(); isa<BlockArgument>(whole)) {
      const BufferPlace &binding = code->buffers[frame.indices.lookup(whole)];
      place.where = binding.where, place.index = binding.index;
      place.offset = from;
    }
    place.lengths = lengthsOf(alloc.type().getTensor().getEncoding());
    // A buffer of a caller is there while called functions run.
    if (std::optional<ir::Lifetimes::Range> use =
            lifetimes.range(alloc.getBuffer());
        use && !frame.calls)
      place.first = frame.first + use->first,
      place.last = frame.first + use->last;
    return place;
  }

  void add(Frame &frame, Value value, BufferPlace place) {
    frame.indices[value] = code->buffers.size();
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

  LogicalResult place(Frame &frame, BlockArgument binding) {
    StringRef storage = frame.function.storageOf(binding);
    auto type = cast<ir::BufferType>(binding.getType()).getTensor();
    BufferPlace result{BufferPlace::Constant, 0, 0, tensorTypeOf(type),
                       storage.str()};
    result.lengths = lengthsOf(type.getEncoding());
    if (auto port = frame.ports.find(storage); port != frame.ports.end()) {
      result.where = BufferPlace::Port;
      result.index = port->second;
    } else if (auto constant = symbols.lookup<ConstantOp>(storage)) {
      // All functions share one buffer of a constant.
      auto [known, isNew] =
          constants.try_emplace(storage, uint32_t(code->buffers.size()));
      if (!isNew) {
        frame.indices[binding] = known->second;
        return success();
      }
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
      bool output = frame.function.kindOf(binding) == ir::BindingKind::Output;
      if (!bindings.contains(storage))
        return emitError(binding.getLoc())
               << "@" << frame.function.getSymName() << " uses @" << storage
               << ", which is none of its parameters and results";
      result.where = output ? BufferPlace::Output : BufferPlace::Input;
      result.index = bindings.lookup(storage);
    }
    add(frame, binding, std::move(result));
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
  llvm::StringMap<uint32_t> constants;    ///< their indices in the program
  llvm::DenseMap<uint32_t, std::vector<StepCall>> callsOfStep;
};

} // namespace

FailureOr<Program> StepBackend::compile(ir::FuncOp function,
                                        std::shared_ptr<const void> owner,
                                        const CodeOptions &) const {
  return StepCompiler(function, std::move(owner)).run(name());
}
