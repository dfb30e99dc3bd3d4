// Backends whose compilers take nodes, one of them on nodes lowered for others, and
// backends that run few nodes.

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

// Its fallback runs all other nodes.
def Shared : Backend<"shared"> {
  let summary = "takes parts of a graph as they are";
  let takesNodes = 1;
  let runs = [Legal<[Add, MatMul, Relu, Swish], (kinds JustF32:$T)>];
  let kernels = [Kernel<Swish, "f32", "nodesSwish", Ulp<8>>];
  let fallback = "cpu";
}
def Upper : Backend<"upper"> {
  let summary = "runs exponentials, before one that runs more";
  let stepwise = 1;
  let runs = [Legal<[Exp], (kinds JustF32:$T)>];
  let fallback = "shared";
}
def Wide : Backend<"wide"> {
  let summary = "repeats and multiplies";
  let stepwise = 1;
  let runs = [Legal<[Broadcast, MatMul], (kinds JustF32:$T)>];
  let fallback = "cpu";
}
def Narrow : Backend<"narrow"> {
  let summary = "runs exponentials, before one that runs few nodes";
  let stepwise = 1;
  let runs = [Legal<[Exp], (kinds JustF32:$T)>];
  let fallback = "nodes";
}
def Lost : Backend<"lost"> {
  let summary = "leaves the rest to one that is not there";
  let stepwise = 1;
  let runs = [Legal<[Exp], (kinds JustF32:$T)>];
  let fallback = "nowhere";
}
