//===- FormulaLoops.cpp - the loops of a formula --------------------------===//
// SPDX-License-Identifier: MIT
//
// Consecutive calls of Pointwise nodes stay one formula: a backend rounds them
// as it does where they stand alone. A call in index notation becomes its
// statement, in which elements of earlier calls replace loads.
//
//===----------------------------------------------------------------------===//

#include "glow/IR/FormulaLoops.h"
#include "glow/Graph/Shape.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/InstrInfo.h"
#include "glow/Loops/Inline.h"
#include "mlir/IR/Builders.h"

using namespace glow;
using namespace mlir;

using loops::Term;

//===----------------------------------------------------------------------===//
// Kinds
//===----------------------------------------------------------------------===//

std::optional<ElementKind>
ir::ResultKinds::kindOf(const Formula::Argument &argument) const {
  if (std::get_if<Formula::Input>(&argument))
    return ElementKind::F32;
  if (auto *value = std::get_if<Formula::Value>(&argument))
    return results[value->index];
  return std::nullopt;
}

bool ir::ResultKinds::takes(const FormulaKinds &kinds, size_t attributes,
                            ArrayRef<Formula::Argument> arguments) const {
  size_t operands = kinds.operands.size();
  if (arguments.size() != operands + attributes)
    return false;
  for (auto [kind, argument] : llvm::zip(kinds.operands, arguments))
    if (!std::get_if<double>(&argument) && kindOf(argument) != kind)
      return false;
  return llvm::all_of(arguments.drop_front(operands),
                      [](const Formula::Argument &argument) {
                        return std::get_if<double>(&argument);
                      });
}

std::optional<ElementKind>
ir::ResultKinds::kindOf(const Formula::Call &call) const {
  const InstrInfo *info = findInstr(call.mnemonic);
  if (!info)
    return std::nullopt;
  for (ElementKind kind : {ElementKind::F32, ElementKind::Bool})
    if (auto kinds = formulaKinds(call.mnemonic, kind);
        kinds && takes(*kinds, info->attributes.size(), call.arguments))
      return kinds->result;
  return std::nullopt;
}

bool ir::isPointwise(const Formula &formula) {
  ResultKinds kinds;
  for (const Formula::Call &call : formula.calls) {
    std::optional<ElementKind> kind = kinds.kindOf(call);
    if (kind != ElementKind::F32 && kind != ElementKind::Bool)
      return false;
    kinds.add(*kind);
  }
  return kinds.empty() || kinds.last() == ElementKind::F32;
}

unsigned ir::operationsOf(const Formula &formula) {
  unsigned sum = 0;
  for (const Formula::Call &call : formula.calls)
    if (const LoopsInfo *info = findLoops(call.mnemonic))
      sum += info->operations;
  return sum;
}

bool ir::readsAsReal(ElementKind kind) {
  switch (kind) {
  case ElementKind::F32:
  case ElementKind::F16:
  case ElementKind::BF16:
  case ElementKind::I8:
  case ElementKind::U8:
    return true;
  default:
    return false;
  }
}

//===----------------------------------------------------------------------===//
// Calls of index notation
//===----------------------------------------------------------------------===//

/// The attribute for a call's argument; null if the argument is no attribute.
static Attribute attributeOf(const Formula::Argument &argument,
                             const ir::AttributeInfo &info, Builder &builder) {
  auto *number = std::get_if<double>(&argument);
  auto *numbers = std::get_if<Formula::Numbers>(&argument);
  auto *text = std::get_if<Formula::Text>(&argument);
  auto *kind = std::get_if<ElementKind>(&argument);
  switch (info.form) {
  case AttributeForm::Int:
    return number ? builder.getI64IntegerAttr(int64_t(*number)) : Attribute();
  case AttributeForm::Flag:
    return number ? builder.getBoolAttr(*number != 0) : Attribute();
  case AttributeForm::Real:
    return number ? builder.getF64FloatAttr(*number) : Attribute();
  case AttributeForm::Text:
    return text && (info.words.empty() || info.numberOf(text->characters) >= 0)
               ? builder.getStringAttr(text->characters)
               : Attribute();
  case AttributeForm::Ints:
    return numbers ? builder.getDenseI64ArrayAttr(
                         SmallVector<int64_t>(numbers->begin(), numbers->end()))
                   : Attribute();
  case AttributeForm::Reals:
    return numbers ? builder.getDenseF64ArrayAttr(*numbers) : Attribute();
  case AttributeForm::Kind:
    return kind ? TypeAttr::get(typeOf(builder.getContext(), *kind))
                : Attribute();
  case AttributeForm::Formula:
    return {};
  }
  return {};
}

namespace {

/// Builds the statement of a formula.
class FormulaBuilder {
public:
  FormulaBuilder(const Formula &formula, RankedTensorType result,
                 ArrayRef<RankedTensorType> inputs)
      : formula(formula), result(result), inputs(inputs) {}

  std::unique_ptr<loops::Program> build();

  /// Whether build() gives a program.
  bool holds();

private:
  /// An operand of index notation.
  struct Operand {
    RankedTensorType type;
    const Formula::Argument *argument;
  };

  bool addCalls();
  bool add(const Formula::Call &call);
  bool addIndexed(const Formula::Call &call);
  bool describe(const Formula::Call &call, const ir::InstrInfo &info,
                ir::InstrOnTypes &instr, SmallVectorImpl<Operand> &operands);
  bool isRepeated(const Formula::Call &call) const;
  Term elementOf(size_t input);
  Term valueOf(const Formula::Argument &argument);
  Term pieceOf(size_t call);
  size_t addTo(Formula &piece, loops::Terms &operands,
               std::map<size_t, size_t> &places, size_t call);

  const Formula &formula;
  RankedTensorType result;
  ArrayRef<RankedTensorType> inputs;
  std::unique_ptr<loops::Program> program;
  loops::Terms place;
  ir::ResultKinds kinds;
  std::vector<Term> indexed; ///< of each call; null for a Pointwise node's
};

} // namespace

/// The result, and the inputs under the names that formulas use.
static std::vector<loops::Tensor> tensorsOf(ArrayRef<RankedTensorType> types) {
  std::vector<loops::Tensor> tensors;
  for (auto [i, type] : llvm::enumerate(types))
    if (auto kind = kindOf(type.getElementType()))
      tensors.push_back(loops::tensorOf(
          *kind, glow::sizesOf(type), i ? "x" + std::to_string(i - 1) : "out"));
  return tensors;
}

/// Begins the statement and adds all calls; false if one of them has no loops.
bool FormulaBuilder::addCalls() {
  SmallVector<RankedTensorType> types = {result};
  llvm::append_range(types, inputs);
  std::vector<loops::Tensor> tensors = tensorsOf(types);
  if (tensors.size() != types.size() ||
      tensors.front().kind != ElementKind::F32 || formula.calls.empty() ||
      formula.inputs() > inputs.size())
    return false;
  program = std::make_unique<loops::Program>(std::move(tensors));
  program->begin(loops::ReductionKind::Assign, 0);
  place = program->indices(glow::sizesOf(result), "i");
  auto isAdded = [&](const Formula::Call &call) { return add(call); };
  return llvm::all_of(formula.calls, isAdded) &&
         kinds.last() == ElementKind::F32;
}

std::unique_ptr<loops::Program> FormulaBuilder::build() {
  if (!addCalls())
    return nullptr;
  program->end(place, valueOf(Formula::Value{formula.calls.size() - 1}));
  return program->complete() ? std::move(program) : nullptr;
}

bool FormulaBuilder::holds() {
  // The indices of Pointwise nodes alone are the dimensions of the result.
  return ir::isPointwise(formula) ? addCalls() : build() != nullptr;
}

bool FormulaBuilder::add(const Formula::Call &call) {
  if (std::optional<ElementKind> kind = kinds.kindOf(call)) {
    kinds.add(*kind);
    indexed.emplace_back();
    return (*kind == ElementKind::F32 || *kind == ElementKind::Bool) &&
           isRepeated(call);
  }
  if (!addIndexed(call))
    return false;
  kinds.add(ElementKind::F32);
  return true;
}

//===----------------------------------------------------------------------===//
// Pointwise nodes
//===----------------------------------------------------------------------===//

/// Whether the call's inputs are read as f32 and are broadcast to the result's
/// shape.
bool FormulaBuilder::isRepeated(const Formula::Call &call) const {
  return llvm::all_of(call.arguments, [&](const auto &argument) {
    auto *input = std::get_if<Formula::Input>(&argument);
    if (!input)
      return true;
    RankedTensorType type = inputs[input->index];
    if (!ir::readsAsReal(*kindOf(type.getElementType())) ||
        type.getRank() > result.getRank())
      return false;
    const Sizes all = glow::sizesOf(result);
    return llvm::all_of_zip(
        glow::sizesOf(type),
        ArrayRef<Size>(all).take_back(size_t(type.getRank())),
        [](const Size &mine, const Size &whole) {
          return expr::isNumber(mine, 1) || mine.length() == whole.length();
        });
  });
}

Term FormulaBuilder::elementOf(size_t input) {
  const Sizes sizes = glow::sizesOf(inputs[input]);
  loops::Terms subscripts;
  for (auto [size, index] :
       llvm::zip_equal(sizes, ArrayRef<Term>(place).take_back(sizes.size())))
    subscripts.push_back(expr::isNumber(size, 1) ? program->number(0) : index);
  return program->load(unsigned(input) + 1, subscripts, loops::Outside::Never,
                       loops::Form::Element);
}

Term FormulaBuilder::valueOf(const Formula::Argument &argument) {
  if (auto *input = std::get_if<Formula::Input>(&argument))
    return elementOf(input->index);
  size_t call = std::get<Formula::Value>(argument).index;
  return indexed[call] ? indexed[call] : pieceOf(call);
}

/// The Pointwise calls that lead to a result, back to the nearest calls in
/// index notation.
Term FormulaBuilder::pieceOf(size_t call) {
  Formula piece;
  loops::Terms operands;
  std::map<size_t, size_t> places;
  addTo(piece, operands, places, call);
  return program->formula(piece.text(), operands);
}

/// Adds a call after its operands; returns its index in the piece.
size_t FormulaBuilder::addTo(Formula &piece, loops::Terms &operands,
                             std::map<size_t, size_t> &places, size_t call) {
  if (auto known = places.find(call); known != places.end())
    return known->second;
  Formula::Call copy = formula.calls[call];
  for (Formula::Argument &argument : copy.arguments) {
    auto *value = std::get_if<Formula::Value>(&argument);
    if (value && !indexed[value->index]) {
      value->index = addTo(piece, operands, places, value->index);
    } else if (value || std::get_if<Formula::Input>(&argument)) {
      Term element = valueOf(argument);
      auto *found = llvm::find(operands, element);
      argument = Formula::Input{size_t(found - operands.begin())};
      if (found == operands.end())
        operands.push_back(element);
    }
  }
  piece.calls.push_back(std::move(copy));
  return places[call] = piece.calls.size() - 1;
}

//===----------------------------------------------------------------------===//
// Index notation
//===----------------------------------------------------------------------===//

/// Describes the instruction of a call. False where the record has no operand
/// or attribute for an argument.
bool FormulaBuilder::describe(const Formula::Call &call,
                              const ir::InstrInfo &info,
                              ir::InstrOnTypes &instr,
                              SmallVectorImpl<Operand> &operands) {
  size_t count = info.operands.size() - 1;
  if (info.operands.front().qualifier != ir::Qualifier::Out ||
      call.arguments.size() != count + info.attributes.size())
    return false;
  operands.push_back({result, nullptr});
  instr.segments.push_back(1);
  for (size_t i = 0; i < count; ++i) {
    const Formula::Argument &argument = call.arguments[i];
    const ir::OperandInfo &declared = info.operands[i + 1];
    auto *input = std::get_if<Formula::Input>(&argument);
    bool isAbsent = std::get_if<Formula::Absent>(&argument);
    if (declared.qualifier != ir::Qualifier::In ||
        (isAbsent ? declared.count != Count::Optional
                  : declared.count == Count::Many ||
                        (!input && kinds.kindOf(argument) != ElementKind::F32)))
      return false;
    instr.segments.push_back(!isAbsent);
    if (!isAbsent)
      operands.push_back({input ? inputs[input->index] : result, &argument});
  }
  Builder builder(result.getContext());
  for (size_t i = 0; i < info.attributes.size(); ++i)
    instr.attributes.push_back(
        attributeOf(call.arguments[count + i], info.attributes[i], builder));
  for (const Operand &operand : operands)
    instr.buffers.push_back(operand.type);
  return !llvm::is_contained(instr.attributes, Attribute());
}

bool FormulaBuilder::addIndexed(const Formula::Call &call) {
  const ir::InstrInfo *info = ir::findInstr(call.mnemonic);
  const ir::LoopsInfo *known = ir::findLoops(call.mnemonic);
  ir::InstrOnTypes instr{call.mnemonic};
  SmallVector<Operand> operands;
  if (!info || !known || known->formula ||
      !describe(call, *info, instr, operands))
    return false;
  std::unique_ptr<loops::Program> mine = ir::loopsOf(instr);
  if (!mine || mine->computes != ElementKind::F32 ||
      !loops::writesEachOnce(*mine))
    return false;
  std::vector<loops::InlinedTensor> tensors(1);
  for (auto [number, operand] : llvm::drop_begin(llvm::enumerate(operands))) {
    auto *input = std::get_if<Formula::Input>(operand.argument);
    if (!input && !loops::readsInPlace(*mine, unsigned(number)))
      return false;
    loops::InlinedTensor &tensor = tensors.emplace_back();
    if (input)
      tensor.number = unsigned(input->index) + 1;
    else
      tensor.element = valueOf(*operand.argument);
  }
  indexed.push_back(loops::inlined(*program, *mine, place, tensors));
  return true;
}

std::unique_ptr<loops::Program> ir::loopsOf(const Formula &formula,
                                            RankedTensorType result,
                                            ArrayRef<RankedTensorType> inputs) {
  return FormulaBuilder(formula, result, inputs).build();
}

bool ir::hasLoops(const Formula &formula, RankedTensorType result,
                  ArrayRef<RankedTensorType> inputs) {
  return FormulaBuilder(formula, result, inputs).holds();
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static Status checkFormula(const loops::Node &node) {
  auto fail = [&](const std::string &reason) {
    return failure(Code::InvalidArgument, "formula \"", node.name, "\" ",
                   reason);
  };
  std::string wrong;
  std::optional<Formula> formula = Formula::parse(node.name, &wrong);
  if (!formula)
    return fail("is wrong: " + wrong);
  if (formula->inputs() > node.operands.size())
    return fail("reads " + std::to_string(formula->inputs()) +
                " operands and has " + std::to_string(node.operands.size()));
  ir::ResultKinds kinds;
  for (const Formula::Call &call : formula->calls) {
    std::optional<ElementKind> kind = kinds.kindOf(call);
    if (!kind)
      return fail("has '" + call.mnemonic +
                  "', which is no Pointwise node on such operands");
    kinds.add(*kind);
  }
  return Status();
}

Status ir::checkFormulas(const loops::Program &program) {
  std::set<const loops::Node *> seen;
  std::vector<Term> open;
  for (const loops::Statement &statement : program.statements) {
    open.insert(open.end(), statement.subscripts.begin(),
                statement.subscripts.end());
    for (Term root : {statement.value, statement.otherwise, statement.index,
                      statement.finish})
      open.push_back(root);
    for (const loops::Bounds &bounds : statement.bounds)
      open.insert(open.end(), {bounds.low, bounds.high});
  }
  while (!open.empty()) {
    Term term = open.back();
    open.pop_back();
    if (!term || !seen.insert(term.get()).second)
      continue;
    if (term->op == loops::Op::Formula)
      if (Status status = checkFormula(*term); !status.ok())
        return status;
    open.insert(open.end(), term->operands.begin(), term->operands.end());
  }
  return Status();
}
