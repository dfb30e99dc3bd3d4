//===- Print.cpp - programs as text ---------------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/ElementKind.h"
#include "glow/Loops/Text.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include <charconv>
#include <cmath>

using namespace glow;
using namespace glow::loops;
using llvm::interleaveComma;

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

static constexpr std::pair<ReductionKind, llvm::StringLiteral> combineWords[] =
    {{ReductionKind::Assign, "="},       {ReductionKind::Sum, "+="},
     {ReductionKind::Product, "*="},     {ReductionKind::Max, "max="},
     {ReductionKind::Min, "min="},       {ReductionKind::Or, "or="},
     {ReductionKind::And, "and="},       {ReductionKind::Mean, "mean="},
     {ReductionKind::ArgMax, "argmax="}, {ReductionKind::ArgMin, "argmin="}};

llvm::StringRef loops::wordOf(ReductionKind combine) {
  return llvm::find_if(
             combineWords,
             [&](const auto &entry) { return entry.first == combine; })
      ->second;
}
std::optional<ReductionKind> loops::combineNamed(llvm::StringRef word) {
  for (const auto &[combine, known] : combineWords)
    if (known == word)
      return combine;
  return std::nullopt;
}

Form loops::plainForm(const Program &program, unsigned tensor) {
  bool isInteger = isFloat(program.computes) &&
                   computedIn(program.tensors[tensor].kind) == ElementKind::I64;
  return isInteger ? Form::Index : Form::Element;
}

bool loops::isReserved(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"over", "where", "at", "else", "in", "for", "scan", "let"}, true)
      .Cases({"accumulate", "plan", "tensor", "inf", "nan"}, true)
      .Cases({"then", "true", "false"}, true)
      .Default(false);
}

std::string loops::nameOf(const Program &program, unsigned tensor) {
  const std::string &name = program.tensors[tensor].name;
  auto hasName = [&](const Tensor &other) { return other.name == name; };
  bool isFree =
      !name.empty() && (name == "in" || !isReserved(name)) &&
      llvm::none_of(llvm::ArrayRef(program.tensors).take_front(tensor),
                    hasName);
  return isFree ? name : "t" + std::to_string(tensor);
}

static std::string textOf(double number) {
  char text[32];
  auto [end, error] = std::to_chars(text, std::end(text), number);
  std::string result(text, end);
  bool isPlain = result.find_first_not_of("-0123456789") == std::string::npos;
  return isPlain ? result + ".0" : result;
}

namespace {

/// The symbol of a binary operation, and its precedence.
struct Binary {
  llvm::StringRef symbol;
  unsigned level;
};
enum Level : unsigned { Or, And, Compare, Sum, Product, Unary };

std::optional<Binary> binaryOf(Op op) {
  switch (op) {
  case Op::Either:
    return Binary{"||", Or};
  case Op::Both:
    return Binary{"&&", And};
  case Op::Less:
    return Binary{"<", Compare};
  case Op::LessEqual:
    return Binary{"<=", Compare};
  case Op::Equal:
    return Binary{"==", Compare};
  case Op::Add:
    return Binary{"+", Sum};
  case Op::Subtract:
    return Binary{"-", Sum};
  case Op::Multiply:
    return Binary{"*", Product};
  case Op::Divide:
    return Binary{"/", Product};
  case Op::Modulo:
  case Op::Remainder:
    return Binary{"%", Product};
  default:
    return std::nullopt;
  }
}

class Printer {
public:
  Printer(llvm::raw_ostream &os, const Program &program)
      : os(os), program(program) {}

  void printAll(llvm::StringRef name);

private:
  void printTensor(unsigned number);
  void printStatement(const Statement &statement, llvm::StringRef indent);
  void printLets(llvm::ArrayRef<Term> parts, llvm::StringRef indent);
  void printHead(const Statement &statement);
  void printUpdate(const Statement &statement);
  void printOver(const Statement &statement);
  void printPlan(const Statement &statement);

  void print(Term term, unsigned level = Or);
  void printTree(Term term, unsigned level);
  void printNumber(const Node &number);
  void printElement(unsigned tensor, const Terms &subscripts,
                    llvm::StringRef guard);
  void printLoad(const Node &load);
  void printCall(llvm::StringRef name, const Terms &operands);

  void nameIndex(unsigned index);
  size_t placedCount(const Statement &statement) const;

  llvm::raw_ostream &os;
  const Program &program;
  llvm::DenseMap<unsigned, std::string> names; ///< of indices in scope
  llvm::StringSet<> taken;
  llvm::DenseMap<const Node *, std::string> lets;
};

} // namespace

//===----------------------------------------------------------------------===//
// Trees
//===----------------------------------------------------------------------===//

void Printer::print(Term term, unsigned level) {
  if (auto known = lets.find(term.get()); known != lets.end())
    os << known->second;
  else
    printTree(term, level);
}

void Printer::printTree(Term term, unsigned level) {
  if (std::optional<Binary> binary = binaryOf(term->op)) {
    bool inner = binary->level < level;
    os << (inner ? "(" : "");
    // Comparisons cannot be chained.
    print(term->operands[0], binary->level + (binary->level == Compare));
    os << " " << binary->symbol << " ";
    print(term->operands[1], binary->level + 1);
    os << (inner ? ")" : "");
    return;
  }
  switch (term->op) {
  case Op::Number:
    return printNumber(*term);
  case Op::Index:
    os << names.lookup(unsigned(term->integer));
    return;
  case Op::Size:
    os << program.sizes[size_t(term->integer)].name;
    return;
  case Op::Load:
    return printLoad(*term);
  case Op::Not:
    os << "!";
    return print(term->operands[0], Unary);
  case Op::Negate: {
    // "-3.0" is a number.
    bool isNumber = term->operands[0]->isNumber();
    os << (isNumber ? "-(" : "-");
    print(term->operands[0], isNumber ? Or : Unary);
    os << (isNumber ? ")" : "");
    return;
  }
  case Op::Select:
    return printCall("if", term->operands);
  case Op::Convert:
    return printCall(term->form == Form::Boolean ? "boolean" : "element",
                     term->operands);
  case Op::Formula:
    os << "formula(\"";
    llvm::printEscapedString(term->name, os);
    os << "\"";
    for (Term operand : term->operands) {
      os << ", ";
      print(operand);
    }
    os << ")";
    return;
  default:
    return printCall(term->name, term->operands);
  }
}

void Printer::printNumber(const Node &number) {
  if (number.form == Form::Element)
    os << textOf(number.real);
  else if (number.form == Form::Boolean)
    os << (number.integer ? "true" : "false");
  else
    os << number.integer;
}

void Printer::printCall(llvm::StringRef name, const Terms &operands) {
  os << name << "(";
  interleaveComma(operands, os, [&](Term operand) { print(operand); });
  os << ")";
}

void Printer::printElement(unsigned tensor, const Terms &subscripts,
                           llvm::StringRef guard) {
  os << nameOf(program, tensor) << "[";
  interleaveComma(subscripts, os, [&](Term subscript) { print(subscript); });
  if (!guard.empty())
    os << (subscripts.empty() ? "else " : " else ") << guard;
  os << "]";
}

void Printer::printLoad(const Node &load) {
  unsigned tensor = unsigned(load.integer);
  bool isPlain = load.form == plainForm(program, tensor);
  llvm::StringRef guard = load.outside == Outside::Skips   ? "skip"
                          : load.outside == Outside::Zero  ? "zero"
                          : load.outside == Outside::Fails ? "fail"
                                                           : "";
  os << (isPlain ? "" : "index(");
  printElement(tensor, load.operands, guard);
  os << (isPlain ? "" : ")");
}

//===----------------------------------------------------------------------===//
// Shared parts of a statement
//===----------------------------------------------------------------------===//

namespace {

/// The parts of a statement's trees, each after its operands. Counts how often
/// a part is an operand, and how many words it takes.
struct Parts {
  struct Count {
    size_t uses = 0, words = 1;
  };
  llvm::DenseMap<const Node *, Count> counts;
  std::vector<Term> order;

  size_t add(Term term) {
    auto [entry, isNew] = counts.try_emplace(term.get());
    ++entry->second.uses;
    if (!isNew)
      return entry->second.words;
    size_t words = 1;
    for (Term operand : term->operands)
      words = std::min(words + add(operand), manyWords);
    counts[term.get()].words = words;
    order.push_back(term);
    return words;
  }
  static constexpr size_t manyWords = size_t(1) << 32;
};

} // namespace

/// Larger parts get a name if they occur twice. So the text of a statement
/// grows only as its trees do, which share parts.
static constexpr size_t fewWords = 8;

/// Parts with a name, each after its operands.
static std::vector<Term> sharedParts(llvm::ArrayRef<Term> roots) {
  Parts parts;
  for (Term root : roots)
    if (root)
      parts.add(root);
  llvm::erase_if(parts.order, [&](Term term) {
    const Parts::Count &count = parts.counts[term.get()];
    return count.uses < 2 || count.words <= fewWords;
  });
  return std::move(parts.order);
}

void Printer::printLets(llvm::ArrayRef<Term> parts, llvm::StringRef indent) {
  unsigned number = 0;
  for (Term part : parts) {
    std::string name;
    do
      name = "v" + std::to_string(number++);
    while (taken.contains(name));
    os << indent << "let " << name << " = ";
    printTree(part, Or);
    os << "\n";
    lets[part.get()] = name;
  }
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void Printer::nameIndex(unsigned index) {
  std::string name = program.nameOf(index).str();
  if (name.empty() || isReserved(name))
    name = "i" + std::to_string(index);
  std::string unique = name;
  for (unsigned i = 1; !taken.insert(unique).second; ++i)
    unique = name + "_" + std::to_string(i);
  names[index] = unique;
}

/// The number of indices before `in`: up to the last index that the element's
/// subscripts depend on.
size_t Printer::placedCount(const Statement &statement) const {
  size_t count = statement.indices.size();
  auto leads = [&](unsigned index) {
    return llvm::any_of(statement.subscripts,
                        [&](Term one) { return one->dependsOn(index); });
  };
  while (count && !leads(statement.indices[count - 1]))
    --count;
  return count;
}

void Printer::printHead(const Statement &statement) {
  auto placed =
      llvm::ArrayRef(statement.indices).take_front(placedCount(statement));
  if (placed.empty())
    return;
  os << "for ";
  interleaveComma(placed, os,
                  [&](unsigned index) { os << names.lookup(index); });
  os << " in ";
  interleaveComma(placed, os,
                  [&](unsigned index) { os << program.length(index).text(); });
  os << " ";
}

void Printer::printOver(const Statement &statement) {
  auto terms =
      llvm::ArrayRef(statement.indices).drop_front(placedCount(statement));
  if (!terms.empty())
    os << " over ";
  interleaveComma(terms, os, [&](unsigned index) {
    os << names.lookup(index) << " < " << program.length(index).text();
  });
  if (statement.bounds.empty())
    return;
  os << (terms.empty() ? " over where " : " where ");
  interleaveComma(statement.bounds, os, [&](const Bounds &bounds) {
    print(bounds.low, Sum);
    os << " <= " << names.lookup(bounds.index) << " < ";
    print(bounds.high, Sum);
  });
}

void Printer::printUpdate(const Statement &statement) {
  os << (statement.accumulates ? "accumulate " : "");
  printElement(statement.tensor, statement.subscripts, "");
  os << " " << wordOf(statement.combine) << " ";
  print(statement.value);
  if (statement.index) {
    os << " at ";
    print(statement.index);
  }
  if (statement.otherwise) {
    os << " else ";
    print(statement.otherwise);
  }
  if (statement.finish) {
    os << " then ";
    print(statement.finish);
  }
  printOver(statement);
}

void Printer::printPlan(const Statement &statement) {
  interleaveComma(statement.plan, os, [&](const PlanEntry &entry) {
    os << entry.use << " = ";
    bool isList = entry.parts.size() != 1;
    os << (isList ? "[" : "");
    interleaveComma(entry.parts, os, [&](const PlanEntry::Part &part) {
      os << names.lookup(part.index);
      if (part.size != 1)
        os << ":" << part.size;
    });
    os << (isList ? "]" : "");
  });
}

void Printer::printStatement(const Statement &statement,
                             llvm::StringRef indent) {
  lets.clear();
  auto before = std::pair(names, taken);
  for (unsigned index : statement.indices)
    nameIndex(index);
  os << indent;
  printHead(statement);
  Terms roots = statement.subscripts;
  roots.append({statement.value, statement.otherwise, statement.index,
                statement.finish});
  for (const Bounds &bounds : statement.bounds)
    roots.append({bounds.low, bounds.high});
  std::vector<Term> shared = sharedParts(roots);
  std::string inner = (indent + "  ").str();
  std::string close = shared.empty() ? " " : "\n" + indent.str();
  os << "{" << (shared.empty() ? "" : "\n");
  printLets(shared, inner);
  os << (shared.empty() ? " " : inner);
  printUpdate(statement);
  os << close << "}\n";
  if (!statement.plan.empty()) {
    os << inner << "plan ";
    printPlan(statement);
    os << "\n";
  }
  std::tie(names, taken) = before;
}

void Printer::printTensor(unsigned number) {
  const Tensor &tensor = program.tensors[number];
  os << "  tensor " << nameOf(program, number) << ": " << name(tensor.kind)
     << "[";
  for (size_t i = 0; i < tensor.shape.size(); ++i)
    os << (i ? ", " : "") << tensor.length(i).text();
  os << "]";
  if (tensor.place)
    os << " at byte " << *tensor.place;
  os << "\n";
}

void Printer::printAll(llvm::StringRef layer) {
  os << "loops ";
  if (!layer.empty()) {
    os << "\"";
    llvm::printEscapedString(layer, os);
    os << "\" ";
  }
  os << "in " << name(program.computes) << " {\n";
  auto takeSizes = [&] {
    for (const SizeVariable &variable : program.sizes)
      taken.insert(variable.name);
  };
  takeSizes();
  if (!program.sizes.empty()) {
    os << "  sizes ";
    interleaveComma(program.sizes, os, [&](const SizeVariable &variable) {
      os << variable.text();
    });
    os << "\n";
  }
  for (unsigned i = 0; i < program.tensors.size(); ++i)
    printTensor(i);
  std::optional<unsigned> scan;
  auto leave = [&] {
    if (scan) {
      os << "  }\n";
      names.clear();
      taken.clear();
      takeSizes();
    }
    scan.reset();
  };
  for (const Statement &statement : program.statements) {
    if (statement.scan != scan) {
      leave();
      if ((scan = statement.scan)) {
        const Scan &entered = program.scans[*scan];
        nameIndex(entered.index);
        os << "  scan " << names.lookup(entered.index) << " < "
           << program.length(entered.index).text()
           << (entered.backwards ? " to 0 {\n" : " from 0 {\n");
      }
    }
    printStatement(statement, scan ? "    " : "  ");
  }
  leave();
  os << "}\n";
}

void loops::print(llvm::raw_ostream &os, const Program &program,
                  llvm::StringRef name) {
  Printer(os, program).printAll(name);
}
