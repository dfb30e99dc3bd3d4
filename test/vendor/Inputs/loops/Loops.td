// Index notation whose loops meet every part of the scheme by which the CPU runs
// them: sizes leave rests of lanes, of rows and of tiles.

include "glow/Glow.td"

class Quiet<string mnemonic, dag inputs, dag outputs, dag attributes = (ins)> : Node<mnemonic, inputs, outputs, attributes> {
  let types = (kinds Floats:$T);
  let gradient = [{ none("a test") }];
}

// Rows share what is read along the lanes, and vectors what is read along rows.
def Product : Quiet<"v_product", (ins "T[n,k]":$a, "T[k,m]":$b), (outs "T[n,m]":$out)> {
  let summary = "a product of matrices";
  let compute = "out[n,m] += a[n,k] * b[k,m]";
  let samples = [Sample<"rests", (ins "f32[13,21]", "f32[21,75]")>, Sample<"one", (ins "f32[1,40]", "f32[40,3]")>];
}
// Lanes are terms of one sum.
def Distances : Quiet<"v_distances", (ins "T[n,k]":$a, "T[m,k]":$b), (outs "T[n,m]":$out)> {
  let summary = "squared distances of rows";
  let compute = [{ d = a[n,k] - b[m,k]; out[n,m] += d * d; }];
  let samples = [Sample<"rests", (ins "f32[7,37]", "f32[9,37]")>];
}
// Conditions are bounds of loops, or masks.
def Window : Quiet<"v_window", (ins "T[c,h,w]":$in, "T[d,c,p,q]":$filter), (outs "T[d,h,w]":$out)> {
  let summary = "a convolution with as many pixels as before";
  let compute = "out[d,y,x] += in[c,y + i - p / 2,x + j - q / 2] * filter[d,c,i,j]";
  let samples = [Sample<"rests", (ins "f32[3,9,21]", "f32[7,3,3,5]")>];
}
def FilterGradient : Quiet<"v_filter_gradient", (ins "T[c,h,w]":$in, "T[d,h,w]":$g), (outs "T[d,c,3,3]":$out)> {
  let summary = "the gradient of its filter";
  let compute = "out[d,c,i,j] += in[c,y + i - 1,x + j - 1] * g[d,y,x]";
  let samples = [Sample<"rests", (ins "f32[5,9,21]", "f32[6,9,21]")>];
}
def Mean : Quiet<"v_mean", (ins "T[c,w]":$in), (outs "T[c,(w + 1) / 2]":$out)> {
  let summary = "means of windows, of what they see";
  let compute = "out[c,x] mean= in[c,2 * x + i - 1] over i < 3";
  let samples = [Sample<"rests", (ins "f32[3,39]")>];
}
// An index in wholes and rests, the other way round, and apart.
def Shuffled : Quiet<"v_shuffled", (ins "T[n,16,w]":$in), (outs "T[n,w,16]":$out)> {
  let summary = "channels in four groups, spread, and rows from the end";
  let compute = "out[n,x,c] = in[n,c % 4 * 4 + c / 4,w - 1 - x]";
  let samples = [Sample<"rests", (ins "f32[2,16,19]")>];
}
def Taps : Quiet<"v_taps", (ins "T[w,k]":$in), (outs "T[2 * w + k - 2]":$out)> {
  let summary = "rows that overlap, added";
  let compute = "out[2 * x + i] += in[x,i]";
  let samples = [Sample<"rests", (ins "f32[19,35]")>];
}
// Values that follow from constants alone are computed when the model is compiled.
def Unpacked : Quiet<"v_unpacked", (ins "T[n,k]":$a, "u8[m,h]":$packed, "T[m]":$scale), (outs "T[n,m]":$out)> {
  let summary = "a product with numbers of 4 bits, the lower ones of all bytes first, made floats before";
  let requires = [Require<"two-a-byte", "k == 2 * h", "{k} columns are not twice {h} bytes">];
  let tier = 2;
  let lowering = [{
    bytes = Cast(packed, kind(a));
    high = Floor(bytes / 16.0);
    numbers = Concat([bytes - high * 16.0, high], 1) - 8.0;
    out = MatMul(a, Transpose(numbers * Broadcast(Reshape(scale, [m, 1]), [m, k]), [1, 0]));
  }];
  let samples = [AsWritten<"rests", (ins "f32[3,38]", "u8[21,19]", "f32[21]")>,
                 Refused<"two-a-byte", (ins "f32[3,38]", "u8[21,20]", "f32[21]")>];
}
// 4 bits of a byte.
def Nibbles : Quiet<"v_nibbles", (ins "T[n,k]":$a, "u8[m,h]":$packed, "T[m]":$scale), (outs "T[n,m]":$out)> {
  let summary = "a product with numbers of 4 bits";
  let requires = [Require<"two-a-byte", "k == 2 * h", "{k} columns are not twice {h} bytes">];
  let compute = [{
    byte = packed[m,i / 2];
    number = if(i % 2 == 0, byte - 16 * floor(byte / 16), floor(byte / 16)) - 8;
    out[n,m] += a[n,i] * number * scale[m];
  }];
  let samples = [Sample<"rests", (ins "f32[3,38]", "u8[21,19]", "f32[21]")>,
                 Refused<"two-a-byte", (ins "f32[3,38]", "u8[21,20]", "f32[21]")>];
}
// Factors that are computed of few indices: each once, for all rows.
def Blocks : Quiet<"v_blocks", (ins "T[n,k]":$in, "u8[m,k / 2]":$packed, "T[m,g]":$scale), (outs "T[n,m]":$out), (ins Int:$block)> {
  let summary = "a product with numbers of 4 bits in blocks that have a scale";
  let requires = [Require<"blocks-fit", "k % 2 == 0 && block >= 1 && k == g * block", "{g} blocks of {block} are not {k} columns">];
  let compute = [{
    byte = packed[m,i / 2];
    number = if(i % 2 == 0, byte - 16 * floor(byte / 16), floor(byte / 16)) - 8;
    out[n,m] += in[n,i] * number * scale[m,i / block];
  }];
  let samples = [Sample<"many", (ins "f32[37,96]", "u8[21,48]", "f32[21,3] in -0.1..0.1"), "block = 32">,
                 Sample<"few", (ins "f32[3,72]", "u8[21,36]", "f32[21,3] in -0.1..0.1"), "block = 24">,
                 Refused<"blocks-fit", (ins "f32[3,72]", "u8[21,36]", "f32[21,3]"), "block = 32">];
}
def : OnnxImport<"Blocks", 1, (ins "A", "P", "S"), (ins 32:$block), [{ Y = Blocks(A, P, S, block); }]> { let domain = "com.vendor"; }
def Chebyshev : Quiet<"v_chebyshev", (ins "T[b,i]":$in, "T[o,i,k]":$weights), (outs "T[b,o]":$out)> {
  let summary = "sums of Chebyshev polynomials of the first kind, by weights";
  let compute = "out[r,c] += cos(d * acos(in[r,j])) * weights[c,j,d]";
  let samples = [Sample<"rests", (ins "f32[11,5] in -0.9..0.9", "f32[19,5,4]")>];
}
def : OnnxImport<"Chebyshev", 1, (ins "X", "W"), (ins), [{ Y = Chebyshev(X, W); }]> { let domain = "com.vendor"; }
// Both factors are computed, and one of them may fail.
def Looked : Quiet<"v_looked", (ins "T[n,k]":$in, "T[l]":$levels, "i32[m,k]":$codes), (outs "T[n,m]":$out)> {
  let summary = "a product of squashed rows with numbers that codes lead to";
  let compute = "out[n,m] += tanh(in[n,j]) * (levels[codes[m,j]] * 0.5 - 0.25)";
  let samples = [Sample<"rests", (ins "f32[19,37]", "f32[8]", "i32[13,37] in 0..7")>];
}
def : OnnxImport<"Looked", 1, (ins "X", "L", "O"), (ins), [{ Y = Looked(X, L, O); }]> { let domain = "com.vendor"; }
// A factor that a window reads outside of its tensor, where the term does not count.
def Weighted : Quiet<"v_weighted", (ins "T[n,w]":$in, "T[r]":$taps), (outs "T[n,w]":$out)> {
  let summary = "windows by the squares of taps";
  let compute = "out[n,x] += (in[n,x + j - r / 2] * in[n,x + j - r / 2] + 1) * exp(-taps[j])";
  let samples = [Sample<"rests", (ins "f32[9,37]", "f32[5]")>];
}

// Values computed from indices alone are integers, negative ones too; a quotient is a fraction.
def Phases : Node<"v_phases", (ins "T[n]":$in), (outs "T[n]":$rests, "T[n]":$marks)> {
  let summary = "elements by their phase, and which have a phase";
  let types = (kinds Numbers:$T);
  let compute = [{
    rests[i] = in[i] * ((i - 5) % 3);
    marks[i] = in[i] * if((i - 7) % 4 == 1, 1, 0) + (i - 7) % 4;
  }];
  let gradient = [{ none("a test") }];
  let samples = [Sample<"rests", (ins "f32[39]")>];
}
def Quotients : Quiet<"v_quotients", (ins "T[n]":$in, "i32[n]":$steps), (outs "T[n]":$out)> {
  let summary = "elements where a quarter is whole, wholes of 41, and rests of integers that are elements";
  let compute = "out[i] = if(i / 4.0 == 2, in[i], 0) + if(i / 4.0 % 1 == 0, 1, 0) + floor(i / 41) + steps[i] % 3";
  let samples = [Sample<"rests", (ins "f32[130]", "i32[130] in -9..9")>];
}
// A result that updates an operand: its instruction has one buffer for both.
def Histogram : Quiet<"v_histogram", (ins "T[b]":$counts, "i64[n]":$bins, "T[n]":$weights), (outs "T[b]":$out)> {
  let summary = "weights added to the counts of their bins";
  let inout = "counts";
  let compute = "out[bins[i]] += weights[i]";
  let samples = [Sample<"many", (ins "f32[7]", "i64[40] in 0..6", "f32[40]")>];
}
def : OnnxImport<"Histogram", 1, (ins "C", "B", "W"), (ins), [{ Y = Histogram(C, B, W); }]> { let domain = "com.vendor"; }

// A formula between others.
def Bump : Pointwise<"v_bump", (ins $x, $y), [{ exp(-(x * x)) * y }], "T"> {
  let summary = "a bump of a height";
  let types = (kinds Floats:$T);
  let samples = [Sample<"small", (ins "f32[2,19]", "f32[2,19]")>];
}
def : OnnxImport<"Bump", 1, (ins "X", "Y"), (ins), [{ Z = Bump(X, Y); }]> { let domain = "com.vendor"; }

// A loop over the result, as a formula is: in one step with its neighbours.
def GroupedScaleShift : Quiet<"v_grouped_scale_shift", (ins "T[n,c,h,w]":$in, "T[g]":$scale, "T[g]?":$bias), (outs "T[n,c,h,w]":$out),
                              (ins Int:$many)> {
  let summary = "channels by the scale and the bias of their group, which has `many` of them";
  let requires = [Require<"groups-fit", "many >= 1 && c == many * g", "{g} groups of {many} channels are not {c}">];
  let compute = "out[n,k,y,x] = in[n,k,y,x] * scale[k / many] + if(present(bias), bias[k / many], 0)";
  let samples = [Sample<"rests", (ins "f32[2,6,3,7]", "f32[3]", "f32[3]"), "many = 2">,
                 Sample<"plain", (ins "f32[2,6,3,7]", "f32[2]", ""), "many = 3">,
                 Refused<"groups-fit", (ins "f32[2,6,3,7]", "f32[3]", ""), "many = 3">];
}
def : OnnxImport<"GroupedScaleShift", 1, (ins "X", "S", "B?"), (ins 1:$many), [{ Y = GroupedScaleShift(X, S, B, many); }]> { let domain = "com.vendor"; }
// Columns that lead outside are another value.
def Border : Choice<["keep", "mirror"]>;
def Frame : Quiet<"v_frame", (ins "T[n,m]":$in), (outs "T[n,m]":$out), (ins Ints:$shift, Reals:$factors, Border:$border)> {
  let summary = "columns moved, or mirrored, by a factor, and 0.5 where there are none";
  let requires = [Require<"one-each", "size(shift) == 1 && length(factors) == 1", "there must be one shift and one factor">];
  let compute = [{ out[i,j] = in[i,if(border == "mirror", m - 1 - j, j) + shift[0]] * factors[0] else 0.5; }];
  let samples = [Sample<"moved", (ins "f32[3,37]"), "shift = [2]; factors = [0.5]; border = \"keep\"">,
                 Sample<"mirrored", (ins "f32[3,37]"), "shift = [-2]; factors = [0.25]; border = \"mirror\"">,
                 Refused<"one-each", (ins "f32[3,37]"), "shift = []; factors = []; border = \"keep\"">];
}
def : OnnxImport<"Frame", 1, (ins "X"), (ins), [{ Y = Frame(X, [2], [0.3], "mirror"); }]> { let domain = "com.vendor"; }

// An element that elements lead to, in as many lanes as there are.
def Chained : Quiet<"v_chained", (ins "T[k]":$in, "i32[n]":$order, "i64[m]":$places), (outs "T[m]":$out)> {
  let summary = "what the places of an order lead to";
  let compute = "out[i] = in[order[places[i]]]";
  let samples = [Sample<"rests", (ins "f32[5]", "i32[7] in 0..5", "i64[37] in 0..7")>];
}
// Sums that go on at places that are no neighbours, or in the other direction.
def Interleaved : Quiet<"v_interleaved", (ins "T[n,k]":$a, "T[n,k]":$b), (outs "T[2 * n]":$out)> {
  let summary = "sums of rows, one of each in turn";
  let compute = "out[2 * i] += a[i,j]; out[2 * i + 1] += b[i,j]";
  let samples = [Sample<"rests", (ins "f32[39,2]", "f32[39,2]")>];
}
def Backwards : Quiet<"v_backwards", (ins "T[n,k]":$a, "T[n,k]":$b), (outs "T[n]":$out)> {
  let summary = "sums of rows from the end, and of others";
  let compute = "out[n - 1 - i] += a[i,j]; out[n - 1 - i] += b[i,j]";
  let samples = [Sample<"rests", (ins "f32[39,2]", "f32[39,2]")>];
}
def TapsBackwards : Quiet<"v_taps_backwards", (ins "T[w,k]":$in), (outs "T[2 * w + k - 2]":$out)> {
  let summary = "rows that overlap, added from the end";
  let compute = "out[2 * w + k - 3 - 2 * x - i] += in[x,i]";
  let samples = [Sample<"rests", (ins "f32[19,35]")>];
}
// Integers of 32 bits of which a product has more.
def IsAny : Node<"v_is_any", (ins "i32[n]":$a, "i32[n]":$b), (outs "bool[n]":$out)> {
  let summary = "whether a product is any number but 0";
  let compute = "out[i] = a[i] * b[i]";
  let samples = [Sample<"rests", (ins "i32[19] in 65536..65537", "i32[19] in 65536..65537")>];
}
def CountAny : Node<"v_count_any", (ins "i32[n]":$a, "i32[n]":$b), (outs "i32[n]":$out)> {
  let summary = "the number of those";
  let compute = "out[i] = if(a[i] * b[i], 1, 2)";
  let samples = [Sample<"rests", (ins "i32[19] in 65536..65537", "i32[19] in 65536..65537")>];
}
// A subscript is an element itself, and that element may be outside.
def Next : Quiet<"v_next", (ins "T[k]":$in, "i32[n]":$order), (outs "T[n]":$out), (ins Int:$shift)> {
  let summary = "what the following place of an order leads to";
  let compute = "out[i] = in[order[i + shift]]";
  let samples = [Sample<"rests", (ins "f32[5]", "i32[37] in 0..5"), "shift = 0">];
}
def : OnnxImport<"Next", 1, (ins "X", "O"), (ins 1:$shift), [{ Y = Next(X, O, shift); }]> { let domain = "com.vendor"; }
