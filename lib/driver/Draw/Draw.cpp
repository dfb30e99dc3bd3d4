//===- Draw.cpp - a drawing of a model ------------------------------------===//
// SPDX-License-Identifier: MIT
//
// Nodes and instructions become boxes first, and text at the end. A weight is a
// line in the boxes that read it, directly or through nodes on weights alone,
// since hundreds of boxes of their own hide the rest. For the same reason types
// are in boxes and not at arrows. A function that nodes call is a frame around
// its boxes, with a dashed arrow from each call.
//
//===----------------------------------------------------------------------===//

#include "glow/Draw/Draw.h"
#include "glow/Base/Counted.h"
#include "glow/Base/OneLine.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/Format.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/OfDevice.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/Access.h"
#include "glow/IR/CallText.h"
#include "glow/IR/Names.h"
#include "glow/Program/Tensor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"
#include <cmath>
#include <set>

using namespace glow;
using namespace mlir;

/// A string of Graphviz. Names in models may have any bytes: characters that
/// would end the string, or are no letters, become an escape or a blank.
static std::string quoted(const Twine &text) {
  std::string result = "\"";
  for (char c : text.str())
    if (c == '"' || c == '\\')
      result += {'\\', c};
    else if (c == '\n')
      result += "\\n";
    else
      result += uint8_t(c) < ' ' ? ' ' : c;
  return result + "\"";
}

static std::string typeText(Type type) {
  if (auto buffer = dyn_cast<ir::BufferType>(type))
    type = buffer.getTensor();
  auto tensor = cast<RankedTensorType>(type);
  std::optional<ElementKind> kind = kindOf(tensor.getElementType());
  return kind ? glow::TensorType{*kind, Ints(tensor.getShape())}.text() : "?";
}

namespace {

struct Weight {
  std::string name, type;
};

struct Box {
  std::string name;
  StringRef kind;
  StringRef group; ///< the family of its record, or the device that runs it
  SmallVector<std::string> makes;
  SmallVector<Weight> weights;

  /// "scale, bias f32[64]": weights of one type share a line while it is short.
  std::string weightsText() const;
};

std::string Box::weightsText() const {
  constexpr size_t mostNamed = 4, longest = 40;
  std::string text, line;
  const auto named = ArrayRef(weights).take_front(mostNamed);
  for (auto [i, weight] : llvm::enumerate(named)) {
    line += (line.empty() ? "\n" : ", ") + weight.name;
    const bool accumulates = i + 1 < named.size() &&
                             named[i + 1].type == weight.type &&
                             line.size() + named[i + 1].name.size() < longest;
    if (accumulates)
      continue;
    text += line + " " + weight.type;
    line.clear();
  }
  if (weights.size() > mostNamed)
    text += "\nand " + counted(weights.size() - mostNamed, "weight") + " more";
  return text;
}

class DotPrinter {
public:
  DotPrinter(ModuleOp module, raw_ostream &os,
             const std::map<std::string, double> &times)
      : module(module), os(os), times(times) {}

  void print() {
    os << "digraph model {\n  node [shape=box, style=\"rounded,filled\", "
          "fillcolor=white, fontsize=10, height=0.2, margin=\"0.08,0.04\"];\n"
          "  edge [arrowsize=0.6];\n  nodesep=0.15; ranksep=0.25;\n"
          "  compound=true;\n";
    module.walk([&](PlaceholderOp op) { addStorage(op); });
    module.walk([&](ConstantOp op) {
      constants[op.getSymName()] = typeText(op.getValue().getType());
    });
    module.walk([&](FuncOp function) {
      beginFunction(function);
      for (Operation &op : function.block())
        addNode(op);
      endFunction();
    });
    module.walk([&](ir::FuncOp function) {
      beginFunction(function);
      addBindings(function);
      for (Operation &op : function.block())
        if (ir::isInstr(&op))
          addInstr(op);
      endFunction();
    });
    for (auto [index, box] : llvm::enumerate(boxes))
      printBox(index, box);
    for (const auto &[from, to] : arrows)
      os << "  " << from << " -> " << to << ";\n";
    for (auto [index, frame] : llvm::enumerate(frames))
      printFrame(index, frame);
    if (times.empty())
      printGroups();
    os << "}\n";
  }

private:
  /// The boxes of a function that others call.
  struct Frame {
    size_t begin, end;
    std::string name;
    SmallVector<ir::FunctionCall> calls;
  };

  void beginFunction(Operation *function) {
    frames.push_back({boxes.size(), 0,
                      SymbolTable::getSymbolName(function).str(),
                      ir::callsTo(function)});
  }
  void endFunction() {
    frames.back().end = boxes.size();
    if (frames.back().calls.empty())
      frames.pop_back();
  }

  /// Prints the frame of a function, and the arrows from its calls.
  void printFrame(size_t index, const Frame &frame) {
    if (frame.begin == frame.end)
      return;
    const std::string id = "cluster_call" + std::to_string(index);
    std::string label = frame.name;
    for (const ir::FunctionCall &call : frame.calls)
      label += "\n" + call.text;
    os << "  subgraph " << id
       << " {\n    style=dashed; fontsize=10; label=" << quoted(label)
       << ";\n   ";
    for (size_t box = frame.begin; box < frame.end; ++box)
      os << " n" << box << ";";
    os << "\n  }\n";
    for (const ir::FunctionCall &call : frame.calls)
      if (auto from = boxOf.find(call.caller); from != boxOf.end())
        os << "  " << from->second << " -> n" << frame.begin << " [lhead=" << id
           << ", style=dashed];\n";
  }

  void addStorage(PlaceholderOp op) {
    std::string &id = storage[op.getSymName()];
    if (!id.empty()) // of another part
      return;
    id = "s" + std::to_string(storage.size());
    os << "  " << id << " [shape=ellipse, label="
       << quoted(oneLine(op.getSymName()) + "\n" + wordOf(op.getRole()) + " " +
                 typeText(op.getType()))
       << "];\n";
  }

  /// The device of the operation's function, or of the module around it.
  static StringRef deviceOf(Operation &op) {
    for (Operation *at = op.getParentOp(); at; at = at->getParentOp())
      if (auto device = at->getAttrOfType<StringAttr>(ofDevice))
        return device.getValue();
    return "";
  }

  std::string begin(Operation &op, StringRef node) {
    Box box;
    box.name = oneLine(nameIn(op.getLoc()));
    box.kind = op.getName().stripDialect();
    if (StringRef device = deviceOf(op); !device.empty())
      devices.insert(box.group = device);
    else if (const NodeInfo *info = findNode(node))
      box.group = info->family;
    boxes.push_back(std::move(box));
    return boxOf[&op] = "n" + std::to_string(boxes.size() - 1);
  }

  /// Adds an arrow from the box or storage of a value; a weight becomes a line.
  void read(Value value, const std::string &to) {
    if (auto found = weights.find(value); found != weights.end())
      llvm::append_range(boxes.back().weights, found->second);
    else if (auto from = ids.find(value); from != ids.end())
      arrows.insert({from->second, to});
  }

  /// Whether a node has only weights as inputs, and other nodes as readers. The
  /// readers then show its weights, such as a bias that is repeated for a sum.
  bool dependsOnWeights(Operation &op) {
    if (op.getNumOperands() == 0 ||
        !llvm::all_of(op.getOperands(),
                      [&](Value value) { return weights.contains(value); }) ||
        llvm::any_of(op.getUsers(), llvm::IsaPred<SaveOp>))
      return false;
    SmallVector<Weight> all;
    for (Value operand : op.getOperands())
      llvm::append_range(all, weights[operand]);
    for (Value result : op.getResults())
      weights[result] = all;
    return true;
  }

  void addNode(Operation &op) {
    if (auto read = dyn_cast<ReadOp>(op)) {
      if (auto weight = constants.find(read.getStorage());
          weight != constants.end())
        weights[read.getOut()] = {{oneLine(read.getStorage()), weight->second}};
      else
        ids[read.getOut()] = storage.lookup(read.getStorage());
      return;
    }
    if (auto save = dyn_cast<SaveOp>(op)) {
      if (auto from = ids.find(save.getIn()); from != ids.end())
        arrows.insert({from->second, storage.lookup(save.getStorage())});
      return;
    }
    if (op.getNumResults() == 0 || dependsOnWeights(op))
      return;
    const std::string id = begin(op, op.getName().getStringRef());
    for (Value operand : op.getOperands())
      read(operand, id);
    for (Value result : op.getResults()) {
      boxes.back().makes.push_back(typeText(result.getType()));
      ids[result] = id;
    }
  }

  void addBindings(ir::FuncOp function) {
    ids.clear();
    weights.clear();
    outputs.clear();
    for (BlockArgument binding : function.bindings()) {
      StringRef name = function.storageOf(binding);
      if (auto weight = constants.find(name); weight != constants.end())
        weights[binding] = {{oneLine(name), weight->second}};
      else if (function.kindOf(binding) == ir::BindingKind::Output)
        outputs[binding] = storage.lookup(name);
      else
        ids[binding] = storage.lookup(name);
    }
  }

  /// The outermost buffer around a buffer: other parts may be written with it.
  static Value wholeOf(Value buffer) {
    auto alloc = buffer.getDefiningOp<ir::AllocOp>();
    return alloc ? alloc.outermost().first : buffer;
  }

  void addInstr(Operation &op) {
    const std::string id =
        begin(op, "glow." + op.getName().stripDialect().str());
    const ir::Accesses accesses = ir::accessesOf(&op);
    for (const ir::Access &access : accesses.buffers)
      if (access.reads)
        read(wholeOf(access.buffer()), id);
    for (const ir::Access &access : accesses.buffers) {
      if (!access.writes)
        continue;
      boxes.back().makes.push_back(typeText(access.buffer().getType()));
      Value whole = wholeOf(access.buffer());
      ids[whole] = id;
      if (auto output = outputs.find(whole); output != outputs.end())
        arrows.insert({id, output->second});
    }
  }

  /// "0.333 0.250 1.000": hue, saturation and value.
  static std::string colourText(double hue, double saturation) {
    std::string text;
    llvm::raw_string_ostream(text)
        << llvm::format("%.3f %.3f 1.000", hue, saturation);
    return text;
  }

  /// Families are in the order of the records, devices in order of appearance.
  std::string colourOf(StringRef group) const {
    static const llvm::SetVector<StringRef> families = [] {
      llvm::SetVector<StringRef> all;
      for (const NodeInfo &info : allNodes())
        all.insert(info.family);
      return all;
    }();
    const auto &all = devices.empty() ? families : devices;
    auto found = llvm::find(all, group);
    if (found == all.end())
      return "white";
    // Distinct hues; neighbours in the list differ most.
    constexpr double goldenAngle = 0.381966;
    double hue = double(found - all.begin()) * goldenAngle;
    return colourText(hue - std::floor(hue), 0.3);
  }

  std::string colourOf(const Box &box, double time) const {
    if (times.empty())
      return colourOf(box.group);
    double most = 0;
    for (const auto &[name, one] : times)
      most = std::max(most, one);
    // The square root shows differences among short times.
    return most > 0 ? colourText(0, std::sqrt(time / most)) : "white";
  }

  void printBox(size_t index, const Box &box) {
    std::string label = box.name + (box.name.empty() ? "" : "\n");
    label += box.kind.str();
    for (const std::string &type : box.makes)
      label += " " + type;
    label += box.weightsText();
    auto time = times.find(box.name);
    if (time != times.end()) {
      double all = 0;
      for (const auto &[name, one] : times)
        all += one;
      llvm::raw_string_ostream(label) << llvm::format(
          "\n%.1f us, %.1f %%", time->second * 1000, time->second / all * 100);
    }
    os << "  n" << index << " [label=" << quoted(label) << ", fillcolor=\""
       << colourOf(box, time == times.end() ? 0 : time->second) << "\"];\n";
  }

  /// Prints the legend of the colours, one below the other: a row would be
  /// wider than most models.
  void printGroups() {
    llvm::SetVector<StringRef> used;
    for (const Box &box : boxes)
      if (!box.group.empty())
        used.insert(box.group);
    if (used.empty())
      return;
    const char *what = devices.empty() ? "families" : "devices";
    os << "  subgraph cluster_" << what << " {\n    label=" << what << ";\n";
    for (auto [index, group] : llvm::enumerate(used))
      os << "    f" << index << " [label=" << quoted(oneLine(group))
         << ", fillcolor=\"" << colourOf(group) << "\"];\n";
    for (size_t index = 1; index < used.size(); ++index)
      os << "    f" << index - 1 << " -> f" << index << " [style=invis];\n";
    os << "  }\n";
  }

  ModuleOp module;
  raw_ostream &os;
  const std::map<std::string, double> &times;
  std::vector<Box> boxes;
  std::vector<Frame> frames;
  llvm::DenseMap<Operation *, std::string> boxOf;
  llvm::SetVector<StringRef> devices; ///< that functions name
  std::set<std::pair<std::string, std::string>> arrows;
  llvm::StringMap<std::string> storage, constants;
  llvm::DenseMap<Value, std::string> ids, outputs;
  llvm::DenseMap<Value, SmallVector<Weight>> weights;
};

} // namespace

void glow::printDot(ModuleOp module, raw_ostream &os,
                    const std::map<std::string, double> &times) {
  DotPrinter(module, os, times).print();
}
