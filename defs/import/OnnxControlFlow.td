//===- OnnxControlFlow.td - ONNX operators with graphs inside -------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORT_ONNXCONTROLFLOW
#define GLOW_IMPORT_ONNXCONTROLFLOW

include "glow/HostOperator.td"

// The branch that is taken is compiled into the stage where it can be.
def : HostOperator<"If", 1, (ins "cond"), ["then_branch", "else_branch"], ControlFlow,
                   "ifThenElse"> {
  let check = "checkBranches";
}
def : HostOperator<"Loop", 1, (ins "M?", "cond?", "v_initial..."), ["body"], ControlFlow, "loop"> {
  let check = "checkLoop";
}
def : HostOperator<"Scan", 8, (ins "sequence_lens?", "initial_state_and_scan_inputs..."),
                   ["body", "directions", "num_scan_inputs"], ControlFlow, "scanBatches"> {
  let check = "checkBatchBody";
}
def : HostOperator<"Scan", 9, (ins "initial_state_and_scan_inputs..."),
                   ["body", "num_scan_inputs", "scan_input_axes", "scan_input_directions",
                    "scan_output_axes", "scan_output_directions"], ControlFlow, "scan"> {
  let check = "checkBody";
}

#endif // GLOW_IMPORT_ONNXCONTROLFLOW
