//===- Machine.td - memories of a backend, and what copies between them ---===//

#ifndef GLOW_BASE_MACHINE
#define GLOW_BASE_MACHINE

// In which memory of a backend an instruction has a buffer: (places Scratchpad:$in).
// One of which nothing is said is in the arena, or the caller's.
def places;

// From which attribute's element on an instruction touches a part of a buffer.
def at;

// A memory of a backend's own beside the arena. Buffers that instructions have in it
// are placed by themselves, and never past its end. Sizes are in bytes.
class MemorySpace<string name_, int bytes_> {
  string name = name_;   // as in text: alloc float<4, scratchpad>
  string summary = "";
  int bytes = bytes_;    // a multiple of the alignment
  int alignment = 64;    // of a buffer in it: a power of two
  int bandwidth = 0;     // what copies move there in a cycle, all together; 0: no limit
}

// Copies between the arena, or what the caller has, and the memories that it joins,
// while others compute. Its instructions name it. A copy takes `latency` cycles, and
// then moves `bytesPerCycle`, or less where others need the same memory.
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
