//===- KernelModule.cpp - the kernels of one program ----------------------===//
// SPDX-License-Identifier: MIT

#include "KernelModule.h"
#include "StatementCode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace glow;
using namespace glow::cuda;
using namespace glow::loops;

KernelModule::KernelModule()
    : module(std::make_unique<llvm::Module>("kernels", context)) {}

/// The tensors that statements write or read, in their order.
static std::vector<unsigned> tensorsOf(const plans::PlannedKernel &planned) {
  std::set<unsigned> all;
  for (const plans::DevicePlan &plan : planned.statements) {
    const loops::Statement &one = plan.statement;
    all.insert(one.tensor);
    std::vector<Term> roots(one.subscripts.begin(), one.subscripts.end());
    for (Term term : {one.value, one.otherwise, one.index, one.finish})
      if (term)
        roots.push_back(term);
    for (const Bounds &bounds : one.bounds) {
      roots.push_back(bounds.low);
      roots.push_back(bounds.high);
    }
    for (Term term : treesOf(roots))
      if (term->op == Op::Load)
        all.insert(unsigned(term->integer));
  }
  return std::vector(all.begin(), all.end());
}

/// The number of a thread in its block, or that of the block.
static llvm::Value *threadOf(Values &values) {
  return values.special(llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x);
}
static llvm::Value *blockOf(Values &values) {
  return values.special(llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x);
}

/// A block for each tile of a product.
static void emitTiles(Program &program, const plans::DevicePlan &plan,
                      Values &values, LaunchedKernel &kernel) {
  kernel.threads = uint64_t(plan.group);
  kernel.blocks = uint64_t(StatementCode::itemsOf(plan));
  kernel.needsGroup = true;
  StatementCode(program, plan, values)
      .emitTile(blockOf(values), threadOf(values));
}

/// A thread for each item, and some without one in the last block.
static void emitItems(Program &program, const plans::DevicePlan &plan,
                      Values &values, LaunchedKernel &kernel) {
  const int64_t items = StatementCode::itemsOf(plan);
  kernel.threads = uint64_t(plan.group);
  kernel.blocks = (uint64_t(items) + kernel.threads - 1) / kernel.threads;
  llvm::IRBuilder<> &builder = values.builder;
  llvm::Type *type = items > INT32_MAX - int64_t(kernel.threads)
                         ? builder.getInt64Ty()
                         : builder.getInt32Ty();
  llvm::Value *first =
      builder.CreateMul(builder.CreateZExt(blockOf(values), type),
                        llvm::ConstantInt::get(type, kernel.threads));
  llvm::Value *item =
      builder.CreateAdd(first, builder.CreateZExt(threadOf(values), type));
  llvm::Value *count = builder.CreateSExt(values.number(items), type);
  values.openIf(builder.CreateICmpULT(item, count), "item");
  StatementCode(program, plan, values).emit(item);
  values.close();
}

/// The threads of one block share the items of each statement.
static void emitScan(Program &program, const plans::PlannedKernel &planned,
                     Values &values, LaunchedKernel &kernel) {
  kernel.threads = plans::scanGroup;
  kernel.needsGroup = true;
  for (const plans::DevicePlan &plan : planned.statements)
    values.changed.insert(plan.statement.tensor);
  llvm::IRBuilder<> &builder = values.builder;
  const Scan &scan = *planned.scan;
  llvm::Value *end = builder.CreateSExt(
      values.number(program.extent(scan.index)), builder.getInt32Ty());
  llvm::Value *at = values.openLoop(builder.getInt32(0), end);
  if (scan.backwards)
    at = builder.CreateSub(builder.CreateSub(end, builder.getInt32(1)), at);
  values.bind(scan.index, at);
  for (const plans::DevicePlan &plan : planned.statements) {
    const int64_t items = StatementCode::itemsOf(plan);
    llvm::Type *type = items > INT32_MAX - int64_t(plans::scanGroup)
                           ? builder.getInt64Ty()
                           : builder.getInt32Ty();
    llvm::Value *item = values.openLoop(
        builder.CreateZExt(threadOf(values), type),
        builder.CreateSExt(values.number(items), type), plans::scanGroup);
    StatementCode(program, plan, values).emit(item);
    values.close();
    values.wait();
  }
  values.close();
}

Result<LaunchedKernel>
KernelModule::addKernel(Program &program, const plans::PlannedKernel &planned) {
  LaunchedKernel kernel;
  Values values(*module, program, tensorsOf(planned));
  if (planned.scan)
    emitScan(program, planned, values, kernel);
  else if (!planned.statements.empty() && planned.statements.front().isLocal())
    emitTiles(program, planned.statements.front(), values, kernel);
  else if (!planned.statements.empty())
    emitItems(program, planned.statements.front(), values, kernel);
  else
    values.checkInside(values.builder.getFalse());
  values.finish();
  llvm::Function *function = values.function;
  if (!values.refused.empty()) {
    function->eraseFromParent();
    return failure(Code::Unsupported, values.refused);
  }
  kernel.tensors = values.tensors;
  kernel.numbers = values.numbers;
  function->addFnAttr("nvvm.maxntid", std::to_string(kernel.threads));
  std::string text;
  llvm::raw_string_ostream stream(text);
  function->print(stream);
  text += std::to_string(kernel.threads);
  auto [found, isNew] = known.try_emplace(text, uint32_t(known.size()));
  kernel.kernel = found->second;
  kernel.isNew = isNew;
  if (isNew)
    function->setName("k" + std::to_string(kernel.kernel));
  else
    function->eraseFromParent();
  return kernel;
}

Result<std::vector<LaunchedKernel>> KernelModule::add(Program &program) {
  Result<std::vector<plans::PlannedKernel>> planned =
      plans::planKernels(program, planForms, hasFunction);
  if (!planned)
    return planned.status();
  std::vector<LaunchedKernel> kernels;
  for (const plans::PlannedKernel &one : *planned) {
    Result<LaunchedKernel> kernel = addKernel(program, one);
    if (!kernel)
      return kernel.status();
    kernels.push_back(kernel.take());
  }
  return kernels;
}

Result<std::string> KernelModule::print() {
  if (module->empty())
    return std::string();
  if (Status status = linkFunctions(*module); !status.ok())
    return status;
  return printPtx(*module);
}
