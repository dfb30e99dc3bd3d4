//===- Lowering.td - passes that lower to a backend -----------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PASSES_LOWERING
#define GLOW_PASSES_LOWERING

include "mlir/Pass/PassBase.td"

def LowerForBackend : Pass<"lower-for-backend", "::mlir::ModuleOp"> {
  let summary = "rewrite nodes until the backend runs every one of them";
  let options = [Option<"backend", "backend", "std::string",
                        "\"interpreter\"", "name of the backend">];
}

def GiveBackNodes : Pass<"give-back-nodes", "::mlir::ModuleOp"> {
  let summary = "lower nodes that a backend alone knows, and does not run, by one rule each";
  let description = [{
    What they become are nodes that other backends know. `glow.given_back` of these
    says why the backend does not run what they were.
  }];
  let options = [Option<"backend", "backend", "std::string",
                        "\"interpreter\"", "name of the backend">];
}

def TileNodes : Pass<"tile-nodes", "::mlir::ModuleOp"> {
  let summary = "choose the tiles in which the backend does nodes";
  let description = [{
    Of each node of which a Tiling record of the backend speaks, `glow.tile` says
    the sizes of its tiles: those of the least cost that fit the memories, two of
    them where the node is more than one. Sizes that are there stay.
  }];
  let options = [Option<"backend", "backend", "std::string",
                        "\"interpreter\"", "name of the backend">];
}

def MarkExact : Pass<"mark-exact", "::mlir::ModuleOp"> {
  let summary = "mark nodes behind which a step may follow";
  let description = [{
    `glow.exact` of a node of floats says that its values may reach a step, as `Floor`, before
    they are factors of a sum of products; `docs/Math.md` lists the shortcuts that such a node
    does not take.
  }];
}

#endif // GLOW_PASSES_LOWERING
