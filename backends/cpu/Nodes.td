//===- Nodes.td - nodes that the CPU's passes make ------------------------===//
// SPDX-License-Identifier: MIT
//
// A formula is the text of fused Pointwise nodes, `mul(x0, x1); relu(t0)`: x0 is
// the first operand, t0 the result of the first call, and the last call is the
// result. Numbers are literals. The operands beside x0 are broadcast to the shape
// of the formula. An `epilogue` is a formula of a node's own result, which is its
// x0, and of `extras`.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_CPU_NODES
#define GLOW_CPU_NODES

include "glow/Glow.td"

// Whether a text is a formula of floats with at most so many operands.
def : Function<"isCpuFormula", ["text", "int", "kind"], "bool"> { let declare = 1; }

class FormulaHolds<string name, string inputs, string label = "formula-holds", string of = "T">
    : Require<label, "isCpuFormula(text, operands, numbers)",
              "{text} is no formula of {operands} operands of {numbers}"> {
  let with = (bind name:$text, inputs:$operands, of:$numbers);
}

// Whether each tensor is of the sizes of a result, one element for each of its
// channels, or one number. The channels are its last dimension or, of packed
// images, the first and the last.
def : Function<"areReadBeside", ["tensors", "ints", "bool"], "bool"> {
  let declare = 1;
  let takesLengths = 1;
}

class Beside<string result, bit isPacked = 1>
    : Require<"extras-beside", "areReadBeside(extras, result, isPacked)",
              "each of the extras must be of shape {result}, one element for each channel, or one "
              "number"> {
  let with = (bind result:$result, !if(isPacked, "true", "false"):$isPacked);
}

// A node that passes of this backend make. Other backends do not support it.
class CpuNode<string mnemonic, dag inputs, dag outputs, dag attributes = (ins)>
    : Node<mnemonic, inputs, outputs, attributes> {
  let backend = "cpu";
}

def CpuPack : CpuNode<"cpu_pack", (ins "T[n,c,*x]":$in), (outs "T[(c + 15) / 16,n,*x,16]":$out)> {
  let summary = "an image in blocks of 16 channels; what is left of the last is 0";
  let compute = "out[b,n,*x,l] += in[n,b * 16 + l,*x]";
  let types = (kinds Numbers:$T);
  let samples = [Sample<"tail", (ins "f32[2,19,2,3]")>, Sample<"row", (ins "f32[1,16,3]")>];
}

def CpuUnpack : CpuNode<"cpu_unpack", (ins "T[b,n,*x,16]":$in), (outs "T[n,channels,*x]":$out),
                        (ins Int:$channels)> {
  let summary = "an image of blocks of 16 channels as it was before";
  let requires = [
    Require<"channels-fill", "channels > 16 * (b - 1) && channels <= 16 * b",
            "{b} blocks of 16 do not hold {channels} channels">];
  let compute = "out[n,c,*x] = in[c / 16,n,*x,c % 16]";
  let samples = [Sample<"tail", (ins "f32[2,2,2,3,16]"), "channels = 19">,
                 Refused<"channels-fill", (ins "f32[2,2,2,3,16]"), "channels = 33">];
}

// Whether a formula computes elements of a kind from tensors: of Pointwise nodes, whose operands
// are broadcast to the sizes, and, for f32, of index notation that writes each element once.
def : Function<"isCpuLoops", ["text", "tensors", "tensors", "ints", "kind"], "bool"> {
  let declare = 1;
  let takesLengths = 1;
}

def RealsAndNarrow : Kinds<["f32", "i8", "u8", "f16", "bf16"]>;

// `ins`, behind which `others` follow, are x0, x1... Pointwise nodes read elements of fewer bits as
// f32. Index notation reads an operand that another call gives in the place that it writes, and
// others by its subscripts.
def CpuFusedLoops : CpuNode<"cpu_fused_loops", (ins "f32[*]...":$ins, "A[*]...":$others),
                            (outs "kind[*shape]":$out),
                            (ins Ints:$shape, Formula:$formula, Kind:$kind)> {
  let summary = "fused elementwise nodes, whose operands' sizes of 1 are repeated, and nodes of "
                "index notation that write each element once; the result is the nearest of `kind`";
  let types = (kinds RealsAndNarrow:$kind);
  let requires = [Require<"formula-holds", "isCpuLoops(formula, ins, others, shape, kind)",
                          "{formula} is no formula of {count(ins) + count(others)} operands, of "
                          "elementwise nodes that broadcast these to {shape} or of index notation "
                          "that writes each element of f32 once">];
  let hand = "cpuFusedLoops";
  let reason = "the formula is part of the program";
  let gradient = [{ none("made of nodes that have one") }];
  let samples = [
    AsWritten<"sum", (ins "f32[2,3]; f32[1,3]", ""),
              "shape = [2, 3]; formula = \"add(x0, x1); relu(t0)\"; kind = f32">,
    AsWritten<"bytes", (ins "", "u8[2,3]; u8[1,3]"),
              [{shape = [2, 3]; formula = "mul(x0, 0.75); mul(x1, 0.3); add(t0, t1); round(t2)";
                kind = u8}]>,
    AsWritten<"scaled", (ins "f32[2,1]", "i8[2,35]"),
              "shape = [2, 35]; formula = \"mul(x0, x1)\"; kind = f32">,
    AsWritten<"halves", (ins "f32[2,1]", "f16[2,35]"),
              "shape = [2, 35]; formula = \"mul(x0, x1); tanh(t0)\"; kind = f16">,
    AsWritten<"short", (ins "", "bf16[2,35]; bf16[35]"),
              "shape = [2, 35]; formula = \"mul(x0, x1)\"; kind = bf16">,
    AsWritten<"quantized", (ins "f32[3,5]; f32[5]", ""),
              "shape = [3, 5]; formula = \"div(x0, 0.3); add(t0, x1); round(t1)\"; kind = i8">,
    AsWritten<"diagonal", (ins "f32[3,21]; f32[21]", ""),
              [{shape = [3, 21]; formula = "relu(x0); trilu(t0, 1, 2); mul(t1, x1)";
                kind = f32}]>,
    AsWritten<"diagonal-bytes", (ins "f32[3,21]", "u8[21]"),
              "shape = [3, 21]; formula = \"trilu(x0, 1, 2); mul(t0, x1)\"; kind = f32">,
    AsWritten<"rows", (ins "f32[5,19]; f32[2,7,19]", "i64[2,7] in 0..4"),
              [{shape = [2, 7, 19]; formula = "embedding(x0, x2, 3); add(t0, x1); sigmoid(t1)";
                kind = f32}]>,
    Refused<"formula-holds", (ins "", ""), "shape = [2, 3]; formula = \"\"; kind = f32">,
    Refused<"formula-holds", (ins "f32[2,3]", "u8[2,3]"),
            "shape = [2, 3]; formula = \"add(x0, x2)\"; kind = u8">,
    Refused<"formula-holds", (ins "f32[2,3]; f32[2]", ""),
            "shape = [2, 3]; formula = \"add(x0, x1)\"; kind = f32">,
    Refused<"formula-holds", (ins "f32[2,3]", "i64[2,3]"),
            "shape = [2, 3]; formula = \"add(x0, x1)\"; kind = f32">,
    Refused<"formula-holds", (ins "f32[3,21]; f32[21]", ""),
            "shape = [3, 21]; formula = \"relu(x0); trilu(t0, 1)\"; kind = f32">,
    Refused<"formula-holds", (ins "f32[3,21]", ""),
            "shape = [3, 21]; formula = \"trilu(x0, 1, 2)\"; kind = u8">,
    Refused<"formula-holds", (ins "f32[21,21]", ""),
            "shape = [21, 21]; formula = \"relu(x0); transpose(t0, [1, 0])\"; kind = f32">];
}

def SingleAndDouble : Kinds<["f32", "f64"]>;

def NodeWords : Require<"node-words", "w == 2 || w == 1 && bitsOf(numbers) == 32",
                        "nodes of {w} words must have 2, or 1 for f32"> {
  let with = (bind "T":$numbers);
}

// Walks down trees of constants, whose nodes are of one word or of two, in the form of
// common/PackedTrees.h.
class PackedTrees<string mnemonic, string kernel, dag inputs, dag outputs>
    : CpuNode<mnemonic, inputs, outputs> {
  let types = (kinds SingleAndDouble:$T);
  let requires = [NodeWords];
  let hand = kernel;
  let reason = "how many steps lead to a leaf depends on the elements";
}

def CpuTreeLeaves : PackedTrees<"cpu_tree_leaves", "cpuTreeLeaves",
                                (ins "T[n,f]":$in, "i64[p,w]":$nodes, "i64[r]":$roots),
                                (outs "i64[n,r]":$out)> {
  let summary = "the leaf of each tree that a row leads to: at every node a key of the row is "
                "compared with one bound";
  let gradient = [{ none("a leaf is a place, without a slope") }];
  let samples = [Sample<"roots", (ins "f32[11,2]", "i64[4,2] in 0..1", "i64[10] in 0..3")>,
                 AsWritten<"small", (ins "f32[3,2]", "i64[4,1] in 0..1", "i64[5] in 0..3")>,
                 Refused<"node-words", (ins "f32[3,2]", "i64[4,3] in 0..1", "i64[5] in 0..3")>];
}

def CpuTreeSums : PackedTrees<"cpu_tree_sums", "cpuTreeSums",
                              (ins "T[n,f]":$in, "i64[p,w]":$nodes, "i64[r]":$roots,
                               "T[l,t]":$weights),
                              (outs "T[n,t]":$out)> {
  let summary = "the sum of the weights of the leaves of all trees that a row leads to";
  let gradient = [{ none("made of nodes that have one") }];
  let samples = [Sample<"targets",
                        (ins "f32[11,2]", "i64[4,2] in 0..1", "i64[10] in 0..3", "f32[2,3]")>,
                 AsWritten<"small", (ins "f32[3,2]", "i64[4,1] in 0..1", "i64[5] in 0..3",
                                     "f32[2,1]")>,
                 Refused<"node-words", (ins "f32[3,2]", "i64[4,3] in 0..1", "i64[5] in 0..3",
                                        "f32[2,1]")>];
}

// Heads lie side by side in the columns: head i of q has the columns from
// first[0] + i * depth on. q, k and v may be one tensor. With `keyHeads`, k and v have so
// many heads, each for heads / keyHeads heads of q in turn: along their first axis if that is
// as long, else side by side as those of q.
def CpuAttention : CpuNode<"cpu_attention",
    (ins "T[b,s,mq]":$q, "T[bk,t,mk]":$k, "T[bk,t,mv]":$v, "T[*<=[b, heads, s, t]]...":$extras),
    (outs "T[b,s,heads * width]":$out),
    (ins Int:$heads, Int:$depth, Int:$width, Ints:$first, Formula:$scoreFormula,
         Default<Int, "0">:$keyHeads)> {
  let summary = "softmax(scoreFormula(q k', extras)) v for each head; "
                "the formula's x0 is [b, heads, s, t]";
  let types = (kinds Floats:$T);
  let requires = [
    Require<"heads-positive", "heads >= 1 && depth >= 1 && width >= 1",
            "{heads} heads of {depth} and {width} columns must all be at least 1">,
    Require<"key-heads-divide", "keyHeads >= 0 && heads % max(keyHeads, 1) == 0",
            "{keyHeads} heads of keys do not divide {heads} heads of queries">,
    Require<"batches-fit", "bk == b * max(keyHeads, 1) || bk == b",
            "k and v have {bk} heads, {keyHeads} for each of {b} images are needed">,
    Require<"columns-exist",
            [{size(first) == 3 && allAtLeast(first, 0) && at(first, 0) + heads * depth <= mq
              && at(first, 1) + depth * if(keyHeads == 0, heads,
                                           if(bk == b * keyHeads, 1, keyHeads)) <= mk
              && at(first, 2) + width * if(keyHeads == 0, heads,
                                           if(bk == b * keyHeads, 1, keyHeads)) <= mv}],
            "{heads} heads of {depth} and {width} columns from {first} on do not lie in {mq}, {mk} "
            "and {mv} columns">,
    FormulaHolds<"scoreFormula", "count(extras) + 1", "score-formula-holds">];
  let factors = ["q", "k", "v"];
  let hand = "cpuAttention";
  let reason = "the formula is part of the program";
  let gradient = [{ none("made of nodes that have one") }];
  let samples = [
    Sample<"masked", (ins "f32[2,5,6]", "f32[2,19,6]", "f32[2,19,4]", "f32[2,1,1,19]"),
           [{heads = 2; depth = 3; width = 2; first = [0, 0, 0];
             scoreFormula = "mul(x0, 0.5); add(t0, x1)"}]>,
    Sample<"one-tensor", (ins "f32[1,9,24]", "f32[1,9,24]", "f32[1,9,24]", ""),
           "heads = 2; depth = 4; width = 4; first = [0, 8, 16]; scoreFormula = \"\"">,
    Sample<"key-heads", (ins "f32[2,5,12]", "f32[4,19,4]", "f32[4,19,2]", "f32[5,19]"),
           [{heads = 4; depth = 3; width = 2; first = [0, 1, 0]; keyHeads = 2;
             scoreFormula = "mul(x0, 0.5); add(t0, x1)"}]>,
    Sample<"shared-columns", (ins "f32[2,5,12]", "f32[2,19,7]", "f32[2,19,4]", "f32[5,19]"),
           [{heads = 4; depth = 3; width = 2; first = [0, 1, 0]; keyHeads = 2;
             scoreFormula = "mul(x0, 0.5); add(t0, x1)"}]>,
    Refused<"key-heads-divide", (ins "f32[1,9,24]", "f32[2,9,8]", "f32[2,9,8]", ""),
           "heads = 3; depth = 8; width = 8; first = [0, 0, 0]; scoreFormula = \"\"; keyHeads = 2">,
    Refused<"batches-fit", (ins "f32[1,9,16]", "f32[3,9,8]", "f32[3,9,8]", ""),
           "heads = 2; depth = 8; width = 8; first = [0, 0, 0]; scoreFormula = \"\"; keyHeads = 2">,
    Refused<"heads-positive", (ins "f32[1,9,24]", "f32[1,9,24]", "f32[1,9,24]", ""),
           "heads = 0; depth = 4; width = 4; first = [0, 8, 16]; scoreFormula = \"\"">,
    Refused<"columns-exist", (ins "f32[1,9,24]", "f32[1,9,24]", "f32[1,9,24]", ""),
           "heads = 2; depth = 4; width = 4; first = [0, 8, 17]; scoreFormula = \"\"">,
    Refused<"score-formula-holds", (ins "f32[1,9,24]", "f32[1,9,24]", "f32[1,9,24]", ""),
           [{heads = 2; depth = 4; width = 4; first = [0, 8, 16];
             scoreFormula = "transpose(x0)"}]>];
}

#endif // GLOW_CPU_NODES
