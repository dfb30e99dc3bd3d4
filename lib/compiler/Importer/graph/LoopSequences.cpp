//===- LoopSequences.cpp - sequences to which a loop appends --------------===//
// SPDX-License-Identifier: MIT
//
// Exporters of PyTorch write a list that grows by an element in each trip as a
// sequence that the loop carries. The elements of all trips are stacked, and
// the sequence after the loop has their slices.
//
//===----------------------------------------------------------------------===//

#include "ImportedLoop.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Nodes.h"

using namespace glow;
using namespace mlir;

using Values = llvm::SmallVector<Value>;

void glow::addCarried(ImportedLoop &parts, ArrayRef<Value> carried) {
  for (auto [place, value] : llvm::enumerate(carried))
    if (isSequence(value))
      parts.sequences.push_back({place, value});
    else
      parts.initial.push_back(value);
}

Values glow::carriedIn(ImportContext &context, ImportedLoop &parts,
                       ValueRange tensors) {
  Values carried;
  for (size_t place = 0; place < parts.carried(); ++place)
    if (ImportedLoop::Sequence *sequence = parts.sequenceAt(place)) {
      sequence->start =
          startAppending(context, kindOfSequence(sequence->initial));
      carried.push_back(sequence->start);
    } else {
      carried.push_back(tensors.front());
      tensors = tensors.drop_front();
    }
  return carried;
}

LogicalResult glow::stackElements(ImportContext &context, ImportedLoop &parts,
                                  llvm::SmallVectorImpl<Value> &results) {
  for (ImportedLoop::Sequence &sequence : llvm::reverse(parts.sequences)) {
    Value *place = results.begin() + parts.givesGoing + sequence.place;
    if (!isAppendedTo(*place, sequence.start))
      return context.leaveToHost("carried value " + Twine(sequence.place) +
                                 " is a sequence, to which a trip does more "
                                 "than append");
    Values elements = elementsIn(*place);
    results.erase(place);
    sequence.first = parts.stacked, sequence.count = elements.size();
    parts.stacked += elements.size();
    llvm::append_range(results, elements);
  }
  return success();
}

LogicalResult glow::setAppended(ImportContext &context,
                                const ImportedLoop::Sequence &sequence,
                                ValueRange stacked, int64_t trips) {
  Values elements;
  if (trips * int64_t(sequence.count) > mostElements)
    return context.leaveToHost("it appends " +
                               Twine(trips * int64_t(sequence.count)) +
                               " tensors to a sequence");
  OpBuilder &builder = context.builder();
  for (int64_t trip = 0; trip < trips; ++trip)
    for (Value all : stacked.slice(sequence.first, sequence.count)) {
      Sizes sizes = shapeOf(all);
      Ints starts(sizes.size());
      starts[0] = trip, sizes[0] = 1;
      Value slice = createSlice(builder, context.location(), all, starts,
                                Ints(sizes.size(), 1), sizes);
      sizes.erase(sizes.begin());
      elements.push_back(
          createReshape(builder, context.location(), slice, sizes));
    }
  FailureOr<Value> made = appendAll(context, sequence.initial, elements);
  if (succeeded(made))
    context.setOutput(unsigned(sequence.place), *made);
  return made;
}
