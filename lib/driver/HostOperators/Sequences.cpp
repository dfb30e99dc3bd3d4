//===- Sequences.cpp - sequences and optionals ----------------------------===//
// SPDX-License-Identifier: MIT
//
// Several sequences may share a value's tensor: to insert copies a list of
// references and no elements.
//
//===----------------------------------------------------------------------===//

#include "Slices.h"
#include "glow/HostOperators/Functions.h"
#include <algorithm>

using namespace glow;
using Sequence = HostValue::Sequence;

Status glow::host::identity(HostCall &call) {
  call.setOutput(0, call.input(0) ? *call.input(0) : HostValue());
  return Status();
}

Status glow::host::optionalHasElement(HostCall &call) {
  bool has = call.input(0) && !call.input(0)->isNothing();
  return call.setOutput(0, tensorOf<bool>({}, std::span<const bool>(&has, 1)));
}

Status glow::host::optionalGetElement(HostCall &call) {
  if (!call.input(0) || call.input(0)->isNothing())
    return failure(Code::InvalidArgument, "the optional has no element");
  call.setOutput(0, *call.input(0));
  return Status();
}

/// Inserts a value that is no sequence: a few nested sequences could hold more
/// elements than any memory. All values have one kind; `dataType` gives the
/// kind of an empty sequence.
static Status append(const HostValue &value, Sequence &sequence,
                     Sequence::const_iterator place, int64_t dataType = 0) {
  if (value.sequence() || value.isNothing())
    return failure(Code::InvalidArgument, "an element is ", value.text(),
                   ", it should be a tensor");
  if (!sequence.empty() && !isOfKind(value, sequence.front()))
    return failure(Code::InvalidArgument, "an element is ", value.text(),
                   ", but the sequence holds ", sequence.front().text());
  if (dataType && value.dataType() != dataType) {
    std::optional<ElementKind> kind = elementKindOfOnnx(dataType);
    return failure(Code::InvalidArgument, "an element is ", value.text(),
                   ", but the sequence is for ",
                   kind ? name(*kind) : "strings");
  }
  sequence.insert(place, value);
  return Status();
}

Status glow::host::sequenceEmpty(HostCall &call) {
  int64_t dataType =
      call.attribute<int64_t>("dtype", onnxDataType(ElementKind::F32));
  if (!elementKindOfOnnx(dataType) && dataType != onnxStrings)
    return failure(Code::Unsupported, "data type ", dataType,
                   " is not supported");
  call.setOutput(0, HostValue::emptySequence(dataType));
  return Status();
}

Status glow::host::sequenceConstruct(HostCall &call) {
  Sequence sequence;
  for (unsigned i = 0; i < call.inputCount(); ++i)
    if (const HostValue *value = call.input(i))
      if (Status status = append(*value, sequence, sequence.end());
          !status.ok())
        return status;
  return call.setOutput(0, std::move(sequence));
}

/// Input `index` as a position in a sequence; `missing` if it is absent.
/// Negative positions count from the end; `end` is the greatest.
static Result<size_t> placeOf(const HostCall &call, unsigned index,
                              size_t missing, size_t size, size_t end) {
  if (!call.input(index))
    return missing;
  Result<int64_t> place = call.intOf(index);
  if (!place)
    return place.status();
  int64_t resolved = *place < 0 ? *place + int64_t(size) : *place;
  if (resolved >= 0 && resolved <= int64_t(end))
    return size_t(resolved);
  return failure(Code::InvalidArgument, "position is ", *place,
                 ", but the sequence has ", size, " elements");
}

namespace {

/// An existing element.
struct Element {
  const Sequence &sequence;
  size_t place;
};

} // namespace

/// The element of the first input that the second input selects, or the last
/// element.
static Result<Element> elementOf(HostCall &call) {
  Result<const Sequence *> in = call.sequence(0);
  if (!in)
    return in.status();
  const size_t size = (*in)->size();
  if (size == 0)
    return failure(Code::InvalidArgument, "the sequence is empty");
  Result<size_t> place = placeOf(call, 1, size - 1, size, size - 1);
  if (!place)
    return place.status();
  return Element{**in, *place};
}

Status glow::host::sequenceInsert(HostCall &call) {
  Result<const Sequence *> in = call.sequence(0);
  if (!in)
    return in.status();
  const size_t size = (*in)->size();
  Result<size_t> place = placeOf(call, 2, size, size, size);
  if (!place)
    return place.status();
  if (Status room = MemoryBudget::check((size + 1) * sizeof(HostValue));
      !room.ok())
    return room;
  Sequence sequence;
  // The budget was checked above, as lists may grow for ever in a loop.
  sequence.reserve(size + 1);
  sequence = **in;
  Status status =
      append(*call.input(1), sequence, sequence.begin() + long(*place),
             call.input(0)->dataType());
  return status.ok() ? call.setOutput(0, std::move(sequence)) : status;
}

Status glow::host::sequenceErase(HostCall &call) {
  Result<Element> element = elementOf(call);
  if (!element)
    return element.status();
  if (element->sequence.size() == 1) {
    // An empty sequence has no element that determines its kind.
    call.setOutput(0, HostValue::emptySequence(call.input(0)->dataType()));
    return Status();
  }
  Sequence sequence = element->sequence;
  sequence.erase(sequence.begin() + long(element->place));
  return call.setOutput(0, std::move(sequence));
}

Status glow::host::sequenceAt(HostCall &call) {
  Result<Element> element = elementOf(call);
  if (!element)
    return element.status();
  call.setOutput(0, element->sequence[element->place]);
  return Status();
}

Status glow::host::sequenceLength(HostCall &call) {
  Result<const Sequence *> in = call.sequence(0);
  if (!in)
    return in.status();
  int64_t size = int64_t((*in)->size());
  return call.setOutput(
      0, tensorOf<int64_t>({}, std::span<const int64_t>(&size, 1)));
}

Status glow::host::sequenceMap(HostCall &call) {
  Result<const Sequence *> first = call.sequence(0);
  if (!first)
    return first.status();
  std::vector<Sequence> results(call.outputCount());
  for (size_t i = 0; i < (*first)->size(); ++i) {
    Sequence arguments = {(**first)[i]};
    for (unsigned k = 1; k < call.inputCount(); ++k) {
      const Sequence *other =
          call.input(k) ? call.input(k)->sequence() : nullptr;
      if (other && i >= other->size())
        return failure(Code::InvalidArgument, "input ", k, " has ",
                       other->size(), " elements, but input 0 has ",
                       (*first)->size());
      arguments.push_back(other           ? (*other)[i]
                          : call.input(k) ? *call.input(k)
                                          : HostValue());
    }
    Result<Sequence> outputs = call.runGraph("body", std::move(arguments));
    if (!outputs)
      return outputs.status().prefixed("element " + std::to_string(i) + ": ");
    for (size_t k = 0; k < results.size() && k < outputs->size(); ++k)
      if (Status status = append((*outputs)[k], results[k], results[k].end());
          !status.ok())
        return status;
  }
  for (size_t k = 0; k < results.size(); ++k)
    if (Status status = call.setOutput(unsigned(k), std::move(results[k]));
        !status.ok())
      return status;
  return Status();
}

//===----------------------------------------------------------------------===//
// From tensors and back
//===----------------------------------------------------------------------===//

/// The sizes of the parts, and whether each part keeps the axis that is cut.
static Result<Ints> partsOf(const HostCall &call, int64_t size, bool &keep) {
  keep = true;
  if (Status room = MemoryBudget::check(uint64_t(size) * sizeof(int64_t));
      !room.ok())
    return room;
  if (!call.input(1)) {
    keep = call.attribute<int64_t>("keepdims", 1) != 0;
    return Ints(size_t(size), 1);
  }
  Result<Ints> split = call.ints(1);
  if (!split)
    return split;
  Ints parts = *split;
  if (call.input(1)->tensor()->type().shape.empty()) {
    int64_t part = parts.front();
    if (part < 1)
      return failure(Code::InvalidArgument, "split is ", part,
                     ", it should be positive");
    parts.assign(size_t(size / part), part);
    if (size % part)
      parts.push_back(size % part);
  }
  int64_t sum = 0;
  for (int64_t part : parts)
    sum = part < 0 || part > size ? size + 1 : std::min(sum + part, size + 1);
  if (sum == size)
    return parts;
  return failure(Code::InvalidArgument, "split is ", shapeText(parts),
                 ", it should be of a sum of ", size);
}

Status glow::host::splitToSequence(HostCall &call) {
  Result<const Tensor *> in = call.tensor(0);
  if (!in)
    return in.status();
  const Ints &shape = (*in)->type().shape;
  Result<int64_t> axis =
      resolveAxis(call.attribute<int64_t>("axis", 0), int64_t(shape.size()));
  if (!axis)
    return axis.status();
  if (Status status = checkPlaces(shape[size_t(*axis)]); !status.ok())
    return status;
  bool keep = true;
  Result<Ints> parts = partsOf(call, shape[size_t(*axis)], keep);
  if (!parts)
    return parts.status();
  Sequence sequence;
  int64_t start = 0;
  for (int64_t part : *parts) {
    Result<Tensor> slice = sliceOf(**in, *axis, start, part, keep);
    if (!slice)
      return slice.status();
    sequence.push_back(slice.take());
    start += part;
  }
  return call.setOutput(0, std::move(sequence));
}

Status glow::host::concatFromSequence(HostCall &call) {
  Result<const Sequence *> in = call.sequence(0);
  if (!in)
    return in.status();
  int64_t axis = call.attribute<int64_t>("axis", 0);
  if (call.attribute<int64_t>("new_axis", 0))
    return call.setOutput(0, stacked(**in, axis));
  if ((*in)->empty() || !(*in)->front().tensor())
    return failure(Code::InvalidArgument,
                   "the sequence holds no tensor at its begin");
  Result<int64_t> resolved =
      resolveAxis(axis, int64_t((*in)->front().tensor()->type().shape.size()));
  if (!resolved)
    return resolved.status();
  return call.setOutput(0, concatenated(**in, *resolved));
}
