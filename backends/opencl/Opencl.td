//===- Opencl.td - devices with OpenCL 1.2 --------------------------------===//
// SPDX-License-Identifier: MIT
//
// Every node with index notation or a formula has a kernel, which is printed
// from the loops of its record. Other nodes run on the host's processor, in
// parts of their own.
//
//===----------------------------------------------------------------------===//

include "glow/Glow.td"

// Kinds with conversions in OpenCL C. Elements of other kinds are only moved.
def OpenclKinds : Kinds<["f32", "f16", "bf16", "f64", "i8", "i16", "i32", "i64", "u8", "u16",
                         "u32", "u64", "bool", "i4", "u4", "i2", "u2"]>;

// Loops that the compile half makes, since the record of the node has none.
def OpenclConversion : CodeFor<[Cast], "conversion"> { let emitter = "conversion"; }
def OpenclBytes : CodeFor<[Reshape, BitCast], "bytes"> { let emitter = "bytes"; }

def Opencl : Backend<"opencl"> {
  let summary = "devices with OpenCL 1.2, by kernels from the loops of records";
  let loops = OpenclKinds.names;
  let runsLoops = 1;
  let driverCompiles = 1;
  let fallback = "cpu";
  let alignment = 128;
  let runs = [Legal<[Cast], (kinds OpenclKinds:$T, OpenclKinds:$kind)>,
              Legal<[Reshape, BitCast]>];
  let codes = [OpenclConversion, OpenclBytes];
}
