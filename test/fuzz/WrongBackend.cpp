//===- WrongBackend.cpp - the interpreter, with a mistake -----------------===//
// SPDX-License-Identifier: MIT
//
// That the graph fuzzer finds nothing says something only if it finds this: on
// backend `wrong`, abs is the identity.
//
//===----------------------------------------------------------------------===//

#include "glow/Backend/Backend.h"
#include "glow/Base/PluginStamp.h"
#include "glow/Graph/Nodes.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

GLOW_STAMP_PLUGIN("Wrong");

namespace {

struct ForgetAbs : PassWrapper<ForgetAbs, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ForgetAbs)

  void runOnOperation() override {
    getOperation()->walk([](glow::Abs abs) {
      abs.getResult().replaceAllUsesWith(abs.getOperand());
      abs->erase();
    });
  }
};

class WrongBackend : public glow::Backend {
public:
  StringRef name() const override { return "wrong"; }
  void addFusionPasses(OpPassManager &passes,
                       const glow::CodeOptions &) const override {
    passes.addPass(std::make_unique<ForgetAbs>());
  }
  FailureOr<glow::Program>
  compile(glow::ir::FuncOp function, std::shared_ptr<const void> owner,
          const glow::CodeOptions &options) const override {
    return glow::findBackend("interpreter")->compile(function, owner, options);
  }
};

} // namespace

[[maybe_unused]] static const bool registered = [] {
  static const WrongBackend backend;
  static const glow::BackendInfo backends[] = {
      {"wrong", "a backend for tests, which forgets abs",
       /*runsReference=*/true, /*computes=*/true, /*alignment=*/64,
       "WrongBackend.cpp",
       /*loops=*/{}, /*takesNodes=*/false, /*fallback=*/"", /*memories=*/{},
       /*engines=*/{}}};
  glow::registerLegality(backends, {});
  glow::registerBackend(backend);
  return true;
}();
