//===- PickyBackend.cpp - a backend that runs little ----------------------===//
// SPDX-License-Identifier: MIT
//
// A backend with conditions and gaps, for the output of `glow explain` and
// `glow ops` about conditional and missing support.
//
//===----------------------------------------------------------------------===//

#include "glow/Backend/Backend.h"
#include "glow/Base/PluginStamp.h"
#include "glow/Optimizer/Rewrites.h"
#include "mlir/IR/BuiltinTypes.h"

static bool always(mlir::Operation *) { return true; }

static bool ofFewElements(mlir::Operation *node) {
  auto type =
      llvm::cast<mlir::RankedTensorType>(node->getResultTypes().front());
  return type.getNumElements() < 100;
}

static const glow::BackendInfo backends[] = {
    {"picky", "a backend for tests, which runs little",
     /*runsReference=*/false, /*computes=*/true, /*alignment=*/64,
     "PickyBackend.cpp",
     /*loops=*/{}, /*takesNodes=*/false, /*fallback=*/"", /*memories=*/{},
     /*engines=*/{}}};

static const glow::LegalInfo legal[] = {
    {"picky", "glow.relu", always, ""},
    {"picky", "glow.add", ofFewElements, "elements(out) < 100"},
    {"picky", "glow.reduce_max", always, ""},
    {"picky", "glow.broadcast", always, ""},
    {"picky", "glow.sub", always, ""}};

/// The table alone: its patterns are not needed.
static void addNothing(mlir::RewritePatternSet &) {}

static const glow::RewriteInfo rewrites[] = {
    {"AddOfNegs",
     addNothing,
     "PickyBackend.cpp",
     "picky",
     false,
     false,
     {},
     /*takes=*/{"glow.mul", "glow.neg"},
     /*makes=*/{"glow.sub"},
     "rank(x) == 2"},
    {"NothingOfTanh",
     addNothing,
     "PickyBackend.cpp",
     "picky",
     false,
     false,
     {},
     /*takes=*/{"glow.tanh"},
     /*makes=*/{"glow.exp"},
     ""},
    {"SubOfPool",
     addNothing,
     "PickyBackend.cpp",
     "picky",
     false,
     false,
     {},
     /*takes=*/{"glow.max_pool"},
     /*makes=*/{"glow.sub"},
     ""}};

GLOW_STAMP_PLUGIN("Picky");

[[maybe_unused]] static const bool registered = [] {
  glow::registerLegality(backends, legal);
  glow::registerRewrites(rewrites);
  return true;
}();
