//===- Memory.td - memory planning passes ---------------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PASSES_MEMORY
#define GLOW_PASSES_MEMORY

include "mlir/Pass/PassBase.td"

def ScheduleForMemory : Pass<"schedule-for-memory", "::glow::ir::FuncOp"> {
  let summary = "order instructions so that fewer bytes are in use at once";
  let description = [{
    Keeps every read after the same write. The order stays as it is unless the
    largest sum of bytes in use in the arena gets smaller, and that in no other
    memory larger.
  }];
}

def RecomputeValues : Pass<"recompute-values", "::glow::ir::FuncOp"> {
  let summary = "run instructions a second time where values would take too much memory";
  let description = [{
    While arena and bindings need more than `limit` bytes, a value that no
    instruction reads for long is not kept: its instruction runs again before the
    next one that reads it, and so do those that make its operands, if these are
    gone. The value goes first whose bytes cost the least work. Results have the
    same bits. A remark reports bytes and work. Nothing changes if the limit is 0.
  }];
  let options = [Option<"limit", "limit", "uint64_t", "0",
                        "of arena, constants, inputs and outputs together, in bytes">];
}

def ViewBindings : Pass<"view-bindings", "::glow::ir::FuncOp"> {
  let summary = "let a view of an input or output have its memory";
  let description = [{
    A buffer that an instruction takes from a binding as it is, byte for byte,
    lies `within` the binding, as a reshape or a slice of rows does; so does one
    that such an instruction makes an output of. Both stay apart where one of
    the two is written while the other is in use, and from constants.
  }];
}

def JoinBuffers : Pass<"join-buffers", "::glow::ir::FuncOp"> {
  let summary = "make the parts of a result where it has them";
  let description = [{
    A concatenation of buffers that lie in its result in one piece copies
    nothing if they were made there: each is marked `within` the result. A part
    stays apart where it is a binding, would not be aligned, is changed later, or
    where the most bytes in use at once would be more. The same holds for the
    results of a split, or a slice, that lie in its operand in one piece.
  }];
  let options = [Option<"alignment", "alignment", "uint64_t", "64",
                        "of each buffer, in bytes">];
}

def OverlapCopies : Pass<"overlap-copies", "::glow::ir::FuncOp"> {
  let summary = "start copies early and wait for them late, so that they hide behind computation";
  let description = [{
    Copies are the instructions that a DMA engine carries out. A copy starts when
    its engine would be idle without it, and no earlier than this copy and the
    copies behind it have to be in time. So a copy does not fill a memory while it
    is only queued. A wait stands before the instruction that needs the copy or its
    memory, or after the predicted end of the copy. Other instructions keep their
    order. Each buffer of a memory gets a place while the order is made, and no
    copy moves to where the buffers ahead would find none; `place-buffers` uses
    these places if it finds no others. Where an instruction finds no place, only
    the instructions around it stay in their order. The pass keeps the best of some
    orders. `cycles` of the function has the sums that the records predict:
    `total`, `in_order` for the order of before, `computing`, `copying` while
    copies are under way, and `hidden`, the part of that in which nothing waits.
  }];
  let options = [ListOption<"memories", "memories", "std::string",
                            "of the backend beside the arena: NAME:BYTES:ALIGNMENT[:BANDWIDTH]">,
                 ListOption<"engines", "engines", "std::string",
                            "that copy: NAME:CHANNELS:BYTES:LATENCY[:RUN], of one copy in a cycle">,
                 Option<"bandwidth", "bandwidth", "uint64_t", "0",
                        "of the arena, in bytes a cycle; 0 is any">];
}

def PlaceBuffers : Pass<"place-buffers", "::glow::ir::FuncOp"> {
  let summary = "give every buffer its place in one arena";
  let description = [{
    Sets `offset` of each alloc, and of the function `arenaBytes`, the size of
    the arena, and `liveBytes`, the most bytes ever in use at once, each buffer
    counted as a multiple of the alignment: no arena can be smaller. Buffers in
    a memory of the backend have offsets in that, which is refused where it is
    too small; offsets from `overlap-copies` stay if no others fit;
        `memoryBytes` of the function says how far each is used.
  }];
  let options = [Option<"alignment", "alignment", "uint64_t", "64",
                        "of each buffer, in bytes">,
                 ListOption<"memories", "memories", "std::string",
                            "of the backend beside the arena: NAME:BYTES:ALIGNMENT[:BANDWIDTH]">];
}

def VerifyPlacement : Pass<"verify-placement", "::glow::ir::FuncOp"> {
  let summary = "check that no two buffers in use overlap, in the arena and in other memories";
  let options = [Option<"alignment", "alignment", "uint64_t", "64",
                        "of each buffer, in bytes">,
                 ListOption<"memories", "memories", "std::string",
                            "of the backend beside the arena: NAME:BYTES:ALIGNMENT[:BANDWIDTH]">];
}

def CheckPlannedMemory : Pass<"check-planned-memory", "::glow::ir::FuncOp"> {
  let summary = "check that arena, constants, inputs and outputs are within a limit";
  let options = [Option<"limit", "limit", "uint64_t", "0",
                        "of all together, in bytes; 0 is the machine's">];
}

#endif // GLOW_PASSES_MEMORY
