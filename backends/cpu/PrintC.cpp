//===- PrintC.cpp - LLVM IR as portable C ---------------------------------===//
//
// Long, since each instruction of LLVM that code of ours has is a few lines
// here, and no two of them are spelled alike.
//
//===----------------------------------------------------------------------===//

#include "PrintC.h"
#include "CTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstVisitor.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/raw_ostream.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

namespace {

/// Prints the body of one function: a variable a value, a label a block.
class BodyPrinter : public InstVisitor<BodyPrinter> {
public:
  BodyPrinter(CNames &names, Function &function)
      : names(names), function(function) {}

  std::string print() {
    for (Argument &argument : function.args())
      values[&argument] = "a" + std::to_string(argument.getArgNo());
    for (BasicBlock &block : function) {
      labels[&block] = "b" + std::to_string(labels.size());
      for (Instruction &instruction : block)
        declare(instruction);
    }
    for (BasicBlock &block : function) {
      body += labels[&block] + ":;\n";
      for (Instruction &instruction : block)
        visit(instruction);
    }
    return declarations + body;
  }

  std::string spell(const Value *value) {
    if (auto *constant = dyn_cast<llvm::Constant>(value))
      return names.constant(constant);
    return values[value];
  }

  // What instructions become; each assigns to the variable of its value.
  void visitInstruction(Instruction &i) { unknown(i.getOpcodeName()); }
  void visitPHINode(PHINode &) {} // assigned where the block is left
  void visitUnreachableInst(UnreachableInst &) { line("abort();"); }
  void visitFreezeInst(FreezeInst &i) { assign(i, spell(i.getOperand(0))); }
  void visitAllocaInst(AllocaInst &) {} // declared

  void visitReturnInst(ReturnInst &i) {
    line(i.getReturnValue() ? "return " + spell(i.getReturnValue()) + ";"
                            : "return;");
  }
  void visitBranchInst(BranchInst &i) {
    if (i.isConditional()) {
      body += "if (" + spell(i.getCondition()) + ") {\n";
      jump(i, i.getSuccessor(0));
      body += "} else {\n";
      jump(i, i.getSuccessor(1));
      body += "}\n";
    } else {
      jump(i, i.getSuccessor(0));
    }
  }
  void visitSwitchInst(SwitchInst &i) {
    for (auto &label : i.cases()) {
      body += "if (" + spell(i.getCondition()) +
              " == " + spell(label.getCaseValue()) + ") {\n";
      jump(i, label.getCaseSuccessor());
      body += "}\n";
    }
    jump(i, i.getDefaultDest());
  }

  void visitLoadInst(LoadInst &i) {
    line("memcpy(&" + spell(&i) + ", " + spell(i.getPointerOperand()) +
         ", sizeof " + spell(&i) + ");");
  }
  void visitStoreInst(StoreInst &i) {
    std::string type = names.type(i.getValueOperand()->getType());
    line("{ " + type + " t = " + spell(i.getValueOperand()) + "; memcpy(" +
         spell(i.getPointerOperand()) + ", &t, sizeof t); }");
  }
  void visitGetElementPtrInst(GetElementPtrInst &i) {
    SmallMapVector<Value *, APInt, 4> scales;
    APInt constant(64, 0);
    if (!cast<GEPOperator>(i).collectOffset(names.layout, 64, scales,
                                            constant) ||
        i.getType()->isVectorTy())
      return unknown("getelementptr of vectors");
    std::string text = spell(i.getPointerOperand());
    for (auto &[index, scale] : scales)
      text += " + (int64_t)" + asSigned(index) + " * " +
              std::to_string(scale.getSExtValue());
    assign(i, text + " + " + std::to_string(constant.getSExtValue()));
  }

  void visitBinaryOperator(BinaryOperator &i) {
    each(i, [&](const std::string &lane) { return binary(i, lane); });
  }
  void visitUnaryOperator(UnaryOperator &i) {
    each(i, [&](const std::string &lane) { return "-" + operand(i, 0, lane); });
  }
  void visitICmpInst(ICmpInst &i) {
    each(i, [&](const std::string &lane) {
      auto side = [&](unsigned index) {
        std::string text = operand(i, index, lane);
        Type *type = i.getOperand(index)->getType()->getScalarType();
        if (type->isPointerTy())
          return "(uintptr_t)" + text;
        return i.isSigned() ? extended(type, text) : text;
      };
      return side(0) + " " + symbolOf(i.getPredicate()) + " " + side(1);
    });
  }
  void visitFCmpInst(FCmpInst &i) {
    each(i, [&](const std::string &lane) {
      return comparison(i.getPredicate(), operand(i, 0, lane),
                        operand(i, 1, lane));
    });
  }
  void visitSelectInst(SelectInst &i) {
    each(i, [&](const std::string &lane) {
      std::string condition = spell(i.getCondition());
      return CNames::lane(i.getCondition()->getType(), condition, lane) +
             " ? " + operand(i, 1, lane) + " : " + operand(i, 2, lane);
    });
  }
  void visitCastInst(CastInst &i) {
    if (i.getOpcode() == Instruction::BitCast)
      return bitCast(i);
    each(i, [&](const std::string &lane) {
      return converted(i, operand(i, 0, lane));
    });
  }

  void visitExtractElementInst(ExtractElementInst &i) {
    assign(i, spell(i.getVectorOperand()) + ".v[" + spell(i.getIndexOperand()) +
                  "]");
  }
  void visitInsertElementInst(InsertElementInst &i) {
    assign(i, spell(i.getOperand(0)));
    line(spell(&i) + ".v[" + spell(i.getOperand(2)) +
         "] = " + spell(i.getOperand(1)) + ";");
  }
  void visitShuffleVectorInst(ShuffleVectorInst &i) {
    int count = int(
        cast<FixedVectorType>(i.getOperand(0)->getType())->getNumElements());
    std::string from[] = {spell(i.getOperand(0)), spell(i.getOperand(1))};
    for (auto [lane, source] : enumerate(i.getShuffleMask()))
      if (source >= 0)
        body += spell(&i) + ".v[" + std::to_string(lane) +
                "] = " + from[source >= count] + ".v[" +
                std::to_string(source % count) + "];\n";
  }
  void visitExtractValueInst(ExtractValueInst &i) {
    assign(i, spell(i.getAggregateOperand()) +
                  member(i.getAggregateOperand(), i.getIndices()));
  }
  void visitInsertValueInst(InsertValueInst &i) {
    assign(i, spell(i.getAggregateOperand()));
    line(spell(&i) + member(i.getAggregateOperand(), i.getIndices()) + " = " +
         spell(i.getInsertedValueOperand()) + ";");
  }

  void visitCallInst(CallInst &i);

private:
  void unknown(StringRef what) { names.unknown.insert(what); }
  void line(const std::string &text) { body += text + "\n"; }
  void assign(Instruction &i, const std::string &text) {
    line(spell(&i) + " = " + text + ";");
  }

  void declare(Instruction &i) {
    if (i.getType()->isVoidTy())
      return;
    std::string name = values[&i] = "v" + std::to_string(values.size());
    if (auto *place = dyn_cast<AllocaInst>(&i)) {
      auto bytes = place->getAllocationSize(names.layout);
      declarations += "uint64_t " + name + "_[" +
                      std::to_string(bytes ? (*bytes + 7) / 8 : 1) +
                      "]; char *" + name + " = (char *)" + name + "_;\n";
      if (!bytes)
        unknown("alloca of a size that is not constant");
      return;
    }
    std::string type = names.type(i.getType());
    declarations += type + " " + name + ";\n";
    if (isa<PHINode>(i)) // phis of one block are assigned at once
      declarations += type + " " + name + "_;\n";
  }

  void jump(Instruction &from, BasicBlock *to) {
    std::string second;
    for (PHINode &phi : to->phis()) {
      std::string name = spell(&phi);
      body += name +
              "_ = " + spell(phi.getIncomingValueForBlock(from.getParent())) +
              ";\n";
      second += name + " = " + name + "_;\n";
    }
    body += second + "goto " + labels[to] + ";\n";
  }

  std::string operand(Instruction &i, unsigned index, const std::string &lane) {
    Value *value = i.getOperand(index);
    if (auto *vector = dyn_cast<llvm::Constant>(value);
        vector && vector->getType()->isVectorTy())
      if (auto *splat = vector->getSplatValue())
        return names.constant(splat);
    return CNames::lane(value->getType(), spell(value), lane);
  }

  /// Assigns lane by lane what `of` gives for a lane.
  template <typename Of> void each(Instruction &i, Of of) {
    auto *vector = dyn_cast<FixedVectorType>(i.getType());
    if (!vector)
      return assign(i, narrowed(i.getType(), of("")));
    line("for (int i = 0; i < " + std::to_string(vector->getNumElements()) +
         "; ++i) " + spell(&i) +
         ".v[i] = " + narrowed(vector->getElementType(), of("i")) + ";");
  }

  /// Integers of other widths than C has keep their high bits at 0.
  std::string narrowed(Type *type, const std::string &text) {
    if (!type->isIntegerTy() || isPowerOf2(type))
      return text;
    uint64_t mask = (uint64_t(1) << type->getIntegerBitWidth()) - 1;
    return "(" + text + ") & " + std::to_string(mask) + "u" +
           (type->getIntegerBitWidth() > 32 ? "ll" : "");
  }
  static bool isPowerOf2(Type *type) {
    unsigned bits = type->getIntegerBitWidth();
    return bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128;
  }
  /// With its sign.
  std::string extended(Type *type, const std::string &text) {
    unsigned bits = type->getIntegerBitWidth();
    std::string name = names.signedType(type);
    if (bits == 1)
      return "(int8_t)-(int8_t)" + text;
    if (isPowerOf2(type))
      return "(" + name + ")" + text;
    std::string shift =
        std::to_string(names.layout.getTypeAllocSizeInBits(type) - bits);
    return "((" + name + ")(" + text + " << " + shift + ") >> " + shift + ")";
  }
  std::string asSigned(Value *value) {
    return extended(value->getType(), spell(value));
  }

  std::string binary(BinaryOperator &i, const std::string &lane);
  static const char *symbolOf(CmpInst::Predicate predicate);
  static std::string comparison(CmpInst::Predicate predicate,
                                const std::string &a, const std::string &b);
  std::string converted(CastInst &i, const std::string &value);
  void bitCast(CastInst &i);
  static std::string member(Value *aggregate, ArrayRef<unsigned> indices);
  bool intrinsic(CallInst &i);
  bool memory(CallInst &i);
  bool reduction(CallInst &i);

  CNames &names;
  Function &function;
  DenseMap<const Value *, std::string> values;
  DenseMap<const BasicBlock *, std::string> labels;
  std::string declarations, body;
};

} // namespace

std::string BodyPrinter::binary(BinaryOperator &i, const std::string &lane) {
  std::string a = operand(i, 0, lane), b = operand(i, 1, lane);
  Type *type = i.getType()->getScalarType();
  auto plain = [&](const char *symbol) { return a + " " + symbol + " " + b; };
  switch (i.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::Add:
    return plain("+");
  case Instruction::FSub:
  case Instruction::Sub:
    return plain("-");
  case Instruction::FMul:
  case Instruction::Mul: // 16 bits would be multiplied as signed ones
    return type->isIntegerTy() ? "1u * " + plain("*") : plain("*");
  case Instruction::FDiv:
  case Instruction::UDiv:
    return plain("/");
  case Instruction::URem:
    return plain("%");
  case Instruction::SDiv:
    return extended(type, a) + " / " + extended(type, b);
  case Instruction::SRem:
    return extended(type, a) + " % " + extended(type, b);
  case Instruction::FRem:
    return (type->isFloatTy() ? "fmodf(" : "fmod(") + a + ", " + b + ")";
  case Instruction::Shl:
    return "(" + names.type(type) + ")" + plain("<<");
  case Instruction::LShr:
    return plain(">>");
  case Instruction::AShr:
    return extended(type, a) + " >> " + b;
  case Instruction::And:
    return plain("&");
  case Instruction::Or:
    return plain("|");
  case Instruction::Xor:
    return plain("^");
  default:
    unknown(i.getOpcodeName());
    return "0";
  }
}

const char *BodyPrinter::symbolOf(CmpInst::Predicate predicate) {
  switch (predicate) {
  case CmpInst::ICMP_EQ:
    return "==";
  case CmpInst::ICMP_NE:
    return "!=";
  case CmpInst::ICMP_UGT:
  case CmpInst::ICMP_SGT:
  case CmpInst::FCMP_OGT:
  case CmpInst::FCMP_UGT:
    return ">";
  case CmpInst::ICMP_UGE:
  case CmpInst::ICMP_SGE:
  case CmpInst::FCMP_OGE:
  case CmpInst::FCMP_UGE:
    return ">=";
  case CmpInst::ICMP_ULT:
  case CmpInst::ICMP_SLT:
  case CmpInst::FCMP_OLT:
  case CmpInst::FCMP_ULT:
    return "<";
  case CmpInst::ICMP_ULE:
  case CmpInst::ICMP_SLE:
  case CmpInst::FCMP_OLE:
  case CmpInst::FCMP_ULE:
    return "<=";
  case CmpInst::FCMP_OEQ:
  case CmpInst::FCMP_UEQ:
    return "==";
  default:
    return "!=";
  }
}

std::string BodyPrinter::comparison(CmpInst::Predicate predicate,
                                    const std::string &a,
                                    const std::string &b) {
  std::string unordered = "(" + a + " != " + a + " || " + b + " != " + b + ")";
  switch (predicate) {
  case CmpInst::FCMP_TRUE:
    return "1";
  case CmpInst::FCMP_FALSE:
    return "0";
  case CmpInst::FCMP_UNO:
    return unordered;
  case CmpInst::FCMP_ORD:
    return "!" + unordered;
  default:
    break;
  }
  std::string text = "(" + a + " " + symbolOf(predicate) + " " + b + ")";
  // C's own comparisons are ordered, but for !=.
  if (predicate == CmpInst::FCMP_ONE)
    return "!" + unordered + " && " + text;
  if (CmpInst::isUnordered(predicate) && predicate != CmpInst::FCMP_UNE)
    return unordered + " || " + text;
  return text;
}

std::string BodyPrinter::converted(CastInst &i, const std::string &value) {
  Type *from = i.getSrcTy()->getScalarType(),
       *to = i.getDestTy()->getScalarType();
  std::string name = names.type(to);
  switch (i.getOpcode()) {
  case Instruction::SExt:
    return "(" + name + ")" + extended(from, value);
  case Instruction::SIToFP:
    return "(" + name + ")" + extended(from, value);
  case Instruction::FPToSI:
    return "(" + names.signedType(to) + ")" + value;
  case Instruction::PtrToInt:
    return "(" + name + ")(uintptr_t)" + value;
  case Instruction::IntToPtr:
    return "(char *)(uintptr_t)" + value;
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::FPTrunc:
  case Instruction::FPExt:
  case Instruction::FPToUI:
  case Instruction::UIToFP:
    return "(" + name + ")" + value;
  default:
    unknown(i.getOpcodeName());
    return value;
  }
}

/// The bits of one type as those of another; lanes of i1 become bits.
void BodyPrinter::bitCast(CastInst &i) {
  auto *vector = dyn_cast<FixedVectorType>(i.getSrcTy());
  std::string from = spell(i.getOperand(0)), to = spell(&i);
  if (vector && vector->getElementType()->isIntegerTy(1) &&
      i.getDestTy()->isIntegerTy()) {
    line(to + " = 0;");
    return line("for (int i = 0; i < " +
                std::to_string(vector->getNumElements()) + "; ++i) " + to +
                " |= (" + names.type(i.getDestTy()) + ")(" + from +
                ".v[i]) << i;");
  }
  if (i.getDestTy()->getScalarType()->isIntegerTy(1))
    return unknown("bitcast to lanes of i1");
  line("{ " + names.type(i.getSrcTy()) + " t = " + from + "; memcpy(&" + to +
       ", &t, sizeof t); }");
}

std::string BodyPrinter::member(Value *aggregate, ArrayRef<unsigned> indices) {
  std::string text;
  Type *type = aggregate->getType();
  for (unsigned index : indices) {
    bool isStruct = type->isStructTy();
    text += isStruct ? ".f" + std::to_string(index)
                     : ".v[" + std::to_string(index) + "]";
    type = isStruct ? type->getStructElementType(index)
                    : type->getArrayElementType();
  }
  return text;
}

/// Copies, fills, and vectors of which not all lanes are touched.
bool BodyPrinter::memory(CallInst &i) {
  auto argument = [&](unsigned index) { return spell(i.getArgOperand(index)); };
  auto lanes = [&](Type *type) {
    return "for (int i = 0; i < " +
           std::to_string(cast<FixedVectorType>(type)->getNumElements()) +
           "; ++i) if (";
  };
  switch (i.getIntrinsicID()) {
  case Intrinsic::prefetch: // a hint
    return true;
  case Intrinsic::memcpy:
  case Intrinsic::memmove:
    line("memmove(" + argument(0) + ", " + argument(1) + ", " + argument(2) +
         ");");
    return true;
  case Intrinsic::memset:
    line("memset(" + argument(0) + ", " + argument(1) + ", " + argument(2) +
         ");");
    return true;
  case Intrinsic::masked_load:
    // The last two operands, whether or not there is one for the alignment.
    assign(i, argument(i.arg_size() - 1));
    line(lanes(i.getType()) + argument(i.arg_size() - 2) + ".v[i]) memcpy(&" +
         spell(&i) + ".v[i], " + argument(0) + " + i * sizeof " + spell(&i) +
         ".v[0], sizeof " + spell(&i) + ".v[0]);");
    return true;
  case Intrinsic::masked_store: {
    Type *type = i.getArgOperand(0)->getType();
    line("{ " + names.type(type) + " t = " + argument(0) + "; " + lanes(type) +
         argument(i.arg_size() - 1) + ".v[i]) memcpy(" + argument(1) +
         " + i * sizeof t.v[0], &t.v[i], sizeof t.v[0]); }");
    return true;
  }
  default:
    return false;
  }
}

/// All lanes combined.
bool BodyPrinter::reduction(CallInst &i) {
  const char *step = nullptr;
  switch (i.getIntrinsicID()) {
  case Intrinsic::vector_reduce_or:
    step = "r |= x";
    break;
  case Intrinsic::vector_reduce_and:
    step = "r &= x";
    break;
  case Intrinsic::vector_reduce_add:
    step = "r += x";
    break;
  case Intrinsic::vector_reduce_fmaximum:
    step = "r = r != r || r > x ? r : x";
    break;
  case Intrinsic::vector_reduce_umax:
    step = "r = x > r ? x : r";
    break;
  case Intrinsic::vector_reduce_umin:
    step = "r = x < r ? x : r";
    break;
  case Intrinsic::vector_reduce_fadd: // from a first value on
    step = "r += x";
    break;
  default:
    return false;
  }
  Value *vector = i.getArgOperand(i.arg_size() - 1);
  auto *type = cast<FixedVectorType>(vector->getType());
  std::string name = names.type(i.getType());
  bool starts = i.arg_size() == 2;
  line("{ " + names.type(type) + " t = " + spell(vector) + "; " + name +
       " r = " + (starts ? spell(i.getArgOperand(0)) : "t.v[0]") +
       "; for (int i = " + (starts ? "0" : "1") + "; i < " +
       std::to_string(type->getNumElements()) + "; ++i) { " + name +
       " x = t.v[i]; " + step + "; } " + spell(&i) + " = r; }");
  return true;
}

/// Of C's own mathematics, by the names of the intrinsics.
static const char *functionOf(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::fabs:
    return "fabs";
  case Intrinsic::sqrt:
    return "sqrt";
  case Intrinsic::floor:
    return "floor";
  case Intrinsic::ceil:
    return "ceil";
  case Intrinsic::trunc:
    return "trunc";
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::roundeven:
    return "rint";
  case Intrinsic::copysign:
    return "copysign";
  case Intrinsic::minnum:
    return "fmin";
  case Intrinsic::maxnum:
    return "fmax";
  case Intrinsic::fma:
    return "fma";
  default:
    return nullptr;
  }
}

bool BodyPrinter::intrinsic(CallInst &i) {
  Intrinsic::ID id = i.getIntrinsicID();
  Type *type = i.getType()->getScalarType();
  auto all = [&](auto of) {
    each(i, [&](const std::string &lane) {
      auto x = [&](unsigned index) { return operand(i, index, lane); };
      return of(x);
    });
    return true;
  };
  auto choose = [&](const char *symbol, bool isSigned) {
    return all([&](auto x) {
      auto side = [&](unsigned index) {
        return isSigned ? extended(type, x(index)) : x(index);
      };
      return side(0) + " " + symbol + " " + side(1) + " ? " + x(0) + " : " +
             x(1);
    });
  };
  switch (id) {
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::assume:
  case Intrinsic::experimental_noalias_scope_decl:
    return true;
  case Intrinsic::fmuladd:
    return all([](auto x) { return x(0) + " * " + x(1) + " + " + x(2); });
  case Intrinsic::smin:
    return choose("<", true);
  case Intrinsic::smax:
    return choose(">", true);
  case Intrinsic::umin:
    return choose("<", false);
  case Intrinsic::umax:
    return choose(">", false);
  case Intrinsic::scmp:
    return all([&](auto x) {
      Type *of = i.getArgOperand(0)->getType()->getScalarType();
      std::string a = extended(of, x(0)), b = extended(of, x(1));
      return "(" + a + " > " + b + ") - (" + a + " < " + b + ")";
    });
  case Intrinsic::abs:
    return all([&](auto x) {
      return extended(type, x(0)) + " < 0 ? 0u - " + x(0) + " : " + x(0);
    });
  case Intrinsic::minimum:
  case Intrinsic::maximum:
    return all([&](auto x) { // NaN where either is
      return x(0) + " != " + x(0) + " || " + x(0) +
             (id == Intrinsic::minimum ? " < " : " > ") + x(1) + " ? " + x(0) +
             " : " + x(1);
    });
  default:
    break;
  }
  const char *name = functionOf(id);
  if (!name)
    return memory(i) || reduction(i);
  return all([&](auto x) {
    std::string text = std::string(name) + (type->isFloatTy() ? "f(" : "(");
    for (unsigned index = 0; index < i.arg_size(); ++index)
      text += (index ? ", " : "") + x(index);
    return text + ")";
  });
}

void BodyPrinter::visitCallInst(CallInst &i) {
  Function *callee = i.getCalledFunction();
  if (!callee)
    return unknown("call through a pointer");
  if (callee->isIntrinsic()) {
    if (!intrinsic(i))
      unknown(callee->getName());
    return;
  }
  std::string text = names.global(callee) + "(";
  for (auto [index, argument] : enumerate(i.args()))
    text += (index ? ", " : "") + spell(argument);
  text += ");";
  line(i.getType()->isVoidTy() ? text : spell(&i) + " = " + text);
}

static std::string signatureOf(CNames &names, const Function &function) {
  std::string text = function.hasLocalLinkage() ? "static " : "";
  text += names.type(function.getReturnType()) + " " + names.global(&function);
  std::string parameters;
  for (const Argument &argument : function.args())
    parameters += (parameters.empty() ? "" : ", ") +
                  names.type(argument.getType()) + " a" +
                  std::to_string(argument.getArgNo());
  return text + "(" + (parameters.empty() ? "void" : parameters) + ")";
}

Result<std::string> cpu::printC(Module &module) {
  CNames names(module);
  std::string prototypes, data, functions;
  for (GlobalVariable &variable : module.globals()) {
    std::string spelled = (variable.hasLocalLinkage() ? "static " : "") +
                          names.type(variable.getValueType()) + " " +
                          names.global(&variable);
    prototypes += spelled + ";\n";
    if (variable.hasInitializer())
      data += spelled + " = " + names.initializer(variable.getInitializer()) +
              ";\n";
  }
  for (Function &function : module) {
    if (function.isIntrinsic() ||
        (function.isDeclaration() && function.use_empty()))
      continue;
    if (!is_contained({"memcpy", "memmove", "memset"}, function.getName()))
      prototypes += signatureOf(names, function) + ";\n";
    if (!function.isDeclaration())
      functions += "\n" + signatureOf(names, function) + " {\n" +
                   BodyPrinter(names, function).print() + "}\n";
  }
  if (!names.unknown.empty()) {
    std::vector<std::string> all;
    for (auto &what : names.unknown)
      all.push_back(what.getKey().str());
    llvm::sort(all);
    return Status(glow::Code::Unsupported,
                  "C has no words yet for " + llvm::join(all, ", "));
  }
  return "/* Made by glow compile --emit=c: C99, to be linked with -lm. */\n\n"
         "#include <math.h>\n#include <stdint.h>\n#include <stdlib.h>\n"
         "#include <string.h>\n\n" +
         names.definitions + "\n" + prototypes + "\n" + data + functions;
}
