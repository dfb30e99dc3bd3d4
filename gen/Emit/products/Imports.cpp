//===- Imports.cpp - from OnnxImport records to import functions ----------===//
// SPDX-License-Identifier: MIT
//
// An import record becomes a function of one node. It gets the inputs and
// attributes by their names, and refuses a missing one or a text that is not in
// its list of words. It builds nodes by the statements of the body, and sets
// the outputs. A table beside holds the facts that the coverage needs without
// running the function, such as the number of inputs and the nodes that it may
// build.
//
//===----------------------------------------------------------------------===//

#include "Emit/language/Graph.h"
#include "Emit/language/Page.h"
#include "Emit/products/Inverses.h"
#include "Expr/Builtin.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

static std::string functionName(const Record &record) {
  std::string domain = textField<"OnnxImport.domain">(record).str();
  for (char &c : domain)
    if (!isAlnum(c))
      c = '_';
  return ("import" + (domain.empty() ? "" : domain + "_") +
          textField<"OnnxImport.operator">(record) +
          Twine(intField<"OnnxImport.since">(record)))
      .str();
}

static std::vector<StringRef> inputsOf(const Record &record) {
  std::vector<StringRef> inputs;
  for (const Init *argument : dagField<"OnnxImport.inputs">(record)->getArgs())
    inputs.push_back(cast<StringInit>(argument)->getValue());
  return inputs;
}

/// Whether an expression reads more of an input than `kind(input)`.
static bool reads(const ExprPtr &expr, StringRef input) {
  // A message may show the value, in braces.
  if (expr->kind == Expr::Kind::Text)
    return StringRef(expr->text).contains(input);
  if (isCallOf(expr, Builtin::Kind) && !expr->children.empty() &&
      expr->children[0]->isName(input))
    return false;
  return expr->isName(input) ||
         any_of(expr->children,
                [&](const ExprPtr &child) { return reads(child, input); });
}

/// A bit for each input of which a node reads the kind alone.
static uint64_t kindsOnly(const Record &record,
                          const std::vector<Statement> &body) {
  uint64_t bits = 0;
  for (auto [i, text] : enumerate(inputsOf(record))) {
    StringRef input = text.rtrim("?.");
    bool isRead = text.ends_with("...") || i >= 64 ||
                  is_contained(textsField<"OnnxImport.outputs">(record), input);
    for (const ExprPtr &value : valuesOf(body))
      isRead = isRead || reads(value, input);
    bits |= uint64_t(!isRead) << (i % 64);
  }
  return bits;
}

/// The number of inputs that share the rest of a node's input list; 0 or 1 in
/// most records.
static size_t sharers(const Record &record) {
  return size_t(count_if(inputsOf(record), [](StringRef input) {
    return input.ends_with("...");
  }));
}

/// Begins a loop over the parts, which binds one input of each.
static void emitParts(const Record &record, size_t singles, Scope &scope,
                      raw_ostream &os) {
  std::vector<StringRef> inputs = inputsOf(record);
  size_t count = sharers(record);
  os << formatv("  ::llvm::SmallVector<::mlir::Value> rest = "
                "import.inputsFrom({0});\n"
                "  if (rest.size() % {1})\n    return import.fail(\"its inputs "
                "from input {0} on must be as many of each of {1}\");\n"
                "  for (size_t part = 0, parts = rest.size() / {1}; "
                "part < parts; ++part) {{\n",
                singles, count);
  for (auto [i, input] : enumerate(ArrayRef(inputs).drop_front(singles))) {
    StringRef name = input.rtrim('.');
    os << formatv("  ::mlir::Value {0} = rest[{1} * parts + part];\n"
                  "  if (!{0})\n    return import.fail({2});\n",
                  local(name), i,
                  quoted(("input '" + name + "' is missing").str()));
    scope.define(name, Type::Tensor, local(name));
  }
}

/// Binds the inputs; returns {fewest, most}, most being -1 without a limit.
static std::pair<int, int> emitInputs(const Record &record, Scope &scope,
                                      raw_ostream &os) {
  int fewest = 0, index = 0;
  for (StringRef text : inputsOf(record)) {
    StringRef name = text.rtrim("?.");
    if (text.ends_with("...") && sharers(record) > 1) {
      emitParts(record, size_t(index), scope, os);
      return {fewest, -1};
    }
    if (text.ends_with("...")) {
      os << formatv(
          "  [[maybe_unused]] ::llvm::SmallVector<::mlir::Value> {0} = "
          "import.inputsFrom({1});\n",
          local(name), index);
      scope.define(name, Type::Tensors, local(name));
      return {fewest, -1};
    }
    os << formatv("  [[maybe_unused]] ::mlir::Value {0} = import.input({1});\n",
                  local(name), index);
    scope.define(name, Type::Tensor, local(name));
    ++index;
    // An optional input before one that is not must be listed, if by an empty
    // name.
    if (!text.ends_with("?"))
      fewest = index;
  }
  return {fewest, index};
}

/// The language's type of an attribute and the C++ of what it is when absent.
static std::pair<Type, std::string> attributeDefault(const Init *init,
                                                     const Record &record,
                                                     bool &mayBeAbsent,
                                                     bool &required) {
  if (auto *integer = dyn_cast<IntInit>(init))
    return {Type::Int, std::to_string(integer->getValue())};
  if (auto *text = dyn_cast<StringInit>(init))
    // An attribute of a model is an f32.
    return {Type::Real, "double(float(" + text->getValue().str() + "))"};
  if (auto *list = dyn_cast<ListInit>(init)) {
    std::string code;
    for (const Init *element : list->getElements())
      code += (code.empty() ? "" : ", ") + element->getAsString();
    return {Type::Ints, "::glow::Sizes{" + code + "}"};
  }
  const Record *def = cast<DefInit>(init)->getDef();
  if (def->isSubClassOf("Words"))
    return {Type::Text, quoted(textField<"Words.value">(*def))};
  if (!def->isSubClassOf("OnnxAttribute"))
    fatalAt(nullptr, record,
            "'" + def->getName() +
                "' is no type or default "
                "of an attribute");
  required = bitField<"OnnxAttribute.required">(*def);
  mayBeAbsent = !required;
  Type type = *typeNamed(textField<"OnnxAttribute.type">(*def));
  return {type, (cxxType(type) + "{}").str()};
}

/// The reader function of an attribute of the model.
static std::string readerOf(const Init *init, Type type) {
  auto *def = dyn_cast<DefInit>(init);
  if (def && def->getDef()->isSubClassOf("OnnxAttribute"))
    return textField<"OnnxAttribute.reader">(*def->getDef()).str();
  return nameOf(type).str();
}

/// Refuses a text that is not one of the attribute's words.
static void emitWords(const Init *init, StringRef name, raw_ostream &os) {
  auto *def = dyn_cast<DefInit>(init);
  if (!def || !def->getDef()->isSubClassOf("Words"))
    return;
  std::string words;
  for (StringRef word : textsField<"Words.words">(*def->getDef()))
    words += (words.empty() ? "" : ", ") + quoted(word);
  if (!words.empty())
    os << formatv("  if (failed(import.checkWord({0}, {1}, {{{2}})))\n"
                  "    return ::llvm::failure();\n",
                  quoted(name), local(name), words);
}

static std::string emitAttributes(const Record &record, Scope &scope,
                                  raw_ostream &os) {
  std::string table;
  const DagInit *dag = dagField<"OnnxImport.attributes">(record);
  for (auto [init, nameInit] : llvm::zip(dag->getArgs(), dag->getArgNames())) {
    StringRef name = nameInit->getValue();
    bool mayBeAbsent = false, required = false;
    auto [type, absent] = attributeDefault(init, record, mayBeAbsent, required);
    if (required)
      os << formatv("  if (!import.hasAttribute({0}))\n    return "
                    "import.fail({1});\n",
                    quoted(name),
                    quoted(("attribute '" + name + "' is missing").str()));
    // A graph goes by the name of its attribute; only the host runs it.
    if (readerOf(init, type) == "graph")
      os << formatv("  [[maybe_unused]] std::string {0} = {1};\n", local(name),
                    quoted(name));
    else if (type == Type::Tensor)
      os << formatv("  [[maybe_unused]] ::mlir::Value {0} = "
                    "import.tensorAttribute({1});\n"
                    "  if (!{0} && import.hasAttribute({1}))\n"
                    "    return ::llvm::failure();\n",
                    local(name), quoted(name));
    else
      os << formatv(
          "  [[maybe_unused]] {0} {1} = import.{2}Attribute({3}, {4});\n",
          cxxType(type), local(name), readerOf(init, type), quoted(name),
          absent);
    emitWords(init, name, os);
    scope.define(name, type, local(name));
    if (mayBeAbsent)
      scope.define(("present." + name).str(), Type::Bool,
                   "import.hasAttribute(" + quoted(name) + ")");
    table += (table.empty() ? "" : ", ") + quoted(name);
  }
  return table;
}

static void emitOutputs(const Record &record, GraphEmitter &emitter,
                        const std::vector<Statement> &body, raw_ostream &os) {
  auto outputs = textsField<"OnnxImport.outputs">(record);
  std::vector<std::string> names;
  for (StringRef output : outputs)
    names.push_back(output.rtrim("?.").str());
  if (names.empty() && !body.empty() && !body.back().targets.empty())
    names.push_back(body.back().targets[0]->text);
  for (auto [i, name] : enumerate(names)) {
    const Scope::Entry *entry = emitter.names().find(name);
    if (!entry && i < outputs.size() && outputs[i].ends_with("?"))
      continue;
    if (!entry || !isTensor(entry->type))
      fatalAt(nullptr, record, "output '" + name + "' is given no value");
    if (entry->type == Type::Tensors)
      os << formatv("  for (auto [index, value] : ::llvm::enumerate({0}))\n"
                    "    import.setOutput({1} + index, value);\n",
                    entry->spelling, i);
    else if (sharers(record) > 1)
      os << formatv("  import.setOutput({0} * parts + part, {1});\n", i,
                    entry->spelling);
    else
      os << formatv("  import.setOutput({0}, {1});\n", i, entry->spelling);
  }
  if (sharers(record) > 1)
    os << "  }\n";
}

static void defineModelNames(Scope &scope) {
  scope.define("opset", Type::Int, "import.opset()");
  scope.define("outputs", Type::Int, "int64_t(import.outputs())");
  scope.define("nodeNumber", Type::Int, "import.nodeNumber()");
  scope.define("training", Type::Bool, "import.isForTraining()");
}

/// Operators that records say are not imported.
static void emitRefusals(const Model &model, raw_ostream &os) {
  os << "const ::std::vector<::glow::ImportRefusal> refusalTable = {\n";
  for (const Record *record : model.own("OnnxUnsupported")) {
    StringRef name = textField<"OnnxUnsupported.operator">(*record);
    StringRef domain = textField<"OnnxUnsupported.domain">(*record);
    for (StringRef recordClass : {"OnnxImport", "HostOperator"})
      for (const Record *other :
           model.records.getAllDerivedDefinitionsIfDefined(recordClass))
        if (textField<"OnnxImport.operator", "HostOperator.operator">(*other) ==
                name &&
            textField<"OnnxImport.domain", "HostOperator.domain">(*other) ==
                domain)
          fatalAt(nullptr, *record,
                  "'" + name + "' is imported by the record at " +
                      placeOf(*other));
    os << formatv("    {{{0}, {1}, {2}, {3}},\n", quoted(domain), quoted(name),
                  intField<"OnnxUnsupported.since">(*record),
                  quoted(textField<"OnnxUnsupported.reason">(*record)));
  }
  os << "};\n\n";
}

static void emitHints(const Model &model, raw_ostream &os) {
  os << "const ::std::vector<const char *> hintTable = {\n";
  for (const Record *record : model.own("Caffe2Hint"))
    os << "    " << quoted(textField<"Caffe2Hint.argument">(*record)) << ",\n";
  os << "};\n\n";
}

static void emitDomains(const Model &model, raw_ostream &os) {
  os << "const ::std::vector<::glow::ImportDomain> domainTable = {\n";
  for (const Record *record : model.own("OnnxDomain"))
    os << formatv("    {{{0}, {1}},\n",
                  quoted(textField<"OnnxDomain.name">(*record)),
                  intField<"OnnxDomain.newest">(*record));
  os << "};\n\n";
}

/// The number of results that a node may have, or `~0u` for any number.
static std::string resultCount(const Record &record, GraphEmitter &emitter,
                               const std::vector<Statement> &body) {
  size_t outputs = textsField<"OnnxImport.outputs">(record).size();
  bool many = sharers(record) > 1;
  // Without a list, the last statement gives the outputs: one, or all elements
  // of a list.
  if (!outputs && !body.empty() && !body.back().targets.empty())
    many |= emitter.names().find(body.back().targets[0]->text)->type ==
            Type::Tensors;
  return many ? "~0u" : std::to_string(outputs ? outputs : 1);
}

/// Writes the table of the inputs, attributes and words that later opsets add;
/// returns its name.
static std::string emitLater(const Record &record, raw_ostream &os) {
  std::string rows;
  for (const Record *part : recordsField<"OnnxImport.later">(record))
    rows +=
        formatv("    {{{0}, {1}, {2}},\n", intField<"FromOpset.opset">(*part),
                quoted(textField<"FromOpset.name">(*part)),
                quoted(textField<"FromOpset.word">(*part)));
  if (rows.empty())
    return "{}";
  std::string table = functionName(record) + "Later";
  os << formatv("constexpr ::glow::LaterPart {0}[] = {{\n{1}};\n", table, rows);
  return table;
}

/// Writes the kinds of inputs up to the last that has one; returns the table's
/// name.
static std::string emitKinds(const Record &record, raw_ostream &os) {
  const DagInit *dag = dagField<"OnnxImport.kinds">(record);
  std::string names, table;
  for (StringRef input : inputsOf(record)) {
    StringRef kind;
    for (auto [init, name] : llvm::zip(dag->getArgs(), dag->getArgNames()))
      if (name->getValue() == input.rtrim("?."))
        kind = cast<StringInit>(init)->getValue();
    table += quoted(kind) + ", ";
    if (!kind.empty())
      names = table;
  }
  if (names.empty())
    return "{}";
  emitNames(functionName(record) + "Kinds", names, os);
  return functionName(record) + "Kinds";
}

/// Writes the function of a record to `os`; returns its row of the table.
static std::string emitImport(const Model &model, GraphFunctions &functions,
                              const Record &record, raw_ostream &os) {
  std::string function = functionName(record);
  os << formatv("/// {0}\n::llvm::LogicalResult {1}(::glow::ImportContext "
                "&import) {{\n  [[maybe_unused]] ::mlir::OpBuilder &builder = "
                "import.builder();\n  [[maybe_unused]] ::mlir::Location "
                "location = import.location();\n",
                placeOf(record), function);
  Scope scope;
  defineModelNames(scope);
  auto [fewest, most] = emitInputs(record, scope, os);
  std::string attributes = emitAttributes(record, scope, os);
  GraphEmitter emitter(functions, record, scope, os);
  std::vector<Statement> body =
      Parser(textField<"OnnxImport.body">(record), record).statements();
  emitter.statements(body);
  emitOutputs(record, emitter, body, os);
  os << "  return ::llvm::success();\n}\n";
  std::string names;
  for (StringRef input : inputsOf(record))
    names += quoted(input) + ", ";
  emitNames(function + "Inputs", names, os);
  emitNames(function + "Attributes", attributes, os);
  emitNames(function + "Makes", nodeNames(model, emitter.nodesBuilt()), os);
  std::string later = emitLater(record, os);
  std::string kinds = emitKinds(record, os);
  return formatv("    {{{0}, {1}, {2}, {3}, {3}Inputs, {3}Attributes, {4}, "
                 "{5}, {6}, {3}Makes, {8}, {9}, {10}, {11}, {13}, {12}, {14}, "
                 "{15}, {16}}, "
                 "// {7}\n",
                 quoted(textField<"OnnxImport.domain">(record)),
                 quoted(textField<"OnnxImport.operator">(record)),
                 intField<"OnnxImport.since">(record), function, fewest,
                 most < 0 ? "~0u" : std::to_string(most),
                 resultCount(record, emitter, body), placeOf(record),
                 bitField<"OnnxImport.movesElements">(record),
                 kindsOnly(record, body),
                 intField<"OnnxImport.bf16From">(record), later,
                 quoted(textField<"OnnxImport.successor">(record)), kinds,
                 quoted(textField<"OnnxImport.valuesAs">(record)),
                 bitField<"OnnxImport.takesSteps">(record),
                 bitField<"OnnxImport.givesSteps">(record));
}

static bool emitImports(const Model &model, raw_ostream &out) {
  std::string table, code;
  raw_string_ostream os(code);
  GraphFunctions functions(model, Purpose::Import);
  for (const Record *record : model.own("OnnxImport"))
    table += emitImport(model, functions, *record, os);
  // A function that nothing calls yet is looked at too.
  for (const LetFunction *function : model.functions.lets())
    if (function->onGraph() && model.isOwn(*function->record))
      GraphFunctions(model, Purpose::Import).make(*function);
  declareFunctions(model, out);
  emitBehind(functions, code, out);
  out << "const ::std::vector<::glow::ImportEntry> importTable = {\n"
      << table << "};\n\n";
  emitRefusals(model, out);
  emitHints(model, out);
  emitDomains(model, out);
  emitInverses(model, out);
  out << "} // namespace\n";
  return false;
}

static Emitter imports("gen-onnx-imports",
                       "emit import functions and their "
                       "version table",
                       emitImports);
