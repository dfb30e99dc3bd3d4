//===- Products.cpp - many products of one reading of the records ---------===//
// SPDX-License-Identifier: MIT
//
// Reading and checking the records takes longer than any product: a build has
// all of them made at once.
//
//===----------------------------------------------------------------------===//

#include "Check/Check.h"
#include "Emit/language/Emit.h"
#include "Expr/Let.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
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

/// Leaves an unchanged file alone: its time stays, so that nothing is compiled
/// again.
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

/// All identifiers of the products that were written, and of these what they
/// call in namespace `expr`.
static StringSet<> named, called;

static void noteNames(StringRef text) {
  constexpr StringLiteral space = "::glow::expr::";
  for (size_t at = 0; at < text.size();) {
    if (!isAlpha(text[at]) && text[at] != '_') {
      ++at;
      continue;
    }
    StringRef name = text.substr(at).take_while(
        [](char c) { return isAlnum(c) || c == '_'; });
    named.insert(name);
    if (text.take_front(at).ends_with(space))
      called.insert(name);
    at += name.size();
  }
}

/// Whether the products name a class or call a function of the library, which
/// its header has.
static bool nameLibrary(const Model &model) {
  return any_of(model.nodes,
                [&](const std::unique_ptr<NodeModel> &node) {
                  StringRef name = node->className;
                  return !model.isOwn(node->record) &&
                         (named.contains(name) ||
                          named.contains((name + "Shape").str()) ||
                          named.contains(("create" + name).str()));
                }) ||
         any_of(model.functions.lets(), [&](const LetFunction *function) {
           return !model.isOwn(*function->record) &&
                  called.contains(function->name);
         });
}

static bool emitLibraryNodes(const Model &model, raw_ostream &os) {
  if (nameLibrary(model))
    os << "#include \"glow/Graph/Nodes.h\"\n";
  return false;
}

static Emitter
    libraryNodes("gen-library-nodes",
                 "for -gen-products: include the library's nodes if a "
                 "-product before names one",
                 emitLibraryNodes);

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
    noteNames(text);
    if (!onlyTried)
      writeIfChanged(file, text);
    os << file << "\n";
  }
  return false;
}

static Emitter registration("gen-products",
                            "Write each -product, and list their files",
                            emitProducts);
