// Combinations of statements in index notation.

include "glow/Glow.td"

class OwnImport<string operator, dag inputs, code body> : OnnxImport<operator, 1, inputs, (ins), body> {
  let domain = "com.vendor";
}

// A later sum adds to the first.
def TwoSums : Node<"two_sums", (ins "T[n,k]":$a, "T[n,m]":$b, "T[n]?":$c), (outs "T[n]":$out)> {
  let summary = "the sum of a row of one matrix and of the squares in a row of another";
  let types = (kinds Floats:$T);
  let compute = [{ out[n] += a[n,k]; out[n] += b[n,j] * b[n,j]; out[n] += 2 * c[n]; }];
  let samples = [Sample<"small", (ins "f32[2,3]", "f32[2,4]", "f32[2]")>,
                 Sample<"two", (ins "f32[2,3]", "f32[2,4]", "")>];
}
def : OwnImport<"TwoSums", (ins "A", "B", "C?"), [{ Y = TwoSums(A, B, C); }]>;

// A sum goes on through a list, and begins where an operand is absent.
def SumOfAll : Node<"sum_of_all", (ins "T[n]...":$ins, "T[n]?":$first), (outs "T[n]":$out)> {
  let summary = "the sum of all operands";
  let types = (kinds Floats:$T);
  let compute = [{ out[i] += first[i]; out[i] += ins[i]; }];
  let gradient = [{ none("a test") }];
  let samples = [Sample<"some", (ins "f32[3]; f32[3]; f32[3]", "")>];
}
def : OwnImport<"SumOfAll", (ins "X..."), [{ Y = SumOfAll(X); }]>;

// A sum may begin with what `=` wrote, and be told by a tensor where to add.
def RowsAdded : Node<"rows_added", (ins "T[n,m]":$in, "i64[k]":$places, "T[k,m]":$rows), (outs "T[n,m]":$out)> {
  let summary = "rows added to others by their places";
  let types = (kinds Floats:$T);
  let compute = [{ out[i,j] = in[i,j]; out[places[r],j] += rows[r,j]; }];
  let samples = [Sample<"small", (ins "f32[3,2]", "i64[4] in 0..2", "f32[4,2]")>];
}
def : OwnImport<"AddRows", (ins "X", "P", "R"), [{ Y = RowsAdded(X, P, R); }]>;

// One operand in two places.
def Neighbours : Node<"neighbours", (ins "T[n]":$in), (outs "T[n]":$out)> {
  let summary = "each element times the next one, 0 at the end";
  let types = (kinds Floats:$T);
  let compute = "out[i] = in[i] * in[i + 1]";
  let samples = [Sample<"small", (ins "f32[5]")>];
}
def : OwnImport<"Neighbours", (ins "X"), [{ Y = Neighbours(X); }]>;

// Several results, whose gradients meet.
def Moments : Node<"moments", (ins "T[n,k]":$in), (outs "T[n]":$total, "T[n]":$squares, "i64[n]":$count)> {
  let summary = "the sums of rows, those of their squares, and how many there are";
  let types = (kinds Floats:$T);
  let compute = [{ total[n] += in[n,k]; squares[n] += in[n,k] * in[n,k]; count[n] = k; }];
  let samples = [Sample<"small", (ins "f32[2,3]")>];
}
def : OwnImport<"Moments", (ins "X"), [{ T, S, N = Moments(X); Y = T + S + Cast(N, kind(X)); }]>;

// A name for what is read.
def Gated : Node<"gated", (ins "T[n,k]":$in, "i64[k]":$order), (outs "T[n]":$out)> {
  let summary = "the sum of a row, each element times the gate of the one that is told";
  let types = (kinds Floats:$T);
  let compute = [{
    gate = 1 / (1 + exp(-in[n,order[k]]));
    term = gate * in[n,k];
    out[n] += if(term > 0, term, 0);
  }];
  let samples = [Sample<"small", (ins "f32[2,3]", "i64[3] in 0..2")>];
}
def : OwnImport<"Gated", (ins "X", "O"), [{ Y = Gated(X, O); }]>;

// A range that goes further than the operand, and than the result.
def Longer : Node<"longer", (ins "T[n]":$in), (outs "T[n]":$out)> {
  let summary = "twice the first elements, seven at most";
  let types = (kinds Floats:$T);
  let compute = "out[i] += 2 * in[i] over i < 7";
  let samples = [Sample<"longer", (ins "f32[9]")>, Sample<"shorter", (ins "f32[5]")>];
}
def : OwnImport<"Longer", (ins "X"), [{ Y = Longer(X); }]>;

// The place of the largest, and the element there, whose gradient goes to it.
def Peak : Node<"peak", (ins "T[n,k]":$in), (outs "i64[n]":$at, "T[n]":$out)> {
  let summary = "the place of the largest element of each row, and its square";
  let types = (kinds Floats:$T);
  let compute = [{ at[n] argmax= in[n,k]; out[n] = in[n,at[n]] * in[n,at[n]]; }];
  let samples = [Sample<"small", (ins "f32[2,5]")>];
}
def : OwnImport<"Peak", (ins "X"), [{ P, Q = Peak(X); Y = Cast(P, kind(X)) + Q; }]>;

// The last one of equals, among seven at most.
def LowestPlace : Node<"lowest_place", (ins "T[n]":$in), (outs "i64[]":$at)> {
  let summary = "the last place of the smallest element";
  let types = (kinds Floats:$T);
  let compute = "at[] argmin= in[n - 1 - k] over k < 7; at[] = n - 1 - at[]";
  let samples = [Sample<"small", (ins "f32[5]")>];
}
def : OwnImport<"LowestPlace", (ins "X"), [{ Y = Cast(LowestPlace(X), kind(X)); }]>;

// A range of the target that is the size in its place.
def RowSums : Node<"row_sums", (ins "T[n,k]":$in), (outs "T[n]":$out)> {
  let summary = "the sums of rows";
  let types = (kinds Floats:$T);
  let compute = "out[i] += in[i,j] over j < 2, i < n";
  let samples = [Sample<"small", (ins "f32[3,4]")>];
}
def : OwnImport<"RowSums", (ins "X"), [{ Y = RowSums(X); }]>;

// Integers of any kind are read among floats, and counted without one.
def Chosen : Node<"chosen", (ins "T[n]":$in, "U[n]":$order, "bool[n]":$keep), (outs "T[n]":$out, "i64[n]":$kept)> {
  let summary = "elements in another order, 0 where they are not kept";
  let types = (kinds Floats:$T, Integers:$U);
  let compute = "out[i] = in[order[i]] * keep[i]; kept[i] = keep[i]";
  let samples = [Sample<"small", (ins "f32[3]", "u16[3] in 0..2", "bool[3]")>];
}
def : OwnImport<"Chosen", (ins "X", "O", "K"), [{ P, Q = Chosen(X, O, K); Y = P + Cast(Q, kind(X)); }]>;

// Where several rows have one place, the last one stays, in any order of loops.
def WriteRowsAt : Node<"write_rows_at", (ins "T[n,m]":$in, "i64[k]":$places, "T[k,m]":$rows), (outs "T[n,m]":$out)> {
  let summary = "rows written over others by their places";
  let types = (kinds Floats:$T);
  let compute = [{ out[i,j] = in[i,j]; out[places[r],j] = rows[r,j]; }];
  let gradient = [{ none("a test") }];
  let samples = [Sample<"small", (ins "f32[3,2]", "i64[4] in 0..2", "f32[4,2]")>];
}
def : OwnImport<"WriteRowsAt", (ins "X", "P", "R"), [{ Y = WriteRowsAt(X, P, R); }]>;
