// A backend with a kernel of its own; the reference does the rest.

include "glow/Glow.td"

def Loud : BackendOption<"loud", "bool", "true", "says when its product is made">;

def Chip : Backend<"chip"> {
  let summary = "the host, with a product of its own";
  let runsReference = 1;
  let stepwise = 1;
  let alignment = 256;
  let options = [Loud];
  let kernels = [Kernel<MatMul, "f32", "chipMatMul", Ulp<32>>];
}
