//===- ReadModel.cpp - models of ONNX as modules --------------------------===//
// SPDX-License-Identifier: MIT

#include "ReadModel.h"
#include "glow/Importer/ModelFile.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace glow;

/// "x=1x3".
static Status addShape(StringRef flag, std::map<std::string, Ints> &shapes) {
  auto [name, sizes] = flag.rsplit('=');
  Ints shape;
  SmallVector<StringRef> words;
  sizes.split(words, 'x');
  for (StringRef word : words)
    if (int64_t size; !word.getAsInteger(10, size) && size >= 0)
      shape.push_back(size);
  if (name.size() == flag.size() || shape.size() != words.size())
    return failure(Code::InvalidArgument, "--shape '", flag.str(),
                   "' should be the name of an input and sizes, as "
                   "input=1x3x224x224");
  shapes[name.str()] = shape;
  return Status();
}

/// Sets an open batch size to 1. The importer reports all other open sizes.
static void addBatch(const std::vector<ModelPort> &inputs,
                     std::map<std::string, Ints> &shapes) {
  for (const ModelPort &input : inputs) {
    Ints shape = input.shape;
    if (!input.kind || !input.ranked || shape.empty())
      continue;
    if (shape.size() > 1 && shape[0] < 0)
      shape[0] = 1;
    if (llvm::all_of(shape, [](int64_t size) { return size >= 0; }))
      shapes.emplace(input.name, shape);
  }
}

Result<std::unique_ptr<llvm::MemoryBuffer>>
glow::readModel(const std::string &path, const std::vector<std::string> &flags,
                const DialectRegistry &registry) {
  ImportOptions options;
  for (const std::string &flag : flags)
    if (Status status = addShape(flag, options.shapes); !status.ok())
      return status;
  Result<std::unique_ptr<ModelFile>> file = ModelFile::open(path);
  if (!file)
    return file.status();
  addBatch((*file)->interface().inputs, options.shapes);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    std::string where = path;
    if (auto name = dyn_cast<NameLoc>(diagnostic.getLocation()))
      where += ":" + name.getName().str();
    llvm::errs() << where << ": error: " << diagnostic.str() << "\n";
    for (Diagnostic &note : diagnostic.getNotes())
      llvm::errs() << "  note: " << note.str() << "\n";
    return success();
  });
  OwningOpRef<ModuleOp> module = importOnnx(context, **file, options);
  if (!module)
    return Status(Code::Reported, path + " cannot be imported");
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  if (mlir::failed(writeBytecodeToFile(*module, os)))
    return Status(Code::Internal, "there is no bytecode of the module");
  return llvm::MemoryBuffer::getMemBufferCopy(bytes, path);
}
