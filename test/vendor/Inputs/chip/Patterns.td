// The distance of two tensors, by one node less.

include "glow/Glow.td"

// Unsigned numbers wrap around below 0, signed ones above the largest.
def IsFloat : Constraint<CPred<"::llvm::isa<::mlir::FloatType>(::llvm::cast<::mlir::ShapedType>($0.getType()).getElementType())">, "of a float kind">;
def DistanceOfBounds : Pat<(Sub (Max $a, $b), (Min $a, $b)), (Abs (Sub $a, $b, (returnType $a))), [(IsFloat $a)]>;
def : PatternSample<"DistanceOfBounds", (ins "f32[2,3]":$a, "f32[2,3]":$b), [{ y = Max(a, b) - Min(a, b); }]>;
