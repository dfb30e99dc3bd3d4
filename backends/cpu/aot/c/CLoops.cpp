//===- CLoops.cpp - the body of a function as loops of C ------------------===//
// SPDX-License-Identifier: MIT
//
// A loop must have one latch, which is its only exit; the branches of a
// condition must meet in one block. Emitted code has these forms, so that the
// text needs no label. A function of another form is printed block by block
// (CBody.cpp).
//
//===----------------------------------------------------------------------===//

#include "CLoops.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

LoopPrinter::LoopPrinter(CNames &names, Function &function)
    : BodyPrinter(names, function), dominators(function), meetings(function),
      loops(dominators), library(function.getParent()->getTargetTriple()),
      libraryOf(library), assumptions(function),
      ranges(function, libraryOf, assumptions, dominators, loops) {
  for (Argument &argument : function.args()) {
    texts[&argument] = argument.getName().str();
    if (isSize(argument))
      haveSign.insert(&argument);
  }
}

/// Whether a value is neither a vector nor a struct.
static bool isPlain(const Value *value) {
  Type *type = value->getType();
  return type->isVoidTy() || type->isIntegerTy() || type->isFloatTy() ||
         type->isDoubleTy() || type->isPointerTy() || type->isLabelTy() ||
         type->isMetadataTy();
}

std::optional<std::string> LoopPrinter::printLoops() {
  for (Instruction &i : instructions(from))
    if (isa<SwitchInst, AllocaInst, UnreachableInst>(i) || !isPlain(&i) ||
        !all_of(i.operands(), isPlain))
      return std::nullopt;
  // The first pass finds values that are used outside of the braces in which
  // they are computed.
  for (int pass = 0; pass < 2; ++pass) {
    text.clear(), tops.clear(), scopeOf.clear();
    scopes.assign(1, 0);
    lastScope = variables = 0, printed = 0;
    begun = nullptr, counted.clear(), ends.clear(), nextOf.clear();
    if (!emitFrom(&from.getEntryBlock(), nullptr) || printed != from.size())
      return std::nullopt;
  }
  for (Argument &argument : from.args())
    if (argument.use_empty())
      tops += "(void)" + texts[&argument] + ";\n";
  return tops + text;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Prints blocks up to `end`, or to the end of the function or the loop body.
bool LoopPrinter::emitFrom(BasicBlock *block, BasicBlock *end) {
  while (block != end) {
    Loop *loop = loops.getLoopFor(block);
    if (loop && loop->getHeader() == block && !is_contained(open, loop)) {
      if (!emitLoop(*loop))
        return false;
      block = loop->getExitBlock();
      continue;
    }
    ++printed;
    emitBlock(*block);
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!branch && block->getTerminator()->getNumOperands() == 0 &&
        scopes.size() == 1)
      return true;
    if (!branch) {
      visit(*block->getTerminator());
      return true;
    }
    if (loop && loop->getLoopLatch() == block)
      return !end;
    if (branch->isConditional()) {
      if (!emitChoice(*branch, block))
        return false;
      if (!block) // both branches return
        return true;
      continue;
    }
    BasicBlock *next = branch->getSuccessor(0);
    Loop *inner = loops.getLoopFor(next);
    if (!inner || inner->getHeader() != next) // which begins with its phis
      assignPhis(block, next);
    block = next;
  }
  return true;
}

void LoopPrinter::emitBlock(BasicBlock &block) {
  for (Instruction &i : block) {
    if (isa<PHINode>(i) || i.isTerminator() || visitKnown(i))
      continue;
    current = &i;
    visit(i);
    current = nullptr;
  }
}

/// The value of a phi with a single predecessor; null for other phis.
static const Value *onlyValue(const PHINode &phi) {
  return phi.getNumIncomingValues() == 1 ? phi.getIncomingValue(0) : nullptr;
}

/// Whether a text has the name of a variable in it.
static bool mentions(StringRef text, StringRef name) {
  auto isLetter = [](char c) { return isAlnum(c) || c == '_'; };
  for (size_t at = text.find(name); at != text.npos;
       at = text.find(name, at + 1)) {
    size_t end = at + name.size();
    if ((at == 0 || !isLetter(text[at - 1])) &&
        (end == text.size() || !isLetter(text[end])))
      return true;
  }
  return false;
}

/// Assigns the phis of a block, in an order that respects phis as values of
/// other phis.
void LoopPrinter::assignPhis(BasicBlock *before, BasicBlock *to) {
  SmallVector<std::pair<std::string, std::string>> pairs;
  StringMap<std::string> types;
  for (PHINode &phi : to->phis()) {
    Value *value = phi.getIncomingValueForBlock(before);
    if (onlyValue(phi)) {
      texts[&phi] = textOf(value);
      if (value->getType()->isIntegerTy() &&
          (haveSign.contains(value) || isa<Constant>(value)))
        haveSign.insert(&phi), texts[&phi] = signedText(value);
      continue;
    }
    std::string name = texts.lookup(&phi);
    std::string given =
        haveSign.contains(&phi) ? signedText(value) : spell(value);
    types[name] = typeOf(phi);
    if (!counted.contains(&phi) && name != given)
      pairs.emplace_back(name, given);
  }
  // A variable is assigned after all expressions that read its old value.
  while (!pairs.empty()) {
    auto *free = find_if(pairs, [&](const auto &pair) {
      return none_of(pairs, [&](const auto &other) {
        return &other != &pair && mentions(other.second, pair.first);
      });
    });
    if (free == pairs.end())
      break;
    line(free->first + " = " + bare(free->second) + ";");
    pairs.erase(free);
  }
  if (pairs.empty())
    return;
  line("{");
  for (auto &[name, given] : pairs)
    line(types[name] + " next_" + name + " = " + bare(given) + ";");
  for (auto &[name, given] : pairs)
    line(name + " = next_" + name + ";");
  line("}");
}

/// Declares the variables of a loop, with their values in the first iteration.
void LoopPrinter::beginPhis(BasicBlock *before, BasicBlock &header) {
  for (PHINode &phi : header.phis()) {
    if (counted.contains(&phi))
      continue;
    Value *first = phi.getIncomingValueForBlock(before);
    std::string given =
        haveSign.contains(&phi) ? signedText(first) : spell(first);
    line(declare(phi) + " = " + bare(given) + ";");
  }
}

void LoopPrinter::declarePhis(BasicBlock &block) {
  for (PHINode &phi : block.phis()) {
    // Nested conditions may meet in one block.
    auto scope = scopeOf.find(&phi);
    bool isThere =
        scope != scopeOf.end() && is_contained(scopes, scope->second);
    if (!onlyValue(phi) && !isThere)
      declareAlone(phi);
  }
}

/// The exclusive end of a counter, as text; nothing if the loop has another
/// exit condition.
std::optional<std::string> LoopPrinter::endOf(Loop &loop, PHINode &counter,
                                              int64_t step) {
  auto *branch = cast<BranchInst>(loop.getLoopLatch()->getTerminator());
  Value *start = counter.getIncomingValueForBlock(loop.getLoopPreheader());
  auto *first = dyn_cast<ConstantInt>(start);
  unsigned turns = ranges.getSmallConstantTripCount(&loop);
  if (turns && first) {
    int64_t end = first->getSExtValue() + int64_t(turns) * step;
    return end <= INT32_MAX ? std::optional(std::to_string(end)) : std::nullopt;
  }
  auto *test = dyn_cast<ICmpInst>(branch->getCondition());
  Value *next = counter.getIncomingValueForBlock(loop.getLoopLatch());
  // The test may read the counter before or after its increment.
  auto *last = test ? dyn_cast<ConstantInt>(test->getOperand(1)) : nullptr;
  bool isEarly = last && test->getOperand(0) == &counter &&
                 last->getSExtValue() < INT32_MAX - step;
  bool isBelow =
      test && (test->getOperand(0) == next || isEarly) &&
      branch->getSuccessor(0) == loop.getHeader() &&
      loop.isLoopInvariant(test->getOperand(1)) &&
      (test->getPredicate() == CmpInst::ICMP_SLT ||
       (test->getPredicate() == CmpInst::ICMP_ULT &&
        ranges.isKnownNonNegative(ranges.getSCEV(&counter)) &&
        ranges.isKnownNonNegative(ranges.getSCEV(test->getOperand(1)))));
  if (!isBelow)
    return std::nullopt;
  // The first iteration runs unconditionally.
  const SCEV *begin = ranges.getSCEV(start);
  const SCEV *end = ranges.getSCEV(test->getOperand(1));
  if (isEarly)
    end = ranges.getAddExpr(end,
                            ranges.getConstant(end->getType(), uint64_t(step)));
  if (!ranges.isKnownPredicate(CmpInst::ICMP_SLT, begin, end) &&
      !ranges.isLoopEntryGuardedByCond(&loop, test->getPredicate(), begin, end))
    return std::nullopt;
  return isEarly ? std::to_string(last->getSExtValue() + step)
                 : signedText(test->getOperand(1));
}

/// The `for (...)` of a counting loop; nothing for another loop.
std::optional<std::string> LoopPrinter::headOf(Loop &loop) {
  BasicBlock *latch = loop.getLoopLatch(), *before = loop.getLoopPreheader();
  for (PHINode &phi : loop.getHeader()->phis()) {
    auto *next = dyn_cast<BinaryOperator>(phi.getIncomingValueForBlock(latch));
    auto *step = next && next->getOpcode() == Instruction::Add &&
                         next->getOperand(0) == &phi
                     ? dyn_cast<ConstantInt>(next->getOperand(1))
                     : nullptr;
    if (!step || step->getSExtValue() < 1 || !haveSign.contains(&phi))
      continue;
    std::optional<std::string> end = endOf(loop, phi, step->getSExtValue());
    if (!end)
      continue;
    std::string first = signedText(phi.getIncomingValueForBlock(before));
    counted.insert(&phi);
    std::string name = texts[&phi] =
        std::string(1, "ijkmnpqrst"[std::min<size_t>(open.size(), 9)]);
    scopeOf[&phi] = lastScope + 1;
    return "for (" + typeOf(phi) + " " + name + " = " + first + "; " + name +
           " < " + *end + "; " +
           (step->isOne()
                ? "++" + name
                : name + " += " + std::to_string(step->getSExtValue())) +
           ") {";
  }
  return std::nullopt;
}

bool LoopPrinter::emitLoop(Loop &loop) {
  BasicBlock *latch = loop.getLoopLatch(), *before = loop.getLoopPreheader();
  auto *branch = latch ? dyn_cast<BranchInst>(latch->getTerminator()) : nullptr;
  if (!before || !branch || !branch->isConditional() ||
      loop.getExitingBlock() != latch || !loop.getExitBlock())
    return false;
  for (PHINode &phi : loop.getHeader()->phis()) {
    nextOf[phi.getIncomingValueForBlock(latch)] = &phi;
    if (phi.getType()->isIntegerTy(32) || phi.getType()->isIntegerTy(64))
      haveSign.insert(&phi);
  }
  std::optional<std::string> head = headOf(loop);
  if (head && branch->getCondition()->hasOneUse())
    ends.insert(branch->getCondition());
  beginPhis(before, *loop.getHeader());
  line(head ? *head : "do {");
  open.push_back(&loop);
  scopes.push_back(++lastScope);
  if (!emitFrom(loop.getHeader(), nullptr))
    return false;
  std::string condition;
  if (!head) { // before variables change
    condition = "more" + std::to_string(++variables);
    tops += "int " + condition + ";\n";
    bool stays = branch->getSuccessor(0) == loop.getHeader();
    line(condition + " = " + (stays ? "" : "!") +
         spell(branch->getCondition()) + ";");
  }
  assignPhis(latch, loop.getHeader());
  open.pop_back();
  scopes.pop_back();
  line(head ? "}" : "} while (" + condition + ");");
  // After the loop, variables have the values of the last iteration.
  for (PHINode &phi : loop.getExitBlock()->phis()) {
    const Value *value = onlyValue(phi);
    if (!value)
      return false;
    auto variable = nextOf.find(value);
    const Value *has = variable != nextOf.end() ? variable->second : value;
    if (counted.contains(has))
      return false;
    texts[&phi] = textOf(has);
    if (haveSign.contains(has))
      haveSign.insert(&phi);
  }
  return true;
}

/// Whether a block returns.
static bool returns(const BasicBlock &block) {
  return isa<ReturnInst>(block.getTerminator());
}

bool LoopPrinter::emitChoice(BranchInst &branch, BasicBlock *&block) {
  BasicBlock *here = branch.getParent();
  BasicBlock *yes = branch.getSuccessor(0), *no = branch.getSuccessor(1);
  auto *node = meetings.getNode(here)->getIDom();
  BasicBlock *meet = node ? node->getBlock() : nullptr;
  if (!meet && returns(*yes))
    meet = no;
  if (!meet || meet == yes) {
    if (meet != yes)
      return false;
    std::swap(yes, no);
  }
  declarePhis(*meet);
  bool isSwapped = yes != branch.getSuccessor(0);
  line("if (" + std::string(isSwapped ? "!" : "") +
       (isSwapped ? spell(branch.getCondition())
                  : bare(spell(branch.getCondition()))) +
       ") {");
  auto emitBranch = [&](BasicBlock *first) {
    scopes.push_back(++lastScope);
    assignPhis(here, first);
    bool isFine = first == meet || emitFrom(first, meet);
    scopes.pop_back();
    return isFine;
  };
  if (!emitBranch(yes))
    return false;
  size_t length = text.size();
  line("} else {");
  size_t empty = text.size();
  if (!returns(*yes) || no != meet || !meet->phis().empty())
    if (!emitBranch(no))
      return false;
  if (text.size() == empty)
    text.resize(length);
  line("}");
  block = meet;
  return true;
}
