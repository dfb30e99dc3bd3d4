//===- OnnxSequence.td - ONNX sequences and optionals ---------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORT_ONNXSEQUENCE
#define GLOW_IMPORT_ONNXSEQUENCE

include "glow/HostOperator.td"

def : HostOperator<"SequenceEmpty", 11, (ins), ["dtype"], HoldsValues, "sequenceEmpty">;
def : HostOperator<"SequenceConstruct", 11, (ins "inputs..."), [], HoldsValues,
                   "sequenceConstruct">;
def : HostOperator<"SequenceInsert", 11, (ins "input_sequence", "tensor", "position?"), [],
                   HoldsValues, "sequenceInsert">;
def : HostOperator<"SequenceErase", 11, (ins "input_sequence", "position?"), [], HoldsValues,
                   "sequenceErase">;
def : HostOperator<"SequenceAt", 11, (ins "input_sequence", "position"), [], HoldsValues,
                   "sequenceAt">;
def : HostOperator<"SequenceLength", 11, (ins "input_sequence"), [], HoldsValues, "sequenceLength">;
def : HostOperator<"SplitToSequence", 11, (ins "input", "split?"), ["axis", "keepdims"],
                   HoldsValues, "splitToSequence"> {
  let movesElements = 1;
}
def : HostOperator<"ConcatFromSequence", 11, (ins "input_sequence"), ["axis", "new_axis"],
                   HoldsValues, "concatFromSequence"> {
  let movesElements = 1;
}
def : HostOperator<"SequenceMap", 17, (ins "input_sequence", "additional_inputs..."), ["body"],
                   HoldsValues, "sequenceMap"> {
  let check = "checkBody";
}

def : HostOperator<"Optional", 15, (ins "input?"), ["type"], HoldsValues, "identity"> {
  let isCopy = 1;
}
def : HostOperator<"OptionalHasElement", 15, (ins "input?"), [], HoldsValues, "optionalHasElement">;
def : HostOperator<"OptionalGetElement", 15, (ins "input"), [], HoldsValues, "optionalGetElement">;
def : HostOperator<"Identity", 1, (ins "input"), [], HoldsValues, "identity"> {
  let isCopy = 1;
}

#endif // GLOW_IMPORT_ONNXSEQUENCE
