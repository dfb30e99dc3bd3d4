// Indices that run from one element of a tensor to the next.

include "glow/Glow.td"

class OwnImport<string operator, dag inputs, code body> : OnnxImport<operator, 1, inputs, (ins), body> {
  let domain = "com.vendor";
}

// `o` numbers are the ends of one bag less.
class Bags<string mnemonic, dag operands, dag results, code compute_> : Node<mnemonic, operands, results> {
  let types = (kinds Floats:$T, Indices:$I);
  let requires = [Require<"has-end", "o >= 1", "{o} starts have no end">];
  let compute = compute_;
}

def RaggedSum : Bags<"ragged_sum", (ins "T[v,d]":$table, "I[n]":$rows, "T[n]":$weights, "I[o]":$starts), (outs "T[o - 1,d]":$out),
                     "out[b,d] += weights[j] * table[rows[j],d] over starts[b] <= j < starts[b + 1]"> {
  let summary = "the sum of the rows of each bag, times weights";
  let samples = [Sample<"small", (ins "f32[5,3]", "i64[6] in 0..4", "f32[6]", "i64[5] in 0..6")>,
                 Refused<"has-end", (ins "f32[5,3]", "i64[6]", "f32[6]", "i64[0]")>];
}
def : OwnImport<"RaggedSum", (ins "T", "R", "W", "S"), [{ Y = RaggedSum(T, R, W, S); }]>;

def CsrProduct : Bags<"csr_product", (ins "T[e]":$values, "I[e]":$columns, "I[o]":$starts, "T[k,n]":$x), (outs "T[o - 1,n]":$out),
                      "out[r,c] += values[j] * x[columns[j],c] over starts[r] <= j < starts[r + 1]"> {
  let summary = "the product of a sparse matrix, row by row, and a dense one";
  let samples = [Sample<"small", (ins "f32[6]", "i64[6] in 0..3", "i64[4] in 0..6", "f32[4,2]")>,
                 Refused<"has-end", (ins "f32[6]", "i64[6] in 0..3", "i64[0]", "f32[4,2]")>];
}
def : OwnImport<"CsrProduct", (ins "V", "C", "S", "X"), [{ Y = CsrProduct(V, C, S, X); }]>;

def CsrVector : Bags<"csr_vector", (ins "T[e]":$values, "I[e]":$columns, "I[o]":$starts, "T[k]":$x), (outs "T[o - 1]":$out),
                     "out[r] += values[j] * x[columns[j]] over starts[r] <= j < starts[r + 1]"> {
  let summary = "the product of a sparse matrix and a vector";
  let samples = [Sample<"small", (ins "f32[6]", "i64[6] in 0..3", "i64[4] in 0..6", "f32[4]")>,
                 Refused<"has-end", (ins "f32[6]", "i64[6] in 0..3", "i64[0]", "f32[4]")>];
}
def : OwnImport<"CsrVector", (ins "V", "C", "S", "X"), [{ Y = CsrVector(V, C, S, X); }]>;

def BlockSparseProduct : Bags<"block_sparse_product",
    (ins "T[e,p,q]":$blocks, "I[e]":$columns, "I[o]":$starts, "T[k,q,n]":$x), (outs "T[o - 1,p,n]":$out),
    "out[r,i,c] += blocks[j,i,h] * x[columns[j],h,c] over starts[r] <= j < starts[r + 1]"> {
  let summary = "the product of a matrix of which some blocks are there, and a dense one";
  let samples = [Sample<"small", (ins "f32[5,2,3]", "i64[5] in 0..3", "i64[4] in 0..5", "f32[4,3,2]")>,
                 Refused<"has-end", (ins "f32[5,2,3]", "i64[5] in 0..3", "i64[0]", "f32[4,3,2]")>];
}
def : OwnImport<"BlockSparseProduct", (ins "V", "C", "S", "X"), [{ Y = BlockSparseProduct(V, C, S, X); }]>;

// An index of the result has bounds: ranges may overlap, or leave places out.
def Spread : Bags<"spread", (ins "T[b,d]":$in, "I[o]":$starts, "T[n]":$scale), (outs "T[n,d]":$out),
                  "out[j,d] += in[r,d] * scale[j] over starts[r] <= j < starts[r + 1]"> {
  let summary = "each row added to all places of its range";
  let samples = [Sample<"small", (ins "f32[3,2]", "i64[4] in 0..6", "f32[6]")>,
                 Refused<"has-end", (ins "f32[3,2]", "i64[0]", "f32[6]")>];
}
def : OwnImport<"Spread", (ins "X", "S", "C"), [{ Y = Spread(X, S, C); }]>;

def SpreadNumbers : Bags<"spread_numbers", (ins "T[b]":$in, "I[o]":$starts, "T[n]":$scale), (outs "T[n]":$out),
                         "out[j] += in[r] * scale[j] over starts[r] <= j < starts[r + 1]"> {
  let summary = "each number added to all places of its range";
  let samples = [Sample<"small", (ins "f32[3]", "i64[4] in 0..6", "f32[6]")>,
                 Refused<"has-end", (ins "f32[3]", "i64[0]", "f32[6]")>];
}
def : OwnImport<"SpreadNumbers", (ins "X", "S", "C"), [{ Y = SpreadNumbers(X, S, C); }]>;

// Bounds that are bounded themselves, by a size that is given.
def SumsOfSums : Bags<"sums_of_sums", (ins "T[n]":$in, "I[p]":$inner, "I[o]":$outer), (outs "T[o - 1]":$out),
    "out[a] += in[j] * in[j] over b < p - 1, outer[a] <= b < outer[a + 1], inner[b] <= j < inner[b + 1]"> {
  let summary = "the squares in bags of bags, added up";
  let samples = [Sample<"small", (ins "f32[6]", "i64[5] in 0..6", "i64[3] in 0..4")>,
                 Refused<"has-end", (ins "f32[6]", "i64[5]", "i64[0]")>];
}
def : OwnImport<"SumsOfSums", (ins "X", "I", "O"), [{ Y = SumsOfSums(X, I, O); }]>;

def RaggedMax : Node<"ragged_max", (ins "T[n,d]":$in, "I[b]":$begins, "I[b]":$ends), (outs "T[b,d]":$out)> {
  let summary = "the largest of each column of a bag";
  let types = (kinds Floats:$T, Indices:$I);
  let compute = "out[b,c] max= in[j,c] over begins[b] <= j < ends[b]";
  let samples = [Sample<"small", (ins "f32[6,2]", "i64[3] in 0..2", "i64[3] in 3..6")>];
}
def : OwnImport<"RaggedMax", (ins "X", "B", "E"), [{ Y = RaggedMax(X, B, E); }]>;

def RaggedMean : Bags<"ragged_mean", (ins "T[n]":$in, "I[o]":$starts), (outs "T[o - 1]":$out, "i64[o - 1]":$at),
    "out[b] mean= in[j] over starts[b] <= j < starts[b + 1]; at[b] argmax= in[j] over starts[b] <= j < starts[b + 1]"> {
  let summary = "the mean of each bag, and the place of its largest";
  let gradient = [{ none("a test") }];
  let samples = [Sample<"small", (ins "f32[6]", "i64[4] in 0..6")>,
                 Refused<"has-end", (ins "f32[6]", "i64[0]")>];
}
def : OwnImport<"RaggedMean", (ins "X", "S"), [{ M, P = RaggedMean(X, S); Y = M + Cast(P, kind(X)); }]>;

// Bounds that follow from indices lead to the end of the size, and no further.
def Around : Node<"around", (ins "T[n,n]":$in), (outs "T[n]":$out, "T[n]":$upper)> {
  let summary = "the sums of each diagonal and its neighbours, and of what is behind";
  let types = (kinds Floats:$T);
  let compute = "out[i] += in[i,j] over i - 1 <= j < i + 2; upper[i] += in[i,j] over i <= j < n";
  let samples = [Sample<"small", (ins "f32[5,5]")>];
}
def : OwnImport<"Around", (ins "X"), [{ A, B = Around(X); Y = A + 3.0 * B; }]>;

// Doubles the first elements of each row, and leaves the others.
def FirstOnes : Node<"first_ones", (ins "T[n,k]":$in, "I[n]":$lengths), (outs "T[n,k]":$out)> {
  let summary = "each row with twice its first elements, as many as its length says";
  let types = (kinds Floats:$T, Indices:$I);
  let compute = "out[i,j] = in[i,j]; out[i,j] = 2 * in[i,j] over 0 <= j < lengths[i]";
  let samples = [Sample<"small", (ins "f32[3,4]", "i64[3] in 0..4")>];
}
def : OwnImport<"FirstOnes", (ins "X", "L"), [{ Y = FirstOnes(X, L); }]>;

def RunningSums : Node<"running_sums", (ins "T[n]":$in, "I[t]":$begins, "I[t]":$ends), (outs "T[t]":$out)> {
  let summary = "the sums of bags, with half of what was before";
  let types = (kinds Floats:$T, Indices:$I);
  let compute = [{
    scan t from 0 {
      sums[t] += in[j] over begins[t] <= j < ends[t];
      out[t] = sums[t] + if(first(t), 0, out[previous(t)] / 2);
    }
  }];
  let scratch = (ins "T[t]":$sums);
  let samples = [Sample<"small", (ins "f32[6]", "i64[4] in 0..3", "i64[4] in 3..6")>];
}
def : OwnImport<"RunningSums", (ins "X", "B", "E"), [{ Y = RunningSums(X, B, E); }]>;

// An empty range reads no element inside of it, nor the bounds of later ranges.
def PairSums : Node<"pair_sums",
    (ins "T[n]":$in, "I[b]":$begins, "I[b]":$ends, "T[m]":$beside, "I[b]":$lows, "I[b]":$highs, "T[s]":$scales, "I[b]":$which), (outs "T[b]":$out)> {
  let summary = "the products of each pair from two bags, added up, times a scale";
  let types = (kinds Floats:$T, Indices:$I);
  let compute = "out[i] += in[j] * beside[k] * scales[which[i]] over begins[i] <= j < ends[i], lows[i] <= k < highs[i]";
  let samples = [Sample<"small", (ins "f32[6]", "i64[3] in 0..2", "i64[3] in 3..6", "f32[4]", "i64[3] in 0..1", "i64[3] in 2..4", "f32[2]", "i64[3] in 0..1")>];
}
def : OwnImport<"PairSums", (ins "X", "B", "E", "Y", "L", "H", "S", "W"), [{ Z = PairSums(X, B, E, Y, L, H, S, W); }]>;

// A row that is none is 0: `if` chooses the place too, since what is read in a branch has to
// be inside, whether it is taken or not.
class Rows<string mnemonic, code compute_> : Node<mnemonic, (ins "T[k,m]":$table, "I[n]":$rows), (outs "T[n,m]":$out)> {
  let summary = "rows of a table, and 0 for those that are none";
  let types = (kinds Floats:$T, Indices:$I);
  let compute = compute_;
  let samples = [Sample<"small", (ins "f32[3,2]", "i64[4] in 0..2")>];
}
def RowsThere : Rows<"rows_there", "out[i,c] = if(rows[i] < 0, 0, table[if(rows[i] < 0, 0, rows[i]),c])">;
def RowsInBranch : Rows<"rows_in_branch", "out[i,c] = if(rows[i] < 0, 0, table[rows[i],c])">;
def : OwnImport<"RowsThere", (ins "T", "R"), [{ Y = RowsThere(T, R); }]>;
def : OwnImport<"RowsInBranch", (ins "T", "R"), [{ Y = RowsInBranch(T, R); }]>;
