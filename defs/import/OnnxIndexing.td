//===- OnnxIndexing.td - ONNX elements at indices ------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORT_ONNXINDEXING
#define GLOW_IMPORT_ONNXINDEXING

include "glow/nodes/Indexing.td"
include "glow/nodes/Shape.td"

let movesElements = 1 in {
def : OnnxImport<"Gather", 1, (ins "data", "indices"), (ins 0:$axis),
                 "output = Gather(data, indices, wrapAxis(axis, rank(data)));">;
def : OnnxImport<"GatherElements", 11, (ins "data", "indices"), (ins 0:$axis),
                 "output = GatherElements(data, indices, wrapAxis(axis, rank(data)));">;
def : OnnxImport<"GatherND", 11, (ins "data", "indices"), (ins 0:$batch_dims),
                 "output = GatherND(data, indices, batch_dims);">;
class OnnxScatter<string operator, int since>
    : OnnxImport<operator, since, (ins "data", "indices", "updates"),
                 (ins 0:$axis, Words<"none">:$reduction),
    "output = ScatterElements(data, indices, updates, wrapAxis(axis, rank(data)), reduction);"> {
  let later = [FromOpset<18, "reduction", "max">, FromOpset<18, "reduction", "min">];
}
let isWritten = 0 in
def : OnnxScatter<"Scatter", 9> { let successor = "ScatterElements"; }
def : OnnxScatter<"ScatterElements", 11>;
def : OnnxImport<"ScatterND", 11, (ins "data", "indices", "updates"),
                 (ins Words<"none">:$reduction),
                 "output = ScatterND(data, indices, updates, reduction);"> {
  let later = [FromOpset<18, "reduction", "max">, FromOpset<18, "reduction", "min">];
}
def : OnnxImport<"ReverseSequence", 10, (ins "input", "sequence_lens"),
                 (ins 1:$batch_axis, 0:$time_axis), [{
  require(batch_axis + time_axis == 1 && batch_axis * time_axis == 0,
          "batch_axis {batch_axis} and time_axis {time_axis} must be 0 and 1 or 1 and 0");
  swap = [1, 0, *range(2, rank(input))];
  isBatchFirst = batch_axis == 0 && time_axis == 1;
  x = if(isBatchFirst, input, Transpose(input, swap));
  y = ReverseSequence(x, sequence_lens);
  output = if(isBatchFirst, y, Transpose(y, swap));
}]>;
def : OnnxImport<"OneHot", 9, (ins "indices", "depth", "values"), (ins -1:$axis), [{
  k = elementKind("i64");
  output = OneHot(if(kind(indices) == k, indices, Cast(indices, k)), values,
                  wrapAxis(axis, rank(indices) + 1), int(realOf(depth)));
}]>;
}

#endif // GLOW_IMPORT_ONNXINDEXING
