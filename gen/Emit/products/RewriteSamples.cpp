//===- RewriteSamples.cpp - left sides of rewrites, for the tests ---------===//
// SPDX-License-Identifier: MIT
//
// The tests build the left side of every rewrite, apply the rewrite, and
// compare the results of both sides. So each record brings its own test, and a
// rewrite that never applies is found.
//
//===----------------------------------------------------------------------===//

#include "Emit/language/Graph.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "Model/rules/Rewrite.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

/// The exponent by which an operand is scaled, as a power of two, at each step
/// to the ends of a kind's range.
static int64_t exponentOf(const Record &record, StringRef operand) {
  if (!record.getValue("ends"))
    return 0;
  const DagInit *dag = dagField<"Rewrite.ends">(record);
  for (auto [argument, name] : llvm::zip(dag->getArgs(), dag->getArgNames()))
    if (name && name->getValue() == operand)
      return cast<IntInit>(argument)->getValue();
  return 0;
}

/// A C++ function from the largest number of a kind to the magnitude of the
/// operand up to which the rewrite holds; "nullptr" where it always does.
static std::string limitOf(const Model &model, const Record &record,
                           StringRef operand) {
  if (!record.getValue("holds"))
    return "nullptr";
  const DagInit *dag = dagField<"Rewrite.holds">(record);
  for (auto [argument, name] : llvm::zip(dag->getArgs(), dag->getArgNames())) {
    if (!name || name->getValue() != operand)
      continue;
    Scope scope;
    scope.define("largest", Type::Real, "largest");
    Parser parser(cast<StringInit>(argument)->getValue(), record);
    ValueEmitter values(model.functions, scope, record);
    return "[](double largest) -> double { return " +
           values.emitAs(parser.expression(), Type::Real, "a limit") + "; }";
  }
  return "nullptr";
}

/// Binds the operands of a sample, which come in one list, to their names, and
/// returns their texts.
static std::string bindOperands(const Model &model, const Record &record,
                                Scope &scope, raw_ostream &os) {
  std::string types;
  size_t next = 0;
  const DagInit *dag =
      dagField<"Rewrite.operands", "PatternSample.operands">(record);
  for (auto [argument, name] : llvm::zip(dag->getArgs(), dag->getArgNames())) {
    auto *text = dyn_cast<StringInit>(argument);
    if (!text || !name)
      fatalAt(nullptr, record,
              "an operand of a sample is written \"f32[2,3]\":$name");
    SmallVector<StringRef> parts;
    text->getValue().split(parts, ';', -1, /*KeepEmpty=*/false);
    for (StringRef part : parts)
      types += formatv("{{{0}, \"T\", {1}, {2}}, ", quoted(part.trim()),
                       exponentOf(record, name->getValue()),
                       limitOf(model, record, name->getValue()));
    bool list = parts.size() > 1;
    std::string code =
        parts.empty() ? "::mlir::Value()"
        : list ? formatv("::llvm::SmallVector<::mlir::Value>(operands.slice"
                         "({0}, {1}))",
                         next, parts.size())
                     .str()
               : formatv("operands[{0}]", next).str();
    std::string variable = local(name->getValue());
    os << formatv("  {0} {1} = {2};\n  (void){1};\n",
                  cxxType(list ? Type::Tensors : Type::Tensor), variable, code);
    scope.define(name->getValue(), list ? Type::Tensors : Type::Tensor,
                 variable);
    next += parts.size();
  }
  return types;
}

/// Emits a function with the statements of `build`, and its row in the table.
static void emitSample(GraphFunctions &functions, const Record &record,
                       StringRef name, unsigned number,
                       const std::function<void(GraphEmitter &)> &build,
                       std::string &table, raw_ostream &os) {
  os << formatv("/// {0}\n::llvm::LogicalResult build{1}(::mlir::OpBuilder "
                "&builder, ::mlir::Location location, ::mlir::ValueRange "
                "operands, ::llvm::SmallVectorImpl<::mlir::Value> &results) "
                "{{\n",
                placeOf(record), number);
  os << "  auto refuse = [](const ::llvm::Twine &) { return ::llvm::failure(); "
        "};\n  (void)refuse;\n";
  Scope scope;
  std::string types = bindOperands(functions.model, record, scope, os);
  GraphEmitter emitter(functions, record, scope, os);
  std::string values;
  if (record.getValue("values"))
    values = textField<"Rewrite.values">(record).str();
  Parser parser(values, record);
  emitter.statements(parser.statements());
  build(emitter);
  os << "  return ::llvm::success();\n}\n\n";
  // A DRR pattern has no field `rounds`.
  const bool rounds =
      !record.getValue("rounds") || bitField<"Rewrite.rounds">(record);
  table +=
      formatv("    {{{0}, {{{1}}, build{2}, {3}, {4}},\n", quoted(name), types,
              number, quoted(placeOf(record)), rounds ? "true" : "false");
}

static void emitResult(const TypedCode &result, raw_ostream &os) {
  os << (result.type == Type::Tensors ? "  ::llvm::append_range(results, "
                                      : "  results.push_back(")
     << result.code << ");\n";
}

static bool emitRewriteSamples(const Model &model, raw_ostream &os) {
  std::string table;
  unsigned count = 0;
  std::string code;
  raw_string_ostream builders(code);
  GraphFunctions functions(model, Purpose::Graph);
  for (const RewriteModel &rewrite : rewritesOf(model))
    for (const ExprPtr &left : swapsOf(model, rewrite.left))
      emitSample(
          functions, *rewrite.record, rewrite.name, count++,
          [&](GraphEmitter &emitter) {
            emitResult(emitter.emit(left), builders);
          },
          table, builders);
  emitBehind(functions, code, os);
  os << "const ::std::vector<::glow::RewriteSample> rewriteSamples = {\n"
     << table << "};\n\n} // namespace\n";
  return false;
}

/// Refuses patterns on scoped nodes of a plug-in: mlir-tblgen derives the name
/// of an operation from the record's name, which lacks the plug-in's prefix.
static void checkOperations(const Record &pattern, const Init *init) {
  if (auto *list = dyn_cast<ListInit>(init))
    for (const Init *element : list->getElements())
      checkOperations(pattern, element);
  auto *dag = dyn_cast<DagInit>(init);
  if (!dag)
    return;
  if (auto *def = dyn_cast<DefInit>(dag->getOperator());
      def && isScoped(*def->getDef()))
    fatalAt(nullptr, pattern,
            "a pattern names '" + def->getDef()->getName() +
                "', which Glow has too; it needs a name of its own");
  for (const Init *argument : dag->getArgs())
    checkOperations(pattern, argument);
}

static bool emitPatternSamples(const Model &model, raw_ostream &os) {
  for (const Record *pattern : model.own("Pattern")) {
    checkOperations(*pattern, pattern->getValueInit("sourcePattern"));
    checkOperations(*pattern, pattern->getValueInit("resultPatterns"));
  }
  std::string table;
  unsigned count = 0;
  std::string code;
  raw_string_ostream builders(code);
  GraphFunctions functions(model, Purpose::Graph);
  for (const Record *record : model.own("PatternSample"))
    emitSample(
        functions, *record, textField<"PatternSample.pattern">(*record),
        count++,
        [&](GraphEmitter &emitter) {
          Parser parser(textField<"PatternSample.body">(*record), *record);
          std::vector<Statement> statements = parser.statements();
          emitter.statements(statements);
          for (const ExprPtr &target : statements.back().targets)
            emitResult(emitter.emit(target), builders);
        },
        table, builders);
  emitBehind(functions, code, os);
  os << "const ::std::vector<::glow::RewriteSample> patternSamples = {\n"
     << table << "};\n\n} // namespace\n";
  return false;
}

static Emitter patternSamples("gen-pattern-samples",
                              "emit what DRR patterns rewrite, for the tests",
                              emitPatternSamples);
static Emitter rewriteSamples("gen-rewrite-samples",
                              "emit the left sides of rewrites for the tests",
                              emitRewriteSamples);
