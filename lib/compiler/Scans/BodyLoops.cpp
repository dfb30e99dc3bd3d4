//===- BodyLoops.cpp - a loop as statements of index notation -------------===//
// SPDX-License-Identifier: MIT
//
// The result for a carried value is also the memory of the value, which holds
// the initial one before the scan. A step writes the next value there if no
// later statement reads the value of the trip before, and else to memory of its
// own, from which a last statement copies it. To know that, statements are made
// twice.
//
//===----------------------------------------------------------------------===//

#include "BodyLoops.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Storage.h"
#include "glow/Loops/Analysis.h"
#include "glow/Loops/Inline.h"
#include "glow/Loops/Text.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace glow;

using loops::Outside;
using loops::Program;
using loops::Term;
using loops::Terms;
using loops::Translation;

namespace {

/// The memory of a value of the function.
struct Home {
  unsigned tensor = 0;
  bool byTrip = false; ///< a slice of the tensor for each trip
  bool backwards = false;
};

class Composer {
public:
  /// `inPlace` has the carried values whose next one is written over them.
  Composer(LoopOp loop, CalledBody &body, const BodyNodes &nodes,
           llvm::BitVector inPlace)
      : loop(loop), body(body), nodes(nodes), inPlace(std::move(inPlace)) {}

  bool run();
  /// The carried values whose next one may be written over them.
  llvm::BitVector mayBeInPlace() const;
  ComposedLoop result() const;

private:
  size_t carried() const { return loop.carriedCount(); }
  size_t stacked() const { return loop.stackedCount(); }
  Size trips() const { return sizesOf(loop.getCountAttr()).front(); }
  Value next(size_t i) const { return body.saves[i].getIn(); }
  bool isNode(Value value) const { return !value.getDefiningOp<ReadOp>(); }

  unsigned addTensor(const Twine &name, RankedTensorType type);
  void addResults();
  void addMemory();
  void addInputs();
  unsigned addInput(const Twine &name, Value value);

  Terms placeIn(const Home &home, Terms place) const;
  Term load(const Home &home, const loops::Node &load, const Terms &place);
  Term element(Value value, const loops::Node &load, const Terms &place);
  Term elementOf(Value value, const Terms &place);
  Term converted(Cast conversion, const loops::Node &load, const Terms &place);
  Term reshaped(Reshape reshape, const loops::Node &load, const Terms &place);

  void assign(const Home &home, RankedTensorType type,
              llvm::function_ref<Term(const Terms &place)> value);
  void addStatements(Operation *op, const Program &from);
  void addStatement(Operation *op, const loops::Statement &from,
                    Translation &translate);
  void copy(const Home &to, Value value);
  void addNextValues();

  mutable LoopOp loop;
  CalledBody &body;
  const BodyNodes &nodes;
  const llvm::BitVector inPlace;

  std::vector<loops::Tensor> tensors;
  std::unique_ptr<Program> program;
  DenseMap<Value, Home> homes;
  DenseMap<Value, double> uniform;
  DenseMap<size_t, Home> held; ///< memory of carried values that become others
  llvm::DenseSet<Value> numbers; ///< reads of the number of the trip
  std::map<std::pair<void *, SmallVector<const loops::Node *>>, Term> known;
  ComposedLoop composed;
  Term trip;
};

} // namespace

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

unsigned Composer::addTensor(const Twine &name, RankedTensorType type) {
  tensors.push_back(loops::tensorOf(*kindOf(type.getElementType()),
                                    sizesOf(type), name.str()));
  return unsigned(tensors.size()) - 1;
}

/// Adds the results. A value that is stacked has its memory in a result.
void Composer::addResults() {
  for (size_t i = 0; i < carried(); ++i)
    addTensor("h" + Twine(i), typeOf(loop.getResult(unsigned(i))));
  for (size_t i = 0; i < stacked(); ++i) {
    const Home home{addTensor("y" + Twine(i),
                              typeOf(loop.getResult(unsigned(carried() + i)))),
                    true, loop.isBackwards(loop.getSliced().size() + i)};
    Value value = next(carried() + i);
    if (isNode(value))
      homes.try_emplace(value, home);
  }
  for (size_t i = 0; i < carried(); ++i)
    if (inPlace[i])
      homes.try_emplace(next(i), Home{unsigned(i)});
}

void Composer::addMemory() {
  for (const auto &[op, node] : nodes.nodes)
    for (Value value : op->getResults())
      if (nodes.hasMemory(value) && !homes.contains(value))
        homes[value] = {addTensor("m" + Twine(tensors.size()), typeOf(value))};
  // Values that change places.
  for (size_t i = 0; i < carried(); ++i) {
    auto read = next(i).getDefiningOp<ReadOp>();
    const auto &takes = body.function.getTakesAttr();
    for (size_t j = 0; read && j < carried(); ++j)
      if (i != j && takes[1 + j] == read.getStorageAttr())
        held[i] = {addTensor("m" + Twine(tensors.size()), typeOf(next(i)))};
  }
}

unsigned Composer::addInput(const Twine &name, Value value) {
  composed.inputs.push_back(value);
  return addTensor(name, typeOf(value));
}

void Composer::addInputs() {
  size_t parameter = 0;
  auto setHome = [&](Home home) {
    for (ReadOp read : body.reads[parameter])
      homes[read] = home;
    ++parameter;
  };
  for (ReadOp read : body.reads[parameter++])
    numbers.insert(read);
  for (auto [i, value] : llvm::enumerate(loop.getInitial())) {
    addInput("start" + Twine(i), value);
    setHome({unsigned(i)});
  }
  for (auto [i, value] : llvm::enumerate(loop.getSliced()))
    setHome({addInput("x" + Twine(i), value), true, loop.isBackwards(i)});
  for (auto [i, value] : llvm::enumerate(loop.getCaptured()))
    setHome({addInput("c" + Twine(i), value)});
  for (auto read : body.function.block().getOps<ReadOp>()) {
    if (homes.contains(read) || numbers.contains(read))
      continue;
    const double number = numberOf(read.getOut());
    if (!std::isnan(number) &&
        kindOf(typeOf(read).getElementType()) == ElementKind::F32) {
      uniform[read] = number;
      continue;
    }
    homes[read] = {
        addTensor("w" + Twine(composed.constants.size()), typeOf(read))};
    composed.constants.push_back(read);
  }
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// The subscripts of an element in the memory of its value. A single subscript
/// of a value of another rank is an offset.
Terms Composer::placeIn(const Home &home, Terms place) const {
  if (!home.byTrip)
    return place;
  const loops::Tensor &tensor = program->tensors[home.tensor];
  Term at = trip;
  if (home.backwards)
    at = loops::make(loops::Op::Subtract,
                     {program->size(trips().length() - 1), trip});
  if (place.size() + 1 != tensor.shape.size()) {
    Length count = 1;
    for (size_t i = 1; i < tensor.shape.size(); ++i)
      count = count * tensor.length(i);
    place.front() = loops::make(
        loops::Op::Add,
        {loops::make(loops::Op::Multiply, {at, program->size(count)}),
         place.front()});
    return place;
  }
  place.insert(place.begin(), at);
  return place;
}

static Term inForm(Term term, loops::Form form) {
  return form == loops::Form::Boolean   ? loops::asBoolean(term)
         : form == loops::Form::Element ? loops::asElement(term)
                                        : term;
}

Term Composer::load(const Home &home, const loops::Node &load,
                    const Terms &place) {
  return program->load(home.tensor, placeIn(home, place), load.outside,
                       load.form);
}

/// The tree for a load of an element of the value.
Term Composer::element(Value value, const loops::Node &from,
                       const Terms &place) {
  if (auto found = uniform.find(value); found != uniform.end())
    return inForm(program->real(found->second), from.form);
  if (numbers.contains(value))
    return inForm(trip, from.form);
  if (auto found = homes.find(value); found != homes.end())
    return load(found->second, from, place);
  if (auto reshape = value.getDefiningOp<Reshape>())
    return reshaped(reshape, from, place);
  if (auto conversion = value.getDefiningOp<Cast>())
    return converted(conversion, from, place);
  Term made = elementOf(value, place);
  if (kindOf(typeOf(value).getElementType()) == ElementKind::Bool)
    made = loops::asBoolean(made);
  return inForm(made, from.form);
}

/// An element of a value without memory.
Term Composer::elementOf(Value value, const Terms &place) {
  SmallVector<const loops::Node *> at;
  for (Term term : place)
    at.push_back(term.get());
  const auto key = std::pair(value.getAsOpaquePointer(), at);
  if (auto found = known.find(key); found != known.end())
    return found->second;
  const BodyNodes::Node &node = nodes.nodeOf(value);
  auto translated = [&](const loops::Node &from, const Terms &subscripts) {
    loops::Node inside = from;
    if (inside.outside == Outside::Skips)
      inside.outside = Outside::Zero;
    return element(valueOf(node.op, size_t(from.integer)), inside, subscripts);
  };
  Term made = loops::inlinedValue(*program, *node.program, place, translated);
  return known[key] = made;
}

/// An element of another kind.
Term Composer::converted(Cast conversion, const loops::Node &from,
                         const Terms &place) {
  auto isBool = [](Value value) {
    return kindOf(typeOf(value).getElementType()) == ElementKind::Bool;
  };
  loops::Node plain = from;
  plain.form =
      isBool(conversion.getIn()) ? loops::Form::Boolean : loops::Form::Element;
  Term made = loops::asElement(element(conversion.getIn(), plain, place));
  if (isBool(conversion))
    made = loops::asBoolean(made);
  return inForm(made, from.form);
}

/// An element of a view: the same place without sizes of 1, or an offset.
Term Composer::reshaped(Reshape reshape, const loops::Node &from,
                        const Terms &place) {
  Value in = reshape.getIn();
  const ArrayRef<int64_t> to = typeOf(reshape).getShape();
  Terms wide, source;
  for (auto [term, size] : llvm::zip_equal(place, to))
    if (size != 1)
      wide.push_back(term);
  size_t used = 0;
  bool fits = true;
  for (int64_t size : typeOf(in).getShape()) {
    if (size == 1) {
      source.push_back(program->number(0));
    } else if (used < wide.size()) {
      source.push_back(wide[used++]);
    } else {
      fits = false;
    }
  }
  auto withoutOnes = [](ArrayRef<int64_t> shape) {
    return llvm::filter_to_vector(shape,
                                  [](int64_t size) { return size != 1; });
  };
  if (fits && withoutOnes(typeOf(in).getShape()) == withoutOnes(to))
    return element(in, from, source);
  Term offset = program->number(0);
  for (auto [term, size] : llvm::zip_equal(place, to))
    offset = loops::make(
        loops::Op::Add,
        {loops::make(loops::Op::Multiply, {offset, program->number(size)}),
         term});
  loops::Node inside = from;
  inside.outside = Outside::Never;
  return element(in, inside, {offset});
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void Composer::assign(const Home &home, RankedTensorType type,
                      llvm::function_ref<Term(const Terms &)> value) {
  program->begin(loops::ReductionKind::Assign, home.tensor);
  const Terms place = program->indices(sizesOf(type), "i");
  program->end(placeIn(home, place), value(place));
}

void Composer::copy(const Home &to, Value value) {
  loops::Node plain{.op = loops::Op::Load, .form = loops::Form::Element};
  assign(to, typeOf(value),
         [&](const Terms &place) { return element(value, plain, place); });
}

void Composer::addStatement(Operation *op, const loops::Statement &from,
                            Translation &translate) {
  const Program &own = *nodes.nodeOf(op->getResult(0)).program;
  const Home home = homes.lookup(op->getResult(from.tensor));
  program->begin(from.combine, home.tensor, from.accumulates);
  for (unsigned index : from.indices) {
    const Size size(own.length(index));
    translate.set(own.indexTerm(index),
                  from.boundsOf(index)
                      ? program->boundedIndex(size, own.nameOf(index))
                      : program->index(size, own.nameOf(index)));
  }
  for (const loops::Bounds &bounds : from.bounds)
    program->bound(translate(own.indexTerm(bounds.index)),
                   translate(bounds.low), translate(bounds.high));
  Terms place;
  for (Term term : from.subscripts)
    place.push_back(translate(term));
  Term last = from.index ? from.index : from.otherwise;
  program->end(placeIn(home, place), translate(from.value),
               last ? translate(last) : Term());
  if (from.finish)
    program->statements.back().finish = translate(from.finish);
}

/// Adds the statements of a node whose results have memory.
void Composer::addStatements(Operation *op, const Program &from) {
  auto loaded = [&](const loops::Node &load, const Terms &place) {
    return element(valueOf(op, size_t(load.integer)), load, place);
  };
  for (const loops::Statement &statement : from.statements) {
    Translation translate(*program, loaded);
    addStatement(op, statement, translate);
  }
}

/// Adds the statements that end a step.
void Composer::addNextValues() {
  for (size_t i = 0; i < stacked(); ++i) {
    Value value = next(carried() + i);
    const Home home{unsigned(carried() + i), true,
                    loop.isBackwards(loop.getSliced().size() + i)};
    if (!homes.contains(value) || homes.lookup(value).tensor != home.tensor)
      copy(home, value);
  }
  for (auto [i, home] : held)
    copy(home, next(i));
  for (size_t i = 0; i < carried(); ++i) {
    const Home home{unsigned(i)};
    Value value = next(i);
    if (auto found = held.find(i); found != held.end()) {
      assign(home, typeOf(value), [&](const Terms &place) {
        return program->load(found->second.tensor, place, Outside::Never,
                             loops::Form::Element);
      });
      continue;
    }
    if (!homes.contains(value) || homes.lookup(value).tensor != i)
      copy(home, value);
  }
}

bool Composer::run() {
  addResults();
  addMemory();
  addInputs();
  program = std::make_unique<Program>(std::move(tensors));
  const unsigned first =
      unsigned(program->tensors.size() - composed.constants.size() -
               composed.inputs.size());
  for (size_t i = 0; i < carried(); ++i)
    assign(Home{unsigned(i)}, typeOf(loop.getInitial()[i]),
           [&](const Terms &place) {
             return program->load(first + unsigned(i), place, Outside::Never,
                                  loops::Form::Element);
           });
  trip = program->beginScan(trips(), /*backwards=*/false, "t");
  for (const auto &[op, node] : nodes.nodes) {
    if (!nodes.hasMemory(op->getResult(0)))
      continue;
    if (!BodyNodes::isInlined(node)) {
      addStatements(op, *node.program);
      continue;
    }
    Value value = op->getResult(0);
    const Home home = homes.lookup(value);
    homes.erase(value);
    copy(home, value);
    homes[value] = home;
  }
  addNextValues();
  program->endScan();
  return program->complete();
}

//===----------------------------------------------------------------------===//
// Values that are written in place
//===----------------------------------------------------------------------===//

llvm::BitVector Composer::mayBeInPlace() const {
  llvm::BitVector may(unsigned(carried()), false);
  for (unsigned i = 0; i < carried(); ++i) {
    auto home = homes.find(next(i));
    // A result is the memory of one value.
    const bool isLater = llvm::any_of(
        llvm::seq<size_t>(0, i), [&](size_t j) { return next(j) == next(i); });
    if (!isNode(next(i)) || home == homes.end() || home->second.byTrip ||
        isLater)
      continue;
    size_t writes = 0;
    bool fits = true;
    for (const loops::Statement &statement : program->statements) {
      if (!statement.scan || statement.tensor == i)
        continue;
      const bool isWrite = statement.tensor == home->second.tensor;
      fits &= !isWrite || statement.combine == loops::ReductionKind::Assign;
      writes += isWrite;
      for (Term term : loops::treesOf(statement))
        if (term->op == loops::Op::Load && term->integer == i)
          fits &= writes == 0 ||
                  (isWrite && term->operands == statement.subscripts);
    }
    may[i] = fits && writes == 1;
  }
  return may;
}

ComposedLoop Composer::result() const {
  ComposedLoop made = composed;
  std::string text;
  llvm::raw_string_ostream os(text);
  loops::print(os, *program, "");
  bool isSpace = false;
  for (char character : StringRef(text).trim()) {
    const bool space = character == ' ' || character == '\n';
    if (space && !isSpace)
      made.text += ' ';
    if (!space)
      made.text += character;
    isSpace = space;
  }
  return made;
}

std::optional<ComposedLoop> glow::compose(LoopOp loop, CalledBody &body,
                                          const BodyNodes &nodes) {
  Composer first(loop, body, nodes,
                 llvm::BitVector(unsigned(loop.carriedCount())));
  if (!first.run())
    return std::nullopt;
  Composer composer(loop, body, nodes, first.mayBeInPlace());
  if (!composer.run())
    return std::nullopt;
  return composer.result();
}
