//===- CBody.cpp - instructions of LLVM as C ------------------------------===//
// SPDX-License-Identifier: MIT
//
// C is printed from LLVM instructions, so that every kernel has C without being
// written twice. Vectors are structs with loops over their lanes. Some
// operations are undefined in C but not in LLVM. Signed overflow is avoided by
// unsigned types, which are sign-extended where the sign matters. Memory is
// read by memcpy, since it may have any type.
//
//===----------------------------------------------------------------------===//

#include "CBody.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/CFG.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

std::string cpu::BodyPrinter::print() {
  for (Argument &argument : from.args()) {
    std::string name = argument.getName().str();
    if (argument.use_empty())
      body += "(void)" + name + ";\n";
    // Pointer parameters have the types of their elements, hence the cast.
    values[&argument] =
        argument.getType()->isPointerTy() ? "((char *)" + name + ")"
        : isSize(argument)
            ? "((" + names.type(argument.getType()) + ")" + name + ")"
            : name;
  }
  for (BasicBlock &block : from) {
    labels[&block] = "b" + std::to_string(labels.size());
    for (Instruction &instruction : block)
      declare(instruction);
  }
  for (BasicBlock &block : from) {
    if (!pred_empty(&block))
      body += labels[&block] + ":;\n";
    for (Instruction &instruction : block)
      visit(instruction);
  }
  return declarations + body;
}

std::string cpu::BodyPrinter::spell(const Value *value) {
  if (auto *constant = dyn_cast<llvm::Constant>(value))
    return names.constant(constant);
  return values[value];
}

void cpu::BodyPrinter::visitReturnInst(ReturnInst &i) {
  line(i.getReturnValue() ? "return " + spell(i.getReturnValue()) + ";"
                          : "return;");
}

void cpu::BodyPrinter::visitBranchInst(BranchInst &i) {
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

void cpu::BodyPrinter::visitSwitchInst(SwitchInst &i) {
  // A switch is printed as comparisons, which the C compiler turns into a table
  // if that pays. A case ends with a jump, and needs no break.
  for (auto &label : i.cases()) {
    body += "if (" + spell(i.getCondition()) +
            " == " + spell(label.getCaseValue()) + ") {\n";
    jump(i, label.getCaseSuccessor());
    body += "}\n";
  }
  jump(i, i.getDefaultDest());
}

void cpu::BodyPrinter::visitLoadInst(LoadInst &i) {
  if (isAddresses(i.getType()))
    return unknown("load of several addresses");
  if (i.getType()->isPointerTy())
    return line("{ glow_address t; memcpy(&t, " + spell(i.getPointerOperand()) +
                ", sizeof t); " + spell(&i) + " = t.at; }");
  line("memcpy(&" + spell(&i) + ", " + spell(i.getPointerOperand()) +
       ", sizeof " + spell(&i) + ");");
}

void cpu::BodyPrinter::visitStoreInst(StoreInst &i) {
  Type *stored = i.getValueOperand()->getType();
  if (isAddresses(stored))
    return unknown("store of several addresses");
  if (stored->isPointerTy())
    return line("{ glow_address t = {" + spell(i.getValueOperand()) +
                "}; memcpy(" + spell(i.getPointerOperand()) +
                ", &t, sizeof t); }");
  std::string type = names.type(stored);
  line("{ " + type + " t = " + spell(i.getValueOperand()) + "; memcpy(" +
       spell(i.getPointerOperand()) + ", &t, sizeof t); }");
}

/// An address for each lane.
void cpu::BodyPrinter::visitAddresses(GetElementPtrInst &i) {
  if (i.getNumIndices() != 1)
    return unknown("getelementptr of vectors with several indices");
  uint64_t size = names.layout.getTypeAllocSize(i.getSourceElementType());
  Type *type = i.getOperand(1)->getType()->getScalarType();
  each(i, [&](const std::string &lane) {
    return operand(i, 0, lane) + " + (int64_t)" +
           extended(type, operand(i, 1, lane)) + " * " + std::to_string(size);
  });
}

void cpu::BodyPrinter::visitGetElementPtrInst(GetElementPtrInst &i) {
  if (i.getType()->isVectorTy())
    return visitAddresses(i);
  SmallMapVector<Value *, APInt, 4> scales;
  APInt constant(64, 0);
  if (!cast<GEPOperator>(i).collectOffset(names.layout, 64, scales, constant))
    return unknown("getelementptr of unknown sizes");
  std::string text = spell(i.getPointerOperand());
  for (auto &[index, scale] : scales)
    text += " + (int64_t)" + asSigned(index) + " * " +
            std::to_string(scale.getSExtValue());
  assign(i, text + " + " + std::to_string(constant.getSExtValue()));
}

void cpu::BodyPrinter::visitBinaryOperator(BinaryOperator &i) {
  each(i, [&](const std::string &lane) { return binary(i, lane); });
}

void cpu::BodyPrinter::visitUnaryOperator(UnaryOperator &i) {
  each(i, [&](const std::string &lane) { return "-" + operand(i, 0, lane); });
}

void cpu::BodyPrinter::visitICmpInst(ICmpInst &i) {
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

void cpu::BodyPrinter::visitFCmpInst(FCmpInst &i) {
  each(i, [&](const std::string &lane) {
    return comparison(i.getPredicate(), operand(i, 0, lane),
                      operand(i, 1, lane));
  });
}

void cpu::BodyPrinter::visitSelectInst(SelectInst &i) {
  each(i, [&](const std::string &lane) {
    std::string condition = spell(i.getCondition());
    return CNames::lane(i.getCondition()->getType(), condition, lane) + " ? " +
           operand(i, 1, lane) + " : " + operand(i, 2, lane);
  });
}

void cpu::BodyPrinter::visitCastInst(CastInst &i) {
  if (i.getOpcode() == Instruction::BitCast)
    return bitCast(i);
  each(i, [&](const std::string &lane) {
    return converted(i, operand(i, 0, lane));
  });
}

void cpu::BodyPrinter::visitExtractElementInst(ExtractElementInst &i) {
  assign(i, spell(i.getVectorOperand()) + ".v[" + spell(i.getIndexOperand()) +
                "]");
}

void cpu::BodyPrinter::visitInsertElementInst(InsertElementInst &i) {
  // Values are immutable, so the lane is set in a copy.
  assign(i, spell(i.getOperand(0)));
  line(spell(&i) + ".v[" + spell(i.getOperand(2)) +
       "] = " + spell(i.getOperand(1)) + ";");
}

void cpu::BodyPrinter::visitShuffleVectorInst(ShuffleVectorInst &i) {
  int count =
      int(cast<FixedVectorType>(i.getOperand(0)->getType())->getNumElements());
  std::string from[] = {spell(i.getOperand(0)), spell(i.getOperand(1))};
  for (auto [lane, source] : enumerate(i.getShuffleMask()))
    // An undefined lane keeps its old value.
    if (source >= 0)
      body += spell(&i) + ".v[" + std::to_string(lane) +
              "] = " + from[source >= count] + ".v[" +
              std::to_string(source % count) + "];\n";
}

void cpu::BodyPrinter::visitExtractValueInst(ExtractValueInst &i) {
  assign(i, spell(i.getAggregateOperand()) +
                member(i.getAggregateOperand(), i.getIndices()));
}

void cpu::BodyPrinter::visitInsertValueInst(InsertValueInst &i) {
  assign(i, spell(i.getAggregateOperand()));
  line(spell(&i) + member(i.getAggregateOperand(), i.getIndices()) + " = " +
       spell(i.getInsertedValueOperand()) + ";");
}

void cpu::BodyPrinter::assign(Instruction &i, const std::string &text) {
  line(spell(&i) + " = " + text + ";");
}

void cpu::BodyPrinter::declare(Instruction &i) {
  if (i.use_empty())
    return;
  std::string name = values[&i] = "v" + std::to_string(values.size());
  if (auto *place = dyn_cast<AllocaInst>(&i)) {
    auto bytes = place->getAllocationSize(names.layout);
    // Words of 8 bytes, whose alignment is enough for every element.
    declarations += "uint64_t " + name + "_[" +
                    std::to_string(bytes ? (*bytes + 7) / 8 : 1) + "]; char *" +
                    name + " = (char *)" + name + "_;\n";
    if (!bytes)
      unknown("alloca of a size that is not constant");
    return;
  }
  std::string type = names.type(i.getType());
  declarations += type + " " + name + ";\n";
  if (isa<PHINode>(i)) // phis of one block are assigned at once
    declarations += type + " " + name + "_;\n";
}

void cpu::BodyPrinter::jump(Instruction &from, BasicBlock *to) {
  std::string second;
  // First all values, then all phis: one phi may be the value of another.
  for (PHINode &phi : to->phis()) {
    std::string name = spell(&phi);
    body += name +
            "_ = " + spell(phi.getIncomingValueForBlock(from.getParent())) +
            ";\n";
    second += name + " = " + name + "_;\n";
  }
  body += second + "goto " + labels[to] + ";\n";
}

std::string cpu::BodyPrinter::operand(Instruction &i, unsigned index,
                                      const std::string &lane) {
  Value *value = i.getOperand(index);
  if (auto *vector = dyn_cast<llvm::Constant>(value);
      vector && vector->getType()->isVectorTy())
    if (auto *splat = vector->getSplatValue())
      return names.constant(splat);
  return CNames::lane(value->getType(), spell(value), lane);
}

/// A call of a libm function, which is declared by its prototype.
std::string cpu::BodyPrinter::function(const std::string &name, Type *type,
                                       ArrayRef<std::string> x) {
  std::string full = type->isFloatTy() ? name + "f" : name;
  std::string kind = names.type(type), kinds = kind;
  for (size_t i = 1; i < x.size(); ++i)
    kinds += ", " + kind;
  names.declare(kind + " " + full + "(" + kinds + ")");
  return full + "(" + join(x, ", ") + ")";
}

/// Clears the unused bits of an integer whose width C does not have: it is
/// stored in the next larger type.
std::string cpu::BodyPrinter::narrowed(Type *type, const std::string &text) {
  if (!type->isIntegerTy() || isPowerOf2(type))
    return text;
  uint64_t mask = (uint64_t(1) << type->getIntegerBitWidth()) - 1;
  return "(" + text + ") & " + std::to_string(mask) + "u" +
         (type->getIntegerBitWidth() > 32 ? "ll" : "");
}

std::string cpu::BodyPrinter::extended(Type *type, const std::string &text) {
  unsigned bits = type->getIntegerBitWidth();
  std::string name = names.signedType(type);
  if (bits == 1)
    // A bool of 1 is -1 as a signed number of one bit.
    return "(int8_t)-(int8_t)" + text;
  if (isPowerOf2(type))
    return "(" + name + ")" + text;
  std::string shift =
      std::to_string(names.layout.getTypeAllocSizeInBits(type) - bits);
  return "((" + name + ")(" + text + " << " + shift + ") >> " + shift + ")";
}

std::string cpu::BodyPrinter::asSigned(Value *value) {
  return extended(value->getType(), spell(value));
}

std::string cpu::BodyPrinter::binary(BinaryOperator &i,
                                     const std::string &lane) {
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
    return function("fmod", type, {a, b});
  case Instruction::Shl:
    // The cast, because C would keep the promoted type.
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

const char *cpu::BodyPrinter::symbolOf(CmpInst::Predicate predicate) {
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

std::string cpu::BodyPrinter::comparison(CmpInst::Predicate predicate,
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
  // The comparisons of C are ordered, except for !=.
  if (predicate == CmpInst::FCMP_ONE)
    return "!" + unordered + " && " + text;
  if (CmpInst::isUnordered(predicate) && predicate != CmpInst::FCMP_UNE)
    return unordered + " || " + text;
  return text;
}

std::string cpu::BodyPrinter::converted(CastInst &i, const std::string &value) {
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

/// Reinterprets the bits of a value as another type; lanes of i1 become bits.
void cpu::BodyPrinter::bitCast(CastInst &i) {
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

std::string cpu::BodyPrinter::member(Value *aggregate,
                                     ArrayRef<unsigned> indices) {
  std::string text;
  Type *type = aggregate->getType();
  for (unsigned index : indices) {
    bool isStruct = type->isStructTy();
    text += isStruct ? ".f" + std::to_string(index)
                     : ".v[" + std::to_string(index) + "]";
    type = isStruct ? type->getStructElementType(index)
                    : type->getArrayElementType();
  }
  return type->isPointerTy() ? text + ".at" : text;
}
