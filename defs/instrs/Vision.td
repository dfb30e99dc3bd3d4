//===- Vision.td - instructions that choose boxes -------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_INSTRS_VISION
#define GLOW_INSTRS_VISION

include "glow/nodes/Vision.td"

// The corners of the boxes of an image, the scores of a class, and their order.
def NonMaxSuppressionInstr
    : Instr<"non_max_suppression",
            (ins Out:$kept, Out:$count, In:$boxes, In:$scores, Scratch<"f64[n,4]">:$corners,
                 Scratch<"f64[n]">:$numbers, Scratch<"i64[2,n]">:$order),
            NonMaxSuppression.attributes> {
  let from = NonMaxSuppression;
}

#endif // GLOW_INSTRS_VISION
