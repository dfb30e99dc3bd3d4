// From nodes to steps: each value has memory of its own.
#include "glow/Backend/Backend.h"
#include "glow/Backend/Steps.h"
#include "glow/Graph/Storage.h"
#include "interpreter/device/Device.h"
#include "mlir/IR/SymbolTable.h"

using namespace glow;

namespace {

class Compiler {
public:
  Compiler(FuncOp function, std::shared_ptr<const void> owner,
           const std::string &backend)
      : function(function), owner(std::move(owner)),
        symbols(function->getParentOfType<mlir::ModuleOp>()) {
    program.backend = backend;
  }

  Program run() {
    program.entry = function.getSymName().str();
    for (auto port :
         function->getParentOfType<mlir::ModuleOp>().getOps<PlaceholderOp>())
      declare(port);
    for (mlir::Operation &op : function.block())
      visit(op);
    program.code = code;
    return std::move(program);
  }

private:
  static TensorType typeOf(mlir::Type type) {
    return tensorTypeOf(llvm::cast<mlir::RankedTensorType>(type));
  }

  uint32_t add(BufferPlace place) {
    code->buffers.push_back(std::move(place));
    return uint32_t(code->buffers.size()) - 1;
  }

  void declare(PlaceholderOp port) {
    bool isOutput = port.getRole() == PlaceholderRole::Output;
    auto &list = isOutput ? program.outputs : program.inputs;
    TensorType type = typeOf(port.getType());
    storage[port.getSymName()] =
        add({isOutput ? BufferPlace::Output : BufferPlace::Input,
             uint32_t(list.size()), 0, type, port.getSymName().str()});
    list.push_back({port.portName().str(), type, {}});
  }

  uint32_t constant(ConstantOp op) {
    TensorBytes bytes = bytesOf(op.getValue());
    TensorType type = typeOf(op.getValue().getType());
    program.constants.push_back({op.getSymName().str(), type,
                                 bytes.bytes.data(),
                                 bytes.owner ? bytes.owner : owner});
    return add({BufferPlace::Constant, uint32_t(program.constants.size()) - 1,
                0, type, op.getSymName().str()});
  }

  void visit(mlir::Operation &op) {
    if (auto read = llvm::dyn_cast<ReadOp>(op)) {
      auto data = symbols.lookup<ConstantOp>(read.getStorage());
      values[read.getOut()] =
          data ? constant(data) : storage.lookup(read.getStorage());
      return;
    }
    if (auto save = llvm::dyn_cast<SaveOp>(op))
      return step(op, "copy", {storage.lookup(save.getStorage())});
    TensorType type = typeOf(op.getResult(0).getType());
    values[op.getResult(0)] =
        add({BufferPlace::Arena, 0, program.arenaBytes, type, ""});
    program.arenaBytes += (type.bytes() + 63) / 64 * 64;
    step(op, op.getName().stripDialect(), {values[op.getResult(0)]});
  }

  /// A node as it is: its attributes, and its operands and result as buffers.
  void step(mlir::Operation &op, llvm::StringRef name,
            std::vector<uint32_t> buffers) {
    for (mlir::Value operand : op.getOperands())
      buffers.push_back(values.lookup(operand));
    Step step{name.str(), modelName(op.getLoc()), buffers,
              std::vector<int32_t>(buffers.size(), 1), 1};
    if (auto alpha = op.getAttrOfType<mlir::FloatAttr>("alpha"))
      step.attributes.push_back(alpha.getValueAsDouble());
    code->steps.push_back(std::move(step));
  }

  FuncOp function;
  std::shared_ptr<const void> owner;
  mlir::SymbolTable symbols;
  Program program;
  std::shared_ptr<StepCode> code = std::make_shared<StepCode>();
  llvm::StringMap<uint32_t> storage;
  llvm::DenseMap<mlir::Value, uint32_t> values;
};

class NodesBackend final : public Backend {
public:
  explicit NodesBackend(std::string name) : own(std::move(name)) {}
  llvm::StringRef name() const override { return own; }
  mlir::FailureOr<Program> compileNodes(FuncOp function,
                                        std::shared_ptr<const void> owner,
                                        const CodeOptions &) const override {
    return Compiler(function, std::move(owner), own).run();
  }

private:
  std::string own;
};

} // namespace

static const NodesBackend backends[] = {NodesBackend("nodes"),
                                        NodesBackend("shared")};
[[maybe_unused]] static const bool registered = [] {
  for (const NodesBackend &backend : backends) {
    registerBackend(backend);
    registerInterpreterDevice(backend.name().str());
  }
  return true;
}();
