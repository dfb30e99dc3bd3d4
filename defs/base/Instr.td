//===- Instr.td - operators on buffers ------------------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BASE_INSTR
#define GLOW_BASE_INSTR

def GlowIR_Buffer : Type<CPred<"::llvm::isa<::glow::ir::BufferType>($_self)">,
                         "buffer", "::glow::ir::BufferType">;

// The access of an instruction to an operand. It is a memory effect, so that
// generic analyses see it. `count` is "", "?" (may be absent) or "..." (any
// number).
class Qual<string qualifier_, list<OpVariableDecorator> effects_,
           string count_ = "">
    : Arg<!cond(!eq(count_, "?") : !cast<TypeConstraint>(Optional<GlowIR_Buffer>),
                !eq(count_, "...") : !cast<TypeConstraint>(Variadic<GlowIR_Buffer>),
                true : !cast<TypeConstraint>(GlowIR_Buffer)),
          "", effects_> {
  string qualifier = qualifier_;
  string count = count_;
}

def In    : Qual<"in",    [MemRead]>;
def Out   : Qual<"out",   [MemWrite]>;
def InOut : Qual<"inout", [MemRead, MemWrite]>;
def MaybeIn : Qual<"in",  [MemRead], "?">;
def ManyIn  : Qual<"in",  [MemRead], "...">;
def ManyOut : Qual<"out", [MemWrite], "...">;

// Memory that a kernel needs while it runs, with no contents before or after: a
// buffer of the plan. Its kind and sizes are written like those of a result, in
// the names of the instruction's signature. Scratch stands behind all other
// buffers.
class Scratch<string signature_> : Qual<"scratch", [MemWrite]> {
  string signature = signature_;
}

// An instruction: qualified buffers and attributes, no results. ClassGen
// derives one from every node that has a meaning of its own and no Instr here.
class InstrSegments<dag buffers> {
  list<int> varying = !foldl([]<int>, !range(!size(buffers)), found, i,
      !if(!eq(!getdagarg<Qual>(buffers, i).count, ""), found,
          !listconcat(found, [i])));
  list<Trait> traits = !if(!gt(!size(varying), 1), [AttrSizedOperandSegments],
                           []<Trait>);
}
class Instr<string mnemonic, dag buffers_, dag attributes_ = (ins),
            list<Trait> traits_ = []>
    : Op<GlowIR_Dialect, mnemonic,
         !listconcat(traits_, InstrSegments<buffers_>.traits)> {
  dag buffers = buffers_;
  dag attributes = attributes_;

  // The requirements on buffers and attributes. With a node `from`, the buffers
  // are all tensors of the node, by name, and the node's requirements hold.
  // Without one, `shapes` is a signature for each buffer, as a node's operands
  // have, with kinds and requirements.
  Node from = ?;
  dag shapes = (ins);          // "T[n,m]":$dest; names bind in this order
  dag types = (kinds);
  list<Require> requires = [];

  list<string> inPlace = [];   // @in operands whose buffer may also be @out
  string joins = "";           // the @in operands that @out has one after the other
  string lengthFrom = "";      // as a node's
  dag memories = (places);     // Scratchpad:$in: no other instruction sees what is there
  DmaEngine engine = ?;        // that copies; what it moves says how long it takes
  string cost = "";            // the cycles of any other, in the names of its signature
  dag box = (at);              // (at "starts":$in): of that buffer it touches the part alone
                               // that begins at an attribute and has `sizes` elements, one
                               // number a dimension
  bit asynchronous = 0;        // it starts something: its @out `token` is read by the
                               // instruction that waits for the end of that
  string hand = "";            // a kernel of its own, where there is no node
  string origin = "";          // as a node's

  let arguments = !con(buffers_, attributes_);
  let assemblyFormat = "operands attr-dict `:` type(operands)";
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$buffers,
                                 "::llvm::ArrayRef<::mlir::NamedAttribute>":$attributes),
    [{ $_state.addOperands(buffers); $_state.addAttributes(attributes); }]>];
}

#endif // GLOW_BASE_INSTR
