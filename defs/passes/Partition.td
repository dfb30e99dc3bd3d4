//===- Partition.td - passes that share a graph out to devices -----------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PASSES_PARTITION
#define GLOW_PASSES_PARTITION

include "mlir/Pass/PassBase.td"

def PartitionGraph : Pass<"partition-graph", "::mlir::ModuleOp"> {
  let summary = "cut functions into parts, each for one of several devices";
  let options = [ListOption<"devices", "devices", "std::string",
                            "NAME:BACKEND, and behind it any of :memory=SIZE, :threads=N, "
                            ":link=BYTES_PER_SECOND and :delay=SECONDS">,
                 Option<"mode", "mode", "std::string", "\"latency\"",
                        "what is to be small: latency, of one request; pipeline, the time "
                        "of the busiest device; or saturate, the same of copies on "
                        "equal devices">,
                 ListOption<"assign", "assign", "std::string",
                            "PATTERN=DEVICE, names of nodes and where they run">];
}

def DivideByBackend : Pass<"divide-by-backend", "::mlir::ModuleOp"> {
  let summary = "cut functions into parts, each of nodes that one backend runs";
  let options = [Option<"backend", "backend", "std::string", "\"interpreter\"",
                        "name of the backend that comes first; what it cannot run "
                        "goes to its fallback">];
}

def CheckPartition : Pass<"check-partition", "::mlir::ModuleOp"> {
  let summary = "check that functions run in order, each in the memory of its device";
  let options = [Option<"memory", "memory", "uint64_t", "0",
                        "of each device, in bytes; 0 is without limit">];
}

#endif // GLOW_PASSES_PARTITION
