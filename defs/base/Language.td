//===- Language.td - functions of the expression language -----------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BASE_LANGUAGE
#define GLOW_BASE_LANGUAGE

// A function on compile-time values: dimensions and attributes. Types are int,
// bool, real, text, ints, reals, kind; `number` is an int or a real and decides
// the result where that is `number` too. The C++ function of this name is in
// the namespace glow::expr, in include/glow/Base/Functions.h. With `declare`,
// the component that needs the function defines it: a library of Glow, a
// backend or a plug-in. The reference lists the functions that have a summary.
class Function<string name_, list<string> parameters_, string result_,
               string summary_ = ""> {
  string name = name_;
  string summary = summary_;
  list<string> parameters = parameters_;
  string result = result_;
  bit declare = 0; // a text and a list are taken by const reference
  bit takesLengths = 0; // integers and lists of them are taken as Size and Sizes
}

// Values for names in a record's texts, beside the names of its signature:
// (bind 4:$gates, ReduceMax:$reduce, "intOf(k)":$count). A value is a number, a
// node or a function to call, or an expression. Classes pass their parameters
// to their texts this way.
def bind;

// The operators of dags that give numbers, and limits, to operands of a sample.
def powers;
def upTo;

// A function of the language, written in the language; its name is that of the
// record. The body is an expression, or statements. The last statement gives
// the result, unless `results` lists the names of several results. A function
// on values alone serves in all texts of the language. A function that builds
// nodes, or that asks about tensors, serves rules, rewrites, gradients and
// imports.
class Let<dag parameters_, code body_> {
  dag parameters = parameters_; // (ins Tensor:$x, Ints:$axes, Default<Flag, "false">:$keepDims)
  code body = body_;
  string summary = "";
  list<string> results = [];
  dag with = (bind);
}

// A function of one element, as in the formula of a Pointwise record. Its
// derivatives, one for each argument, are expressions in a, b and c. The C++
// function of this name is in glow::scalar (include/glow/Base/Scalar.h).
// `operations` is the approximate number of processor instructions. `kinds` are
// the computation kinds, of f32, f64 and i64, for which it has vector code;
// other kinds are computed in one of them.
class ScalarFunction<string name_, int arity_, list<string> derivatives_,
                     int operations_ = 1> {
  string name = name_;
  string summary = "";
  int arity = arity_;
  list<string> derivatives = derivatives_;
  int operations = operations_;
  list<string> kinds = ["f32"];
  bit jumps = 0;      // it jumps and is no constant between, as a remainder; a function
                      // with derivatives of 0 is known to jump
  string atZero = ""; // the integer that it gives for 0, where branches meet by it
}

#endif // GLOW_BASE_LANGUAGE
