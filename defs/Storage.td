//===- Storage.td - functions and the storage that they share -------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_STORAGE
#define GLOW_STORAGE

include "glow/Base.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/TensorEncoding.td"
include "mlir/IR/SymbolInterfaces.td"

def Glow_FuncOp : Op<Glow_Dialect, "func", [
    Symbol, IsolatedFromAbove, NoTerminator, SingleBlock]> {
  let summary = "a graph of nodes that reads and saves storage of its module";
  let description = [{
    A function that nodes of control flow call has parameters and results: the storage,
    `between` functions, that a call sets, and that the function saves. All other functions
    have neither, and stand before them.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       OptionalAttr<FlatSymbolRefArrayAttr>:$takes,
                       OptionalAttr<FlatSymbolRefArrayAttr>:$gives);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name (`takes` $takes^ `gives` $gives)? attr-dict-with-keyword $body
  }];
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name), [{
    $_state.addAttribute(getSymNameAttrName($_state.name), $_builder.getStringAttr(name));
    $_state.addRegion()->emplaceBlock();
  }]>];
  let extraClassDeclaration = [{
    static ::llvm::StringRef getDefaultDialect() { return "glow"; }
    ::mlir::Block &block() { return getBody().front(); }

    /// Whether nodes of control flow call the function.
    bool isCalled() { return getTakesAttr() != nullptr; }
  }];
}

// Pointwise nodes fused on single elements, as glow/Graph/Formula.h has them.
def Glow_FormulaAttr : AttrDef<Glow_Dialect, "Formula"> {
  let mnemonic = "formula";
  let summary = "calls of Pointwise nodes, one after the other";
  let parameters = (ins StringRefParameter<"as it is written">:$text);
  let genStorageClass = 0;
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// Empty where the text is none.
    const ::glow::Formula &value() const;
    /// What is wrong with the text, and where; "" if it is a formula.
    const std::string &wrong() const;
    bool isValid() const { return wrong().empty(); }

    /// The text in quotes alone, as nodes and instructions have it.
    static ::mlir::ParseResult parseText(::mlir::AsmParser &parser, FormulaAttr &formula);
    void printText(::mlir::AsmPrinter &printer) const;
  }];
}

// Sizes of which some are lengths that a run gives: the dimensions of a tensor, as the
// encoding of its type, or a list of sizes that a node has. Without a length, a type has
// no encoding and a list is an array of integers.
def Glow_LengthsAttr : AttrDef<Glow_Dialect, "Lengths", [
    DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "lengths";
  let summary = "sizes, as expressions of variables";
  let description = [{
    `#glow.lengths<"[N, 4*S], N = 1..16, S = 8..512 by 8">`: the expressions of
    glow/Program/Length.h, then each variable with its range.
  }];
  let parameters = (ins StringRefParameter<"as it is written">:$text);
  let genStorageClass = 0;
  let hasCustomAssemblyFormat = 1;
  let builders = [AttrBuilder<(ins "const ::std::vector<::glow::Length> &":$lengths)>];
  let extraClassDeclaration = [{
    /// Empty where the text is wrong.
    const ::std::vector<::glow::Length> &lengths() const;
    /// The greatest value of each size.
    ::llvm::ArrayRef<int64_t> extents() const;
    /// Error in the text; "" if it is a list of sizes.
    const std::string &wrong() const;

    /// The text in quotes alone, as nodes and instructions have it. Equal lists are one
    /// attribute, whatever their texts.
    static ::mlir::ParseResult parseText(::mlir::AsmParser &parser, LengthsAttr &lengths);
    void printText(::mlir::AsmPrinter &printer) const;
  }];
}

// The role of a placeholder in a run.
def PlaceholderRole : Choice<["input", "output", "state", "between"]> {
  let returnType = "::glow::PlaceholderRole";
  let convertFromStorage = "*::glow::choiceNamed<::glow::PlaceholderRole>($_self.getValue())";
  let constBuilderCall = "$_builder.getStringAttr(::glow::wordOf($0))";
}

def Glow_PlaceholderOp : Op<Glow_Dialect, "placeholder", [Symbol]> {
  let summary = "storage that a run binds, or that functions share";
  let description = [{
    Its role is `input`, `output`, `state`, which a run reads and changes, or
    `between`: a function of the module saves it for others that run after it.
    `dimensions` keeps the model's names of symbolic sizes, "" where there is
    none. A `trainable` placeholder is a weight that training may change. The
    functions of a module hold for one value of an `assumed` input. `port` is its
    name outside of the module, where another storage has that name already.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttr:$type, PlaceholderRole:$role,
                       OptionalAttr<StrArrayAttr>:$dimensions,
                       UnitAttr:$trainable,
                       OptionalAttr<ElementsAttr>:$assumed,
                       OptionalAttr<StrAttr>:$port);
  let builders = [OpBuilder<(ins "::mlir::StringAttr":$name, "::mlir::Type":$type,
                             "::glow::PlaceholderRole":$role,
                                 CArg<"::mlir::ArrayAttr", "{}">:$dimensions,
                                 CArg<"::mlir::StringAttr", "{}">:$port), [{
    build($_builder, $_state, name, ::mlir::TypeAttr::get(type),
          $_builder.getStringAttr(::glow::wordOf(role)),
          dimensions, ::mlir::UnitAttr(), ::mlir::ElementsAttr(), port);
  }]>];
  let assemblyFormat = [{
    $sym_name custom<Role>($role) (`trainable` $trainable^)?
    (`port` $port^)? (`dimensions` $dimensions^)? (`assumed` $assumed^)?
    attr-dict `:` $type
  }];
  let extraClassDeclaration = [{
    /// What a run calls it.
    ::llvm::StringRef portName() { return getPort().value_or(getSymName()); }
  }];
  let hasVerifier = 1;
}

def Glow_ConstantOp : Op<Glow_Dialect, "constant", [Symbol]> {
  let summary = "storage whose value is known when a model is compiled";
  let arguments = (ins SymbolNameAttr:$sym_name, ElementsAttr:$value);
  // Elements, or a description of the first elements of a weight.
  let assemblyFormat = "$sym_name attr-dict `=` custom<ConstantValue>($value)";
  let hasVerifier = 1;
}

def Glow_ReadOp : Op<Glow_Dialect, "read", [Pure, KeepsNames]> {
  let summary = "the value that a storage has when the function begins";
  let arguments = (ins FlatSymbolRefAttr:$storage);
  let results = (outs GlowTensor:$out);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Glow_SaveOp : Op<Glow_Dialect, "save", [MemoryEffects<[MemWrite]>]> {
  let summary = "gives a placeholder the value that it has after the run";
  let arguments = (ins GlowTensor:$in, FlatSymbolRefAttr:$storage);
  let assemblyFormat = "$in `,` $storage attr-dict `:` type($in)";
  let hasVerifier = 1;
}

#endif // GLOW_STORAGE
