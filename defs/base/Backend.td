//===- Backend.td - a backend's nodes and its code for them ---------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BASE_BACKEND
#define GLOW_BASE_BACKEND

// A claim of a backend: the nodes that run without lowering, their element
// kinds, and the condition. `nodes` may be given as a list of nodes.
class Legal<list<Node> nodes_, dag kinds_ = (kinds), string condition_ = ""> {
  list<Node> nodes = nodes_;
  dag kinds = kinds_;
  string condition = condition_;
  bit vectors = 0; // only for processors that have registers of vectors
}

// The largest difference of a kernel from the interpreter: units in the last
// place of the largest input.
class Ulp<int count_> { int count = count_; }

// A kernel of a backend for the instruction of a node, where the node's first
// operand (of a node without operands, the result) is of that element kind. The
// function is `Status name(const NODECall &)` of the namespace glow::kernels. It is
// called for the kinds that it names, and for no other.
class Kernel<Node node_, string kind_, string function_, Ulp bound_ = Ulp<0>,
             dag kinds_ = (kinds), string failure_ = ""> {
  Node node = node_;
  string kind = kind_;
  string function = function_;
  Ulp bound = bound_;
  dag kinds = kinds_;    // Integers:$I; of each other variable that may be of several
  // The error of a value that the kernel reports; "" where none can occur.
  string failure = failure_;
}

// Code of a backend's own for nodes. `algorithm` is its name for users. It
// applies to these kinds where `condition` holds, the operands `known` are
// constants or absent, and the operands `absent` are absent. The first such
// record of a backend that holds for a node runs it; without one, a kernel or
// other code does. Either `emitter` is the C++ function that emits the code,
// overloaded for each of the nodes,
//   NativeStep name(CodeModule &, const calls::NODECall &, const llvm::Twine &),
// or the backend's passes turn the node into node `becomes`, which has code
// itself.
class CodeFor<list<Node> nodes_, string algorithm_, dag kinds_ = (kinds),
              string condition_ = "", list<string> known_ = []> {
  list<Node> nodes = nodes_;
  list<string> instrs = []; // mnemonics of instructions of the core
  string algorithm = algorithm_;
  dag kinds = kinds_;
  string condition = condition_;
  list<string> known = known_;
  list<string> absent = [];
  string emitter = "";
  bit mayDecline = 0; // gives a std::optional: nothing where, by the costs that
                      // it knows, the next that holds is faster, or where its
                      // memory has no place
  bit fewerOperations = 0; // than the definition of the node has
  bit takesLengths = 0; // sizes of the code may be lengths that a run gives
  bit vectors = 0; // only for processors that have registers of vectors: elsewhere
                   // the next record that holds, or the loops of the node's record
  Node becomes = ?;
}

// A setting that only this backend has: `--name VALUE` of the commands, and the same
// name in the C interface. `type` is text, int, bool or size; a size is a number of
// bytes, written as for --memory-limit. The default is `initially`, "" for a size.
class BackendOption<string name_, string type_, string initially_, string summary_> {
  string name = name_;
  string type = type_;
  string initially = initially_;
  string summary = summary_;
  string value = ""; // what stands for the value in help; else by the type
  bit forFiles = 0;  // of commands that write code alone
}

// A cut of a size: tiles are a multiple of `multiple`, or the whole size.
class Cut<string name_, string size_, int multiple_ = 1> {
  string name = name_;
  string size = size_;
  int multiple = multiple_;
}
class Need<MemorySpace memory_, string bytes_> {
  MemorySpace memory = memory_;
  string bytes = bytes_;
}

// A node is computed in tiles. `cuts` lists the sizes that may be cut, `needs` the
// bytes of each memory that one tile takes, `cost` the cycles of all tiles. In the
// texts, a cut's name stands for the tile's part of the size. They include the data
// that a cut needs in addition (the rows around a window's rows, partial sums). The
// sizes are chosen where the node is lowered, so that the cost is the least and tiles
// fit: two at a time, where there are two. `irgen` of the node has the cuts by their
// names. A node without a fitting tile is not run.
class Tiling<Node node_, list<Cut> cuts_, list<Need> needs_, string cost_> {
  Node node = node_;
  list<Cut> cuts = cuts_;
  list<Need> needs = needs_;
  string cost = cost_;
}
class Backend<string name_> {
  string name = name_;
  string summary = "";
  bit runsReference = 0; // runs every node that has a reference kernel
  list<Legal> runs = [];
  list<Kernel> kernels = [];
  list<CodeFor> codes = [];
  bit linksKernels = 0;  // its compile half finds the kernels by their names
  list<string> loops = []; // element kinds for which it makes code of index
                           // notation and formulas, of any record
  bit runsLoops = 0;     // runs every node with index notation or a formula, on tensors
                         // of these kinds; and moves elements of any kind
  bit driverCompiles = 0; // a driver compiles its kernels, which takes long: only
                          // tests of this backend run all samples
  list<BackendOption> options = [];
  bit isReference = 0;   // its results are what others are measured against
  bit computes = 1;      // its results are the model's: generated tests hold
                         // them to the reference's
  int preference = 0;    // the largest of those there are runs a model that
                         // names none
  bit stepwise = 0;      // runs on the host, one instruction after the other, by
                         // its own kernels, or else the reference's
  bit takesNodes = 0;    // its compile half is given nodes, all of which it runs, in
                         // place of instructions on placed buffers
  bit takesLengths = 0;  // its programs take sizes that a run gives
  string fallback = "";  // the backend that runs what it cannot, in parts of a model
                         // of their own, between which values lie on the host
  int alignment = 64;    // of a buffer in the arena, in bytes: a power of two
  list<MemorySpace> memories = [];
  list<DmaEngine> engines = [];
  int bandwidth = 0;     // as a memory's, of the arena and of what the caller has
  int megahertz = 0;     // of the clock in which costs and copies are; 0: the host's
  list<Tiling> tilings = [];
}

#endif // GLOW_BASE_BACKEND
