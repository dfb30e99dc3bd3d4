//===- Interpreter.td - the reference -------------------------------------===//
// SPDX-License-Identifier: MIT

include "glow/Base.td"

def Interpreter : Backend<"interpreter"> {
  let summary = "one instruction at a time, by plain loops: the reference";
  let runsReference = 1;
  let isReference = 1;
  let takesLengths = 1;
}
