//===- Base.td - classes of records for operators -------------------------===//
// SPDX-License-Identifier: MIT
//
// `mlir-tblgen` reads a Node or an Instr as the ODS Op that it is. ClassGen expands
// the other fields into everything else that knows the operator. docs/Records.md
// describes the fields, docs/Language.md the language of the strings and [{ }].
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BASE
#define GLOW_BASE

include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/PatternBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "glow/Types.td"

//===----------------------------------------------------------------------===//
// Dialects
//===----------------------------------------------------------------------===//

def Glow_Dialect : Dialect {
  let name = "glow";
  let summary = "strongly typed nodes on tensors";
  let cppNamespace = "::glow";
  let dependentDialects = ["::mlir::quant::QuantDialect"];
  let hasOperationAttrVerify = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    /// The attribute of a node, and of its instruction, that names storage of
    /// bools, one for each index of dimension 0 of the results: where it is
    /// false, nothing reads what is computed, and a backend may save the
    /// effort. A rule that replaces the node drops it.
    static constexpr ::llvm::StringLiteral predicate = "glow.predicate";

    /// The attribute of a node, and of its instruction, that a step may follow:
    /// a backend takes no shortcut whose roundings a step would show. Storage
    /// between two functions has it as well.
    static constexpr ::llvm::StringLiteral exact = "glow.exact";

    /// Adds nodes that a plug-in declares.
    template <typename... Nodes> void addNodes() { addOperations<Nodes...>(); }
  }];
}

def GlowIR_Dialect : Dialect {
  let name = "glowir";
  let summary = "address-only instructions on named buffers";
  let cppNamespace = "::glow::ir";
  let dependentDialects = ["::mlir::quant::QuantDialect"];
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    /// Adds instructions that a plug-in declares.
    template <typename... Instrs> void addInstrs() {
      addOperations<Instrs...>();
    }
  }];
}

//===----------------------------------------------------------------------===//
// Classes of records
//===----------------------------------------------------------------------===//

include "glow/base/Language.td"
include "glow/base/Machine.td"
include "glow/base/Node.td"
include "glow/base/Instr.td"
include "glow/base/Rule.td"
include "glow/base/Renamed.td"
include "glow/base/Backend.td"
include "glow/Import.td"

#endif // GLOW_BASE
