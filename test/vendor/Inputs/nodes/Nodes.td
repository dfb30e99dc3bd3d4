// A chip whose compiler takes nodes, of which one is lowered for others.

include "glow/Glow.td"

def JustF32 : Kinds<["f32"]>;

def : OnnxDomain<"com.nodes", 1>;
def : OnnxImport<"Silu", 1, (ins "X"), (ins), [{ Y = Swish(X, 1.0); }]> { let domain = "com.nodes"; }

def Nodes : Backend<"nodes"> {
  let summary = "takes the graph as it is";
  let takesNodes = 1;
  let runs = [Legal<[Add, Relu, Swish], (kinds JustF32:$T)>];
  let kernels = [Kernel<Swish, "f32", "nodesSwish", Ulp<8>>];
}
