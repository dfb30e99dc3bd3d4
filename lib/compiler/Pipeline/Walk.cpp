//===- Walk.cpp - a model's way through the rooms -------------------------===//

#include "Walk.h"
#include "glow/Base/InputFile.h"
#include "glow/Base/OneLine.h"
#include "glow/Importer/Importer.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace glow;

bool glow::isModuleFile(StringRef path) {
  return path.ends_with(".mlir") || path.ends_with(".mlirbc");
}

/// `model.onnx:conv_3: error: ...`, with notes on lines of their own.
static void print(Diagnostic &diagnostic, StringRef path) {
  auto where = [&](Location location) {
    std::string text = path.str();
    // Of a module's text, a line says more than the name of a value.
    auto file = location->findInstanceOf<FileLineColLoc>();
    if (file && file.getLine())
      text = (file.getFilename().getValue() + ":" + Twine(file.getLine()) +
              ":" + Twine(file.getColumn()))
                 .str();
    else if (auto name = dyn_cast<NameLoc>(location))
      text += ":" + name.getName().str();
    else if (file)
      text = file.getFilename().str();
    return oneLine(text);
  };
  llvm::errs() << where(diagnostic.getLocation())
               << (diagnostic.getSeverity() == DiagnosticSeverity::Error
                       ? ": error: "
                       : ": warning: ")
               << oneLine(diagnostic.str()) << "\n";
  for (Diagnostic &note : diagnostic.getNotes())
    llvm::errs() << "  note: " << oneLine(note.str()) << "\n";
}

OwningOpRef<ModuleOp> glow::parseModule(MLIRContext &context,
                                        const std::string &path) {
  auto sources = std::make_shared<llvm::SourceMgr>();
  Result<InputFile> opened = InputFile::open(path);
  if (!opened) {
    llvm::errs() << path << ": error: " << opened.status().message() << "\n";
    return {};
  }
  // The pages of a file that somebody else cuts meanwhile are gone: it is read.
  auto file = llvm::MemoryBuffer::getOpenFile(
      opened->descriptor(), path, uint64_t(opened->about().st_size),
      /*RequiresNullTerminator=*/true, !isOursAlone(opened->about()));
  if (!file) {
    llvm::errs() << path
                 << ": error: cannot be read: " << file.getError().message()
                 << "\n";
    return {};
  }
  sources->AddNewSourceBuffer(std::move(*file), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(*sources, &context, llvm::errs());
  return parseSourceFile<ModuleOp>(sources, &context);
}

Walk::Walk(MLIRContext &context, const std::string &path,
           const CompileRequest &request)
    : context(context), path(path), request(request),
      memory(request.memoryLimit), use(memory),
      handler(&context, [this](Diagnostic &diagnostic) {
        told |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
        print(diagnostic, this->path);
        return success();
      }) {}

OwningOpRef<ModuleOp> Walk::read() {
  if (isModuleFile(path)) {
    OwningOpRef<ModuleOp> module = parseModule(context, path);
    told |= !module;
    return module;
  }
  ImportOptions options;
  options.shapes = request.shapes;
  options.values = request.values;
  options.memoryLimit = request.memoryLimit;
  return importOnnx(context, path, options,
                    request.mayRunInStages ? &staged : nullptr);
}

bool Walk::lead(ModuleOp module, Room last) {
  PassManager passes(&context);
  addRooms(passes, request.backend, last, request.code, request.memoryLimit);
#ifdef NDEBUG
  // After each pass is for those who write passes; users wait for it.
  passes.enableVerifier(false);
#endif
  return succeeded(mlir::verify(module)) && succeeded(passes.run(module));
}

OwningOpRef<ModuleOp> Walk::to(Room last) {
  OwningOpRef<ModuleOp> module = read();
  if (!module || !lead(*module, last))
    return {};
  return module;
}

Status Walk::refused() const {
  if (staged)
    return Status(Code::InStages, path + " runs in stages");
  if (told)
    return Status(Code::Reported, path + " cannot be compiled");
  return Status(Code::Internal,
                path + " cannot be compiled, and no pass said why");
}
