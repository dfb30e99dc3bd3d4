//===- Loops.cpp - index notation as expression trees ---------------------===//
// SPDX-License-Identifier: MIT
//
// For each node with index notation or a formula, C++ that builds its loops
// (glow/Loops/Program.h) for the sizes of one instruction. Backends make code
// of them when a model is compiled, so that an operator of a plug-in has what
// ours have.
//
//===----------------------------------------------------------------------===//

#include "Emit/language/Calls.h"
#include "Emit/language/Shapes.h"
#include "Emit/loops/LoopsEmitter.h"
#include "Expr/Fields.h"
#include "Expr/Integers.h"
#include "Expr/Parser.h"
#include "Expr/Repeated.h"
#include "Model/node/Present.h"
#include "Model/node/Scans.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

size_t glow::gen::slotOf(const NodeModel &node, const TensorSignature &tensor) {
  const std::string &buffer = node.bufferOf(tensor);
  auto all = node.buffers();
  return size_t(find_if(all,
                        [&](const TensorSignature *other) {
                          return other->name == buffer;
                        }) -
                all.begin());
}

std::string LoopsEmitter::bufferOf(const TensorSignature &tensor) const {
  return "first[" + std::to_string(slotOf(node, tensor)) + "]" +
         (tensor.variadic ? " + each" : "");
}

/// The kind that elements are computed in follows from the first tensor of a
/// kind that the record leaves open.
const TensorSignature &LoopsEmitter::openTensor() const {
  StringRef kind = computedKind(node);
  for (const auto *list : {&node.outputs, &node.inputs})
    for (const TensorSignature &tensor : *list)
      if (tensor.kind == kind && !tensor.optional)
        return tensor;
  return node.outputs.front();
}

std::string LoopsEmitter::computeKind() const {
  StringRef given = textField<"Node.computes">(node.record);
  if (!given.empty())
    return "::glow::ElementKind::" + given.upper();
  if (computedKind(node).empty())
    return "::glow::ElementKind::F32";
  return "program.tensors[first[" + std::to_string(slotOf(node, openTensor())) +
         "]].kind";
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// Opens the code around a statement: nothing runs where it reads an absent
/// operand, and each tensor of a variadic operand gets one run. Returns the
/// closing code.
std::string LoopsEmitter::openTensors(const Statement &statement) {
  std::string close;
  for (const TensorSignature *input : optionalReads(node, statement)) {
    size_t slot = slotOf(node, *input);
    os << formatv("  if (first[{0}] < first[{1}]) {{\n", slot, slot + 1);
    close += "  }\n";
  }
  const TensorSignature *variadic = listOf(node, statement);
  if (!variadic)
    return close;
  size_t slot = slotOf(node, *variadic);
  os << formatv("  ::glow::Size before = 0;\n  for (unsigned each = 0; each < "
                "first[{0}] - first[{1}]; ++each) {{\n",
                slot + 1, slot);
  scope.define("before", Type::Int, "before");
  scope.define("each", Type::Int, "int64_t(each)");
  return formatv("    before = ::glow::expr::add(before, "
                 "::glow::expr::at({0}.sizes(), {1}));\n  }\n",
                 typeOf(*variadic),
                 node.findAttribute("axis") ? "shape.axis" : "0")
             .str() +
         close;
}

/// A size: an index of the statement may have its name.
std::string LoopsEmitter::sizeCode(const ExprPtr &expr) const {
  return ValueEmitter(model.functions, node.scope("shape."), node.record,
                      ValueForm::Trees)
      .emit(model.functions.written(expr, node.record))
      .code;
}

/// An index is a bare name in a subscript. It runs over the size that the
/// signature gives to the place where it stands first.
void LoopsEmitter::indexOf(const ExprPtr &subscript, const ExprPtr &access,
                           const TensorSignature &tensor, size_t place) {
  bool list = subscript->kind == Expr::Kind::Spread;
  const ExprPtr &name = list ? subscript->children[0] : subscript;
  if (name->kind != Expr::Kind::Name || node.findAttribute(name->text) ||
      !bound.insert(name->text).second)
    return;
  std::string extent = list && access->children.size() == 2
                           ? typeOf(tensor) + ".sizes()"
                           : sizeCode(tensor.dims[place].value);
  std::string variable = "at_" + name->text;
  os << formatv("    [[maybe_unused]] const auto {0} = program.{1}({2}, "
                "\"{3}\");\n",
                variable, list ? "indices" : "index", extent, name->text);
  scope.define(name->text, list ? Type::Ints : Type::Int, variable);
}

void LoopsEmitter::indices(const ExprPtr &expr) {
  if (!expr)
    return;
  if (const TensorSignature *tensor = tensorOf(expr))
    for (size_t i = 1; i < expr->children.size(); ++i)
      indexOf(expr->children[i], expr, *tensor, i - 1);
  for (const ExprPtr &child : expr->children)
    indices(child);
}

/// An index with the range that `over` gives it.
void LoopsEmitter::range(const IndexRange &range) {
  std::string variable = "at_" + range.name;
  os << formatv("    [[maybe_unused]] const auto {0} = program.{1}({2}, "
                "\"{3}\");\n",
                variable,
                range.spread        ? "indices"
                : range.hasBounds() ? "boundedIndex"
                                    : "index",
                sizeCode(range.extent), range.name);
  scope.define(range.name, range.spread ? Type::Ints : Type::Int, variable);
  bound.insert(range.name);
}

/// A bound, as a tree.
std::string LoopsEmitter::boundCode(const ExprPtr &expr) {
  inBounds = true;
  ExprPtr value = withLoads(expr);
  inBounds = false;
  TypedCode code = tree(value);
  if (code.type != Type::Int)
    fatalAt(expr->at, node.record, "a bound is of type " + nameOf(code.type));
  return "::glow::loops::termOf(&program, " + code.code + ")";
}

static StringRef combineOf(StringRef op) {
  return StringSwitch<StringRef>(op)
      .Case("+=", "Sum")
      .Case("*=", "Product")
      .Case("max=", "Max")
      .Case("min=", "Min")
      .Case("or=", "Or")
      .Case("and=", "And")
      .Case("mean=", "Mean")
      .Case("argmax=", "ArgMax")
      .Case("argmin=", "ArgMin")
      .Default("Assign");
}

/// The value of a statement; parts that stand in it more than once are
/// variables.
std::string LoopsEmitter::wholeOf(const ExprPtr &value) {
  Integers integers(model.functions, scope, node.record);
  auto isRead = [&](const ExprPtr &expr) { return bool(tensorOf(expr)); };
  auto mayName = [&](const ExprPtr &expr) {
    if (integers.isInteger(expr))
      return false;
    bool hasText = any_of(expr->children, [](const ExprPtr &child) {
      return child->kind == Expr::Kind::Text;
    });
    return isRead(expr) ||
           (expr->kind == Expr::Kind::Call &&
            model.functions.findScalar(expr->text)) ||
           expr->kind == Expr::Kind::Unary ||
           (expr->kind == Expr::Kind::Binary && !hasText);
  };
  std::vector<RepeatedPart> parts;
  auto isWhole = [&](const ExprPtr &expr) {
    return isRead(expr) || model.functions.isOfAttributes(expr) ||
           integers.isInteger(expr);
  };
  ExprPtr whole = nameRepeated(value, "$part", mayName, isWhole, parts);
  for (const RepeatedPart &part : parts) {
    std::string name = part.name.substr(1);
    os << formatv("    const ::glow::loops::Term {0} = {1};\n", name,
                  element(part.value, part.inBranch));
    scope.define(part.name, Type::Real, name);
  }
  return element(whole);
}

void LoopsEmitter::statement(const Statement &statement) {
  const ExprPtr &target = statement.targets[0];
  const TensorSignature &result = *tensorOf(target);
  current = &statement;
  bound.clear();
  scope = node.scope("shape.");
  if (statement.scan) {
    const std::string &index = statement.scan->index;
    scope.define(index, Type::Int, "at_" + index);
    scope.define(stepsName(*statement.scan), Type::Int, "steps_" + index);
    bound.insert(statement.scan->index);
  }
  os << "  {\n";
  std::string combine =
      "::glow::loops::ReductionKind::" + combineOf(statement.op).str();
  bool sums = statement.op != "=";
  bool accumulates = sums && !written.insert(result.name).second;
  // Where terms come from one tensor after the other, or not at all.
  if (sums && !accumulates && !result.variadic &&
      (!optionalReads(node, statement).empty() || listOf(node, statement))) {
    os << formatv("  program.fill({0}, {1});\n", combine, bufferOf(result));
    accumulates = true;
  }
  written.insert(result.name);
  std::string close = openTensors(statement);
  os << formatv(
      "    program.begin({0}, {1}{2});\n", combine, bufferOf(result),
      accumulates && statement.op != "mean=" ? ", /*accumulates=*/true" : "");
  for (const IndexRange &given : statement.ranges)
    if (mentions(target, given.name))
      range(given);
  for (const IndexRange &given : statement.ranges)
    bound.insert(given.name);
  indices(target);
  for (const IndexRange &given : statement.ranges)
    if (!mentions(target, given.name))
      range(given);
  indices(statement.value);
  for (const IndexRange &given : statement.ranges)
    if (given.hasBounds()) {
      std::string low = boundCode(given.low), high = boundCode(given.high);
      os << formatv("    program.bound(at_{0}, {1}, {2});\n", given.name, low,
                    high);
    }
  std::string place = subscripts(target), value = wholeOf(statement.value);
  if (givesIndex(statement))
    value += ", " + ("at_" + summedIndices(node, statement).back().name);
  else if (statement.otherwise)
    value += ", " + element(statement.otherwise);
  os << formatv("    program.end({0},\n                {1});\n", place, value)
     << close << "  }\n";
}

/// A result to which several steps add is filled before the first step.
void LoopsEmitter::fillBefore(const Statement &statement) {
  const TensorSignature &result = *tensorOf(statement.targets[0]);
  if (written.contains(result.name) || !isFilledBefore(node, statement))
    return;
  os << formatv("  program.fill(::glow::loops::ReductionKind::{0}, {1});\n",
                combineOf(statement.op), bufferOf(result));
  written.insert(result.name);
}

/// A statement, by the operands that are there.
void LoopsEmitter::inVariants(const Statement &given) {
  StringSet<> before = written;
  StringRef otherwise;
  for (const Variant &variant : variantsOf(node, given)) {
    written = before;
    std::string condition;
    for (auto [tensor, isThere] : variant.present) {
      size_t slot = slotOf(node, *tensor);
      condition += formatv("{0}first[{1}] {2} first[{3}]",
                           condition.empty() ? "" : " && ", slot,
                           isThere ? "<" : "==", slot + 1);
    }
    os << "  " << otherwise;
    if (!condition.empty())
      os << "if (" << condition << ")\n";
    statement(variant.statement);
    otherwise = "else ";
  }
}

/// A statement, or those of a scan. Returns the number of the next one.
size_t LoopsEmitter::scanned(size_t first) {
  std::shared_ptr<const Scan> scan = statements[first].scan;
  size_t end = first + countInScan(ArrayRef(statements).drop_front(first));
  if (scan) {
    for (size_t i = first; i < end; ++i)
      fillBefore(statements[i]);
    Scope sizes = node.scope("shape.");
    ValueEmitter values(model.functions, sizes, node.record);
    os << formatv(
        "  {{\n  [[maybe_unused]] const ::glow::Size steps_{0} = {1};\n"
        "  [[maybe_unused]] const auto at_{0} = program.beginScan(steps_{0}, "
        "{2}, \"{0}\");\n",
        scan->index,
        values.emitAs(model.functions.written(scan->extent, node.record),
                      Type::Int, "a size"),
        scan->condition
            ? values.emitAs(scan->condition, Type::Bool, "a condition")
            : std::string(scan->backwards ? "true" : "false"));
  }
  for (size_t i = first; i < end; ++i)
    inVariants(statements[i]);
  if (scan)
    os << "  program.endScan();\n  }\n";
  return end;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

void LoopsEmitter::emitLoops(StringRef instr) {
  if (node.inoutOperand())
    written.insert(node.outputs.front().name);
  os << formatv("/// {0}\nbool {1}Loops(::mlir::Operation *instr, "
                "::glow::loops::Program &program,\n"
                "    ::llvm::ArrayRef<unsigned> first) {{\n"
                "  auto op = ::llvm::cast<::glow::ir::{2}>(instr);\n"
                "  auto silent = [](const ::llvm::Twine &) {{};\n"
                "  {3}Shape shape;\n"
                "  if (failed(shape.bind(silent{4}{5})))\n    return false;\n"
                "  program.computes = ::glow::loops::computedIn({6});\n",
                placeOf(node.record), node.className, instr, qualified(node),
                tensorArguments(node, "op"), attributeArguments(node, "op"),
                computeKind());
  if (node.isPointwise()) {
    std::string operands, numbers;
    for (const TensorSignature &tensor : node.inputs)
      operands += formatv("program.load({0}, place, "
                          "::glow::loops::Outside::Never, "
                          "::glow::loops::Form::Element), ",
                          bufferOf(tensor));
    for (const Attribute &attribute : node.attributes)
      numbers += attribute.type == Type::Kind
                     ? "0, "
                     : "double(shape." + attribute.name + "), ";
    os << formatv(
        "  program.begin(::glow::loops::ReductionKind::Assign, first[0]);\n"
        "  auto place = program.indices(program.tensors[first[0]]"
        ".sizes(), \"i\");\n"
        "  program.end(place, {0}Formula(program, {{{1}}, {{{2}}));\n",
        node.className, operands, numbers);
  }
  statements = node.computeTree();
  for (size_t i = 0; i < statements.size();)
    i = scanned(i);
  os << "  return true;\n}\n\n";
}

/// A formula has its operands, and then its attributes, as numbers.
void LoopsEmitter::emitFormula() {
  os << formatv("/// {0}: {1}\n::glow::loops::Term {2}Formula("
                "::glow::loops::Program &program,\n"
                "    [[maybe_unused]] ::llvm::ArrayRef<::glow::loops::Term> "
                "operands,\n    [[maybe_unused]] ::llvm::ArrayRef<double> "
                "numbers) {{\n",
                placeOf(node.record), StringRef(node.formula).trim(),
                node.className);
  scope = Scope();
  for (auto [i, tensor] : enumerate(node.inputs))
    scope.define(tensor.name, Type::Real,
                 "operands[" + std::to_string(i) + "]");
  for (auto [i, attribute] : enumerate(node.attributes))
    scope.define(
        attribute.name, attribute.type,
        (cxxType(attribute.type) + "(numbers[" + Twine(i) + "])").str());
  os << "  return " << element(node.formulaTree()) << ";\n}\n\n";
}

static bool emitLoops(const Model &model, raw_ostream &os) {
  std::string rows;
  os << "namespace {\n\n";
  for (const NodeModel *node : model.ownNodes()) {
    if (node->formula.empty() && node->compute.empty())
      continue;
    LoopsEmitter emitter(model, *node, os);
    if (node->isPointwise())
      emitter.emitFormula();
    emitter.emitLoops(instrNameOf(model, *node));
    rows += emitter.row();
  }
  os << "const ::std::vector<::glow::ir::LoopsInfo> loopsTable = {\n"
     << rows << "};\n\n} // namespace\n";
  return false;
}

static Emitter loops("gen-loops", "emit what nodes compute, as loops",
                     emitLoops);
