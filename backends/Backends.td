//===- Backends.td - what this build of the project is made of ------------===//

include "glow/Glow.td"
include "interpreter/Interpreter.td"
include "null/Null.td"
include "cpu/Cpu.td"
