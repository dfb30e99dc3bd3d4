//===- Cuda.td - GPUs of NVIDIA -------------------------------------------===//
// SPDX-License-Identifier: MIT
//
// Every node with index notation or a formula has a kernel, which is printed
// from the loops of its record. Other nodes run on the host's processor, in
// parts of their own.
//
//===----------------------------------------------------------------------===//

include "glow/Glow.td"

// Kinds with conversions. Functions of doubles call C's library, which no GPU
// has, so that f64 is not among them. Elements of other kinds are only moved.
def CudaKinds : Kinds<["f32", "f16", "bf16", "i8", "i16", "i32", "i64", "u8", "u16", "u32",
                       "u64", "bool", "i4", "u4", "i2", "u2"]>;

// Loops that the compile half makes, since the record of the node has none.
def CudaConversion : CodeFor<[Cast], "conversion"> { let emitter = "conversion"; }
def CudaBytes : CodeFor<[Reshape, BitCast], "bytes"> { let emitter = "bytes"; }

def Cuda : Backend<"cuda"> {
  let summary = "GPUs of NVIDIA, by kernels in PTX from the loops of records";
  let loops = CudaKinds.names;
  let runsLoops = 1;
  let driverCompiles = 1;
  let fallback = "cpu";
  let alignment = 256;
  let runs = [Legal<[Cast], (kinds CudaKinds:$T, CudaKinds:$kind)>,
              Legal<[Reshape, BitCast]>];
  let codes = [CudaConversion, CudaBytes];
}
