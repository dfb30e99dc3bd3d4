//===- Profile.cpp - statistics of a model's values -----------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Quantization/Profile.h"
#include "Focus.h"
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

using namespace glow;
using Json = nlohmann::ordered_json;

/// The version of the profiles that are written.
static constexpr int64_t version = 1;

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

static ChannelRange joined(const ChannelRange &a, const ChannelRange &b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high), a.sum + b.sum};
}

static std::vector<ChannelRange> channelsOf(std::span<const float> values,
                                            const Ints &shape, int64_t axis) {
  size_t inner = 1;
  for (size_t i = size_t(axis) + 1; i < shape.size(); ++i)
    inner *= size_t(shape[i]);
  const size_t count = size_t(shape[size_t(axis)]);
  std::vector<ChannelRange> channels(count);
  std::vector<bool> seen(count);
  for (size_t begin = 0, at = 0; begin < values.size(); begin += inner, ++at) {
    const size_t channel = at % count;
    for (float value : values.subspan(begin, inner)) {
      ChannelRange one{value, value, double(value)};
      channels[channel] = seen[channel] ? joined(channels[channel], one) : one;
      seen[channel] = true;
    }
  }
  return channels;
}

void ValueProfile::add(std::span<const float> values, const Ints &of,
                       int64_t ofAxis) {
  if (values.empty())
    return;
  ValueProfile more;
  more.kind = kind;
  more.shape = of;
  more.count = values.size();
  auto [least, most] = std::ranges::minmax(values);
  more.low = least, more.high = most;
  for (float value : values)
    more.sum += double(value);
  more.histogram.add(values), more.shells.add(values);
  more.axis = ofAxis;
  if (ofAxis >= 0)
    more.channels = channelsOf(values, of, ofAxis);
  add(more);
}

void ValueProfile::add(const ValueProfile &other) {
  if (other.count == 0)
    return;
  if (count == 0) {
    *this = other;
    return;
  }
  count += other.count;
  low = std::min(low, other.low), high = std::max(high, other.high);
  sum += other.sum;
  histogram.add(other.histogram), shells.add(other.shells);
  if (axis != other.axis || channels.size() != other.channels.size())
    axis = -1, channels.clear();
  for (size_t i = 0; i < channels.size(); ++i)
    channels[i] = joined(channels[i], other.channels[i]);
}

Status Profile::merge(const Profile &other) {
  if (model != other.model)
    return failure(Code::InvalidArgument, "it is of the model with hash ",
                   other.model, ", the others are of ", model);
  if (what != other.what)
    return Status(Code::InvalidArgument,
                  "of the profiles some are of the model's values, some of "
                  "what they are lowered to");
  runs += other.runs;
  inputs.insert(other.inputs.begin(), other.inputs.end());
  for (const auto &[name, value] : other.values)
    values[name].add(value);
  return Status();
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static Json asJson(const Shells &shells) {
  Json list = Json::array();
  for (const auto &[shell, counts] : shells.counts())
    list.push_back({{"exponent", shell}, {"counts", counts}});
  return {{"zeros", shells.zeros()}, {"list", list}};
}

static Json asJson(const std::string &name, const ValueProfile &value) {
  Json entry = {{"name", name},         {"kind", glow::name(value.kind)},
                {"shape", value.shape}, {"count", value.count},
                {"min", value.low},     {"max", value.high},
                {"sum", value.sum}};
  entry["histogram"] = {{"exponent", value.histogram.exponent()},
                        {"first", value.histogram.first()},
                        {"counts", value.histogram.counts()}};
  // Without outliers, the histogram has all numbers.
  if (std::isfinite(focusOf(value).limit))
    entry["shells"] = asJson(value.shells);
  if (value.axis < 0)
    return entry;
  Json low = Json::array(), high = Json::array(), sum = Json::array();
  for (const ChannelRange &channel : value.channels) {
    low.push_back(channel.low), high.push_back(channel.high);
    sum.push_back(channel.sum);
  }
  entry["channels"] = {
      {"axis", value.axis}, {"min", low}, {"max", high}, {"sum", sum}};
  return entry;
}

std::string Profile::text() const {
  // Each value has a line of its own, so that a diff names the values that
  // differ.
  std::string text =
      "{\"version\": " + std::to_string(version) +
      ", \"model\": " + Json(model).dump() +
      ", \"after_lowering\": " + (what == Counted::Steps ? "true" : "false") +
      ", \"runs\": " + std::to_string(runs) + ", \"inputs\": [";
  const char *between = "\n";
  for (const auto &[name, input] : inputs) {
    text += between + Json({{"name", name},
                            {"kind", glow::name(input.kind)},
                            {"shape", input.shape},
                            {"values", input.values}})
                          .dump(-1, ' ', false, Json::error_handler_t::replace);
    between = ",\n";
  }
  text += "\n], \"values\": [\n";
  between = "";
  for (const auto &[name, value] : values) {
    text += between + asJson(name, value)
                          .dump(-1, ' ', false, Json::error_handler_t::replace);
    between = ",\n";
  }
  return text + "\n]}\n";
}

static std::vector<ChannelRange> channelsFrom(const Json &entry) {
  const auto low = entry.at("min").get<std::vector<float>>();
  const auto high = entry.at("max").get<std::vector<float>>();
  const auto sum = entry.at("sum").get<std::vector<double>>();
  std::vector<ChannelRange> channels;
  for (size_t i = 0; i < low.size(); ++i)
    channels.push_back({low[i], high.at(i), sum.at(i)});
  return channels;
}

static Shells shellsFrom(const Json &entry) {
  std::map<int, std::vector<uint64_t>> shells;
  for (const Json &one : entry.at("list")) {
    const int exponent = one.at("exponent").get<int>();
    auto counts = one.at("counts").get<std::vector<uint64_t>>();
    if (exponent % Shells::octaves || exponent < -200 || exponent > 200 ||
        counts.size() != size_t(2 * Shells::bins))
      throw std::invalid_argument("a shell should have " +
                                  std::to_string(2 * Shells::bins) +
                                  " counts, and a multiple of 4 as exponent");
    shells[exponent] = std::move(counts);
  }
  return {std::move(shells), entry.at("zeros").get<uint64_t>()};
}

static ValueProfile valueFrom(const Json &entry) {
  ValueProfile value;
  const auto kind = elementKindNamed(entry.at("kind").get<std::string>());
  value.kind = kind.value_or(ElementKind::I64); // never integers
  value.shape = entry.at("shape").get<Ints>();
  value.count = entry.at("count").get<uint64_t>();
  value.low = entry.at("min").get<float>();
  value.high = entry.at("max").get<float>();
  value.sum = entry.at("sum").get<double>();
  const Json &bins = entry.at("histogram");
  value.histogram =
      Histogram(bins.at("exponent").get<int>(), bins.at("first").get<int64_t>(),
                bins.at("counts").get<std::vector<uint64_t>>());
  if (entry.contains("shells"))
    value.shells = shellsFrom(entry["shells"]);
  else
    value.shells.add(value.histogram);
  if (entry.contains("channels")) {
    value.axis = entry["channels"].at("axis").get<int64_t>();
    value.channels = channelsFrom(entry["channels"]);
  }
  return value;
}

/// Refuses numbers that would lead outside of a tensor, or to no valid scale.
static Status check(const std::string &name, const ValueProfile &value) {
  const Histogram &bins = value.histogram;
  // The limit of a bin's number, for numbers with the bits of a float.
  constexpr int64_t farthest = int64_t(1) << 40;
  bool hasBins = !bins.counts().empty() &&
                 bins.counts().size() <= size_t(Histogram::mostBins) &&
                 bins.first() < farthest && bins.first() > -farthest &&
                 bins.exponent() < 200 && bins.exponent() > -200;
  if (value.low <= value.high && value.count && hasBins)
    return Status();
  return failure(Code::InvalidArgument, "value '", name, "' has ", value.count,
                 " elements from ", value.low, " to ", value.high, " in ",
                 bins.counts().size(), " bins from number ", bins.first(),
                 " of 2^", bins.exponent(), "; it should have some, in 1 to ",
                 Histogram::mostBins, " bins");
}

static Status readInto(Profile &profile, const Json &all) {
  if (int64_t found = all.at("version").get<int64_t>(); found != version)
    return failure(Code::Unsupported, "the profile is of version ", found,
                   ", it should be ", version);
  profile.model = all.at("model").get<std::string>();
  if (all.at("after_lowering").get<bool>())
    profile.what = Counted::Steps;
  profile.runs = all.at("runs").get<uint64_t>();
  for (const Json &entry : all.value("inputs", Json::array())) {
    InputProfile &input = profile.inputs[entry.at("name").get<std::string>()];
    input.kind = elementKindNamed(entry.at("kind").get<std::string>())
                     .value_or(ElementKind::F32);
    input.shape = entry.at("shape").get<Ints>();
    input.values = entry.at("values").get<std::vector<int64_t>>();
  }
  for (const Json &entry : all.at("values")) {
    const std::string name = entry.at("name").get<std::string>();
    ValueProfile value = valueFrom(entry);
    if (Status status = check(name, value); !status.ok())
      return status;
    profile.values[name] = std::move(value);
  }
  return Status();
}

Result<Profile> Profile::parse(std::string_view text) {
  Profile profile;
  try {
    Status status = readInto(profile, Json::parse(text));
    if (!status.ok())
      return status;
  } catch (const std::exception &error) {
    return failure(Code::InvalidArgument, "not a profile: ", error.what());
  }
  return profile;
}
