//===- RowForm.cpp - nodes that compute rows one by one -------------------===//
// SPDX-License-Identifier: MIT
//
// The loops of a node decide: each statement writes the rows of a result by one
// index, by which it selects rows of operands, and which it uses nowhere else.
//
//===----------------------------------------------------------------------===//

#include "RowForm.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Nodes.h"
#include "glow/IR/NodeLoops.h"

using namespace mlir;
using namespace glow;

RankedTensorType glow::withRows(Type type, const Size &rows) {
  auto tensor = cast<RankedTensorType>(type);
  Sizes sizes = sizesOf(tensor);
  sizes[0] = rows;
  return rankedTensorOf(sizes, tensor.getElementType());
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {

/// The uses of the index of rows in the loops of a node.
class RowUses {
public:
  RowUses(const loops::Program &program, unsigned results)
      : program(program), results(results), rows(program.tensors.size()),
        whole(program.tensors.size()) {}

  /// The operands whose rows are selected; nothing for other uses.
  std::optional<llvm::SmallBitVector> find() {
    for (const loops::Statement &statement : program.statements)
      if (!visit(statement))
        return std::nullopt;
    if (rows.anyCommon(whole))
      return std::nullopt;
    llvm::SmallBitVector operands(unsigned(rows.size()) - results);
    for (unsigned i = 0; i < operands.size(); ++i)
      operands[i] = rows[results + i];
    return operands;
  }

private:
  bool visit(const loops::Statement &statement) {
    const loops::Tensor &written = program.tensors[statement.tensor];
    if (statement.tensor >= results ||
        statement.subscripts.size() != written.shape.size() ||
        statement.subscripts[0]->op != loops::Op::Index)
      return false;
    row = unsigned(statement.subscripts[0]->integer);
    count = written.length(0);
    rows.set(statement.tensor);
    if (statement.scan && program.scans[*statement.scan].index == row)
      return false;
    for (const loops::Term &subscript :
         ArrayRef<loops::Term>(statement.subscripts).drop_front())
      if (subscript->dependsOn(row))
        return false;
    for (const loops::Bounds &bounds : statement.bounds)
      if (bounds.index == row || !visit(bounds.low) || !visit(bounds.high))
        return false;
    return visit(statement.value) && visit(statement.otherwise) &&
           visit(statement.index) && visit(statement.finish);
  }

  bool visit(loops::Term term) {
    if (!term)
      return true;
    // Sizes that the run computes are the number of rows.
    if (term->op == loops::Op::Size ||
        (term->op == loops::Op::Index && unsigned(term->integer) == row))
      return false;
    ArrayRef<loops::Term> operands = term->operands;
    if (term->op == loops::Op::Load) {
      const auto tensor = unsigned(term->integer);
      // Padding, or a part of the rows, has fewer rows on one side.
      const bool isRow = !operands.empty() &&
                         program.tensors[tensor].length(0) == count &&
                         operands[0]->op == loops::Op::Index &&
                         unsigned(operands[0]->integer) == row;
      (isRow ? rows : whole).set(tensor);
      if (isRow)
        operands = operands.drop_front();
      if (operands.size() + isRow != program.tensors[tensor].shape.size())
        return false;
    }
    return llvm::all_of(operands, [&](loops::Term one) { return visit(one); });
  }

  const loops::Program &program;
  const unsigned results;
  unsigned row = 0;
  Length count; ///< of rows
  llvm::SmallBitVector rows, whole;
};

} // namespace

static std::optional<llvm::SmallBitVector>
rowOperandsOn(Operation *node, ArrayRef<RankedTensorType> types) {
  std::unique_ptr<loops::Program> program = ir::loopsOfNode(node, types);
  if (!program || program->tensors.size() != types.size())
    return std::nullopt;
  return RowUses(*program, node->getNumResults()).find();
}

std::optional<llvm::SmallBitVector> glow::rowOperandsOf(Operation *node) {
  if (auto reshape = dyn_cast<Reshape>(node)) {
    const Sizes from =
                    sizesOf(cast<RankedTensorType>(reshape.getIn().getType())),
                to =
                    sizesOf(cast<RankedTensorType>(reshape.getOut().getType()));
    if (from.empty() || to.empty() || from[0] != to[0])
      return std::nullopt;
    return llvm::SmallBitVector(1, true);
  }
  return rowOperandsOn(node, ir::typesOf(node));
}

//===----------------------------------------------------------------------===//
// Other numbers of rows
//===----------------------------------------------------------------------===//

/// The attributes of a node with `rows` in lists of all sizes of its result.
static NamedAttrList attributesOn(Operation *node, const Size &rows) {
  NamedAttrList attributes(node->getAttrDictionary());
  Sizes shape = sizesOf(cast<RankedTensorType>(node->getResult(0).getType()));
  const Sizes before = shape;
  shape[0] = rows;
  for (NamedAttribute attribute : node->getAttrs())
    if (isa<DenseI64ArrayAttr, LengthsAttr>(attribute.getValue()) &&
        sizesOf(attribute.getValue()) == before)
      attributes.set(attribute.getName(),
                     attributeOf(node->getContext(), shape));
  return attributes;
}

Operation *glow::onRows(OpBuilder &builder, Operation *node,
                        ValueRange operands, const Size &rows) {
  const NodeInfo *info = findNode(node->getName().getStringRef());
  SmallVector<Type> results;
  for (Type type : node->getResultTypes())
    results.push_back(withRows(type, rows));
  OperationState state(node->getLoc(), node->getName(), operands, results,
                       attributesOn(node, rows).getAttrs());
  Operation *made = builder.create(state);
  SmallVector<Type> inferred;
  const bool fits =
      info &&
      succeeded(info->infer(
          made, [](const Twine &) {}, inferred)) &&
      inferred == results &&
      (isa<Reshape>(made) || rowOperandsOn(made, ir::typesOf(made)));
  if (fits)
    return made;
  made->erase();
  return nullptr;
}
