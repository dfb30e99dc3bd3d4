include "glow/Glow.td"

def First : Backend<"first"> {
  let summary = "the host, by the kernels of the reference";
  let runsReference = 1;
}

def Second : Backend<"second_chip"> {
  let summary = "the host once more";
  let runsReference = 1;
}
