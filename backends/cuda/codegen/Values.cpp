//===- Values.cpp - trees over indices as LLVM IR -------------------------===//
// SPDX-License-Identifier: MIT

#include "Values.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace glow;
using namespace glow::cuda;
using namespace glow::loops;

/// Arguments of a kernel: the buffers of its tensors, the memory for the number
/// of a step that fails, all numbers of the program, and the place of the
/// launch's numbers among them.
static llvm::Function *begin(llvm::Module &module, size_t buffers) {
  llvm::LLVMContext &context = module.getContext();
  llvm::Type *pointer = llvm::PointerType::get(context, globalSpace);
  llvm::SmallVector<llvm::Type *> arguments(buffers + 2, pointer);
  arguments.push_back(llvm::Type::getInt64Ty(context));
  auto *function = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getVoidTy(context), arguments, false),
      llvm::Function::ExternalLinkage, "kernel", module);
  function->setCallingConv(llvm::CallingConv::PTX_Kernel);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  llvm::Argument *list = function->getArg(unsigned(buffers) + 1);
  list->addAttr(llvm::Attribute::NoAlias);
  list->addAttr(llvm::Attribute::ReadOnly);
  return function;
}

Values::Values(llvm::Module &module, Program &program,
               std::vector<unsigned> tensors)
    : builder(module.getContext()), function(begin(module, tensors.size())),
      tensors(std::move(tensors)), program(program),
      moved(plans::movedKind(program)), moves(moved.has_value()) {
  entry = llvm::BasicBlock::Create(module.getContext(), "entry", function);
  body = llvm::BasicBlock::Create(module.getContext(), "body", function);
  builder.SetInsertPoint(body);
  scopes.emplace_back();
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

static llvm::BasicBlock *blockOf(llvm::Function *function, const char *name) {
  return llvm::BasicBlock::Create(function->getContext(), name, function);
}

void Values::openIf(llvm::Value *holds, const char *name) {
  Scope scope;
  llvm::BasicBlock *then = blockOf(function, name);
  scope.end = blockOf(function, "end");
  builder.CreateCondBr(holds, then, scope.end);
  builder.SetInsertPoint(then);
  scopes.push_back(std::move(scope));
}

llvm::Value *Values::openLoop(llvm::Value *from, llvm::Value *to,
                              int64_t step) {
  Scope scope;
  scope.index = variable(from);
  scope.step = step;
  scope.header = blockOf(function, "loop");
  llvm::BasicBlock *inside = blockOf(function, "each");
  scope.end = blockOf(function, "end");
  builder.CreateBr(scope.header);
  builder.SetInsertPoint(scope.header);
  llvm::Value *index = read(scope.index);
  builder.CreateCondBr(builder.CreateICmpSLT(index, to), inside, scope.end);
  builder.SetInsertPoint(inside);
  scope.next = index;
  scopes.push_back(std::move(scope));
  return index;
}

void Values::close() {
  Scope scope = std::move(scopes.back());
  scopes.pop_back();
  if (scope.header) {
    llvm::Value *by =
        llvm::ConstantInt::get(scope.next->getType(), uint64_t(scope.step));
    builder.CreateStore(builder.CreateNSWAdd(scope.next, by), scope.index);
  }
  builder.CreateBr(scope.header ? scope.header : scope.end);
  builder.SetInsertPoint(scope.end);
}

llvm::Value *Values::variable(llvm::Value *initial) {
  llvm::IRBuilder<> before(entry, entry->begin());
  llvm::Value *place = before.CreateAlloca(initial->getType());
  builder.CreateStore(initial, place);
  return place;
}
llvm::Value *Values::read(llvm::Value *variable) {
  auto *place = llvm::cast<llvm::AllocaInst>(variable);
  return builder.CreateLoad(place->getAllocatedType(), place);
}

llvm::Value *Values::special(llvm::Intrinsic::ID id) {
  return builder.CreateIntrinsic(id, llvm::ArrayRef<llvm::Type *>(),
                                 llvm::ArrayRef<llvm::Value *>());
}

void Values::wait() {
  builder.CreateIntrinsic(llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_all,
                          llvm::ArrayRef<llvm::Type *>(),
                          {builder.getInt32(0)});
}

llvm::Value *Values::shared(const char *name, int64_t floats) {
  llvm::Module &module = *function->getParent();
  const std::string its = name + std::to_string(floats);
  if (llvm::GlobalVariable *known = module.getNamedGlobal(its))
    return known;
  llvm::Type *type =
      llvm::ArrayType::get(builder.getFloatTy(), uint64_t(floats));
  auto *memory = new llvm::GlobalVariable(
      module, type, false, llvm::GlobalValue::InternalLinkage,
      llvm::UndefValue::get(type), its, nullptr,
      llvm::GlobalValue::NotThreadLocal, sharedSpace);
  memory->setAlignment(llvm::Align(16));
  return memory;
}

void Values::finish() {
  builder.CreateRetVoid();
  builder.SetInsertPoint(entry);
  builder.CreateBr(body);
}

//===----------------------------------------------------------------------===//
// Trees
//===----------------------------------------------------------------------===//

bool Values::isKnown(Term term) const {
  loops::IndexSet known = 0;
  for (const auto &[index, value] : bound)
    known |= loops::IndexSet(1) << index;
  return (term->indices & ~known) == 0;
}

/// Whether the value may change from one use to the next.
bool Values::changes(Term term) const {
  if (term->op == Op::Load &&
      (changed.contains(unsigned(term->integer)) ||
       (resultOf && unsigned(term->integer) == *resultOf)))
    return true;
  return llvm::any_of(term->operands,
                      [&](Term operand) { return changes(operand); });
}

bool Values::isLong(Term term) const {
  return term->op == Op::Load || term->low < INT32_MIN ||
         term->high > INT32_MAX;
}
llvm::Type *Values::indexType(Term term) {
  return isLong(term) ? builder.getInt64Ty() : builder.getInt32Ty();
}
llvm::Value *Values::widened(llvm::Value *index) {
  return builder.CreateSExt(index, builder.getInt64Ty());
}

llvm::Value *Values::refuse(const char *reason) {
  if (refused.empty())
    refused = reason;
  return builder.getInt32(0);
}

llvm::Value *Values::get(Term term) {
  if (term->isNumber()) {
    if (term->form == Form::Element)
      return literal(term->real);
    if (term->form == Form::Boolean)
      return builder.getInt1(term->integer != 0);
    return number(term->integer);
  }
  if (term->op == Op::Load && resultOf && unsigned(term->integer) == *resultOf)
    return result;
  for (const Scope &scope : scopes)
    if (auto found = scope.values.find(term.get()); found != scope.values.end())
      return found->second;
  const bool isFixed = !changes(term);
  llvm::Value *value = make(term);
  if (isFixed)
    scopes.back().values[term.get()] = value;
  return value;
}

llvm::Value *Values::all(llvm::ArrayRef<Term> conditions) {
  llvm::Value *both = nullptr;
  for (Term condition : conditions) {
    llvm::Value *one = get(condition);
    both = both ? builder.CreateAnd(both, one) : one;
  }
  return both;
}

llvm::Value *Values::make(Term term) {
  if (term->op == Op::Load)
    return loaded(term);
  if (term->form == Form::Boolean)
    return makeBoolean(term);
  return term->form == Form::Index ? makeIndex(term) : makeElement(term);
}

llvm::Value *Values::makeIndex(Term term) {
  llvm::Type *type = indexType(term);
  if (term->op == Op::Index) {
    auto found = bound.find(unsigned(term->integer));
    return found == bound.end()
               ? refuse("an index has no loop")
               : builder.CreateSExtOrTrunc(found->second, type);
  }
  if (term->op == Op::Size)
    return refuse("sizes of a run have no kernels");
  llvm::SmallVector<llvm::Value *> x;
  bool isWide = isLong(term);
  for (Term operand : term->operands) {
    x.push_back(get(operand));
    isWide |= x.back()->getType()->isIntegerTy(64);
  }
  if (!refused.empty())
    return builder.getInt32(0);
  if (isWide)
    for (llvm::Value *&one : x)
      one = one->getType()->isIntegerTy(1) ? one : widened(one);
  const bool rounds = x.size() == 2 && !(term->operands[0]->low >= 0 &&
                                         term->operands[1]->low > 0);
  auto floored = [&](bool isQuotient) -> llvm::Value * {
    if (!rounds)
      return isQuotient ? builder.CreateUDiv(x[0], x[1])
                        : builder.CreateURem(x[0], x[1]);
    // A divisor of 0 gives 0.
    llvm::Type *its = x[0]->getType();
    llvm::Value *none = llvm::ConstantInt::get(its, 0),
                *one = llvm::ConstantInt::get(its, 1);
    llvm::Value *isNone = builder.CreateICmpEQ(x[1], none);
    llvm::Value *divisor = builder.CreateSelect(isNone, one, x[1]);
    llvm::Value *quotient = builder.CreateSDiv(x[0], divisor);
    llvm::Value *rest =
        builder.CreateSub(x[0], builder.CreateMul(quotient, divisor));
    llvm::Value *isBelow = builder.CreateAnd(
        builder.CreateICmpNE(rest, none),
        builder.CreateICmpSLT(builder.CreateXor(rest, divisor), none));
    llvm::Value *value =
        isQuotient
            ? builder.CreateSelect(isBelow, builder.CreateSub(quotient, one),
                                   quotient)
            : builder.CreateSelect(isBelow, builder.CreateAdd(rest, divisor),
                                   rest);
    return builder.CreateSelect(isNone, none, value);
  };
  llvm::Value *value = nullptr;
  switch (term->op) {
  case Op::Select:
    value = builder.CreateSelect(truth(x[0]), x[1], x[2]);
    break;
  case Op::Negate:
    value = builder.CreateNeg(x[0]);
    break;
  case Op::Add:
    value = builder.CreateAdd(x[0], x[1]);
    break;
  case Op::Subtract:
    value = builder.CreateSub(x[0], x[1]);
    break;
  case Op::Multiply:
    value = builder.CreateMul(x[0], x[1]);
    break;
  case Op::Divide:
  case Op::Modulo:
    value = floored(term->op == Op::Divide);
    break;
  default:
    return refuse("an operation of indices has no code");
  }
  return builder.CreateSExtOrTrunc(value, type);
}

llvm::Value *Values::truth(llvm::Value *value) {
  llvm::Type *type = value->getType();
  if (type->isIntegerTy(1))
    return value;
  return type->isFloatingPointTy()
             ? builder.CreateFCmpUNE(value, llvm::ConstantFP::get(type, 0))
             : builder.CreateICmpNE(value, llvm::ConstantInt::get(type, 0));
}

/// A comparison of two elements, or of two indices.
llvm::Value *Values::compared(Term term, llvm::Value *a, llvm::Value *b) {
  using Predicate = llvm::CmpInst::Predicate;
  if (a->getType()->isFloatingPointTy())
    return builder.CreateFCmp(term->op == Op::Less        ? Predicate::FCMP_OLT
                              : term->op == Op::LessEqual ? Predicate::FCMP_OLE
                                                          : Predicate::FCMP_OEQ,
                              a, b);
  if (a->getType() != b->getType())
    a = widened(a), b = widened(b);
  const bool isUnsigned =
      term->operands[0]->form == Form::Element && !isSigned(program.computes);
  Predicate less = isUnsigned ? Predicate::ICMP_ULT : Predicate::ICMP_SLT,
            least = isUnsigned ? Predicate::ICMP_ULE : Predicate::ICMP_SLE;
  return builder.CreateICmp(term->op == Op::Less        ? less
                            : term->op == Op::LessEqual ? least
                                                        : Predicate::ICMP_EQ,
                            a, b);
}

llvm::Value *Values::makeBoolean(Term term) {
  llvm::SmallVector<llvm::Value *> x;
  for (Term operand : term->operands)
    x.push_back(get(operand));
  if (!refused.empty())
    return builder.getFalse();
  switch (term->op) {
  case Op::Less:
  case Op::LessEqual:
  case Op::Equal:
    return compared(term, x[0], x[1]);
  case Op::Both:
    return builder.CreateAnd(truth(x[0]), truth(x[1]));
  case Op::Either:
    return builder.CreateOr(truth(x[0]), truth(x[1]));
  case Op::Not:
    return builder.CreateNot(truth(x[0]));
  case Op::Select:
    return builder.CreateSelect(truth(x[0]), truth(x[1]), truth(x[2]));
  case Op::Convert:
    return truth(x[0]);
  default:
    refuse("an operation of booleans has no code");
    return builder.getFalse();
  }
}

/// An index or a boolean as an element.
llvm::Value *Values::converted(llvm::Value *value) {
  const bool isBoolean = value->getType()->isIntegerTy(1);
  llvm::Type *type = elementType();
  if (!isReal())
    return isBoolean ? builder.CreateZExt(value, type)
                     : builder.CreateSExtOrTrunc(value, type);
  return isBoolean ? builder.CreateUIToFP(value, type)
                   : builder.CreateSIToFP(value, type);
}

llvm::Value *Values::makeElement(Term term) {
  llvm::SmallVector<llvm::Value *> x;
  for (Term operand : term->operands)
    x.push_back(get(operand));
  if (!refused.empty())
    return llvm::Constant::getNullValue(elementType());
  const bool real = isReal();
  switch (term->op) {
  case Op::Add:
    return real ? builder.CreateFAdd(x[0], x[1])
                : builder.CreateAdd(x[0], x[1]);
  case Op::Subtract:
    return real ? builder.CreateFSub(x[0], x[1])
                : builder.CreateSub(x[0], x[1]);
  case Op::Multiply:
    return real ? builder.CreateFMul(x[0], x[1])
                : builder.CreateMul(x[0], x[1]);
  case Op::Divide: {
    if (real)
      return builder.CreateFDiv(x[0], x[1]);
    // A division by 0 gives 0, and one by -1 wraps around.
    llvm::Constant *none = builder.getInt64(0), *one = builder.getInt64(1);
    llvm::Value *isNone = builder.CreateICmpEQ(x[1], none);
    if (!isSigned(program.computes))
      return builder.CreateSelect(
          isNone, none,
          builder.CreateUDiv(x[0], builder.CreateSelect(isNone, one, x[1])));
    llvm::Value *isMinus = builder.CreateICmpEQ(x[1], builder.getInt64(~0ull));
    llvm::Value *safe =
        builder.CreateSelect(builder.CreateOr(isNone, isMinus), one, x[1]);
    llvm::Value *quotient = builder.CreateSelect(
        isMinus, builder.CreateNeg(x[0]), builder.CreateSDiv(x[0], safe));
    return builder.CreateSelect(isNone, none, quotient);
  }
  case Op::Remainder:
    return call("fmod", x);
  case Op::Negate:
    return real ? builder.CreateFNeg(x[0]) : builder.CreateNeg(x[0]);
  case Op::Select:
    return builder.CreateSelect(truth(x[0]), x[1], x[2]);
  case Op::Convert:
    return converted(x[0]);
  case Op::Call:
    return call(term->name, x);
  default:
    refuse("an operation of elements has no code");
    return llvm::Constant::getNullValue(elementType());
  }
}

/// Functions take floats as vectors of one lane, and others by their address.
llvm::Value *Values::call(llvm::StringRef name,
                          llvm::ArrayRef<llvm::Value *> operands) {
  llvm::Type *type = elementType();
  const std::string symbol = "glow_function_" + name.str() + "_" +
                             std::string(glow::name(program.computes));
  llvm::Module &module = *function->getParent();
  llvm::SmallVector<llvm::Value *> arguments;
  llvm::SmallVector<llvm::Type *> types;
  const bool isVector = type->isFloatTy();
  llvm::Type *lane = llvm::FixedVectorType::get(type, 1);
  auto place = [&](llvm::Value *value) { return variable(value); };
  if (!isVector)
    arguments.push_back(place(llvm::Constant::getNullValue(type)));
  for (llvm::Value *operand : operands)
    arguments.push_back(isVector ? builder.CreateBitCast(operand, lane)
                                 : place(operand));
  for (llvm::Value *argument : arguments)
    types.push_back(argument->getType());
  llvm::FunctionCallee callee = module.getOrInsertFunction(
      symbol, llvm::FunctionType::get(isVector ? lane : builder.getVoidTy(),
                                      types, false));
  llvm::Value *value = builder.CreateCall(callee, arguments);
  return isVector ? builder.CreateBitCast(value, type) : read(arguments[0]);
}
