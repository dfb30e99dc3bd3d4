//===- Types.td - the kinds of attributes and elements a record may name --===//
// SPDX-License-Identifier: MIT
//
// Every attribute kind names the type it has in the expression language
// (`language`), how it is written in text (`form`, an AttributeForm of
// glow/Graph/AttributeForm.h) and how a builder takes it (`parameter`).
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_TYPES
#define GLOW_TYPES

include "mlir/IR/OpBase.td"

//===----------------------------------------------------------------------===//
// Attribute kinds
//===----------------------------------------------------------------------===//

class AttributeKind<string language_, string form_, string parameter_,
                    Pred condition, string summary_>
    : Attr<condition, summary_> {
  string language = language_;
  string form = form_;
  string parameter = parameter_;
  string initially = ""; // what a rule or a builder may leave out, if not empty
}

// An attribute that a rule or an importer may leave out: (ins Default<Int, "1">:$n).
// In the text of a node it always stands.
class Default<AttributeKind kind, string value>
    : AttributeKind<kind.language, kind.form, kind.parameter,
                    kind.predicate, kind.summary> {
  let storageType = kind.storageType;
  let returnType = kind.returnType;
  let convertFromStorage = kind.convertFromStorage;
  let constBuilderCall = kind.constBuilderCall;
  let initially = value;
}

// An integer of 64 bits.
def Int : AttributeKind<"int", "Int", "int64_t",
    CPred<"::llvm::isa<::mlir::IntegerAttr>($_self) && "
          "::llvm::cast<::mlir::IntegerAttr>($_self).getType()"
          ".isSignlessInteger(64)">, "an integer"> {
  let storageType = "::mlir::IntegerAttr";
  let returnType = "int64_t";
  let convertFromStorage = "$_self.getInt()";
  let constBuilderCall = "$_builder.getI64IntegerAttr($0)";
}

def Flag : AttributeKind<"bool", "Flag", "bool",
    CPred<"::llvm::isa<::mlir::BoolAttr>($_self)">, "true or false"> {
  let storageType = "::mlir::BoolAttr";
  let returnType = "bool";
  let convertFromStorage = "$_self.getValue()";
  let constBuilderCall = "$_builder.getBoolAttr($0)";
}

def Real : AttributeKind<"real", "Real", "double",
    CPred<"::llvm::isa<::mlir::FloatAttr>($_self) && "
          "::llvm::cast<::mlir::FloatAttr>($_self).getType().isF64()">,
    "a real number"> {
  let storageType = "::mlir::FloatAttr";
  let returnType = "double";
  let convertFromStorage = "$_self.getValueAsDouble()";
  let constBuilderCall = "$_builder.getF64FloatAttr($0)";
}

class TextKind<Pred condition, string summary_>
    : AttributeKind<"text", "Text", "::llvm::StringRef", condition, summary_> {
  let storageType = "::mlir::StringAttr";
  let returnType = "::llvm::StringRef";
  let convertFromStorage = "$_self.getValue()";
  let constBuilderCall = "$_builder.getStringAttr($0)";
}

def Text : TextKind<CPred<"::llvm::isa<::mlir::StringAttr>($_self)">, "a text">;

// A text that is one of a few words. It has a name of its own,
// `def Direction : Choice<[...]>`: in C++ it is an enumeration of that name.
class Choice<list<string> words_> : TextKind<
    CPred<"::llvm::isa<::mlir::StringAttr>($_self) && ::llvm::is_contained({"
          # !interleave(!foreach(w, words_, "\"" # w # "\""), ", ")
          # "}, ::llvm::cast<::mlir::StringAttr>($_self).getValue())">,
    "one of " # !interleave(words_, ", ")> {
  list<string> words = words_;
}

class IntsKind<Pred condition, string summary_>
    : AttributeKind<"ints", "Ints", "::llvm::ArrayRef<int64_t>", condition,
                    summary_> {
  let storageType = "::mlir::Attribute";
  let returnType = "::llvm::ArrayRef<int64_t>";
  let convertFromStorage = "::glow::numbersOf($_self)";
  let constBuilderCall = "$_builder.getDenseI64ArrayAttr($0)";
}

// A list of integers, among them lengths that a run gives (glow/Program/Size.h).
def Ints : IntsKind<CPred<"::llvm::isa<::mlir::DenseI64ArrayAttr, ::glow::LengthsAttr>($_self)">,
                    "a list of integers">;

def Reals : AttributeKind<"reals", "Reals", "::llvm::ArrayRef<double>",
    CPred<"::llvm::isa<::mlir::DenseF64ArrayAttr>($_self)">,
    "a list of real numbers"> {
  let storageType = "::mlir::DenseF64ArrayAttr";
  let returnType = "::llvm::ArrayRef<double>";
  let convertFromStorage = "$_self.asArrayRef()";
  let constBuilderCall = "$_builder.getDenseF64ArrayAttr($0)";
}

// Pointwise nodes fused on single elements: a text to the language, parsed once
// (glow/Graph/FormulaAttr.h).
def Formula : AttributeKind<"text", "Formula", "::llvm::StringRef",
    CPred<"::llvm::isa<::glow::FormulaAttr>($_self) && "
          "::llvm::cast<::glow::FormulaAttr>($_self).isValid()">, "a formula"> {
  let storageType = "::glow::FormulaAttr";
  let returnType = "::llvm::StringRef";
  let convertFromStorage = "$_self.getText()";
  let constBuilderCall = "::glow::FormulaAttr::get($_builder.getContext(), $0)";
}

// An element kind, as a result may have one that no operand has.
def Kind : AttributeKind<"kind", "Kind", "::mlir::Type",
    CPred<"::llvm::isa<::mlir::TypeAttr>($_self) && "
          "::glow::kindOf(::llvm::cast<::mlir::TypeAttr>($_self).getValue())">,
    "an element kind"> {
  let storageType = "::mlir::TypeAttr";
  let returnType = "::mlir::Type";
  let convertFromStorage = "$_self.getValue()";
  let constBuilderCall = "::mlir::TypeAttr::get($0)";
}

// Other parameter types of functions of the language: a tensor, which may be
// absent, and a list of tensors.
class TensorKind<string language_> {
  string language = language_;
  string initially = "";
}
def Tensor : TensorKind<"tensor">;
def Tensors : TensorKind<"tensors">;

//===----------------------------------------------------------------------===//
// Element kinds
//===----------------------------------------------------------------------===//

// The kinds a variable of a signature (`T`) may stand for, by their names in
// the text of a type. A quantised element counts as its storage.
class Kinds<list<string> names_> { list<string> names = names_; }

defvar FloatNames = ["f32", "f16", "bf16", "f64"];
defvar SignedNames = ["i8", "i16", "i32", "i64"];
defvar UnsignedNames = ["u8", "u16", "u32", "u64"];

// Kinds that are stored and converted, but not computed with.
defvar SmallNames = ["i4", "u4", "i2", "u2", "f8E4M3FN", "f8E4M3FNUZ", "f8E5M2", "f8E5M2FNUZ",
                     "f4E2M1FN", "f8E8M0FNU", "f6E2M3FN", "f6E3M2FN"];

def Floats   : Kinds<FloatNames>;
def WideFloats : Kinds<["f32", "f64"]>;
def Integers : Kinds<!listconcat(SignedNames, UnsignedNames)>;
def SignedNumbers : Kinds<!listconcat(FloatNames, SignedNames)>;
def Numbers  : Kinds<!listconcat(FloatNames, SignedNames, UnsignedNames)>;
def Indices  : Kinds<["i32", "i64"]>;
def Bools    : Kinds<["bool"]>;
def IntegersAndBool : Kinds<!listconcat(SignedNames, UnsignedNames, ["bool"])>;
def NumbersAndBool : Kinds<!listconcat(FloatNames, SignedNames, UnsignedNames, ["bool"])>;
def Everything : Kinds<!listconcat(FloatNames, SignedNames, UnsignedNames,
                                   ["bool"], SmallNames)>;

// Binds variables of a signature: (kinds Floats:$T, Indices:$I).
def kinds;

// A tensor of any kind and static shape. The record's signature restricts it
// further.
def GlowTensor : Type<
    CPred<"::llvm::isa<::mlir::RankedTensorType>($_self)">, "ranked tensor",
    "::mlir::RankedTensorType">;

#endif // GLOW_TYPES
