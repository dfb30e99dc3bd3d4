//===- DeviceSamples.cpp - contract of devices ----------------------------===//
// SPDX-License-Identifier: MIT
//
// Tests the contract of Runtime/Device.h on the program of every sample that a
// backend takes. Tensors may lie at any valid address, and no byte beside them
// is written. Runs may be requested concurrently, and a cancelled run leaves
// the program unchanged. An unloaded program can be loaded again, and a loss in
// the middle of a run affects only the request. A node whose record lists
// operands as in place also runs on its own result, in place of each such
// operand. So the plan may put one over the other.
//
//===----------------------------------------------------------------------===//

#include "CaseMaker.h"
#include "DeviceLoss.h"
#include "glow/Base/Threads.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/IR/InstrInfo.h"
#include "glow/Program/BackendRecord.h"
#include "glow/Runtime/DeviceRegistry.h"
#include "mlir/IR/Verifier.h"
#include <cstring>
#include <future>
#include <list>

using namespace mlir;
using namespace glow;

namespace {

/// Memory for the tensors of one run, with guard bytes around each tensor.
class RunMemory {
public:
  /// Each tensor begins `shift` elements after an address that is aligned for
  /// all kinds.
  RunMemory(const Program &program, ArrayRef<glow::Tensor> inputs,
            size_t shift) {
    for (const Binding &binding : program.inputs) {
      const glow::Tensor &given = inputs[std::stoul(binding.name.substr(1))];
      TensorView view = add(binding.type, shift);
      if (binding.type.bytes())
        std::memcpy(view.data, given.data(), binding.type.bytes());
      tensors.inputs.push_back(view);
    }
    for (const Binding &binding : program.outputs)
      tensors.outputs.push_back(add(binding.type, shift));
  }

  /// The bytes of the outputs, one after the other.
  std::string results() const {
    std::string bytes;
    for (const TensorView &output : tensors.outputs)
      bytes.append(output.as<const char>(), output.type->bytes());
    return bytes;
  }

  bool isIntactAround() const {
    auto areMarks = [](const char *from, const char *to) {
      return std::all_of(from, to, [](char byte) { return byte == mark; });
    };
    return llvm::all_of(blocks, [&](const Block &block) {
      return areMarks(block.bytes.data(), block.data) &&
             areMarks(block.data + block.size,
                      block.bytes.data() + block.bytes.size());
    });
  }

  Tensors tensors;

private:
  static constexpr size_t line = 64;
  static constexpr char mark = 0x5a;
  struct Block {
    std::vector<char> bytes;
    char *data;
    size_t size;
  };
  std::list<Block> blocks;

  TensorView add(const glow::TensorType &type, size_t shift) {
    size_t size = type.bytes();
    size_t element = byteSize(type.kind);
    Block &block = blocks.emplace_back();
    block.bytes.assign(size + 3 * line + shift * element, mark);
    auto begin = reinterpret_cast<uintptr_t>(block.bytes.data()) + line;
    block.data = block.bytes.data() + line + (line - begin % line) % line +
                 shift * element;
    block.size = size;
    return {block.data, &type};
  }
};

class DeviceTest {
public:
  DeviceTest(Device &device, const Program &program,
             ArrayRef<glow::Tensor> inputs)
      : device(device), program(program), inputs(inputs),
        free(device.freeBytes()) {}

  std::string run() {
    std::string why = load();
    if (why.empty())
      why = runOnce(0, expected);
    for (auto check :
         {&DeviceTest::anywhere, &DeviceTest::atOnce, &DeviceTest::cancelled,
          &DeviceTest::givenUp, &DeviceTest::lost})
      if (why.empty())
        why = (this->*check)();
    return why;
  }

private:
  std::string load() {
    Result<ProgramId> loaded = device.load(program);
    if (!loaded)
      return "does not load: " + loaded.status().message();
    id = *loaded;
    return "";
  }

  glow::Status runIn(RunMemory &memory) {
    auto loaded = std::make_shared<std::promise<glow::Status>>();
    device.run(id, memory.tensors,
               [loaded](glow::Status status) { loaded->set_value(status); });
    return loaded->get_future().get();
  }

  std::string runOnce(size_t shift, std::string &results) {
    RunMemory memory(program, inputs, shift);
    if (glow::Status status = runIn(memory); !status.ok())
      return "does not run: " + status.message();
    if (!memory.isIntactAround())
      return "writes beside its tensors";
    results = memory.results();
    return "";
  }

  std::string runAgain(size_t shift, const Twine &when) {
    std::string results, why = runOnce(shift, results);
    if (why.empty() && results != expected)
      why = "gives other results";
    return why.empty() ? "" : (when + " it " + why).str();
  }

  std::string anywhere() {
    return runAgain(1, "with tensors that are aligned for an element alone");
  }

  std::string atOnce() {
    std::vector<std::string> outcomes(3);
    std::vector<std::thread> threads(outcomes.size());
    glow::Status status;
    for (size_t i = 0; i < outcomes.size() && status.ok(); ++i)
      status = glow::beginThread(threads[i], [&, i] {
        outcomes[i] = runAgain(0, "when three runs are asked for");
      });
    for (std::thread &thread : threads)
      if (thread.joinable())
        thread.join();
    if (!status.ok())
      return status.message();
    return *std::max_element(outcomes.begin(), outcomes.end());
  }

  std::string cancelled() {
    std::atomic<bool> isCancelled = true;
    RunMemory memory(program, inputs, 0);
    memory.tensors.cancelled = &isCancelled;
    glow::Status status = runIn(memory);
    if (!status.ok() && status.code() != Code::Cancelled)
      return "a run that is cancelled says '" + status.message() + "'";
    return runAgain(0, "after a run that was cancelled");
  }

  std::string givenUp() {
    glow::Status status = device.reset();
    if (status.code() == Code::Unsupported)
      device.unload(id);
    else if (!status.ok())
      return "does not give up what is loaded: " + status.message();
    if (device.freeBytes() != free)
      return "has " + std::to_string(device.freeBytes()) +
             " bytes free when all was given up, and had " +
             std::to_string(free);
    RunMemory memory(program, inputs, 0);
    if (runIn(memory).code() != Code::NotFound)
      return "runs what is loaded no more";
    std::string why = load();
    return why.empty() ? runAgain(0, "loaded again") : why;
  }

  std::string lost() {
    std::vector<glow::Tensor> given;
    for (const Binding &binding : program.inputs) {
      auto copy = glow::Tensor::copyOf(
          inputs[std::stoul(binding.name.substr(1))].view());
      if (!copy)
        return copy.status().message();
      given.push_back(copy.take());
    }
    return loseInTheMiddle(program, given, expected);
  }

  Device &device;
  const Program &program;
  ArrayRef<glow::Tensor> inputs;
  const uint64_t free;
  ProgramId id{};
  std::string expected;
};

} // namespace

static CaseOutcome testDevice(MLIRContext &context, const CaseMaker &maker,
                              const SampleInfo &sample,
                              const std::string &backend) {
  SampleModule module =
      buildSample(context, sample, operandsOf(context, sample));
  if (!module.built)
    return {"is refused: " + module.said};
  if (std::string why = maker.notTaken(*module.module, backend); !why.empty())
    return {why, /*skipped=*/true};
  Executable executable;
  std::string why =
      executable.compile(*module.module, /*optimise=*/true, backend);
  if (!why.empty())
    return {why};
  auto device = DeviceRegistry::instance().open(backend, {});
  if (!device)
    return {device.status().message()};
  return {DeviceTest(**device, executable.compiled(), module.inputs).run()};
}

/// Runs the node again on its result, which replaces one operand after the
/// other that the instruction's record lists as in place.
static bool chain(OpBuilder &builder, Operation *node,
                  SmallVectorImpl<Value> &results) {
  const NodeInfo *info = findNode(node->getName().getStringRef());
  const ir::InstrInfo *instr = ir::findInstr(node->getName().stripDialect());
  // If operands vary in number, an operand's index is not that of its name.
  if (!info || !instr || info->operands.size() != node->getNumOperands())
    return false;
  Value result = node->getResult(0);
  const mlir::Type type = result.getType();
  Operation *last = nullptr;
  for (auto [index, operand] : llvm::enumerate(info->operands)) {
    if (!llvm::is_contained(instr->inPlace, StringRef(operand.name)) ||
        node->getOperand(index).getType() != type)
      continue;
    Operation *again = builder.clone(*node);
    again->setOperand(index, result);
    if (again->getResultTypes() != node->getResultTypes())
      return false;
    last = again;
    result = again->getResult(0);
  }
  if (last)
    llvm::append_range(results, last->getResults());
  return last;
}

static SampleModule chained(MLIRContext &context, const SampleInfo &sample) {
  return buildSample(
      context, sample, operandsOf(context, sample),
      [](OpBuilder &builder, Operation *node, SmallVectorImpl<Value> &list) {
        chain(builder, node, list);
      });
}

static CaseOutcome testInPlace(MLIRContext &context, const CaseMaker &maker,
                               const SampleInfo &sample,
                               const std::string &backend) {
  SampleModule direct = chained(context, sample),
               compiled = chained(context, sample);
  if (std::string why = maker.notTaken(*compiled.module, backend); !why.empty())
    return {why, /*skipped=*/true};
  std::vector<glow::Tensor> expected, actual;
  std::string why = execute(direct, false, expected);
  if (why.empty())
    why = execute(compiled, true, actual, backend);
  return {why.empty() ? compare(sample.node, actual, expected, 4) : why};
}

/// The reference has a device too, if it is selected.
static std::vector<std::string> devicesFor(const CaseMaker &maker,
                                           StringRef node) {
  std::vector<std::string> backends = maker.backendsFor(node);
  if (maker.choice.backend == referenceBackend() && maker.choice.nodes.empty())
    backends.push_back(referenceBackend());
  return backends;
}

void glow::addDeviceCases(const std::shared_ptr<CaseMaker> &maker) {
  for (const SampleInfo &sample : allSamples()) {
    if (*sample.refuses || isOfBackend(sample.node))
      continue;
    auto add = [&](auto test, const Twine &what) {
      for (const std::string &backend : devicesFor(*maker, sample.node))
        maker->add(CaseKind::Device, sample.node,
                   " sample '" + Twine(sample.label) + "' " + what + " '" +
                       backend + "'",
                   placeOf(sample.node),
                   [maker, &sample, backend, test](MLIRContext &context) {
                     return test(context, *maker, sample, backend);
                   });
    };
    add(testDevice, "on a device of backend");
    if (SampleModule twice = chained(maker->context(), sample);
        twice.built && succeeded(verify(*twice.module)))
      add(testInPlace, "twice, in place, on backend");
  }
}
