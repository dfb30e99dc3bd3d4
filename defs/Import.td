//===- Import.td - classes of records for imports -------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORT
#define GLOW_IMPORT

// An input or an attribute that ONNX has only from an opset after the record's first, or a
// word that an attribute takes only from then on.
class FromOpset<int opset_, string name_, string word_ = ""> {
  int opset = opset_;
  string name = name_;
  string word = word_;
}

// The import of an ONNX operator, from opset `since` until the next record of
// the same operator. Inputs are names; "C?" may be absent, "X..." is the rest.
// Several inputs "X...", "G..." share the rest in equal parts: the body is for
// one of each, and makes one of each of the outputs "Y...". An attribute is its
// default, or Required/Maybe with a type. The body assigns to the names of
// `outputs` ("Y", "Mask?"); without them the last statement is the only output.
class OnnxImport<string operator_, int since_, dag inputs_, dag attributes_,
                 code body_> {
  string operator = operator_;
  int since = since_;
  string domain = "";
  dag inputs = inputs_;
  dag attributes = attributes_;
  code body = body_;
  list<string> outputs = [];
  dag with = (bind);

  // Whether nodes are written as the operator, where the body determines how.
  // False for an operator that the newest opset of the record does not have.
  bit isWritten = 1;
  // For inputs and attributes that the node does not have as such, the expressions
  // of their lists of numbers, in the names of the node that the body makes: (ins
  // "starts + steps * sizes":$ends).
  dag written = (ins);
  // Inputs, attributes and words that not all opsets of the record have. Opset 17 is
  // the oldest that is written, so that additions up to 17 need no entry.
  list<FromOpset> later = [];

  // The operator of the same inputs, attributes and meaning that replaces this one from
  // the opset of its first record on.
  string successor = "";

  // The element kinds of inputs for which the model declares none, as a net of Caffe2:
  // (ins "i64":$INDICES). Without an entry it is f32.
  dag kinds = (ins);
  // The element kind of the numbers in the argument `values` of an operator of Caffe2, which
  // the importer makes one tensor of the shape in the argument `shape`; "" for others.
  string valuesAs = "";
  // Whether each input, or output, of an operator of Caffe2 is three values: bytes, their scale
  // and their zero point, which are inputs of the record.
  bit takesSteps = 0;
  bit givesSteps = 0;

  // Whether elements of results are moved elements of inputs, or do not depend
  // on their values: then tensors of strings run as the numbers of their
  // elements.
  bit movesElements = 0;

  int bf16From = 0;   // the opset from which a quantised model may have its inputs in bf16;
                      // 0: none
}

// The import of an operator of Caffe2, whose only opset is 1. No node is written as one.
// Arguments of the operator are attributes; an integer stands for a real number, too.
class Caffe2Import<string operator, dag inputs, dag attributes, code body>
    : OnnxImport<operator, 1, inputs, attributes, body> {
  let domain = "org.pytorch._caffe2";
  let isWritten = 0;
}

// An argument of operators of Caffe2 that chooses an implementation, or the memory that it takes.
// No result depends on the argument, and no record has it.
class Caffe2Hint<string argument_> { string argument = argument_; }

// A domain of operators and its newest opset: a model that asks for a newer one is
// refused. A domain without a record may have any opset.
class OnnxDomain<string name_, int newest_> {
  string name = name_; // "ai.onnx" is the domain of records that say none
  int newest = newest_;
}

// An operator of ONNX that no record imports, and the reason. It is part of the
// table of supported operators, and `reason` is shown to users. Once a record
// imports the operator, this one is refused.
class OnnxUnsupported<string operator_, int since_, string reason_> {
  string operator = operator_;
  int since = since_;
  string domain = "";
  string reason = reason_;
}

// Types of attributes of ONNX that have no default. `reader` is the type in the
// model: a list of texts is here one text, with commas between, and a graph is its
// name, for `apply`.
class OnnxAttribute<string type_, bit required_, string reader_ = type_> {
  string type = type_;
  bit required = required_;
  string reader = reader_;
}
def RequiredInt : OnnxAttribute<"int", 1>;
def RequiredInts : OnnxAttribute<"ints", 1>;
def RequiredReal : OnnxAttribute<"real", 1>;
def RequiredText : OnnxAttribute<"text", 1>;
def MaybeInt : OnnxAttribute<"int", 0>;
def MaybeInts : OnnxAttribute<"ints", 0>;
def MaybeReal : OnnxAttribute<"real", 0>;
def MaybeReals : OnnxAttribute<"reals", 0>;
def MaybeText : OnnxAttribute<"text", 0>;
def MaybeGraph : OnnxAttribute<"text", 0, "graph">;
def MaybeTexts : OnnxAttribute<"text", 0, "texts">;
def MaybeTensor : OnnxAttribute<"tensor", 0>;
def RequiredTensor : OnnxAttribute<"tensor", 1>;

// A text with a default: Words<"constant">. A plain string in an attribute
// dag is a real number, since TableGen has no literal for one. Where `words` are
// listed, any other is refused.
class Words<string value_, list<string> words_ = []> {
  string value = value_;
  list<string> words = words_;
}
def AutoPad : Words<"NOTSET", ["NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"]>;

#endif // GLOW_IMPORT
