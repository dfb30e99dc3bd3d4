//===- Known.cpp - evaluation of expressions with known names -------------===//
// SPDX-License-Identifier: MIT
//
// These are the functions that generated code calls (glow/Base/Functions.h), so
// that a value here is the value of a compiled model.
//
//===----------------------------------------------------------------------===//

#include "Expr/Known.h"
#include "Expr/Let.h"
#include "Expr/Parser.h"
#include "glow/Base/Functions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/TableGen/Record.h"
#include <functional>
#include <map>

using namespace glow::gen;
using namespace llvm;
using glow::Ints;
using glow::Reals;

using MaybeKnown = std::optional<Known>;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// A value as a parameter; an int serves as a real, and `[]` as either list.
template <typename T> static std::optional<T> as(const Known &value) {
  if (const T *found = std::get_if<T>(&value))
    return *found;
  if constexpr (std::is_same_v<T, double>)
    if (const int64_t *number = std::get_if<int64_t>(&value))
      return double(*number);
  if constexpr (std::is_same_v<T, glow::Reals>)
    if (const auto *list = std::get_if<glow::Ints>(&value))
      return glow::Reals(list->begin(), list->end());
  return std::nullopt;
}

using FunctionOfKnown = std::function<MaybeKnown(ArrayRef<Known>)>;

template <typename Result, typename... Types, size_t... places>
static MaybeKnown apply(Result (*function)(Types...), ArrayRef<Known> given,
                        std::index_sequence<places...>) {
  auto arguments = std::tuple(as<std::decay_t<Types>>(given[places])...);
  if (!(std::get<places>(arguments) && ...))
    return std::nullopt;
  return Known(function(*std::get<places>(arguments)...));
}

template <typename Result, typename... Types>
static FunctionOfKnown bound(Result (*function)(Types...)) {
  return [function](ArrayRef<Known> given) -> MaybeKnown {
    if (given.size() != sizeof...(Types))
      return std::nullopt;
    return apply(function, given, std::index_sequence_for<Types...>());
  };
}

/// One function on integers, and one on real numbers.
template <typename OfInts, typename OfReals>
static FunctionOfKnown bound(OfInts ofInts, OfReals ofReals) {
  return [ofInts = bound(ofInts),
          ofReals = bound(ofReals)](ArrayRef<Known> given) -> MaybeKnown {
    MaybeKnown result = ofInts(given);
    return result ? result : ofReals(given);
  };
}

/// A function without an entry has no known value: a test judges its
/// requirement.
static const std::map<std::string, FunctionOfKnown, std::less<>> &
functionsOf() {
  namespace ex = glow::expr;
  using I = int64_t;
  using R = double;

  static const std::map<std::string, FunctionOfKnown, std::less<>> table = {
      {"max", bound(
                  +[](I a, I b) { return ex::max(a, b); },
                  +[](R a, R b) { return ex::max(a, b); })},
      {"min", bound(
                  +[](I a, I b) { return ex::min(a, b); },
                  +[](R a, R b) { return ex::min(a, b); })},
      {"abs",
       bound(
           +[](I a) { return ex::abs(a); }, +[](R a) { return ex::abs(a); })},
      {"int", bound(+[](R a) { return ex::integerOf(a); })},
      {"real", bound(+[](R a) { return a; })},
      {"floor", bound(ex::floor)},
      {"ceil", bound(ex::ceil)},
      {"sqrt", bound(ex::sqrt)},
      {"log", bound(ex::log)},
      {"exp", bound(ex::exp)},
      {"power", bound(ex::power)},
      {"isNan", bound(ex::isNan)},
      {"isFixed", bound(+[](I a) { return ex::isFixed(a); })},
      {"floorOfProduct",
       bound(+[](I a, R b) { return ex::floorOfProduct(a, b); })},
      {"ratio", bound(+[](I a, I b) { return ex::ratio(a, b); })},
      {"truncatedQuotient",
       bound(+[](I a, I b) { return ex::truncatedQuotient(a, b); })},
      {"stepsUntil",
       bound(+[](I a, I b, I c) { return ex::stepsUntil(a, b, c); })},
      {"size", bound(ex::size<I>)},
      {"length", bound(ex::length)},
      {"prod", bound(ex::prod<I>)},
      {"sum", bound(ex::sum<I>)},
      {"repeat", bound(ex::repeat<I>)},
      {"range", bound(ex::range)},
      {"at", bound(+[](const Ints &list, I i) { return ex::at(list, i); })},
      {"take", bound(ex::take<I>)},
      {"drop", bound(ex::drop<I>)},
      {"set", bound(ex::set<I>)},
      {"pick", bound(ex::pick<I>)},
      {"common", bound(ex::common<I>)},
      {"excluding", bound(ex::excluding<I>)},
      {"unique", bound(ex::unique<I>)},
      {"indicesOf", bound(ex::indicesOf<I>)},
      {"nonzeros", bound(ex::nonzeros<I>)},
      {"contains", bound(ex::contains<I>)},
      {"allAtLeast", bound(ex::allAtLeast<I>)},
      {"allBelow", bound(ex::allBelow<I>)},
      {"distinct", bound(ex::distinct<I>)},
      {"wrapAxis",
       bound(+[](I axis, I rank) { return ex::wrapAxis(axis, rank); })},
      {"wrapAxes", bound(ex::wrapAxes<I>)},
      {"inverse", bound(ex::inverse<I>)},
      {"compose", bound(ex::compose<I>)},
      {"areSame", bound(ex::areSame<I>)},
      {"canBroadcast", bound(ex::canBroadcast<I>)},
      {"broadcastShape", bound(ex::broadcastShape<I>)},
      {"broadcastsTo", bound(ex::broadcastsTo<I>)},
      {"keepsOrder", bound(ex::keepsOrder<I>)},
      {"exactQuotient", bound(+[](const Ints &a, const Ints &b) {
         return ex::exactQuotient(a, b);
       })},
      {"sliceFits", bound(ex::sliceFits<I>)},
  };
  return table;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

namespace {

class Evaluation {
public:
  Evaluation(const StringMap<Known> &names, const Functions &functions,
             const Record &record)
      : names(names), functions(functions), record(record) {}

  MaybeKnown run(const ExprPtr &expr) const {
    int64_t integer;
    double real;
    switch (expr->kind) {
    case Expr::Kind::Integer:
      return StringRef(expr->text).getAsInteger(10, integer)
                 ? MaybeKnown()
                 : MaybeKnown(integer);
    case Expr::Kind::Real:
      return StringRef(expr->text).getAsDouble(real) ? MaybeKnown()
                                                     : MaybeKnown(real);
    case Expr::Kind::Text:
      return expr->text;
    case Expr::Kind::Name:
      return name(expr->text);
    case Expr::Kind::Unary:
      return unary(expr);
    case Expr::Kind::Binary:
      return binary(expr);
    case Expr::Kind::Call:
      return call(expr);
    case Expr::Kind::Subscript:
      return element(expr);
    case Expr::Kind::List:
      return list(expr);
    case Expr::Kind::Each:
    case Expr::Kind::Spread:
      return std::nullopt;
    }
    return std::nullopt;
  }

private:
  MaybeKnown name(StringRef name) const {
    auto found = names.find(name);
    if (found != names.end())
      return found->second;
    if (name == "true" || name == "false")
      return name == "true";
    if (name == "infinity")
      return std::numeric_limits<double>::infinity();
    return std::nullopt;
  }

  MaybeKnown unary(const ExprPtr &expr) const {
    MaybeKnown value = run(expr->children[0]);
    if (!value)
      return std::nullopt;
    if (expr->text == "!") {
      auto *condition = std::get_if<bool>(&*value);
      return condition ? MaybeKnown(!*condition) : std::nullopt;
    }
    return arithmetic("-", int64_t(0), *value);
  }

  MaybeKnown binary(const ExprPtr &expr) const {
    StringRef op = expr->text;
    MaybeKnown lhs = run(expr->children[0]), rhs = run(expr->children[1]);
    if (op == "&&" || op == "||") {
      // One side decides, whatever the other is.
      for (const MaybeKnown &side : {lhs, rhs})
        if (side && std::holds_alternative<bool>(*side) &&
            std::get<bool>(*side) == (op == "||"))
          return side;
      return lhs && rhs ? rhs : std::nullopt;
    }
    if (!lhs || !rhs)
      return std::nullopt;
    if (op == "+" || op == "-" || op == "*" || op == "/" || op == "%")
      return arithmetic(op, *lhs, *rhs);
    return comparison(op, *lhs, *rhs);
  }

  static MaybeKnown comparison(StringRef op, const Known &lhs,
                               const Known &rhs) {
    auto a = as<double>(lhs), b = as<double>(rhs);
    if (std::holds_alternative<int64_t>(lhs) &&
        std::holds_alternative<int64_t>(rhs))
      return compared(op, std::get<int64_t>(lhs), std::get<int64_t>(rhs));
    if (a && b)
      return compared(op, *a, *b);
    if (lhs.index() != rhs.index() || (op != "==" && op != "!="))
      return std::nullopt;
    return (lhs == rhs) == (op == "==");
  }

  template <typename T> static bool compared(StringRef op, T a, T b) {
    return op == "=="   ? a == b
           : op == "!=" ? a != b
           : op == "<"  ? a < b
           : op == "<=" ? a <= b
           : op == ">"  ? a > b
                        : a >= b;
  }

  static MaybeKnown arithmetic(StringRef op, const Known &lhs,
                               const Known &rhs) {
    auto integral = [](const Known &value) {
      return std::holds_alternative<int64_t>(value) ||
             std::holds_alternative<Ints>(value);
    };
    if (integral(lhs) && integral(rhs))
      return std::visit(
          [&](const auto &a, const auto &b) -> MaybeKnown {
            using A = std::decay_t<decltype(a)>;
            using B = std::decay_t<decltype(b)>;
            constexpr bool takes =
                (std::is_same_v<A, int64_t> || std::is_same_v<A, Ints>) &&
                (std::is_same_v<B, int64_t> || std::is_same_v<B, Ints>);
            if constexpr (takes)
              return ofIntegers(op, a, b);
            else
              return std::nullopt;
          },
          lhs, rhs);
    auto a = as<double>(lhs), b = as<double>(rhs);
    if (!a || !b || op == "%")
      return std::nullopt;
    return op == "+"   ? *a + *b
           : op == "-" ? *a - *b
           : op == "*" ? *a * *b
                       : *a / *b;
  }

  template <typename A, typename B>
  static MaybeKnown ofIntegers(StringRef op, const A &a, const B &b) {
    using namespace glow::expr;
    if (op == "+")
      return Known(add(a, b));
    if (op == "-")
      return Known(subtract(a, b));
    if (op == "*")
      return Known(multiply(a, b));
    return op == "/" ? Known(divide(a, b)) : Known(modulo(a, b));
  }

  MaybeKnown call(const ExprPtr &expr) const {
    if (expr->text == "if" && expr->children.size() == 3) {
      MaybeKnown condition = run(expr->children[0]);
      if (!condition || !std::holds_alternative<bool>(*condition))
        return std::nullopt;
      return run(expr->children[std::get<bool>(*condition) ? 1 : 2]);
    }
    if (const LetFunction *function = functions.findLet(expr->text))
      return callOf(*function, expr);
    auto found = functionsOf().find(std::string_view(expr->text));
    std::vector<Known> arguments;
    for (const ExprPtr &child : expr->children)
      if (MaybeKnown value = run(child))
        arguments.push_back(*value);
    if (found == functionsOf().end() ||
        arguments.size() != expr->children.size())
      return std::nullopt;
    return found->second(arguments);
  }

  MaybeKnown callOf(const LetFunction &function, const ExprPtr &expr) const {
    if (!function.onValues())
      return std::nullopt;
    StringMap<Known> inside;
    for (auto [parameter, argument] :
         zip_equal(function.parameters, argumentsOf(function, expr, record)))
      if (MaybeKnown value = run(argument))
        inside[parameter.name] = *value;
    for (const Statement &statement : function.body) {
      if (statement.isLoop() || statement.targets.size() != 1)
        return std::nullopt;
      StringRef target = statement.targets[0]->text;
      inside.erase(target);
      if (MaybeKnown value = Evaluation(inside, functions, *function.record)
                                 .run(statement.value))
        inside[target] = *value;
    }
    auto result = inside.find(function.results[0]);
    return result == inside.end() ? MaybeKnown() : result->second;
  }

  MaybeKnown element(const ExprPtr &expr) const {
    MaybeKnown list = run(expr->children[0]);
    MaybeKnown index =
        expr->children.size() == 2 ? run(expr->children[1]) : std::nullopt;
    if (!list || !index || !std::holds_alternative<int64_t>(*index))
      return std::nullopt;
    if (auto *ints = std::get_if<Ints>(&*list))
      return glow::expr::at(*ints, std::get<int64_t>(*index));
    if (auto *reals = std::get_if<Reals>(&*list))
      return glow::expr::at(*reals, std::get<int64_t>(*index));
    return std::nullopt;
  }

  MaybeKnown list(const ExprPtr &expr) const {
    Ints ints;
    Reals reals;
    bool isReal = false;
    for (const ExprPtr &child : expr->children) {
      bool spread = child->kind == Expr::Kind::Spread;
      MaybeKnown value = run(spread ? child->children[0] : child);
      if (!value)
        return std::nullopt;
      Ints some;
      if (auto *number = std::get_if<int64_t>(&*value))
        some = {*number};
      else if (auto *several = std::get_if<Ints>(&*value))
        some = *several;
      else if (auto real = as<double>(*value))
        reals.push_back(*real), isReal = true;
      else
        return std::nullopt;
      ints.insert(ints.end(), some.begin(), some.end());
      reals.insert(reals.end(), some.begin(), some.end());
    }
    return isReal ? Known(reals) : Known(ints);
  }

  const StringMap<Known> &names;
  const Functions &functions;
  const Record &record;
};

} // namespace

MaybeKnown glow::gen::valueOf(const ExprPtr &expr,
                              const StringMap<Known> &names,
                              const Functions &functions,
                              const Record &record) {
  return Evaluation(names, functions, record).run(expr);
}

template <typename List> static std::string listText(const List &list) {
  std::string text;
  for (auto element : list)
    text += (text.empty() ? "" : ", ") + textOf(Known(element));
  return "[" + text + "]";
}

std::string glow::gen::textOf(const Known &value) {
  if (auto *condition = std::get_if<bool>(&value))
    return *condition ? "true" : "false";
  if (auto *integer = std::get_if<int64_t>(&value))
    return std::to_string(*integer);
  if (auto *real = std::get_if<double>(&value))
    return formatv("{0}", format("%g", *real)).str();
  if (auto *text = std::get_if<std::string>(&value))
    return *text;
  if (auto *ints = std::get_if<Ints>(&value))
    return listText(*ints);
  return listText(std::get<Reals>(value));
}

std::string glow::gen::withValues(StringRef message,
                                  const StringMap<Known> &names,
                                  const Functions &functions,
                                  const Record &record) {
  std::string result;
  for (StringRef rest = message; !rest.empty();) {
    auto [plain, behind] = rest.split('{');
    result += plain;
    if (behind.empty())
      return result;
    auto [expression, after] = behind.split('}');
    MaybeKnown value = valueOf(Parser(expression, message, record).expression(),
                               names, functions, record);
    result += value ? textOf(*value) : ("{" + expression + "}").str();
    rest = after;
  }
  return result;
}
