//===- Activation.td - functions that stand between layers ----------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_NODES_ACTIVATION
#define GLOW_NODES_ACTIVATION

include "glow/nodes/Elementwise.td"
include "glow/nodes/Shape.td"

// With parameters, which `values` gives to the sample. Backends without the node have
// those of its formula.
class Activation<string mnemonic, code formula, dag attributes, string values>
    : Pointwise<mnemonic, (ins $x), formula, "T", attributes> {
  let types = (kinds Floats:$T);
  let ulps = 4;
  let tier = 1;
  let lowering = [{ out = derived; }];
  let samples = [Sample<"small", (ins "f32[2,3]"), values>];
}

// Without a kink, and finite wherever x is: so must the gradient be, however it
// is derived.
class Smooth<string mnemonic, code formula> : Pointwise<mnemonic, (ins $x), formula> {
  let types = (kinds Floats:$T);
  let ulps = 4;
  let samples = [Sample<"small", (ins "f32[2,3]")>,
                 Sample<"at-zero", (ins "f32[2] in 0..0")>,
                 Sample<"far-below", (ins "f32[2] in -1000..-900")>,
                 Sample<"far-above", (ins "f32[2] in 900..1000")>];
}

def Relu : Unary<"relu", [{ max(x, 0) }], SignedNumbers> {
  let summary = "x where it is positive, else 0";
  let rescales = 1;
  let gradient = [{ d.x = ReluGradient(out, d.out); }];
}
// The result is positive where the operand is. It is kept for the next layer, too.
def ReluGradient : Pointwise<"relu_gradient", (ins $y, $slope), [{ if(y > 0, slope, 0) }]> {
  let summary = "`slope` where y, a result of relu, is positive, else 0";
  let types = (kinds Floats:$T);
  let ulps = 4;
  let atKink = 1;
  let gradient = [{
    d.y = none("it is flat but at the kink");
    d.slope = ReluGradient(y, d.out);
  }];
  let samples = [Sample<"small", (ins "f32[2,3]", "f32[2,3]")>];
}
// The derivative of the formula overflows below -700.
def Sigmoid : Smooth<"sigmoid", [{ 1 / (1 + exp(-x)) }]> {
  let summary = "logistic function";
  let integers = [Integers<"x">];
  let gradient = [{ d.x = d.out * out * (1 - out); }];
}
// The formula has two kinks at 0 that cancel; their derivatives do not.
def Softplus : Smooth<"softplus", [{ max(x, 0) + log1p(exp(-abs(x))) }]> {
  let summary = "logarithm of 1 + e to the power x, without overflow";
  let gradient = [{ d.x = d.out * Sigmoid(x); }];
}
def Softsign : Unary<"softsign", [{ x / (1 + abs(x)) }], Floats> {
  let tier = 1;
  let lowering = [{ out = derived; }];
  let summary = "x by 1 + its size";
}
def Gelu : Smooth<"gelu", [{ x * normcdf(x) }]> {
  let tier = 2;
  let lowering = [{ out = derived; }];
  let summary = "x times the chance that a normal variable is below x";
}
// 0.5 * x * (1 + tanh(y)) is x / (1 + exp(-2 * y)), in which nothing cancels. Far below 0
// the derivative of the formula is infinity by infinity.
def GeluTanh : Smooth<"gelu_tanh",
    [{ x / (1 + exp(-1.5957691216057308 * (x + 0.044715 * x * x * x))) }]> {
  let ulps = 320; // a rounding of what the exponential is of counts many times
  let tier = 1;
  let lowering = [{ out = x * Sigmoid(1.5957691216057308 * (x + 0.044715 * x * x * x)); }];
  let summary = "an approximation of gelu by the hyperbolic tangent";
  let gradient = [{
    share = Sigmoid(1.5957691216057308 * (x + 0.044715 * x * x * x));
    d.x = d.out * (share + out * (1 - share) * (1.5957691216057308 + 0.21406444881478574 * x * x));
  }];
}
// The hyperbolic tangent of log(1 + e), from e.
def tanhOfSoftplus : Let<(ins Real:$e), "e * (e + 2) / (e * (e + 2) + 2)">;
// From 20 on the factor is 1 but for less than a rounding.
def Mish : Smooth<"mish", [{ x * tanhOfSoftplus(exp(min(x, 20))) }]> {
  let tier = 1;
  // The powers of the formula are too large for f16.
  let lowering = [{ out = x * Tanh(Softplus(x)); }];
  let summary = "x times the hyperbolic tangent of its softplus";
  let gradient = [{
    t = Tanh(Softplus(x));
    d.x = d.out * (t + x * (1 - t * t) * Sigmoid(x));
  }];
}
def HardSwish : Unary<"hard_swish", [{ x * max(0, min(1, (x + 3) / 6)) }], Floats> {
  let tier = 1;
  let lowering = [{ out = derived; }];
  let summary = "x times a ramp from 0 at -3 to 1 at 3";
  let integers = [Integers<"x">];
}
def HardSigmoid : Activation<"hard_sigmoid", [{ max(0, min(1, alpha * x + beta)) }],
    (ins Default<Real, "0.2">:$alpha, Default<Real, "0.5">:$beta), "alpha = 0.2; beta = 0.5"> {
  let ulps = 0; // the sum may cancel
  let summary = "alpha times x plus beta, kept between 0 and 1";
  let integers = [Integers<"x">];
}
def Affine : Activation<"affine", [{ alpha * x + beta }],
    (ins Real:$alpha, Real:$beta), "alpha = 0.2; beta = 0.5"> {
  let ulps = 0; // the sum may cancel
  let summary = "alpha times x plus beta";
}
def ScaledTanh : Activation<"scaled_tanh", [{ alpha * tanh(beta * x) }],
    (ins Real:$alpha, Real:$beta), "alpha = 1.7; beta = 0.6"> {
  let summary = "alpha times the hyperbolic tangent of beta times x";
}
def LeakyRelu : Activation<"leaky_relu", [{ if(x < 0, alpha * x, x) }],
    (ins Real:$alpha), "alpha = 0.1"> {
  let summary = "x where it is positive, else alpha times x";
  let integers = [Integers<"x">];
  let rescales = 1;
}
def ThresholdedRelu : Activation<"thresholded_relu", [{ if(x > alpha, x, 0) }],
    (ins Real:$alpha), "alpha = 0.3"> {
  let summary = "x where it is above alpha, else 0";
}
def Elu : Activation<"elu", [{ if(x < 0, alpha * expm1(x), x) }],
    (ins Real:$alpha), "alpha = 1.0"> {
  let tier = 2;
  let summary = "x where it is positive, else alpha times (e to the power x, minus 1)";
}
def Celu : Activation<"celu", [{ if(x < 0, alpha * expm1(x / alpha), x) }],
    (ins Real:$alpha), "alpha = 2.0"> {
  let tier = 2;
  let summary = "elu with a smooth slope for any alpha";
}
def Selu : Activation<"selu", [{ gamma * if(x > 0, x, alpha * expm1(x)) }],
    (ins Real:$alpha, Real:$gamma), "alpha = 1.67; gamma = 1.05"> {
  let tier = 2;
  let summary = "gamma times elu";
}
def Clip : Activation<"clip", [{ min(max(x, low), high) }],
    (ins Real:$low, Real:$high), "low = -0.5; high = 0.5"> {
  let summary = "x, kept between low and high";
  let gradient = [{
    areExact = isExactBound(low) && isExactBound(high);
    d.x = ClipGradient(if(areExact, out, x), d.out, low, high);
  }];
}
// Whether every kind of floats has the number.
def isExactBound : Let<(ins Real:$x), "floor(x) == x && (abs(x) <= 256 || abs(x) > 1e308)">;
// Where bounds are exact, y may be the result of the clip, which is kept for the next layer, too.
def ClipGradient : Pointwise<"clip_gradient", (ins $y, $slope),
                             [{ if(y > low, if(y < high, slope, 0), 0) }], "T",
                             (ins Real:$low, Real:$high)> {
  let summary = "`slope` where y, the operand or the result of a clip, is between low and high, "
                "else 0";
  let types = (kinds Floats:$T);
  let ulps = 4;
  let atKink = 1;
  let gradient = [{
    d.y = none("it is flat but at the kinks");
    d.slope = ClipGradient(y, d.out, low, high);
  }];
  let samples = [Sample<"small", (ins "f32[2,3]", "f32[2,3]"), "low = -0.5; high = 0.5">];
}
def PRelu : Pointwise<"prelu", (ins $x, $slope), [{ if(x < 0, slope * x, x) }]> {
  let summary = "x where it is positive, else slope times x";
  let types = (kinds SignedNumbers:$T);
  let ulps = 4;
  let tier = 1;
  let lowering = [{ out = derived; }];
  let samples = [Sample<"small", (ins "f32[2,3]", "f32[2,3]")>];
}

def Shrink : Activation<"shrink", [{ if(x < -edge, x + bias, if(x > edge, x - bias, 0)) }],
                        (ins Real:$edge, Real:$bias), "edge = 0.5; bias = 0.1"> {
  let summary = "0 between -edge and edge, beyond them x, brought closer to 0 by `bias`";
}

//===----------------------------------------------------------------------===//
// Activations that models spell out, and that backends may run whole
//===----------------------------------------------------------------------===//

// Far below 0, the derivative of the formula is infinity by infinity.
def Swish : Activation<"swish", [{ x / (1 + exp(-(alpha * x))) }],
                       (ins Default<Real, "1.0">:$alpha), "alpha = 1.5"> {
  let summary = "x times the logistic function of alpha times x";
  let ulps = 96; // a rounding of alpha times x counts as often as that is large
  let tier = 1;
  let lowering = [{ out = x * Sigmoid(alpha * x); }];
  let gradient = [{
    share = Sigmoid(alpha * x);
    d.x = d.out * (share + alpha * out * (1 - share));
  }];
}

def SwiGLU : Node<"swiglu", (ins "T[*s]":$gate, "T[*s]":$x), (outs "T[*s]":$out),
                  (ins Default<Real, "1.0">:$alpha)> {
  let summary = "x times the swish of its gate";
  let types = (kinds Floats:$T);
  let tier = 2;
  let lowering = [{ out = Swish(gate, alpha) * x; }];
  let permuted = [{ result = p; }];
  let samples = [Sample<"solid", (ins "f32[2,3,4]", "f32[2,3,4]"), "alpha = 1.5">];
}

#endif // GLOW_NODES_ACTIVATION
