//===- Shape.h - reading operand types by their signatures ----*- C++ -*-===//
//
// What the generated `<Node>Shape` structures are made of. Each of them binds
// the names of a node's signature to the sizes of its operands and checks the
// rest, in the order of the record; a mistake is reported once, as a sentence
// without the node's name.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GRAPH_SHAPE_H
#define GLOW_GRAPH_SHAPE_H

#include "glow/Base/Functions.h"
#include "glow/Base/Rank.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ValueRange.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace glow {

/// Takes the one message of a failed check.
using Report = llvm::function_ref<void(const llvm::Twine &)>;

/// How a value stands in a message.
std::string say(int64_t value);
std::string say(double value);
std::string say(bool value);
std::string say(const Ints &values);
std::string say(const Reals &values);
std::string say(llvm::StringRef value);
std::string say(mlir::Type kind);

/// The storage of a quantised element, else the type itself.
mlir::Type storageOf(mlir::Type element);
/// Whether an element stands for a real number by a scale.
bool isQuantized(mlir::Type element);
/// The kind of the numbers that a quantised element stands for, else the type.
mlir::Type expressedOf(mlir::Type element);
/// The element type that a record calls `name`.
mlir::Type kindNamed(mlir::MLIRContext *context, llvm::StringRef name);
/// What a record calls an element type: "f32", "u8", "bool".
std::string kindName(mlir::Type element);
/// Whether a record calls the storage of an element type by one of `names`.
bool isKindAmong(mlir::Type element,
                 std::initializer_list<llvm::StringRef> names);

namespace expr {
inline bool isFloat(mlir::Type kind) {
  return llvm::isa<mlir::FloatType>(storageOf(kind));
}
inline bool isBool(mlir::Type kind) { return kind.isInteger(1); }
/// Whether each value of `narrow` is one of `wide`; a quantised kind, whose
/// values are not those of its storage, holds and is held by nothing.
bool holdsAll(mlir::Type narrow, mlir::Type wide);
/// The bits that ONNX stores an element in.
inline int64_t bitsOf(mlir::Type kind) {
  mlir::Type storage = storageOf(kind);
  if (isBool(storage))
    return 8;
  return storage.isIntOrFloat() ? storage.getIntOrFloatBitWidth() : 0;
}
/// The largest finite number of a float kind; 0 of any other.
double largestOf(mlir::Type kind);
/// What no element of a kind is below: -infinity of floats, else the smallest.
double lowestOf(mlir::Type kind);
/// Whether a float kind holds numbers of these sizes with all of its precision:
/// each is 0, or no less than the least normal number, and finite. True of an
/// integer kind. No sizes are unknown ones, which kinds of 32 bits and more are
/// trusted to hold.
bool areNormal(const Reals &sizes, mlir::Type kind);
/// The same without the lower limit.
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

  /// Binds `variable` to the element kind, or checks that it is the same; it
  /// must be one of `allowed` (all when empty).
  bool kind(mlir::Type &variable, llvm::StringRef name,
            llvm::ArrayRef<llvm::StringRef> allowed);
  bool next(int64_t &size);
  bool same(int64_t size, llvm::StringRef text);
  /// Everything but the last `after` sizes.
  bool rest(Ints &sizes, int64_t after, int64_t fewest = 0,
            int64_t most = highestRank);
  /// The same, without keeping them.
  bool skip(int64_t after);
  bool take(Ints &sizes, int64_t count);
  bool sameRest(const Ints &sizes, llvm::StringRef text);
  bool end();

private:
  bool wrongRank();

  Report report;
  std::string label;
  std::string signature;
  mlir::RankedTensorType type;
  int64_t position = 0;
};

/// Fails after a report if arithmetic on sizes has overflowed on this thread
/// since `expr::hasOverflowed` was cleared.
llvm::LogicalResult checkSizes(Report report);

/// The type of a result, whose sizes `shape` computes; null after reporting a
/// size that is negative, too large, or does not fit into 64 bits. Clears
/// `expr::hasOverflowed`.
mlir::Type resultType(Report report, llvm::StringRef name, mlir::Type kind,
                      llvm::function_ref<Ints()> shape);

} // namespace glow

#endif // GLOW_GRAPH_SHAPE_H
