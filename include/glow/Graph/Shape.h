//===- Shape.h - reading operand types by their signatures ----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Base code of the generated `<Node>Shape` structures. Each structure binds the
// names of a node's signature to the sizes of its operands and checks the rest,
// in the order of the record. The first mistake is reported once, as a sentence
// without the node's name.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GRAPH_SHAPE_H
#define GLOW_GRAPH_SHAPE_H

#include "glow/Base/Functions.h"
#include "glow/Base/Rank.h"
#include "glow/Program/Size.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ValueRange.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace glow {

/// Receives the single message of a failed check.
using Report = llvm::function_ref<void(const llvm::Twine &)>;

/// The text of a value in a message.
std::string valueText(int64_t value);
std::string valueText(double value);
std::string valueText(bool value);
std::string valueText(const Ints &values);
std::string valueText(const Size &size);
std::string valueText(const Sizes &sizes);
std::string valueText(const Reals &values);
std::string valueText(llvm::StringRef value);
std::string valueText(mlir::Type kind);

/// The storage type of a quantised element, else the type itself.
mlir::Type storageOf(mlir::Type element);
/// Whether an element represents a real number by a scale.
bool isQuantized(mlir::Type element);
/// The real type that a quantised element represents, else the type itself.
mlir::Type expressedOf(mlir::Type element);
/// The element type of the name `name` in records.
mlir::Type kindNamed(mlir::MLIRContext *context, llvm::StringRef name);
/// The name of an element type in records: "f32", "u8", "bool".
std::string kindName(mlir::Type element);
/// Whether `names` contains the name of an element type's storage.
bool isKindAmong(mlir::Type element,
                 std::initializer_list<llvm::StringRef> names);

namespace expr {
inline bool isFloat(mlir::Type kind) {
  return llvm::isa<mlir::FloatType>(storageOf(kind));
}
inline bool isBool(mlir::Type kind) { return kind.isInteger(1); }
/// Whether every value of `narrow` is a value of `wide`. False if either is
/// quantised, since its values are not those of its storage.
bool holdsAll(mlir::Type narrow, mlir::Type wide);
/// Bits of an element in ONNX.
inline int64_t bitsOf(mlir::Type kind) {
  mlir::Type storage = storageOf(kind);
  if (isBool(storage))
    return 8;
  return storage.isIntOrFloat() ? storage.getIntOrFloatBitWidth() : 0;
}
/// The largest finite number of a float kind; 0 for any other kind.
double largestOf(mlir::Type kind);
/// The lower bound of a kind: -infinity for floats, else the smallest number.
double lowestOf(mlir::Type kind);
/// Whether a float kind holds numbers of these sizes with its full precision:
/// each is 0, or finite and not below the least normal number. True for an
/// integer kind. An empty list means unknown sizes; kinds of 32 bits and more
/// are trusted to hold them.
bool areNormal(const Reals &sizes, mlir::Type kind);
/// The same check without the lower limit.
bool areFinite(const Reals &sizes, mlir::Type kind);
} // namespace expr

/// Reads the sizes of one operand from left to right.
///
/// Every method returns false after it has reported a mistake.
class OperandReader {
public:
  /// `label` names the operand; `signature` is its text in the record.
  OperandReader(Report report, std::string label, llvm::StringRef signature,
                mlir::Type type);

  /// Binds `variable` to the element kind, or checks that the two are equal.
  /// The kind must be one of `allowed` (all when empty).
  bool kind(mlir::Type &variable, llvm::StringRef name,
            llvm::ArrayRef<llvm::StringRef> allowed);
  bool next(Size &size);
  bool same(const Size &size, llvm::StringRef text);
  /// Reads all but the last `after` sizes into `sizes`.
  bool rest(Sizes &sizes, int64_t after, int64_t fewest = 0,
            int64_t most = highestRank);
  /// Reads all but the last `after` sizes and drops them.
  bool skip(int64_t after);
  bool take(Sizes &sizes, int64_t count);
  bool sameRest(const Sizes &sizes, llvm::StringRef text);
  bool end();

private:
  bool wrongRank();

  Report report;
  std::string label;
  std::string signature;
  mlir::RankedTensorType type;
  Sizes sizes;
  int64_t position = 0;
};

/// The sizes of a tensor's dimensions.
Sizes sizesOf(mlir::RankedTensorType type);
/// The list of an attribute: integers, or lengths.
Sizes sizesOf(mlir::Attribute list);
/// The same for a list of integers. Lengths are the same in all runs then:
/// decides that.
llvm::ArrayRef<int64_t> numbersOf(mlir::Attribute list);
/// The tensor type of these sizes.
mlir::RankedTensorType rankedTensorOf(const Sizes &sizes, mlir::Type kind);

/// Conditions on the sizes of a run that the functions of a module need: an
/// attribute `glow.conditions` of the module. `addConditions` keeps each once.
inline constexpr llvm::StringLiteral sizeConditions = "glow.conditions";
bool areConditions(mlir::Attribute attribute);
std::vector<SizeCondition> conditionsOf(mlir::Operation *module);
void addConditions(mlir::Operation *module,
                   const std::vector<SizeCondition> &conditions);

/// Fails after a report if arithmetic on sizes has overflowed on this thread
/// since `expr::hasOverflowed` was cleared.
llvm::LogicalResult checkSizes(Report report);

/// The type of a result whose sizes `shape` computes. Null after reporting a
/// size that is negative, too large, or beyond 64 bits. Clears
/// `expr::hasOverflowed`.
mlir::Type resultType(Report report, llvm::StringRef name, mlir::Type kind,
                      llvm::function_ref<Sizes()> shape);

} // namespace glow

#endif // GLOW_GRAPH_SHAPE_H
