include "glow/Glow.td"

def Twin : Backend<"interpreter"> {
  let summary = "has the name of a backend that is there";
  let runsReference = 1;
}
