//===- Structure.td - functions and buffers of the instruction dialect ----===//
// SPDX-License-Identifier: MIT
//
// The parts of every program of instructions, whatever its operators: a
// function with its bindings, buffers that begin and end, and the copy between
// two buffers.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_STRUCTURE
#define GLOW_STRUCTURE

include "glow/Base.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"

//===----------------------------------------------------------------------===//
// The type of a buffer
//===----------------------------------------------------------------------===//

def GlowIR_BufferType : TypeDef<GlowIR_Dialect, "Buffer"> {
  let mnemonic = "buf";
  let summary = "memory for one tensor";
  let description = [{
    `!glowir.buf<4x8xf32>` holds a dense, row-major tensor of static shape; a
    `bool` is a byte, a quantised element is as large as its storage. A second
    parameter, `!glowir.buf<4x8xf32, local>`, names a memory of the backend
    other than the arena, as a `MemorySpace` record does.
  }];
  let parameters = (ins "::mlir::RankedTensorType":$tensor,
                        OptionalParameter<"::mlir::StringAttr">:$space);
  let builders = [
    TypeBuilderWithInferredContext<(ins "::mlir::RankedTensorType":$tensor), [{
      return $_get(tensor.getContext(), tensor, ::mlir::StringAttr());
    }]>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<int64_t> getShape() const {
      return getTensor().getShape();
    }
    ::mlir::Type getElementType() const {
      return getTensor().getElementType();
    }

    /// The size of the buffer, without any rounding for alignment.
    uint64_t bytes() const;
  }];
}

//===----------------------------------------------------------------------===//
// Functions and buffers
//===----------------------------------------------------------------------===//

def GlowIR_FuncOp : Op<GlowIR_Dialect, "func", [
    Symbol, IsolatedFromAbove, NoTerminator, SingleBlock,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>
  ]> {
  let summary = "a program of instructions on buffers";
  let description = [{
    The first section declares the bindings: buffers that live outside the
    program. Each stands for a storage of the module, by default the one of its
    name. The second is a straight line of instructions, which run in order.

    ```
    glowir.func @main declare {
      %x = binding float<2 x 3>, mutable
      %w = binding float<3 x 4>, constant, "layer/w"
      %y = binding float<2 x 4>, mutable output
    } program {
      %a = alloc float<2 x 4>
      %product = matmul @out %a, @in %x, @in %w
      %relu = relu @out %y, @in %a
      dealloc @out %a
    }
    ```

    A `constant` is never written. A `mutable` binding has a value when the
    program begins and may be written. A `mutable output` has none until the
    program writes it. A function that instructions call has the storage of its
    parameters in `takes`, and of its results in `gives`: each call binds them. An
    instruction's operands are in the order of its record; an absent optional
    operand is `none`, a variadic one is in brackets.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       FlatSymbolRefArrayAttr:$storage, StrArrayAttr:$kinds,
                       OptionalAttr<I64Attr>:$arenaBytes,
                       OptionalAttr<I64Attr>:$liveBytes,
                       OptionalAttr<DictionaryAttr>:$memoryBytes,
                       OptionalAttr<DictionaryAttr>:$cycles,
                       OptionalAttr<FlatSymbolRefArrayAttr>:$takes,
                       OptionalAttr<FlatSymbolRefArrayAttr>:$gives);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name)>];
  let extraClassDeclaration = [{
    static ::llvm::StringRef getDefaultDialect() { return "glowir"; }

    ::mlir::Block &block() { return getBody().front(); }
    ::llvm::ArrayRef<::mlir::BlockArgument> bindings() {
      return block().getArguments();
    }

    /// Declares one more binding, at the end. Its name in text is that of
    /// `location`; `storage` is the symbol of the module that it stands for.
    ::mlir::BlockArgument addBinding(::mlir::Location location, BufferType type,
                                      BindingKind kind, ::llvm::StringRef storage);

    /// Whether the binding is constant, mutable or an output.
    BindingKind kindOf(::mlir::BlockArgument binding);

    /// The symbol of the module's storage that the binding stands for.
    ::llvm::StringRef storageOf(::mlir::BlockArgument binding);
  }];
}

def GlowIR_AllocOp : Op<GlowIR_Dialect, "alloc", [
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>,
    AttrSizedOperandSegments
  ]> {
  let summary = "the beginning of a buffer";
  let description = [{
    The contents are undefined until an instruction writes them. `reuse %a`
    permits the memory of `%a`, whose last instruction is the first one of this
    buffer and may work in place. `within %c from 256` says that the memory is
    that of `%c`, from so many bytes on: the first instruction of `%c` puts this
    buffer there, or that of this buffer takes the bytes from there. `%c` may be
    a binding that is not constant; what lies within it takes no room in the
    arena. `at 4096` is the place in the arena, in bytes.
  }];
  let arguments = (ins Optional<GlowIR_Buffer>:$reused,
                       Optional<GlowIR_Buffer>:$whole,
                       OptionalAttr<I64Attr>:$from,
                       OptionalAttr<I64Attr>:$offset);
  let results = (outs Res<GlowIR_Buffer, "", [MemAlloc]>:$buffer);
  let assemblyFormat = [{
    (`reuse` $reused^ `:` type($reused))?
    (`within` $whole^ `:` type($whole))? (`from` $from^)? (`at` $offset^)? attr-dict
    `:` type($buffer)
  }];
  let hasVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "BufferType":$type)>];
  let extraClassDeclaration = [{
    BufferType type() { return ::llvm::cast<BufferType>(getBuffer().getType()); }

    /// Whether nothing says that another buffer has some of its memory.
    bool isAlone();

    /// Takes back that it has memory of another.
    void leaveOther();

    /// What this buffer lies within in the end, and from which byte on: an
    /// alloc that lies within none, which may be itself, or a binding.
    std::pair<::mlir::Value, uint64_t> outermost();
  }];
}

def GlowIR_DeallocOp : Op<GlowIR_Dialect, "dealloc"> {
  let summary = "the end of a buffer";
  let arguments = (ins Arg<GlowIR_Buffer, "", [MemFree]>:$buffer);
  let assemblyFormat = "$buffer attr-dict `:` type($buffer)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Instructions that no node stands for
//===----------------------------------------------------------------------===//

def CopyInstr : Instr<"copy", (ins Out:$dest, In:$src)> {
  let summary = "copies a buffer to another of the same tensor type";
  let shapes = (ins "T[*s]":$src, "D[*s]":$dest);
  let requires = [Require<"kinds-agree", "T == D", "the source is of {T}, the destination of {D}">];
  let hand = "copy";
}

//===----------------------------------------------------------------------===//
// Instructions that call functions
//===----------------------------------------------------------------------===//

// The table of lib/compiler/IR/ControlFlow.cpp describes them: a signature would have one
// kind and one rank for all tensors of an operand.
class ControlFlowInstr<string mnemonic, dag arguments_>
    : Op<GlowIR_Dialect, mnemonic, [AttrSizedOperandSegments]> {
  let arguments = arguments_;
  let assemblyFormat = "operands attr-dict `:` type(operands)";
}

def IfInstr : ControlFlowInstr<"if",
    (ins ManyOut:$values, In:$condition, ManyIn:$captured, ManyIn:$others,
         StrAttr:$then, StrAttr:$otherwise)> {
  let summary = "calls the function `then` if `condition` is true, else `otherwise`";
}

// `next` has a buffer for each carried value: trips write to it and to the result in turn.
// `trip` is the number of the trip; `going`, whether another follows, is there if the function
// gives that.
def LoopInstr : ControlFlowInstr<"loop",
    (ins ManyOut:$values, ManyOut:$next, Out:$trip,
         Arg<Optional<GlowIR_Buffer>, "", [MemWrite]>:$going, MaybeIn:$trips, MaybeIn:$condition,
         ManyIn:$initial, ManyIn:$sliced, ManyIn:$captured, StrAttr:$body, AnyAttr:$count,
         DenseI64ArrayAttr:$backwards)> {
  let summary = "calls a function once for each trip, as the node of its name";
}

#endif // GLOW_STRUCTURE
