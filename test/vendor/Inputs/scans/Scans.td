// Scans: each step needs the results of the step before.

include "glow/Glow.td"

class OwnImport<string operator, dag inputs, code body> : OnnxImport<operator, 1, inputs, (ins), body> {
  let domain = "com.vendor";
}
class Stepwise<string mnemonic, dag inputs, dag outputs, dag attributes = (ins)>
    : Node<mnemonic, inputs, outputs, attributes> {
  let types = (kinds Floats:$T);
}

// Two steps back, of rows that know nothing of each other.
def Resonator : Stepwise<"resonator", (ins "T[n,s]":$in, "T[2]":$poles), (outs "T[n,s]":$out)> {
  let summary = "a filter with two poles";
  let compute = [{
    scan t from 0 {
      once = if(first(t), 0, out[n,previous(t)]);
      twice = if(t > 1, out[n,previous(t, 2)], 0);
      out[n,t] = in[n,t] + poles[0] * once + poles[1] * twice;
    }
  }];
  let samples = [Sample<"small", (ins "f32[3,7]", "f32[2]")>];
}
def : OwnImport<"Resonator", (ins "X", "P"), [{ Y = Resonator(X, P); }]>;

// A sum begins anew in each step; its terms are the state of the step before.
def Remember : Stepwise<"remember", (ins "T[t,n,h]":$in, "T[h,h]":$weights, "T[n,h]":$start),
                        (outs "T[t,n,h]":$out, "T[n,h]":$last)> {
  let summary = "a network that remembers";
  let compute = [{
    scan t from 0 {
      last[n,j] += if(first(t), start[n,k], out[previous(t),n,k]) * weights[k,j];
      out[t,n,j] = tanh(last[n,j] + in[t,n,j]);
    }
  }];
  let samples = [Sample<"small", (ins "f32[4,3,21]", "f32[21,21] in -0.2..0.2", "f32[3,21]")>];
}
def : OwnImport<"Remember", (ins "X", "W", "S"), [{ Y, L = Remember(X, W, S); }]>;

// The result updates an operand, and every step changes it at given indices.
def Arrivals : Node<"arrivals", (ins "i64[b]":$counts, "i64[n]":$bins), (outs "i64[b]":$out, "i64[n]":$rank)> {
  let summary = "how many came before to the bin of each";
  let inout = "counts";
  let compute = [{
    scan t from 0 { rank[t] = out[bins[t]]; out[bins[t]] += 1; }
  }];
  let samples = [Sample<"small", (ins "i64[4]", "i64[9] in 0..3")>];
}
def : OwnImport<"Arrivals", (ins "C", "B"), [{ D, R = Arrivals(C, B); Y = Concat([D, R], 0); }]>;

// To 0, with lanes along what is left.
def Highest : Stepwise<"highest", (ins "T[t,*r]":$in), (outs "T[t,*r]":$out)> {
  let summary = "the largest of all that follow";
  let compute = [{
    scan t to 0 { out[t,*r] = if(first(t), in[t,*r], max(in[t,*r], out[previous(t),*r])); }
  }];
  let samples = [Sample<"small", (ins "f32[5,2,19]")>];
}
def : OwnImport<"Highest", (ins "X"), [{ Y = Highest(X); }]>;

// The step after, which no step has changed yet.
def Ahead : Stepwise<"ahead", (ins "T[s,n]":$in), (outs "T[s,n]":$out)> {
  let summary = "half of what was, and the next";
  let compute = [{
    scan t from 0 {
      out[t,n] = in[t,n] + if(first(t), 0, out[previous(t),n] / 2) + if(t < 100, in[following(t),n], 0);
    }
  }];
  let samples = [Sample<"small", (ins "f32[5,3]")>];
}
def : OwnImport<"Ahead", (ins "X"), [{ Y = Ahead(X); }]>;

// Each step has given places in a result that is filled before the first step.
def Steps : Stepwise<"steps", (ins "T[t,k]":$in, "i64[t,k]":$places), (outs "T[t,5]":$out, "T[5]":$total)> {
  let summary = "rows added to places, and what all rows before come to there";
  let compute = [{
    total[j] = 0;
    scan t from 0 {
      out[t,places[t,k]] += in[t,k];
      total[j] = total[j] + out[t,j];
      out[t,j] = out[t,j] + total[j];
    }
  }];
  let samples = [Sample<"small", (ins "f32[4,3]", "i64[4,3] in 0..4")>];
}
def : OwnImport<"Steps", (ins "X", "P"), [{ Y, T = Steps(X, P); }]>;
