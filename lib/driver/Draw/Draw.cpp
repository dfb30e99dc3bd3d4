//===- Draw.cpp - a drawing of a graph ------------------------------------===//

#include "glow/Draw/Draw.h"
#include "glow/Base/OneLine.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/Names.h"
#include "glow/Program/Tensor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

using namespace glow;
using namespace mlir;

/// A text of Graphviz. Names in models are any bytes: what would end the text,
/// or is no letter, is written as an escape or a blank.
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
  auto tensor = cast<RankedTensorType>(type);
  std::optional<ElementKind> kind = kindOf(tensor.getElementType());
  return kind ? glow::TensorType{*kind, Ints(tensor.getShape())}.text() : "?";
}

namespace {

class DotPrinter {
public:
  DotPrinter(ModuleOp module, raw_ostream &os) : module(module), os(os) {}

  void print() {
    os << "digraph model {\n  node [shape=box, style=rounded];\n";
    for (Operation &op : *module.getBody())
      if (isa<PlaceholderOp, ConstantOp>(op))
        printStorage(op);
    for (FuncOp function : module.getOps<FuncOp>())
      for (Operation &op : function.block())
        printNode(op);
    os << "}\n";
  }

private:
  void printStorage(Operation &op) {
    StringRef name = SymbolTable::getSymbolName(&op).getValue();
    std::string id = "s" + std::to_string(storage.size());
    storage[name] = id;
    auto placeholder = dyn_cast<PlaceholderOp>(op);
    Type type = placeholder ? placeholder.getType()
                            : cast<ConstantOp>(op).getValue().getType();
    StringRef role = placeholder ? wordOf(placeholder.getRole()) : "constant";
    os << "  " << id << " [shape=" << (placeholder ? "ellipse" : "note")
       << ", label="
       << quoted(oneLine(name) + "\n" + role + " " + typeText(type)) << "];\n";
  }

  void printNode(Operation &op) {
    if (auto read = dyn_cast<ReadOp>(op)) {
      ids[read.getOut()] = storage.lookup(read.getStorage());
      return;
    }
    if (auto save = dyn_cast<SaveOp>(op)) {
      printArrow(save.getIn(), storage.lookup(save.getStorage()));
      return;
    }
    std::string id = "n" + std::to_string(count++);
    StringRef kind = op.getName().stripDialect(),
              name = ir::nameIn(op.getLoc());
    os << "  " << id << " [label="
       << quoted(name.empty() ? kind : oneLine(name) + "\n" + kind) << "];\n";
    for (Value result : op.getResults())
      ids[result] = id;
    for (Value operand : op.getOperands())
      printArrow(operand, id);
  }

  void printArrow(Value from, StringRef to) {
    os << "  " << ids.lookup(from) << " -> " << to
       << " [label=" << quoted(typeText(from.getType())) << "];\n";
  }

  ModuleOp module;
  raw_ostream &os;
  llvm::StringMap<std::string> storage;
  llvm::DenseMap<Value, std::string> ids;
  unsigned count = 0;
};

} // namespace

void glow::printDot(ModuleOp module, raw_ostream &os) {
  DotPrinter(module, os).print();
}
