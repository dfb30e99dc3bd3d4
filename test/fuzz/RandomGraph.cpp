//===- RandomGraph.cpp - graphs out of the records' samples ---------------===//
// SPDX-License-Identifier: MIT

#include "RandomGraph.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Storage.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"
#include <map>

using namespace mlir;
using namespace glow;

/// The limit of a tensor: a graph should find mistakes, not fill memory.
static constexpr int64_t mostElements = 1 << 13;

static Type elementOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getElementType();
}

namespace {

/// The samples of one node that are no refusals.
using Samples = std::vector<const SampleInfo *>;

class GraphMaker {
public:
  GraphMaker(MLIRContext &context, unsigned seed)
      : context(context), random(seed),
        module(ModuleOp::create(UnknownLoc::get(&context))),
        storage(module->getBodyRegion()), nodes(&context) {
    auto function = FuncOp::create(storage, module->getLoc(),
                                   storage.getStringAttr("main"));
    storage.setInsertionPoint(function);
    nodes.setInsertionPointToStart(&function.getBody().front());
  }

  OwningOpRef<ModuleOp> make(unsigned most);

private:
  struct Operand {
    OperandText text;
    Value given; ///< the result of another node, or null
  };

  int64_t below(int64_t end) {
    return std::uniform_int_distribution<int64_t>(0, end - 1)(random);
  }
  bool chance(double probability) {
    return std::bernoulli_distribution(probability)(random);
  }

  template <typename List> const auto &pick(const List &list) {
    return list[size_t(below(int64_t(list.size())))];
  }

  struct Choice {
    const SampleInfo *sample;
    std::string variable = "", kind = ""; ///< a variable and its kind; or ''
    SmallVector<Operand> operands = {}, asWritten = {};
  };
  Choice choose();
  void addNode();
  int64_t randomSize();
  void exchangeSizes(SmallVector<Operand> &operands);
  bool followValue(const Operand &operand, std::map<int64_t, int64_t> &sizes);
  Operation *place(Operation *model, ArrayRef<Operand> operands, bool change);
  void changeAttributes(Operation *node);
  Attribute changed(Attribute value);
  int64_t changed(int64_t value);
  bool infer(Operation *node);
  Value valueOf(const Operand &operand);
  Value read(const OperandText &operand);
  void save(Value value);

  MLIRContext &context;
  std::mt19937 random;
  OwningOpRef<ModuleOp> module;
  OpBuilder storage, nodes;
  std::vector<Value> values; // results of nodes
  StringRef usual;           // the kind of most values
  unsigned inputs = 0, outputs = 0, constants = 0;
};

} // namespace

static const std::vector<Samples> &samplesOfNodes() {
  static const std::vector<Samples> all = [] {
    std::map<std::string, Samples> byNode;
    for (const SampleInfo &sample : allSamples())
      // No backend promises the bits of NaN, or the sign of zero.
      if (!*sample.refuses && !isOfBackend(sample.node) &&
          StringRef(sample.node) != "glow.bit_cast")
        byNode[sample.node].push_back(&sample);
    std::vector<Samples> list;
    for (auto &[node, samples] : byNode)
      list.push_back(std::move(samples));
    return list;
  }();
  return all;
}

OwningOpRef<ModuleOp> GraphMaker::make(unsigned most) {
  // Refusals by records are expected here.
  ScopedDiagnosticHandler handler(&context,
                                  [](Diagnostic &) { return success(); });
  usual = pick(std::vector<StringRef>{"f32", "f32", "f32", "f16", "i32", "u8"});
  for (int64_t count = 1 + below(most); count > 0; --count)
    addNode();
  for (Value value : values)
    if (value.use_empty() || chance(0.2))
      save(value);
  return std::move(module);
}

/// A sample in some kind, with operands that are results of other nodes if it
/// takes such.
GraphMaker::Choice GraphMaker::choose() {
  const Samples &samples = pick(samplesOfNodes());
  Choice choice{pick(samples)};
  if (!choice.sample->variables.empty()) {
    const KindVariable &variable = pick(choice.sample->variables);
    choice.variable = variable.name;
    choice.kind = pick(variable.kinds);
    if (llvm::is_contained(variable.kinds, usual) && chance(0.8))
      choice.kind = usual;
  }
  for (const SampleOperand &operand : choice.sample->operands)
    choice.operands.push_back(
        {readOperand(&context, operand.text,
                     choice.variable == operand.variable ? choice.kind : ""),
         Value()});
  choice.asWritten = choice.operands;
  exchangeSizes(choice.operands);
  return choice;
}

/// The sample itself gives the attributes; its operands come from nowhere.
static Operation *buildModel(MLIRContext &context, Block &scratch,
                             const SampleInfo &sample, ArrayRef<Type> types,
                             SampleKinds kinds) {
  OpBuilder builder(&context);
  builder.setInsertionPointToEnd(&scratch);
  SmallVector<Value> nowhere;
  for (Type type : types)
    nowhere.push_back(scratch.addArgument(type, builder.getUnknownLoc()));
  return sample.build(builder, builder.getUnknownLoc(), nowhere, kinds);
}

void GraphMaker::addNode() {
  Choice choice = choose();
  auto isGiven = [](const Operand &operand) { return bool(operand.given); };
  for (int tries = 0;
       tries < 10 && !values.empty() && llvm::none_of(choice.operands, isGiven);
       ++tries)
    choice = choose();
  Block scratch;
  SmallVector<Type> types;
  for (const Operand &operand : choice.asWritten)
    types.push_back(operand.text.type);
  Operation *model = buildModel(
      context, scratch, *choice.sample, types,
      [&](const char *name, const char *written) {
        return kindNamed(&context,
                         choice.variable == name ? choice.kind : written);
      });
  if (!model)
    return;
  Operation *node = place(model, choice.operands, chance(0.2));
  if (!node)
    node = place(model, choice.operands, false);
  if (!node)
    node = place(model, choice.asWritten, false);
  if (node)
    values.insert(values.end(), node->result_begin(), node->result_end());
}

/// The shape of a value as `rank` sizes.
static Ints shapeOfRank(Value value, size_t rank) {
  Ints shape(cast<RankedTensorType>(value.getType()).getShape());
  while (shape.size() < rank)
    shape.insert(shape.begin(), 1);
  while (shape.size() > std::max<size_t>(rank, 1)) {
    shape[1] *= shape[0];
    shape.erase(shape.begin());
  }
  return shape;
}

/// Takes the sizes of a value for the operand, if that gives every size of the
/// sample one size.
bool GraphMaker::followValue(const Operand &operand,
                             std::map<int64_t, int64_t> &sizes) {
  ArrayRef<int64_t> written = operand.text.type.getShape();
  Ints shape = shapeOfRank(operand.given, written.size());
  if (shape.size() != written.size())
    return false;
  for (auto [from, to] : llvm::zip_equal(written, shape)) {
    auto [known, isNew] = sizes.try_emplace(from, to);
    if (!isNew && known->second != to)
      return false;
  }
  return true;
}

/// Whether a result of another node may stand for the operand. An operand with
/// a range of its own, such as an index, needs its range.
static bool takesAny(const OperandText &operand) {
  return !operand.constant && operand.low == -2 && operand.high == 2;
}

/// Most sizes are small; some fill vectors, with and without a remainder.
int64_t GraphMaker::randomSize() {
  if (chance(0.05))
    return 0;
  return chance(0.15) ? pick(Ints{16, 17, 31, 32, 48}) : 1 + below(9);
}

void GraphMaker::exchangeSizes(SmallVector<Operand> &operands) {
  std::map<int64_t, int64_t> sizes;
  for (Operand &operand : operands) {
    if (!chance(takesAny(operand.text) ? 0.9 : 0.1) || operand.text.constant)
      continue;
    SmallVector<Value> fitting;
    llvm::copy_if(values, std::back_inserter(fitting), [&](Value value) {
      return elementOf(value) == operand.text.type.getElementType();
    });
    if (fitting.empty())
      continue;
    operand.given = pick(fitting);
    auto before = sizes;
    if (!followValue(operand, sizes)) {
      sizes = before;
      operand.given = {};
    }
  }
  bool others = chance(0.5);
  for (Operand &operand : operands) {
    Ints shape(operand.text.type.getShape());
    for (int64_t &size : shape) {
      if (others)
        sizes.try_emplace(size, randomSize());
      if (auto known = sizes.find(size); known != sizes.end())
        size = known->second;
    }
    operand.text.type = operand.text.type.clone(shape);
  }
}

static bool isTooLarge(RankedTensorType type) {
  // A product of sizes may be beyond what a number holds, and small again.
  int64_t elements = 1;
  return llvm::any_of(type.getShape(), [&](int64_t size) {
    return llvm::MulOverflow(elements, size, elements) ||
           elements > mostElements;
  });
}

/// The node of these operands at the end of the function; null if the record
/// refuses it, or if it is too large.
Operation *GraphMaker::place(Operation *model, ArrayRef<Operand> operands,
                             bool change) {
  if (llvm::any_of(operands, [](const Operand &operand) {
        return isTooLarge(operand.text.type);
      }))
    return nullptr;
  Block scratch;
  Operation *node = model->clone();
  for (auto [i, operand] : llvm::enumerate(operands))
    node->setOperand(unsigned(i),
                     scratch.addArgument(operand.text.type, model->getLoc()));
  if (change)
    changeAttributes(node);
  if (!infer(node)) {
    node->destroy();
    return nullptr;
  }
  for (auto [i, operand] : llvm::enumerate(operands))
    node->setOperand(unsigned(i), valueOf(operand));
  nodes.insert(node);
  return node;
}

/// The value of an operand, in its shape.
Value GraphMaker::valueOf(const Operand &operand) {
  if (!operand.given) {
    OperandText text = operand.text;
    text.constant |= chance(0.25) && !text.type.getElementType().isInteger(1);
    return read(text);
  }
  if (operand.given.getType() == operand.text.type)
    return operand.given;
  return createReshape(nodes, module->getLoc(), operand.given,
                       Ints(operand.text.type.getShape()));
}

bool GraphMaker::infer(Operation *node) {
  SmallVector<Type> types;
  auto silent = [](const Twine &) {};
  const NodeInfo *info = findNode(node->getName().getStringRef());
  if (failed(info->infer(node, silent, types)) ||
      types.size() != node->getNumResults())
    return false;
  for (auto [result, type] : llvm::zip_equal(node->getResults(), types)) {
    if (isTooLarge(cast<RankedTensorType>(type)))
      return false;
    result.setType(type);
  }
  return succeeded(verify(node));
}

int64_t GraphMaker::changed(int64_t value) {
  if (!chance(0.3))
    return value;
  const int64_t limits[] = {0, -1, 1, INT64_MAX, INT64_MIN, int64_t(1) << 31};
  return chance(0.7) ? value + below(5) - 2 : limits[below(std::size(limits))];
}

Attribute GraphMaker::changed(Attribute value) {
  Builder builder(&context);
  if (auto flag = dyn_cast<BoolAttr>(value))
    return builder.getBoolAttr(flag.getValue() != chance(0.5));
  if (auto number = dyn_cast<IntegerAttr>(value))
    return number.getType().isInteger(64)
               ? builder.getI64IntegerAttr(changed(number.getInt()))
               : value;
  if (auto number = dyn_cast<FloatAttr>(value))
    return builder.getF64FloatAttr(number.getValueAsDouble() *
                                   double(below(5) - 2));
  if (auto list = dyn_cast<DenseI64ArrayAttr>(value)) {
    SmallVector<int64_t> numbers(list.asArrayRef());
    for (int64_t &number : numbers)
      number = changed(number);
    return builder.getDenseI64ArrayAttr(numbers);
  }
  return value;
}

void GraphMaker::changeAttributes(Operation *node) {
  for (NamedAttribute attribute : node->getAttrs())
    node->setAttr(attribute.getName(), changed(attribute.getValue()));
}

Value GraphMaker::read(const OperandText &operand) {
  Location location = module->getLoc();
  std::string name = operand.constant ? "c" + std::to_string(constants++)
                                      : "x" + std::to_string(inputs++);
  if (operand.constant) {
    ElementKind kind = *kindOf(operand.type.getElementType());
    auto tensor = std::make_shared<glow::Tensor>(
        randomTensor(operand, kind, unsigned(random())));
    ArrayRef<char> bytes(static_cast<const char *>(tensor->data()),
                         size_t(tensor->type().bytes()));
    // In the text, since a compiler may take a resource away.
    ConstantOp::create(
        storage, location, name,
        DenseElementsAttr::getFromRawBuffer(operand.type, bytes));
  } else {
    auto input =
        PlaceholderOp::create(storage, location, storage.getStringAttr(name),
                              operand.type, PlaceholderRole::Input);
    input->setAttr("range",
                   storage.getDenseF64ArrayAttr({operand.low, operand.high}));
  }
  return ReadOp::create(nodes, location, operand.type,
                        FlatSymbolRefAttr::get(&context, name));
}

void GraphMaker::save(Value value) {
  auto name = storage.getStringAttr("y" + std::to_string(outputs++));
  PlaceholderOp::create(storage, module->getLoc(), name, value.getType(),
                        PlaceholderRole::Output);
  SaveOp::create(nodes, module->getLoc(), value, FlatSymbolRefAttr::get(name));
}

OwningOpRef<ModuleOp> glow::randomGraph(MLIRContext &context, unsigned seed,
                                        unsigned most) {
  return GraphMaker(context, seed).make(most);
}

std::vector<NamedTensor> glow::randomInputs(ModuleOp module) {
  std::vector<NamedTensor> inputs;
  for (auto input : module.getOps<PlaceholderOp>()) {
    if (input.getRole() != PlaceholderRole::Input)
      continue;
    OperandText operand{cast<RankedTensorType>(input.getType())};
    if (auto range = input->getAttrOfType<DenseF64ArrayAttr>("range")) {
      operand.low = range[0];
      operand.high = range[1];
    }
    ElementKind kind = *kindOf(operand.type.getElementType());
    inputs.push_back(
        {input.getSymName().str(),
         randomTensor(operand, kind,
                      unsigned(llvm::xxh3_64bits(input.getSymName())))});
  }
  return inputs;
}
