//===- Null.td - the backend that does nothing ----------------------------===//
// SPDX-License-Identifier: MIT

include "glow/Base.td"

def Null : Backend<"null"> {
  let summary = "takes every program and writes zeros: the template to copy";
  let runsReference = 1;
  let computes = 0;
}
