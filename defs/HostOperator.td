//===- HostOperator.td - operators that run between programs --------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_HOSTOPERATOR
#define GLOW_HOSTOPERATOR

// Why no program is compiled for an operator. The text ends the message
// "'NonZero' runs on the host, since ...".
class HostReason<string text_> { string text = text_; }
def SizeByValue   : HostReason<"how large its result is depends on values">;
def MovesByValue  : HostReason<"a program for each of many values is worth nothing">;
def SamplesByValue : HostReason<"how many samples a region has depends on values">;
def ControlFlow   : HostReason<"which nodes run depends on values">;
def HoldsValues   : HostReason<"sequences and optionals are values of the host">;
def HoldsStrings  : HostReason<"strings are values of the host">;
def MayHoldStrings : HostReason<"its labels may be strings, which are values of the host">;
def HoldsMaps     : HostReason<"maps are values of the host">;

// An operator of ONNX from opset `since` on, whose result has a shape or a structure that
// only a run knows. `hand` is the C++ function of that name in glow::host, defined in
// lib/driver/HostOperators. Inputs are names; "C?" may be absent, "X..." is the rest. An
// operator that has an OnnxImport as well runs on the host where the import cannot be used:
// with strings, or with a value that is not known in time. With `unlessConstant` it runs on
// the host rather than in a program that was compiled for one value. `check`, a C++
// function as well, checks the declarations in graphs inside of a node before anything
// runs.
class HostOperator<string operator_, int since_, dag inputs_, list<string> attributes_,
                   HostReason why_, string hand_> {
  string operator = operator_;
  int since = since_;
  string domain = "";
  dag inputs = inputs_;
  list<string> attributes = attributes_;
  HostReason why = why_;
  string hand = hand_;
  string check = "";
  bit unlessConstant = 0;
  bit movesElements = 0; // as of an OnnxImport
  bit isCopy = 0; // the output of a node with an input is that input
  dag kinds = (ins); // as of an OnnxImport
}

#endif // GLOW_HOSTOPERATOR
