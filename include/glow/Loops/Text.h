//===- Text.h - programs as text --------------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
//   program   := `loops` [string] `in` kind `{` [sizes] {tensor}
//                {statement | scan} `}`
//   sizes     := `sizes` variable {`,` variable}
//   variable  := name `=` integer `..` integer [`by` integer]
//   tensor    := `tensor` name `:` kind `[` lengths `]` [`at` `byte` integer]
//   scan      := `scan` name `<` length (`from` | `to`) `0` `{` {statement} `}`
//   statement := [`for` names `in` lengths] `{` {let} [`accumulate`] element
//                op value [`at` value] [`else` value] [`then` value]
//                [over] `}` [plan]
//   let       := `let` name `=` value
//   op        := `=` `+=` `*=` `max=` `min=` `or=` `and=` `mean=` `argmax=`
//                `argmin=`
//   over      := `over` name `<` length {`,` name `<` length}
//                [`where` bounds {`,` bounds}]
//   bounds    := value `<=` name `<` value
//   element   := name `[` values [`else` (`skip` | `zero` | `fail`)] `]`
//   plan      := `plan` use `=` parts {`,` use `=` parts}
//   parts     := part | `[` [part {`,` part}] `]`
//   part      := name [`:` integer]
//
// A length is an integer, or a value of integers and size variables: a variable
// stands for a size that a run gives, from the first integer to the second, in
// multiples of the last. A program computes in its kind. Values have the
// operators of C, with `/` and
// `%` of integers rounded down, and
//   if(c, a, b)         a where c holds, else b
//   element(v)          an integer or a boolean as an element
//   boolean(v)          an integer or an element as a boolean
//   index(t[...])       an element of a tensor as an integer
//   formula("text", v...)   a formula (glow/Graph/Formula.h) of elements
//   max(a, b), min(a, b)    of two integers
//   name(v...)          the function of a ScalarFunction record
// Integers have no point; elements have a point or an exponent, or are `inf` or
// `nan`. `else` in an element guards a load that may be outside of its tensor:
// the term is dropped, is 0, or fails the run. `then` is the final value of a
// reduction; the written element in it stands for the reduced value. `//`
// begins a comment.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_LOOPS_TEXT_H
#define GLOW_LOOPS_TEXT_H

#include "glow/Loops/Program.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

namespace glow::loops {

struct NamedProgram {
  std::string name; ///< the layer that the program computes; may be empty
  std::unique_ptr<Program> program;
};

/// Writes a program with a newline at the end. parsePrograms reads back an
/// equal program: the same tensors, statements, trees and plans. Indices are
/// numbered in the order of the text.
void print(llvm::raw_ostream &os, const Program &program, llvm::StringRef name);

/// Parses the programs of a text, in order. The first mistake is reported with
/// its position in the text, and the result is empty.
std::optional<std::vector<NamedProgram>> parsePrograms(
    llvm::StringRef text,
    llvm::function_ref<void(const char *place, const llvm::Twine &message)>
        report);

/// The operator of a reduction in text: "+=".
llvm::StringRef wordOf(ReductionKind combine);
/// The inverse of wordOf; nothing for another word.
std::optional<ReductionKind> combineNamed(llvm::StringRef word);

/// The form of a load from the tensor without an enclosing `index()`.
Form plainForm(const Program &program, unsigned tensor);

/// Whether a name would be read as a word of the language. The text of a
/// program with a size variable of such a name is not parsed.
bool isReserved(llvm::StringRef name);

/// The name of a tensor in text: its own, or "t3" if an earlier tensor has the
/// same name.
std::string nameOf(const Program &program, unsigned tensor);

} // namespace glow::loops

#endif // GLOW_LOOPS_TEXT_H
