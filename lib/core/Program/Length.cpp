//===- Length.cpp - sizes that a run gives --------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Program/Length.h"
#include "glow/Base/Functions/Numbers.h"
#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>
#include <optional>

using namespace glow;

/// A variable whose values are multiples of m stands for its quotient by m, so
/// that x/4 and x/8 are 2*(x/8) and x/8: x = m * atom.
struct Length::Atom {
  enum Op { Variable, Quotient, Greater, Lesser } op;
  SizeVariable variable{};
  std::vector<Length> operands{};
  std::string text{}; ///< determines the order of atoms

  static std::vector<int64_t> multiples(const Atoms &atoms) {
    std::vector<int64_t> result;
    for (const auto &atom : atoms)
      result.push_back(atom->op == Variable ? atom->variable.multiple : 1);
    return result;
  }
  LengthRange range() const;
  int64_t divisor() const;
  int64_t at(const std::function<int64_t(const SizeVariable &)> &) const;
  bool operator==(const Atom &other) const {
    return op == other.op && variable == other.variable &&
           operands == other.operands;
  }
};

namespace {

constexpr int64_t least = std::numeric_limits<int64_t>::min();
constexpr int64_t most = std::numeric_limits<int64_t>::max();

int64_t limited(__int128 value) {
  return value < least ? least : value > most ? most : int64_t(value);
}

LengthRange sum(LengthRange a, LengthRange b) {
  return {limited(__int128(a.low) + b.low), limited(__int128(a.high) + b.high)};
}

LengthRange product(LengthRange a, LengthRange b) {
  const __int128 ends[] = {__int128(a.low) * b.low, __int128(a.low) * b.high,
                           __int128(a.high) * b.low, __int128(a.high) * b.high};
  auto [low, high] = std::minmax_element(std::begin(ends), std::end(ends));
  return {limited(*low), limited(*high)};
}

/// The range of a quotient, whose divisor may be 0.
LengthRange quotientRange(LengthRange a, LengthRange b) {
  LengthRange result{most, least};
  auto extend = [&](int64_t divisor) {
    if (divisor < b.low || divisor > b.high)
      return;
    for (int64_t dividend : {a.low, a.high}) {
      int64_t value = divisor == -1 ? limited(-__int128(dividend))
                                    : expr::divide(dividend, divisor);
      result = {std::min(result.low, value), std::max(result.high, value)};
    }
  };
  for (int64_t divisor : {b.low, b.high, int64_t(-1), int64_t(0), int64_t(1)})
    extend(divisor);
  return result;
}

} // namespace

std::string SizeVariable::text() const {
  std::string text =
      name + " = " + std::to_string(low) + ".." + std::to_string(high);
  return multiple == 1 ? text : text + " by " + std::to_string(multiple);
}

LengthRange Length::Atom::range() const {
  if (op == Variable)
    return {variable.low / variable.multiple,
            variable.high / variable.multiple};
  const LengthRange a = operands[0].range(), b = operands[1].range();
  if (op == Quotient)
    return quotientRange(a, b);
  if (op == Greater)
    return {std::max(a.low, b.low), std::max(a.high, b.high)};
  return {std::min(a.low, b.low), std::min(a.high, b.high)};
}

/// A positive divisor of all values.
int64_t Length::Atom::divisor() const {
  if (op != Quotient || !operands[1].isFixed())
    return 1;
  const int64_t by = operands[1].fixed(), of = operands[0].divisor();
  return by > 0 && of > 0 && of % by == 0 ? of / by : 1;
}

int64_t Length::Atom::at(
    const std::function<int64_t(const SizeVariable &)> &valueOf) const {
  if (op == Variable)
    return valueOf(variable) / variable.multiple;
  const int64_t a = operands[0].at(valueOf), b = operands[1].at(valueOf);
  return op == Quotient  ? expr::divide(a, b)
         : op == Greater ? std::max(a, b)
                         : std::min(a, b);
}

Length::Length(SizeVariable variable) {
  if (variable.low == variable.high) {
    constant = variable.low;
    return;
  }
  std::string name = variable.name;
  const int64_t multiple = variable.multiple;
  add(multiple,
      {std::make_shared<const Atom>(
          Atom{Atom::Variable, std::move(variable), {}, std::move(name)})});
}

Length Length::ofAtom(Atom atom) {
  Length result;
  result.add(1, {std::make_shared<const Atom>(std::move(atom))});
  return result;
}

int64_t Length::fixed() const {
  assert(isFixed() && "a run gives the length");
  return constant;
}

const SizeVariable *Length::variable() const {
  if (constant != 0 || terms.size() != 1 || terms.front().atoms.size() != 1)
    return nullptr;
  const Atom &atom = *terms.front().atoms.front();
  return atom.op == Atom::Variable &&
                 terms.front().factor == atom.variable.multiple
             ? &atom.variable
             : nullptr;
}

/// Negative, 0 or positive, as the products are in order, equal or not.
int Length::order(const Atoms &a, const Atoms &b) {
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (int order = a[i]->text.compare(b[i]->text))
      return order;
  return int(a.size()) - int(b.size());
}

void Length::add(int64_t factor, Atoms atoms) {
  if (factor == 0)
    return;
  // c * (a / d) is (c / g) * (a / (d / g)) if d divides a, where g divides both
  // c and d, so that such quotients vanish.
  for (size_t i = 0; i < atoms.size(); ++i) {
    const Atom &atom = *atoms[i];
    if (atom.op != Atom::Quotient || !atom.operands[1].isFixed())
      continue;
    const int64_t by = atom.operands[1].fixed();
    const int64_t common = std::gcd(factor, by);
    if (by < 2 || common < 2 || atom.operands[0].divisor() % by != 0)
      continue;
    const Length dividend = quotient(atom.operands[0], by / common);
    Length others(factor / common);
    atoms.erase(atoms.begin() + ptrdiff_t(i));
    for (const auto &other : atoms)
      others = others * ofAtom(*other);
    add(dividend * others, 1);
    return;
  }
  if (atoms.empty()) {
    constant = expr::add(constant, factor);
    return;
  }
  std::sort(atoms.begin(), atoms.end(),
            [](const auto &a, const auto &b) { return a->text < b->text; });
  auto at = std::lower_bound(terms.begin(), terms.end(), atoms,
                             [](const Term &term, const Atoms &atoms) {
                               // Longer products come first: 4*N*S + N + 2.
                               return term.atoms.size() != atoms.size()
                                          ? term.atoms.size() > atoms.size()
                                          : order(term.atoms, atoms) < 0;
                             });
  if (at == terms.end() || order(at->atoms, atoms) != 0) {
    terms.insert(at, {factor, std::move(atoms)});
    return;
  }
  at->factor = expr::add(at->factor, factor);
  if (at->factor == 0)
    terms.erase(at);
}

void Length::add(const Length &other, int64_t factor) {
  constant = expr::add(constant, expr::multiply(other.constant, factor));
  for (const Term &term : other.terms)
    add(expr::multiply(term.factor, factor), term.atoms);
}

LengthRange Length::range() const {
  LengthRange result{constant, constant};
  for (const Term &term : terms) {
    LengthRange range{term.factor, term.factor};
    for (const auto &atom : term.atoms)
      range = product(range, atom->range());
    result = sum(result, range);
  }
  return result;
}

int64_t Length::divisor() const {
  int64_t result = expr::abs(constant);
  for (const Term &term : terms) {
    int64_t divisor = expr::abs(term.factor);
    for (const auto &atom : term.atoms)
      divisor = expr::multiply(divisor, atom->divisor());
    result = std::gcd(result, divisor);
  }
  return result;
}

bool Length::operator==(const Length &other) const {
  if (constant != other.constant || terms.size() != other.terms.size())
    return false;
  return std::equal(terms.begin(), terms.end(), other.terms.begin(),
                    [](const Term &a, const Term &b) {
                      return a.factor == b.factor &&
                             std::equal(a.atoms.begin(), a.atoms.end(),
                                        b.atoms.begin(), b.atoms.end(),
                                        [](const auto &x, const auto &y) {
                                          return *x == *y;
                                        });
                    });
}

Length glow::operator+(const Length &a, const Length &b) {
  Length result = a;
  result.add(b, 1);
  return result;
}

Length glow::operator-(const Length &a, const Length &b) {
  Length result = a;
  result.add(b, -1);
  return result;
}

Length glow::operator*(const Length &a, const Length &b) {
  Length result;
  result.add(b, a.constant);
  for (const Length::Term &term : a.terms) {
    result.add(expr::multiply(term.factor, b.constant), term.atoms);
    for (const Length::Term &other : b.terms) {
      Length::Atoms atoms = term.atoms;
      atoms.insert(atoms.end(), other.atoms.begin(), other.atoms.end());
      result.add(expr::multiply(term.factor, other.factor), std::move(atoms));
    }
  }
  return result;
}

namespace {

bool contains0(LengthRange range) { return range.low <= 0 && range.high >= 0; }

std::string callText(std::string_view name, const Length &a, const Length &b) {
  return std::string(name) + "(" + a.text() + ", " + b.text() + ")";
}

} // namespace

Length::Atom Length::quotientAtom(const Length &a, const Length &b) {
  auto operandText = [](const Length &length) {
    const bool isCall = length.constant == 0 && length.terms.size() == 1 &&
                        length.terms[0].factor == 1 &&
                        length.terms[0].atoms.size() == 1 &&
                        length.terms[0].atoms[0]->op != Atom::Quotient &&
                        length.terms[0].atoms[0]->op != Atom::Variable;
    const bool isSimple = length.isFixed() || length.variable() || isCall;
    return isSimple ? length.text() : "(" + length.text() + ")";
  };
  return {Atom::Quotient, {}, {a, b}, operandText(a) + "/" + operandText(b)};
}

Length glow::quotient(const Length &a, const Length &b) {
  using Atom = Length::Atom;
  if (b.isFixed() && (b.constant == 0 || b.constant == 1))
    return b.constant == 0 ? Length() : a;
  if (a.isFixed() && (b.isFixed() || a.constant == 0))
    return a.constant == 0 ? Length() : expr::divide(a.constant, b.constant);

  if (b.isFixed() && b.constant > 1 && a.terms.size() == 1 &&
      a.terms[0].factor == 1 && a.terms[0].atoms.size() == 1) {
    // ((x / c) + k) / b is (x + k * c) / (b * c).
    const Atom &atom = *a.terms[0].atoms[0];
    if (atom.op == Atom::Quotient && atom.operands[1].isFixed() &&
        atom.operands[1].constant > 1)
      return quotient(atom.operands[0] + Length(a.constant) * atom.operands[1],
                      b * atom.operands[1]);
  }

  Length whole, rest;
  if (b.isFixed()) {
    // Multiples of the divisor leave the quotient. So do terms of which all
    // values are multiples, each as a quotient of its own.
    auto divide = [&](int64_t factor, const Length::Atoms &atoms) {
      whole.add(expr::divide(factor, b.constant), atoms);
      const int64_t left = expr::modulo(factor, b.constant);
      __int128 divisor = left;
      for (const auto &atom : atoms)
        divisor = divisor % b.constant * atom->divisor();
      if (left == 0 || atoms.empty() || b.constant < 2 ||
          divisor % b.constant != 0)
        return rest.add(left, atoms);
      const int64_t common = std::gcd(left, b.constant);
      Length product;
      product.terms.push_back({1, atoms});
      whole.add(left / common,
                {std::make_shared<const Atom>(
                    Length::quotientAtom(product, b.constant / common))});
    };
    divide(a.constant, {});
    for (const Length::Term &term : a.terms)
      divide(term.factor, term.atoms);
  } else if (b.terms.size() == 1 && b.constant == 0 && !contains0(b.range())) {
    // So do terms that contain a divisor that is one product, and never 0.
    const Length::Term &by = b.terms.front();
    rest.constant = a.constant;
    // The dividend without the divisor's atoms, if all of its terms have them.
    std::optional<Length> reduced;
    if (a.constant == 0 && by.factor > 1 && b.range().low > 0)
      reduced = Length();
    for (const Length::Term &term : a.terms) {
      Length::Atoms left = term.atoms;
      bool contains = true;
      for (const auto &atom : by.atoms) {
        auto found = std::find_if(left.begin(), left.end(),
                                  [&](const auto &x) { return *x == *atom; });
        contains &= found != left.end();
        if (found != left.end())
          left.erase(found);
      }
      if (!contains)
        reduced.reset();
      else if (reduced)
        reduced->add(term.factor, left);
      if (contains && term.factor % by.factor == 0)
        whole.add(term.factor / by.factor, std::move(left));
      else
        rest.add(term.factor, term.atoms);
    }
    if (reduced)
      return quotient(*reduced, by.factor);
  } else {
    rest = a;
  }
  const LengthRange range = rest.range(), by = b.range();
  if ((rest.isFixed() && rest.constant == 0) ||
      (range.low >= 0 && by.low > 0 && range.high < by.low))
    return whole;
  return whole + Length::ofAtom(Length::quotientAtom(rest, b));
}

Length glow::remainder(const Length &a, const Length &b) {
  if (b.isFixed() && b.constant == 0)
    return Length();
  if (b.isFixed() && a.divisor() % b.constant == 0)
    return Length();
  return a - quotient(a, b) * b;
}

Length glow::greater(const Length &a, const Length &b) {
  const LengthRange difference = (a - b).range();
  if (difference.low >= 0 || difference.high <= 0)
    return difference.low >= 0 ? a : b;
  const bool inOrder = a.text() <= b.text();
  const Length &first = inOrder ? a : b, &second = inOrder ? b : a;
  return Length::ofAtom({Length::Atom::Greater,
                         {},
                         {first, second},
                         callText("max", first, second)});
}

Length glow::lesser(const Length &a, const Length &b) {
  const LengthRange difference = (a - b).range();
  if (difference.low >= 0 || difference.high <= 0)
    return difference.low >= 0 ? b : a;
  const bool inOrder = a.text() <= b.text();
  const Length &first = inOrder ? a : b, &second = inOrder ? b : a;
  return Length::ofAtom({Length::Atom::Lesser,
                         {},
                         {first, second},
                         callText("min", first, second)});
}

/// Writes `factor` times atoms, of which each variable stands for its quotient
/// by a multiple, with variables: returns the divisor of each.
static std::vector<int64_t> divisorsOf(int64_t &factor,
                                       std::vector<int64_t> multiples) {
  for (int64_t &multiple : multiples) {
    const int64_t common = std::gcd(factor, multiple);
    factor /= common;
    multiple /= common;
  }
  return multiples;
}

std::string Length::text() const {
  std::string text;
  auto append = [&](int64_t factor, const Atoms &atoms) {
    const bool isNegative = factor < 0;
    text += text.empty() ? (isNegative ? "-" : "") : isNegative ? " - " : " + ";
    const std::vector<int64_t> divisors =
        divisorsOf(factor, Atom::multiples(atoms));
    std::string digits = std::to_string(factor).substr(isNegative);
    std::string product = atoms.empty() || digits != "1" ? digits : "";
    for (size_t i = 0; i < atoms.size(); ++i) {
      std::string name = atoms[i]->text;
      if (divisors[i] != 1)
        name += "/" + std::to_string(divisors[i]);
      const bool isQuotient =
          atoms[i]->op == Atom::Quotient || divisors[i] != 1;
      const bool needsBrackets =
          isQuotient && (!product.empty() || atoms.size() > 1 || isNegative);
      product += (product.empty() ? "" : "*") +
                 (needsBrackets ? "(" + name + ")" : name);
    }
    text += product;
  };
  for (const Term &term : terms)
    append(term.factor, term.atoms);
  if (constant != 0 || terms.empty())
    append(constant, {});
  return text;
}

int64_t
Length::at(const std::function<int64_t(const SizeVariable &)> &valueOf) const {
  int64_t result = constant;
  for (const Term &term : terms) {
    int64_t value = term.factor;
    for (const auto &atom : term.atoms)
      value = expr::multiply(value, atom->at(valueOf));
    result = expr::add(result, value);
  }
  return result;
}

void Length::visitVariables(
    const std::function<void(const SizeVariable &)> &visit) const {
  for (const Term &term : terms)
    for (const auto &atom : term.atoms) {
      if (atom->op == Atom::Variable)
        visit(atom->variable);
      for (const Length &operand : atom->operands)
        operand.visitVariables(visit);
    }
}

void Length::visitSteps(const std::function<void(const Step &)> &visit) const {
  bool isFirst = true;
  auto added = [&] {
    if (!isFirst)
      visit({Step::Add});
    isFirst = false;
  };
  for (const Term &term : terms) {
    int64_t factor = term.factor;
    const std::vector<int64_t> divisors =
        divisorsOf(factor, Atom::multiples(term.atoms));
    for (size_t i = 0; i < term.atoms.size(); ++i) {
      const Atom &atom = *term.atoms[i];
      for (const Length &operand : atom.operands)
        operand.visitSteps(visit);
      visit(atom.op == Atom::Variable
                ? Step{.op = Step::Variable, .variable = atom.variable}
            : atom.op == Atom::Quotient ? Step{Step::Quotient}
            : atom.op == Atom::Greater  ? Step{Step::Greater}
                                        : Step{Step::Lesser});
      if (divisors[i] != 1) {
        visit({Step::Number, divisors[i]});
        visit({Step::Quotient});
      }
      if (i > 0)
        visit({Step::Multiply});
    }
    if (factor != 1) {
      visit({Step::Number, factor});
      visit({Step::Multiply});
    }
    added();
  }
  if (constant != 0 || terms.empty()) {
    visit({Step::Number, constant});
    added();
  }
}
