//===- Messages.cpp - runs as messages of gRPC ----------------------------===//
// SPDX-License-Identifier: MIT

#include "Messages.h"
#include "glow/Base/Hash.h"
#include <cstring>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/wire_format_lite.h>
#include <grpcpp/support/proto_buffer_reader.h>

using namespace glow;
using namespace glow::remote;
using google::protobuf::io::CodedInputStream;
using google::protobuf::io::CodedOutputStream;
using google::protobuf::io::StringOutputStream;
using Wire = google::protobuf::internal::WireFormatLite;

void remote::setOutcome(Outcome &outcome, const Status &status) {
  outcome.set_code(uint32_t(status.code()));
  outcome.set_message(status.message());
}

Status remote::statusOf(const Outcome &outcome) {
  if (outcome.code() == uint32_t(Code::Ok))
    return Status();
  if (outcome.code() > uint32_t(Code::Poison))
    return failure(Code::DeviceLost, "the server answers with code ",
                   outcome.code(), ", which is none");
  return Status(Code(outcome.code()), outcome.message());
}

void remote::setRates(Rates &message, const DeviceRates &rates) {
  for (const auto &[kind, rate] : rates.multipliesPerSecond)
    (*message.mutable_multiplies_per_second())[std::string(name(kind))] = rate;
  message.set_bytes_per_second(rates.bytesPerSecond);
  message.set_link_bytes_per_second(rates.linkBytesPerSecond);
  message.set_link_latency_seconds(rates.linkLatencySeconds);
}

DeviceRates remote::ratesOf(const Rates &message) {
  DeviceRates rates{{},
                    message.bytes_per_second(),
                    message.link_bytes_per_second(),
                    message.link_latency_seconds()};
  for (const auto &[kind, rate] : message.multiplies_per_second())
    if (auto known = elementKindNamed(kind))
      rates.multipliesPerSecond[*known] = rate;
  return rates;
}

void remote::setDevice(OpenReply &reply, const DeviceInfo &device) {
  reply.set_backend(device.backend);
  reply.set_name(device.name);
  reply.set_programs_at_once(device.programsAtOnce);
  reply.set_threads(device.threads);
  for (unsigned processor : device.processors)
    reply.add_processors(processor);
  reply.set_memory_bytes(device.memoryBytes);
  setRates(*reply.mutable_rates(), device.rates);
}

DeviceInfo remote::deviceOf(const OpenReply &reply) {
  DeviceInfo device;
  device.backend = reply.backend();
  device.name = reply.name();
  device.programsAtOnce = std::max(1u, reply.programs_at_once());
  device.threads = reply.threads();
  device.processors.assign(reply.processors().begin(),
                           reply.processors().end());
  device.memoryBytes = reply.memory_bytes();
  device.rates = ratesOf(reply.rates());
  return device;
}

/// Maximum number of sizes of a run: these are read before they are compared
/// with the program.
static constexpr size_t mostSizes = size_t(1) << 16;

static uint32_t tagOf(int field, Wire::WireType type) {
  return Wire::MakeTag(field, type);
}

namespace {

/// Writes a message as slices: encoded fields, then tensors.
class Writer {
public:
  template <typename Write> void head(Write write) {
    std::string text;
    {
      StringOutputStream stream(&text);
      CodedOutputStream coded(&stream);
      write(coded);
    }
    slices.emplace_back(text.data(), text.size());
  }
  void tensor(int field, const void *data, uint64_t bytes) {
    head([&](CodedOutputStream &coded) {
      coded.WriteTag(tagOf(field, Wire::WIRETYPE_LENGTH_DELIMITED));
      coded.WriteVarint64(bytes);
    });
    if (bytes)
      slices.emplace_back(data, size_t(bytes)); // a copy
  }
  grpc::ByteBuffer take() { return {slices.data(), slices.size()}; }

private:
  std::vector<grpc::Slice> slices;
};

/// The hash of the bytes of tensors, in their order.
class Checksum {
public:
  void add(const void *data, uint64_t bytes) {
    if (bytes)
      hash.add({static_cast<const char *>(data), size_t(bytes)});
  }
  uint64_t value() const { return hash.finish().low; }

private:
  HashOfParts hash;
};

uint64_t checksumOf(const std::vector<TensorView> &views) {
  Checksum sum;
  for (const TensorView &view : views)
    sum.add(view.data, view.type->bytes());
  return sum.value();
}

/// Reads the fields of a message in the order of their numbers.
class MessageReader {
public:
  explicit MessageReader(grpc::ByteBuffer &message)
      : buffer(&message), coded(&buffer) {}

  bool isAt(int field, Wire::WireType type) {
    if (!tag)
      tag = coded.ReadTag();
    return tag == tagOf(field, type);
  }
  bool atEnd() {
    if (!tag)
      tag = coded.ReadTag();
    return tag == 0 && coded.ConsumedEntireMessage() && buffer.status().ok();
  }
  /// Reads a field; 0 if it is absent.
  bool fixed(int field, uint64_t &value) {
    value = 0;
    return !isAt(field, Wire::WIRETYPE_FIXED64) ||
           (take(), coded.ReadLittleEndian64(&value));
  }
  bool varint(int field, uint64_t &value) {
    value = 0;
    return !isAt(field, Wire::WIRETYPE_VARINT) ||
           (take(), coded.ReadVarint64(&value));
  }
  bool text(int field, std::string &value) {
    uint32_t size = 0;
    return !isAt(field, Wire::WIRETYPE_LENGTH_DELIMITED) ||
           (take(), coded.ReadVarint32(&size) && size <= uint32_t(INT32_MAX) &&
                        coded.ReadString(&value, int(size)));
  }
  /// Reads a checksum and the tensors after it, into `views`.
  Status tensors(int field, const std::vector<TensorView> &views) {
    uint64_t sum = 0;
    if (!fixed(field, sum))
      return broken();
    ++field;
    size_t count = 0;
    for (; isAt(field, Wire::WIRETYPE_LENGTH_DELIMITED); ++count) {
      take();
      uint32_t size = 0;
      if (!coded.ReadVarint32(&size))
        return broken();
      if (count >= views.size() || size != views[count].type->bytes())
        return failure(Code::ShapeMismatch, "tensor ", count,
                       " of a message has ", size, " bytes, it should have ",
                       count < views.size() ? views[count].type->text()
                                            : "not come");
      if (size && !coded.ReadRaw(views[count].data, int(size)))
        return broken();
    }
    if (!atEnd())
      return broken();
    if (count != views.size())
      return failure(Code::ShapeMismatch, "a message has ", count,
                     " tensors, it should have ", views.size());
    if (checksumOf(views) != sum)
      return Status(Code::DeviceLost, "the tensors of a run came damaged");
    return Status();
  }
  static Status broken() {
    return Status(Code::InvalidArgument, "a message is damaged");
  }

private:
  void take() { tag = 0; }

  grpc::ProtoBufferReader buffer;
  CodedInputStream coded;
  uint32_t tag = 0;
};

} // namespace

grpc::ByteBuffer remote::runRequest(uint64_t session, uint64_t program,
                                    const Ints &sizes,
                                    const std::vector<TensorView> &inputs) {
  Writer writer;
  writer.head([&](CodedOutputStream &coded) {
    coded.WriteTag(tagOf(1, Wire::WIRETYPE_FIXED64));
    coded.WriteLittleEndian64(session);
    coded.WriteTag(tagOf(2, Wire::WIRETYPE_VARINT));
    coded.WriteVarint64(program);
    for (int64_t size : sizes) {
      coded.WriteTag(tagOf(3, Wire::WIRETYPE_VARINT));
      coded.WriteVarint64(uint64_t(size));
    }
    coded.WriteTag(tagOf(4, Wire::WIRETYPE_FIXED64));
    coded.WriteLittleEndian64(checksumOf(inputs));
  });
  for (const TensorView &input : inputs)
    writer.tensor(5, input.data, input.type->bytes());
  return writer.take();
}

grpc::ByteBuffer remote::runReply(const Status &status,
                                  const std::vector<Tensor> &outputs) {
  Outcome outcome;
  setOutcome(outcome, status);
  Writer writer;
  writer.head([&](CodedOutputStream &coded) {
    const std::string text = outcome.SerializeAsString();
    coded.WriteTag(tagOf(1, Wire::WIRETYPE_LENGTH_DELIMITED));
    coded.WriteVarint64(text.size());
    coded.WriteString(text);
    if (!status.ok())
      return;
    Checksum sum;
    for (const Tensor &output : outputs)
      sum.add(output.data(), output.type().bytes());
    coded.WriteTag(tagOf(2, Wire::WIRETYPE_FIXED64));
    coded.WriteLittleEndian64(sum.value());
  });
  if (status.ok())
    for (const Tensor &output : outputs)
      writer.tensor(3, output.data(), output.type().bytes());
  return writer.take();
}

Status remote::readRunRequest(grpc::ByteBuffer &message,
                              const TensorsOf &tensorsOf) {
  MessageReader reader(message);
  uint64_t session = 0, program = 0;
  if (!reader.fixed(1, session) || !reader.varint(2, program))
    return MessageReader::broken();
  Ints sizes;
  while (reader.isAt(3, Wire::WIRETYPE_VARINT)) {
    uint64_t size = 0;
    if (sizes.size() == mostSizes || !reader.varint(3, size))
      return MessageReader::broken();
    sizes.push_back(int64_t(size));
  }
  Result<std::vector<TensorView>> tensors = tensorsOf(session, program, sizes);
  return tensors ? reader.tensors(4, *tensors) : tensors.status();
}

static Status readOutcome(MessageReader &reader) {
  std::string text;
  Outcome outcome;
  if (!reader.text(1, text) || !outcome.ParseFromString(text))
    return Status(Code::DeviceLost, "the answer of the server is damaged");
  return statusOf(outcome);
}

Status remote::readOutcome(grpc::ByteBuffer &message) {
  MessageReader reader(message);
  return ::readOutcome(reader);
}

Status remote::readOutputs(grpc::ByteBuffer &message,
                           const std::vector<TensorView> &outputs) {
  MessageReader reader(message);
  Status status = ::readOutcome(reader);
  return status.ok() ? reader.tensors(2, outputs) : status;
}
