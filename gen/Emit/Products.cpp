//===- Products.cpp - many products of one reading of the records ---------===//
//
// Reading and checking the records takes longer than any product: a build has
// all of them made at once.
//
//===----------------------------------------------------------------------===//

#include "Check/Check.h"
#include "Emit/Emit.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TableGen/Error.h"

using namespace glow::gen;
using namespace llvm;

static cl::list<std::string> products(
    "product",
    cl::desc("for -gen-products: what -GENERATOR gives goes into FILE"),
    cl::value_desc("GENERATOR[:FAMILY]=FILE"));

static cl::opt<bool>
    onlyTried("try", cl::desc("for -gen-products: write no product, so that a "
                              "build says its mistakes before it says what "
                              "all is not made"));

namespace {
struct Registered {
  StringRef name;
  EmitFunction function;
};
} // namespace

static std::vector<Registered> &emitters() {
  static std::vector<Registered> instance;
  return instance;
}

Emitter::Emitter(StringRef name, StringRef description, EmitFunction function)
    : registration(name, description,
                   [function](const RecordKeeper &records, raw_ostream &os) {
                     Model model(records);
                     checkAll(model);
                     return function(model, os);
                   }) {
  emitters().push_back({name, function});
}

static EmitFunction emitterNamed(StringRef name) {
  for (const Registered &emitter : emitters())
    if (emitter.name == name)
      return emitter.function;
  PrintFatalError("no generator is named '" + name + "'");
}

/// What has not changed keeps its time, so that nothing is compiled again.
static void writeIfChanged(StringRef file, StringRef text) {
  if (auto present = MemoryBuffer::getFile(file))
    if ((*present)->getBuffer() == text)
      return;
  std::error_code error;
  raw_fd_ostream os(file, error);
  os << text;
  os.close();
  if (error || os.has_error())
    PrintFatalError("cannot write '" + file + "'");
}

static bool emitProducts(const Model &model, raw_ostream &os) {
  for (StringRef product : products) {
    auto [what, file] = product.split('=');
    auto [generator, family] = what.split(':');
    if (file.empty())
      PrintFatalError("-product '" + product +
                      "' should be GENERATOR[:FAMILY]=FILE");
    chooseFamily(family);
    std::string text;
    raw_string_ostream stream(text);
    if (emitterNamed(generator)(model, stream))
      return true;
    if (!onlyTried)
      writeIfChanged(file, text);
    os << file << "\n";
  }
  return false;
}

static Emitter registration("gen-products",
                            "Write each -product, and list their files",
                            emitProducts);
