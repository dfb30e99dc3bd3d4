//===- Base.td - the vocabulary in which operators are declared -----------===//
//
// `mlir-tblgen` reads a Node or an Instr as the ODS Op that it is. ClassGen
// reads the other fields, and expands them into everything else that knows the
// operator. docs/Language.md describes the language of the strings and [{ }].
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BASE
#define GLOW_BASE

include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/PatternBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "glow/Types.td"

//===----------------------------------------------------------------------===//
// Dialects
//===----------------------------------------------------------------------===//

def Glow_Dialect : Dialect {
  let name = "glow";
  let summary = "strongly typed nodes on tensors";
  let cppNamespace = "::glow";
  let dependentDialects = ["::mlir::quant::QuantDialect"];
  let hasOperationAttrVerify = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    /// The attribute of a node, and of its instruction, that names storage of
    /// bools, one for each index of dimension 0 of the results: where it is
    /// false, nothing reads what is computed, and a backend may save the
    /// effort. A rule that replaces the node drops it.
    static constexpr ::llvm::StringLiteral predicate = "glow.predicate";

    /// Adds nodes that a plug-in declares.
    template <typename... Nodes> void addNodes() { addOperations<Nodes...>(); }
  }];
}

def GlowIR_Dialect : Dialect {
  let name = "glowir";
  let summary = "address-only instructions on named buffers";
  let cppNamespace = "::glow::ir";
  let dependentDialects = ["::mlir::quant::QuantDialect"];
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    /// Adds instructions that a plug-in declares.
    template <typename... Instrs> void addInstrs() {
      addOperations<Instrs...>();
    }
  }];
}

//===----------------------------------------------------------------------===//
// Functions of the expression language
//===----------------------------------------------------------------------===//

// A function on compile-time values: dimensions and attributes. Types are int,
// bool, real, text, ints, reals, kind; `number` is an int or a real and decides
// the result where that is `number` too. The C++ function of this name is in
// the namespace glow::expr: in include/glow/Base/Functions.h, or, to `declare`,
// where what needs it defines it: a room, a backend or a plug-in.
class Function<string name_, list<string> parameters_, string result_> {
  string name = name_;
  list<string> parameters = parameters_;
  string result = result_;
  bit declare = 0; // a text and a list are taken by const reference
}

// What the names of a record's texts stand for, beside those of its signature:
// (bind 4:$gates, ReduceMax:$reduce, "intOf(k)":$count), a number, a node or a
// function to call, or an expression. Classes give their parameters to their
// texts by it.
def bind;

// In which memory of a backend an instruction has a buffer: (places Scratchpad:$in).
// One of which nothing is said is in the arena, or the caller's.
def places;

// From which attribute's element on an instruction touches a part of a buffer.
def at;

// A memory of a backend's own beside the arena. Buffers that instructions have in it
// are placed by themselves, and never past its end. Sizes are in bytes.
class MemorySpace<string name_, int bytes_> {
  string name = name_;   // as in text: alloc float<4, scratchpad>
  string summary = "";
  int bytes = bytes_;    // a multiple of the alignment
  int alignment = 64;    // of a buffer in it: a power of two
  int bandwidth = 0;     // what copies move there in a cycle, all together; 0: no limit
}

// Copies between the arena, or what the caller has, and the memories that it joins,
// while others compute. Its instructions name it. A copy takes `latency` cycles, and
// then moves `bytesPerCycle`, or less where others need the same memory.
class DmaEngine<string name_, list<MemorySpace> joins_> {
  string name = name_;
  list<MemorySpace> joins = joins_;
  string summary = "";
  int channels = 1;      // copies under way at once; others wait in their order
  int bytesPerCycle = 16;
  int latency = 0;
  int perRun = 0;        // cycles that a memory is busy for each run of a part that lies
                         // together in the arena, beside those for its bytes
}

// A function of the language, written in the language: its name is that of the
// record. The body is an expression, or statements of which the last gives the
// result, or the ones whose names `results` lists. On values alone it serves
// wherever the language is written; one that builds nodes, or that looks at
// tensors, serves rules, rewrites, gradients and imports.
class Let<dag parameters_, code body_> {
  dag parameters = parameters_; // (ins Tensor:$x, Ints:$axes, Default<Flag, "false">:$keepDims)
  code body = body_;
  list<string> results = [];
  dag with = (bind);
}

// A function of one element, as in the formula of a Pointwise record. Its
// derivatives, one an argument, are expressions in a, b and c. The C++ function
// of this name is in glow::scalar (include/glow/Base/Scalar.h). `operations` is
// about how many instructions a processor takes for it. `kinds` are those that
// elements are computed in, of f32, f64 and i64, for which it has code on
// vectors; others are computed in one of them.
class ScalarFunction<string name_, int arity_, list<string> derivatives_,
                     int operations_ = 1> {
  string name = name_;
  int arity = arity_;
  list<string> derivatives = derivatives_;
  int operations = operations_;
  list<string> kinds = ["f32"];
}

//===----------------------------------------------------------------------===//
// Parts of a node
//===----------------------------------------------------------------------===//

// A condition between operands and attributes. `label` ends the message, is
// listed in the reference, and names the sample that must break it. In the
// message, {expression} stands for a value.
class Require<string label_, string condition_, string message_> {
  string label = label_;
  string condition = condition_;
  string message = message_;
  dag with = (bind);
}

// Operands by type, such as "f32[2,3]"; "f32[2,3] in 0.5..2" bounds the random
// values. An absent optional operand is "". For a variadic operand, the types
// are separated by `;`. Attributes: "group = 1; pads = [0, 0]".
class Sample<string label_, dag operands_, string attributes_ = ""> {
  string label = label_;
  dag operands = operands_;
  string attributes = attributes_;
  string refuses = ""; // the label of the requirement that this breaks
  bit asWritten = 0;   // whether it runs in no other element kinds
}

// A sample whose kinds belong together: it runs in these alone.
class AsWritten<string label_, dag operands_, string attributes_ = "">
    : Sample<label_, operands_, attributes_> {
  let asWritten = 1;
}

// A sample that must be refused, with [label] in the message.
class Refused<string requirement, dag operands_, string attributes_ = "">
    : Sample<"refused-" # requirement, operands_, attributes_> {
  let refuses = requirement;
}

// The names in a dag.
class Names<dag d> {
  list<string> all = !foreach(i, !range(!size(d)), !getdagname(d, i));
}

// A signature's operands or results as ODS sees them. "T[n]?" may be absent,
// "T[n]..." may be there any number of times.
class OdsTensor<string signature> {
  TypeConstraint type = !cond(
      !ge(!find(signature, "]?"), 0) : !cast<TypeConstraint>(Optional<GlowTensor>),
      !ge(!find(signature, "]..."), 0) : !cast<TypeConstraint>(Variadic<GlowTensor>),
      true : !cast<TypeConstraint>(GlowTensor));
  string parameter = !if(!ge(!find(signature, "]..."), 0), "::mlir::ValueRange",
                         "::mlir::Value");
}
class OdsTensors<dag signatures> {
  list<TypeConstraint> types =
      !foreach(i, !range(!size(signatures)),
               OdsTensor<!getdagarg<string>(signatures, i)>.type);
  list<string> names = Names<signatures>.all;
}
// What a result is called in text is the name of the location.
def KeepsNames : DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>;

// Several groups of varying length need their lengths stored.
class OdsSegments<dag inputs, dag outputs> {
  list<int> varyingInputs = !foldl([]<int>, !range(!size(inputs)), found, i,
      !if(!ge(!find(!getdagarg<string>(inputs, i), "]?"), 0), !listconcat(found, [i]),
      !if(!ge(!find(!getdagarg<string>(inputs, i), "]..."), 0), !listconcat(found, [i]), found)));
  list<int> varyingOutputs = !foldl([]<int>, !range(!size(outputs)), found, i,
      !if(!ge(!find(!getdagarg<string>(outputs, i), "]?"), 0), !listconcat(found, [i]),
      !if(!ge(!find(!getdagarg<string>(outputs, i), "]..."), 0), !listconcat(found, [i]), found)));
  list<Trait> traits = !listconcat(
      !if(!gt(!size(varyingInputs), 1), [AttrSizedOperandSegments], []<Trait>),
      !if(!gt(!size(varyingOutputs), 1), [AttrSizedResultSegments], []<Trait>));
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

class Node<string mnemonic, dag inputs_, dag outputs_, dag attributes_ = (ins)>
    : Op<Glow_Dialect, mnemonic,
         !listconcat([Pure, KeepsNames], OdsSegments<inputs_, outputs_>.traits)> {
  dag inputs = inputs_;          // "T[n,k]":$lhs
  dag outputs = outputs_;        // "T[n,m]":$out
  dag attributes = attributes_;  // Ints:$strides
  dag types = (kinds);           // Floats:$T; without an entry, Everything
  list<Require> requires = [];

  // What it means, in the first of these that says enough. A node that has
  // none of the first three is composite and needs instructions or a lowering.
  code formula = "";             // one element of the result (Pointwise)
  code compute = "";             // index notation
  dag scratch = (ins);           // what its statements write beside results:
                                 // signatures, as those have
  string hand = "";              // a kernel written in C++, by name
  string reason = "";            // why by hand
  code irgen = "";               // the instructions that it becomes, in place of
                                 // one of its own

  // How far up the ladder the node stands. Rules lead downwards.
  int tier = 0;
  code lowering = "";
  code gradient = "";

  // How the node runs on operands whose axes were put in the order `p` (axis i
  // is axis p[i] of before; q is the inverse): what its attributes become, and
  // `result`, the order of the results' axes. Empty when it cannot.
  code permuted = "";
  string joins = "";             // the operands that the result has one after the other
  string begins = "";            // the operand as which the first result begins, and whose
                                 // buffer it may have: statements go on from what is there
  list<Sample> samples = [];
  string sampleValues = "";      // of attributes that its samples do not name
  string tolerance = "";         // "f32: 1e-5, f16: 1e-2"; relative, else as the kind
  string computes = "";          // "f64": elements of floats are f64 in between, on every backend
  string infix = "";             // the operator that stands for it in rules
  int derivatives = 2;           // 1 where its derived gradient has none itself: it would
                                 // be more code than it is worth
  Node gradientOf = ?;           // the node whose samples test this one, its gradient
  string origin = "";            // of a derived record: "nodes/Pooling.td:12"
  string backend = "";           // whose passes alone make it: of no other's coverage
  bit commutes = 0;

  dag with = (bind);

  // ODS.
  let arguments = !con(!dag(ins, OdsTensors<inputs_>.types,
                            OdsTensors<inputs_>.names), attributes_);
  let results = !dag(outs, OdsTensors<outputs_>.types,
                     OdsTensors<outputs_>.names);
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = [{
    ::mlir::ParseResult $cppClass::parse(::mlir::OpAsmParser &parser,
                                         ::mlir::OperationState &state) {
      return ::glow::parseNode(parser, state);
    }
    void $cppClass::print(::mlir::OpAsmPrinter &printer) {
      ::glow::printNode(printer, *this);
    }
    void $cppClass::getAsmResultNames(::mlir::OpAsmSetValueNameFn setName) {
      ::glow::nameResults(*this, setName);
    }
  }];
  let hasVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<!con(
      !dag(ins, !foreach(i, !range(!size(inputs_)),
                         OdsTensor<!getdagarg<string>(inputs_, i)>.parameter),
           Names<inputs_>.all),
      !dag(ins, !foreach(i, !range(!size(attributes_)),
                         !getdagarg<AttributeKind>(attributes_, i).parameter),
           Names<attributes_>.all))>,
    // What MLIR's patterns build with.
    OpBuilder<(ins "::mlir::TypeRange":$types, "::mlir::ValueRange":$operands,
                   "const Properties &":$properties), [{
      $_state.addTypes(types);
      $_state.addOperands(operands);
      if constexpr (!std::is_same_v<Properties, ::mlir::EmptyProperties>)
        $_state.useProperties(const_cast<Properties &>(properties));
    }]>];
}

// One line is the whole operator: the formula of an element, from which come
// the instruction, the kernels, folding, and the derivative. `result` is the
// element kind of the result where it is not that of the operands. An operand
// may be named with a kind of its own: (ins "bool":$condition, $lhs, $rhs). All
// have the sizes [*s].
class PointwiseOperands<dag d> {
  list<string> types = !foreach(i, !range(!size(d)),
      !if(!initialized(!getdagarg<string>(d, i)),
          !getdagarg<string>(d, i), "T[*s]"));
  dag inputs = !dag(ins, types, Names<d>.all);
  bit isGeneric = !foldl(0, types, found, type, !or(found, !eq(type, "T[*s]")));
}
class Pointwise<string mnemonic, dag operands, code formula_, string result = "T",
                dag attributes_ = (ins)>
    : Node<mnemonic, PointwiseOperands<operands>.inputs,
           (outs result:$out), attributes_> {
  let formula = formula_;
  let types = !if(PointwiseOperands<operands>.isGeneric, (kinds Numbers:$T), (kinds));
  let permuted = [{ result = p; }];
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

def GlowIR_Buffer : Type<CPred<"::llvm::isa<::glow::ir::BufferType>($_self)">,
                         "buffer", "::glow::ir::BufferType">;

// How an instruction touches an operand. A memory effect, so that generic
// analyses see it. `count` is "", "?" (may be absent) or "..." (any number).
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
def MaybeOut : Qual<"out", [MemWrite], "?">;
def ManyIn  : Qual<"in",  [MemRead], "...">;
def ManyOut : Qual<"out", [MemWrite], "...">;

// Memory that a kernel needs while it runs, with nothing in it before or after:
// a buffer of the plan. Its kind and sizes are written as those of a result, in
// the names of the instruction's signature. Stands behind all other buffers.
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

  // What its buffers and attributes must be: what the node says whose tensors
  // they are, all of them, by name; where there is none, a signature for each
  // buffer, as a node's operands have, with kinds and requirements.
  Node from = ?;
  dag shapes = (ins);          // "T[n,m]":$dest; names bind in this order
  dag types = (kinds);
  list<Require> requires = [];

  list<string> inPlace = [];   // @in operands whose buffer may also be @out
  string joins = "";           // the @in operands that @out has one after the other
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

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

// target -> body, when `condition` holds. With a `backend` it serves that one
// only, whether it could run the node otherwise or not; else it serves those
// that cannot. Of two rules that may match the same node, one says `before` the
// other; a backend's own goes before one for all.
class Lowering<Node target_, code body_> {
  Node target = target_;
  code body = body_;
  string condition = "";
  string backend = "";
  list<Lowering> before = [];
  dag with = (bind);
}

// An equation between expressions on nodes: `left => right`, when `condition`
// holds; the right side must not lead back to the left. Names on the left bind;
// see docs/Language.md. `operands` gives a type to each tensor name, for the
// generated test of equality; `values` to others.
class Rewrite<code equation_, dag operands_, string values_ = ""> {
  code equation = equation_;
  string condition = "";
  string backend = "";       // it serves this one only, when its turn comes
  bit beforeFolding = 0;     // it sees nodes on constants, however small these are
  list<Node> needs = [];     // it serves backends that run one of these, where there are any
  list<Rewrite> before = []; // of two that may match the same, one is first
  bit once = 0; // inner nodes must have no other use, or work would double;
                // repetitions of constants may
  dag operands = operands_;
  string values = values_;
  dag with = (bind);
}

// A gradient that stands apart from its node's record.
class Gradient<Node target_, code body_> {
  Node target = target_;
  code body = body_;
}

//===----------------------------------------------------------------------===//
// Backends
//===----------------------------------------------------------------------===//

// Which nodes run as they are, for which element kinds, when. `nodes` may be
// given as a list of nodes.
class Legal<list<Node> nodes_, dag kinds_ = (kinds), string condition_ = ""> {
  list<Node> nodes = nodes_;
  dag kinds = kinds_;
  string condition = condition_;
}

// A graph that the DRR pattern of that name rewrites, for the generated test of
// equality: statements as in a rule, of which the last gives the results.
class PatternSample<string pattern_, dag operands_, code body_> {
  string pattern = pattern_;
  string backend = "";   // of the pattern, as a rewrite's
  bit beforeFolding = 0; // the same
  dag operands = operands_;
  code body = body_;
}

// How far a kernel may be from the interpreter: units in the last place of the
// largest input.
class Ulp<int count_> { int count = count_; }

// A kernel of a backend for the instruction of a node, where the node's first
// operand (of a node without operands, the result) is of that element kind. The
// function is `Status name(const NODECall &)` of the namespace glow::kernels. It is
// called for the kinds that it names, and for no other.
class Kernel<Node node_, string kind_, string function_, Ulp bound_ = Ulp<0>,
             dag kinds_ = (kinds), string failure_ = ""> {
  Node node = node_;
  string kind = kind_;
  string function = function_;
  Ulp bound = bound_;
  dag kinds = kinds_;    // Integers:$I; of each other variable that may be of several
  // What is wrong where the kernel says that a value is; "" where none can be.
  string failure = failure_;
}

// Code of a backend's own for nodes: `algorithm`, as people are told of it, in
// these kinds, where `condition` holds, the operands `known` are constants or
// absent, and those of `absent` are. Of a backend's, the first that holds for a
// node runs it; where none does, a kernel or other code does. Either `emitter` is
// the C++ function that emits it, overloaded for each of the nodes,
//   NativeStep name(CodeModule &, const calls::NODECall &, const llvm::Twine &),
// or the backend's passes make the node `becomes` of it, which has code itself.
class CodeFor<list<Node> nodes_, string algorithm_, dag kinds_ = (kinds),
              string condition_ = "", list<string> known_ = []> {
  list<Node> nodes = nodes_;
  list<string> instrs = []; // mnemonics of instructions of the core
  string algorithm = algorithm_;
  dag kinds = kinds_;
  string condition = condition_;
  list<string> known = known_;
  list<string> absent = [];
  string emitter = "";
  bit mayDecline = 0; // gives a std::optional: nothing where, by the costs that
                      // it knows, the next that holds is faster
  Node becomes = ?;
}

// A setting that a backend has and others have not: `--name VALUE` of the commands,
// and of that name in the C interface. `type` is text, int or bool. Without one,
// it is `initially`.
class BackendOption<string name_, string type_, string initially_, string summary_> {
  string name = name_;
  string type = type_;
  string initially = initially_;
  string summary = summary_;
  string value = ""; // what stands for the value in help; else by the type
  bit forFiles = 0;  // of commands that write code alone
}

// Of a size: tiles are a multiple of `multiple`, or all of it.
class Cut<string name_, string size_, int multiple_ = 1> {
  string name = name_;
  string size = size_;
  int multiple = multiple_;
}
class Need<MemorySpace memory_, string bytes_> {
  MemorySpace memory = memory_;
  string bytes = bytes_;
}

// A node is done in tiles: `cuts` says which sizes of it may be cut, `needs` how many
// bytes of memories one tile takes, `cost` how many cycles all take. In these a cut
// stands for what of its size a tile has, and what else a cut asks for (the rows around
// those of a window, sums that go on) is in the texts. The sizes are chosen where the
// node is lowered, so that the cost is the least and tiles fit: two at a time, where
// there are two. `irgen` of the node has the cuts by their names. A node of which no
// tile fits is not run.
class Tiling<Node node_, list<Cut> cuts_, list<Need> needs_, string cost_> {
  Node node = node_;
  list<Cut> cuts = cuts_;
  list<Need> needs = needs_;
  string cost = cost_;
}
class Backend<string name_> {
  string name = name_;
  string summary = "";
  bit runsReference = 0; // runs every node that has a reference kernel
  list<Legal> runs = [];
  list<Kernel> kernels = [];
  list<CodeFor> codes = [];
  bit linksKernels = 0;  // its compile half finds the kernels by their names
  list<string> loops = []; // element kinds for which it makes code of index
                           // notation and formulas, of any record
  list<BackendOption> options = [];
  bit isReference = 0;   // its results are what others are measured against
  bit computes = 1;      // its results are the model's: generated tests hold
                         // them to the reference's
  int preference = 0;    // the largest of those there are runs a model that
                         // names none
  bit stepwise = 0;      // runs on the host, one instruction after the other, by
                         // its kernels, or the reference's where it has none
  bit takesNodes = 0;    // its compile half is given nodes, all of which it runs, in
                         // place of instructions on placed buffers
  string fallback = "";  // the backend that runs what it cannot, in parts of a model
                         // of their own, between which values lie on the host
  int alignment = 64;    // of a buffer in the arena, in bytes: a power of two
  list<MemorySpace> memories = [];
  list<DmaEngine> engines = [];
  int bandwidth = 0;     // as a memory's, of the arena and of what the caller has
  int megahertz = 0;     // of the clock in which costs and copies are; 0: the host's
  list<Tiling> tilings = [];
}

include "glow/Import.td"

#endif // GLOW_BASE
