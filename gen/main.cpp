//===- main.cpp - ClassGen: from records to everything that knows them ----===//

#include "Scope.h"
#include "mlir/Tools/mlir-tblgen/MlirTblgenMain.h"
#include <string_view>

int main(int argc, char **argv) {
  // Before records are parsed, which fails at the second one of a name.
  if (argc > 1 && std::string_view(argv[1]) == "-scope")
    return glow::gen::scopeMain(argc, argv);
  return mlir::MlirTblgenMain(argc, argv);
}
