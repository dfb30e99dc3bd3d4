//===- Machine.td - memories of a backend and copies between them ---------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BASE_MACHINE
#define GLOW_BASE_MACHINE

// The memory of a backend that holds a buffer of an instruction: (places
// Scratchpad:$in). A buffer without an entry is in the arena, or in the caller's
// memory.
def places;

// The attribute with the first element of the part of a buffer that an
// instruction touches.
def at;

// A memory of a backend's own beside the arena. Buffers of instructions in it have a
// placement of their own, and never reach past its end. Sizes are in bytes.
class MemorySpace<string name_, int bytes_> {
  string name = name_;   // as in text: alloc float<4, scratchpad>
  string summary = "";
  int bytes = bytes_;    // a multiple of the alignment
  int alignment = 64;    // of a buffer in it: a power of two
  int bandwidth = 0;     // what copies move there in a cycle, all together; 0: no limit
}

// An engine that copies between the memories that it joins and the arena or the
// caller's memory, while others compute. Its instructions name it. A copy takes
// `latency` cycles, and then moves `bytesPerCycle`, or less where others need the
// same memory.
class DmaEngine<string name_, list<MemorySpace> joins_> {
  string name = name_;
  list<MemorySpace> joins = joins_;
  string summary = "";
  int channels = 1;      // copies under way at once; others wait in their order
  int bytesPerCycle = 16;
  int latency = 0;
  int perRun = 0;        // cycles that a memory is busy for each run of a part that lies
                         // together in the arena, beside those for its bytes
}

#endif // GLOW_BASE_MACHINE
