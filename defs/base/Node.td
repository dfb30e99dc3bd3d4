//===- Node.td - operators on tensors -------------------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BASE_NODE
#define GLOW_BASE_NODE

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
// The name of a result in text is the name of its location.
def KeepsNames : DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>;

// Several operands of varying length need their lengths stored.
class OdsSegments<dag inputs> {
  list<int> varyingInputs = !foldl([]<int>, !range(!size(inputs)), found, i,
      !if(!ge(!find(!getdagarg<string>(inputs, i), "]?"), 0), !listconcat(found, [i]),
      !if(!ge(!find(!getdagarg<string>(inputs, i), "]..."), 0), !listconcat(found, [i]), found)));
  list<Trait> traits = !if(!gt(!size(varyingInputs), 1), [AttrSizedOperandSegments], []<Trait>);
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

// An operand that may be integers in a quantised model. Its channels are along an axis, from
// the last one if negative.
class Integers<string input_, int channels_ = 1> {
  string input = input_;
  int channels = channels_;
  bit isWeights = 0; // where it is constant, a scale for each channel of the result
  bit isBias = 0;    // added to a product: its scale is that of both factors
}
class Weights<string input, int channels> : Integers<input, channels> {
  let isWeights = 1;
}
class Bias<string input> : Integers<input, -1> {
  let isBias = 1;
}

class Node<string mnemonic, dag inputs_, dag outputs_, dag attributes_ = (ins),
           list<Trait> effects = [Pure]>
    : Op<Glow_Dialect, mnemonic,
         !listconcat(effects, [KeepsNames], OdsSegments<inputs_>.traits)> {
  dag inputs = inputs_;          // "T[n,k]":$lhs
  dag outputs = outputs_;        // "T[n,m]":$out
  dag attributes = attributes_;  // Ints:$strides
  dag types = (kinds);           // Floats:$T; without an entry, Everything
  list<Require> requires = [];

  // The meaning of the node, in the first of these fields that is set. A node
  // with none of `formula`, `compute` and `hand` is composite and needs
  // instructions or a lowering.
  code formula = "";             // one element of the result (Pointwise)
  code compute = "";             // index notation
  dag scratch = (ins);           // what its statements write beside results:
                                 // signatures, as those have
  string hand = "";              // a kernel written in C++, by name
  string reason = "";            // why by hand
  code irgen = "";               // the instructions that it becomes, in place of
                                 // the derived instruction

  // The level of the node in lowering. Rules lead to lower tiers.
  int tier = 0;
  code lowering = "";
  code gradient = "";

  // The node on operands whose axes were put in the order `p` (axis i is the
  // former axis p[i]; q is the inverse): the new values of its attributes, and
  // `result`, the order of the results' axes. Empty when it has no such form.
  code permuted = "";
  string joins = "";             // the operands that the result has one after the other
  string lengthFrom = "";        // the operand, an i64[], whose number in a run is the size in
                                 // the attribute `length`
  string inout = "";             // the operand that the first result updates: statements start
                                 // from its elements, and one buffer may serve both
  string begins = "";            // the former name of `inout`; ClassGen refuses it
  list<Sample> samples = [];
  string sampleValues = "";      // of attributes that its samples do not name
  int ulps = 0;                  // of a formula on f32 and f64: how many units in the last place
                                 // its result may be off, for each number; 0 for no such bound.
                                 // Of f64, eight times as many where it is more than 4
  string tolerance = "";         // "f32: 1e-5, f16: 1e-2"; relative, else as the kind
  string computes = "";          // "f64": elements of floats are f64 in between, on every backend
  string infix = "";             // the operator that stands for it in rules
  list<string> factors = [];     // the operands whose products a node by hand sums: their
                                 // roundings do not count behind the sums
  int derivatives = 2;           // 1 where its derived gradient has none itself: it would
                                 // be more code than it is worth
  bit atKink = 0;                // it jumps only as the gradient at a kink, where either side
                                 // serves: no step (docs/Math.md)
  Node gradientOf = ?;           // the node whose samples test this one, its gradient
  string origin = "";            // of a derived record: "nodes/Pooling.td:12"
  string backend = "";           // whose passes alone make it: of no other's coverage
  bit commutes = 0;

  // Facts for quantization. A node without `integers` stays in floats.
  list<Integers> integers = []; // the operands that may be integers
  bit keepsRange = 0; // elements of the result are among those of the first operand, or
                      // between them, or real attributes, as for padding
  bit rescales = 0;   // positive factors of channels go through: f(s * x) is s * f(x)
  bit isAffine = 0;   // each channel of the result is a multiple of that of the first
                      // operand, plus a number, as the other operands define

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
    // The builder that MLIR's patterns use.
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

#endif // GLOW_BASE_NODE
