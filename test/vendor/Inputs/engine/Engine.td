// A chip with an engine that copies while others compute: instructions of no node, a
// node of several of them, memory that a kernel asks for, and rules, rewrites and a
// gradient that stand apart.

include "glow/Glow.td"

def Wide : Kinds<["f32", "f64"]>;

class Quiet<string mnemonic, dag inputs, dag outputs> : Node<mnemonic, inputs, outputs> {
  let types = (kinds Floats:$T);
  let gradient = [{ none("a test") }];
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

def EngineStartInstr : Instr<"engine_start", (ins Out:$dest, Out:$token, In:$src)> {
  let summary = "begins to copy";
  let shapes = (ins "T[*s]":$src, "T[*s]":$dest, "i64[1]":$token);
  let asynchronous = 1;
  let hand = "engineStart";
}
def EngineWaitInstr : Instr<"engine_wait", (ins InOut:$dest, In:$token)> {
  let summary = "waits for the end of a copy";
  let shapes = (ins "T[*s]":$dest, "i64[1]":$token);
  let hand = "engineWait";
}

// The engine has memory of its own, to and from which only its instructions go.
def Scratchpad : MemorySpace<"pad", 4096> {
  let summary = "where the engine adds";
  let alignment = 16;
  let bandwidth = 8;
}
def Mover : DmaEngine<"mover", [Scratchpad]> {
  let summary = "moves floats while others are added";
  let bytesPerCycle = 4;
  let latency = 10;
}
def EngineFetchInstr : Instr<"engine_fetch", (ins Out:$dest, Out:$token, In:$src)> {
  let summary = "begins to copy into the engine's memory";
  let shapes = (ins "T[*s]":$src, "T[*s]":$dest, "i64[1]":$token);
  let memories = (places Scratchpad:$dest);
  let engine = Mover;
  let asynchronous = 1;
  let hand = "engineFetch";
}
def EngineArriveInstr : Instr<"engine_arrive", (ins InOut:$dest, In:$token)> {
  let summary = "waits for what is to come into the engine's memory";
  let shapes = (ins "T[*s]":$dest, "i64[1]":$token);
  let memories = (places Scratchpad:$dest);
  let hand = "engineArrive";
}
def EngineSumInstr : Instr<"engine_sum", (ins Out:$dest, In:$lhs, In:$rhs, Scratch<"T[*s]">:$sums)> {
  let summary = "adds in the engine's memory, and gives the sums";
  let shapes = (ins "T[*s]":$lhs, "T[*s]":$rhs, "T[*s]":$dest);
  let types = (kinds Wide:$T);
  let memories = (places Scratchpad:$lhs, Scratchpad:$rhs, Scratchpad:$sums);
  let cost = "prod(s)";
  let hand = "engineSum";
}
// Parts of matrices come and go; a waiting instruction names only their token.
class Move<string mnemonic, string hand_> : Instr<mnemonic, (ins Out:$dest, Out:$token, In:$src), (ins Ints:$starts, Ints:$sizes)> {
  let shapes = (ins "T[n,m]":$src, "T[o,p]":$dest, "i64[1]":$token);
  let engine = Mover;
  let asynchronous = 1;
  let hand = hand_;
}
def EngineTakeInstr : Move<"engine_take", "engineTake"> {
  let summary = "begins to take a part into the engine's memory";
  let requires = [Require<"as-large", "sizes == [o, p]", "{sizes} elements are none of a matrix of {[o, p]}">];
  let memories = (places Scratchpad:$dest);
  let box = (at "starts":$src);
}
def EngineGiveInstr : Move<"engine_give", "engineGive"> {
  let summary = "begins to give a part of a matrix";
  let requires = [Require<"as-large", "sizes == [n, m]", "{sizes} elements are none of a matrix of {[n, m]}">];
  let memories = (places Scratchpad:$src);
  let box = (at "starts":$dest);
}
def EngineLandedInstr : Instr<"engine_landed", (ins In:$token)> {
  let summary = "waits for a part";
  let shapes = (ins "i64[1]":$token);
  let hand = "engineLanded";
}
def EngineSquareInstr : Instr<"engine_square", (ins Out:$dest, In:$src)> {
  let summary = "squares in the engine's memory";
  let shapes = (ins "T[*s]":$src, "T[*s]":$dest);
  let types = (kinds Wide:$T);
  let memories = (places Scratchpad:$dest, Scratchpad:$src);
  let cost = "40 * prod(s) / 16";
  let hand = "engineSquare";
}

// The engine moves one operand while another instruction adds.
def Ahead : Quiet<"ahead", (ins "T[n]":$a, "T[n]":$b), (outs "T[n]":$moved, "T[n]":$sum)> {
  let summary = "an operand as it is, and the sum of both";
  let irgen = [{
    token = buffer("i64[1]");
    EngineStart(moved, token, a);
    Add(sum, a, b);
    EngineWait(moved, token);
  }];
  let samples = [Sample<"small", (ins "f32[5]", "f32[5]")>];
}
// Two copies are under way at once.
def Fetched : Node<"fetched", (ins "T[n]":$a, "T[n]":$b), (outs "T[n]":$out)> {
  let summary = "the sum of both, by the engine";
  let types = (kinds Wide:$T);
  let tier = 1;
  let irgen = [{
    one = buffer("T[n]");
    other = buffer("T[n]");
    first = buffer("i64[1]");
    second = buffer("i64[1]");
    EngineFetch(one, first, a);
    EngineFetch(other, second, b);
    EngineArrive(one, first);
    EngineArrive(other, second);
    EngineSum(out, one, other);
  }];
  let lowering = [{ out = a + b; }];
  let gradient = [{ d.a = d.out; d.b = d.out; }];
  let samples = [Sample<"small", (ins "f32[5]", "f32[5]")>,
                 AsWritten<"as large as the memory has room", (ins "f32[340]", "f32[340]")>];
}
// Four rows at a time are in the engine's memory.
def SquaredByRows : Node<"squared_by_rows", (ins "T[n,m]":$in), (outs "T[n,m]":$out)> {
  let summary = "the squares, by the engine";
  let types = (kinds Wide:$T);
  let tier = 1;
  let irgen = [{
    for y in [4 * i for i in range(0, (n + 3) / 4)] {
      rows = min(4, n - y);
      near = buffer("T[rows,m]");
      square = buffer("T[rows,m]");
      taken = buffer("i64[1]");
      given = buffer("i64[1]");
      EngineTake(near, taken, in, [y, 0], [rows, m]);
      EngineLanded(taken);
      EngineSquare(square, near);
      EngineGive(out, given, square, [y, 0], [rows, m]);
      EngineLanded(given);
    }
  }];
  let lowering = [{ out = in * in; }];
  let gradient = [{ d.in = 2 * in * d.out; }];
  let samples = [Sample<"small", (ins "f32[3,5]")>, Sample<"pieces", (ins "f32[26,16]")>];
}
// The first row is changed in a copy; attributes are values of the language.
def FirstOff : Node<"first_off", (ins "T[n,m]":$in), (outs "T[n,m]":$out), (ins Ints:$order)> {
  let summary = "the operand turned and turned back, twice as large";
  let types = (kinds Floats:$T);
  let requires = [Require<"an-order", "isPermutation(order) && size(order) == 2", "{order} is no order of two axes">];
  let irgen = [{
    turned = buffer("T[*pick([n, m], order)]");
    back = buffer("T[n,m]");
    Transpose(turned, in, permutation: order);
    Transpose(back, turned, inverse(order));
    out = back;
    Add(out, in, back);
  }];
  let gradient = [{ d.in = d.out + d.out; }];
  let samples = [Sample<"turned", (ins "f32[2,3]"), "order = [1, 0]">,
                 Refused<"an-order", (ins "f32[2,3]"), "order = [1, 1]">];
}

// Sums of rows in twice the precision.
def RowSums : Quiet<"row_sums", (ins "T[n,m]":$in), (outs "T[n]":$out)> {
  let summary = "the sums of rows up to each element, of which the last is meant";
  let types = (kinds Wide:$T);
  let hand = "engineRowSums";
  let reason = "a test";
  let samples = [Sample<"small", (ins "f32[2,3]")>];
}
def RowSumsInstr : Instr<"row_sums", (ins Out:$out, In:$in, Scratch<"f64[m + 1]">:$sums)> {
  let from = RowSums;
}

//===----------------------------------------------------------------------===//
// Nodes that the engine lowers itself
//===----------------------------------------------------------------------===//

// The engine doubles by adding, although the reference has a kernel for it.
def Twice : Node<"twice", (ins "T[n]":$in), (outs "T[n]":$out)> {
  let summary = "twice the operand";
  let types = (kinds Floats:$T);
  let tier = 1;
  let compute = "out[i] = 2 * in[i]";
  let samples = [Sample<"small", (ins "f32[3]")>];
}
def TwiceByAdding : Lowering<Twice, [{ out = in + in; }]> { let backend = "engine"; }

// A node of the library, for this backend only.
def SwishOnEngine : Lowering<Swish, [{ out = x / (1 + Exp(-alpha * x)); }]> {
  let backend = "engine";
  let condition = "alpha > 0.0";
}

def Bent : Node<"bent", (ins "T[n]":$in), (outs "T[n]":$out)> {
  let summary = "the square, by hand";
  let types = (kinds Wide:$T);
  let hand = "engineBent";
  let reason = "a test";
  let samples = [Sample<"small", (ins "f32[3]")>];
}
def BentBack : Gradient<Bent, [{ d.in = 2 * in * d.out; }]>;

// A factor whose exponential is taken by the engine: it takes the exponent.
def Scaled : Quiet<"scaled", (ins "T[n]":$x, "T[n]":$exponent), (outs "T[n]":$out)> {
  let summary = "x times the exponential of the exponent";
  let compute = "out[i] = x[i] * exp(exponent[i])";
  let samples = [Sample<"small", (ins "f32[3]", "f32[3]")>];
}
def ScaledByConstant : Rewrite<[{ x * Exp(w) => Scaled(x, w) }], (ins "f32[3]":$x, "f32[3] constant":$w)> {
  let rounds = 1;
  let condition = "isConstant(w) && rank(x) == 1";
  let backend = "engine";
  let beforeFolding = 1;
}
def Squared : Pointwise<"squared", (ins $x), [{ x * x }]> {
  let summary = "the square";
  let samples = [Sample<"small", (ins "f32[3]")>];
}
def SquaredByEngine : Rewrite<"x * x => Squared(x)", (ins "f32[3]":$x)> { let backend = "engine"; }

def : OnnxDomain<"com.engine", 1>;
def : OnnxImport<"Ahead", 1, (ins "A", "B"), (ins), [{ Moved, Sum = Ahead(A, B); }]> {
  let domain = "com.engine";
  let outputs = ["Moved", "Sum"];
}
def : OnnxImport<"Fetched", 1, (ins "A", "B"), (ins), [{ Sum = Fetched(A, B); }]> {
  let domain = "com.engine";
  let outputs = ["Sum"];
}
def : OnnxImport<"SquaredByRows", 1, (ins "X"), (ins), [{ Y = SquaredByRows(X); }]> { let domain = "com.engine"; }
def : OnnxImport<"RowSums", 1, (ins "X"), (ins), [{ Y = RowSums(X); }]> { let domain = "com.engine"; }
def : OnnxImport<"Bent", 1, (ins "X"), (ins), [{ Y = Bent(X); }]> { let domain = "com.engine"; }
def : OnnxImport<"Twice", 1, (ins "X"), (ins), [{ Y = Twice(X); }]> { let domain = "com.engine"; }
def : OnnxImport<"Silu", 1, (ins "X"), (ins), [{ Y = Swish(X, 1.0); }]> { let domain = "com.engine"; }

def Engine : Backend<"engine"> {
  let summary = "the host, and an engine that copies";
  let runsReference = 1;
  let runs = [Legal<[Fetched]>, Legal<[SquaredByRows], (kinds), "n > 0 && m > 0">];
  let memories = [Scratchpad];
  let engines = [Mover];
  let bandwidth = 16;
  let megahertz = 2;
  let stepwise = 1;
}
