//===- Lowering.td - passes to what a backend runs -----------------------===//

#ifndef GLOW_PASSES_LOWERING
#define GLOW_PASSES_LOWERING

include "mlir/Pass/PassBase.td"

def LowerForBackend : Pass<"lower-for-backend", "::mlir::ModuleOp"> {
  let summary = "rewrite nodes until the backend runs every one of them";
  let options = [Option<"backend", "backend", "std::string",
                        "\"interpreter\"", "name of the backend">];
}

#endif // GLOW_PASSES_LOWERING
