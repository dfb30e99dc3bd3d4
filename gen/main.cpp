//===- main.cpp - ClassGen, the generator behind all records --------------===//
// SPDX-License-Identifier: MIT

#include "Scope.h"
#include "mlir/Tools/mlir-tblgen/MlirTblgenMain.h"
#include <string_view>

int main(int argc, char **argv) {
  // This mode runs before records are parsed: parsing fails at a duplicate
  // name.
  if (argc > 1 && std::string_view(argv[1]) == "-scope")
    return glow::gen::scopeMain(argc, argv);
  return mlir::MlirTblgenMain(argc, argv);
}
