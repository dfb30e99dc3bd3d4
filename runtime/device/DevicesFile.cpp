//===- DevicesFile.cpp - the devices of a host, from a file ---------------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/InputFile.h"
#include "glow/Base/MemorySize.h"
#include "glow/Runtime/Devices.h"
#include "glow/Runtime/Remote.h"
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <unistd.h>

using namespace glow;
using Json = nlohmann::json;

static constexpr size_t largestFile = size_t(1) << 20, mostDevices = 1024;
static constexpr int deepest = 16; ///< nesting depth of JSON; a file needs 4

static Result<std::string> readText(const std::string &path) {
  Result<InputFile> file = InputFile::open(path);
  if (!file)
    return file.status();
  if (size_t(file->about().st_size) > largestFile)
    return failure(Code::InvalidArgument, path, " has ", file->about().st_size,
                   " bytes, a file of devices at most ", largestFile);
  std::string text(size_t(file->about().st_size), '\0');
  size_t done = 0;
  while (done < text.size()) {
    ssize_t count =
        ::read(file->descriptor(), text.data() + done, text.size() - done);
    if (count <= 0)
      return failure(Code::NotFound, path, " cannot be read");
    done += size_t(count);
  }
  return text;
}

namespace {

/// Reads a devices file. Only the first mistake in the file is reported.
class DevicesReader {
public:
  explicit DevicesReader(std::string path) : path(std::move(path)) {}

  Result<std::vector<DeviceDescription>> read(const std::string &text) {
    Json file = parse(text);
    if (!status.ok())
      return status;
    checkKeys(file, "", {"devices"});
    const Json *list = find(file, "devices");
    if (status.ok() && (!list || !list->is_array() || list->empty()))
      fail("devices", list, "a list of at least one device");
    if (status.ok() && list->size() > mostDevices)
      mistake("devices has " + std::to_string(list->size()) +
              " devices, it should be at most " + std::to_string(mostDevices));
    std::vector<DeviceDescription> devices;
    for (size_t i = 0; status.ok() && i < list->size(); ++i)
      devices.push_back(
          device((*list)[i], "devices[" + std::to_string(i) + "]"));
    checkNames(devices);
    checkProcessors(devices);
    if (!status.ok())
      return status;
    return devices;
  }

private:
  /// Rejects duplicate keys of an object, of which JSON would take the last.
  Json parse(const std::string &text) {
    std::vector<std::set<std::string>> keys;
    auto watch = [&](int depth, Json::parse_event_t event, Json &value) {
      // Deeper values are left out: printing one takes a stack of its depth.
      if (depth > deepest) {
        mistake("is nested more than " + std::to_string(deepest) +
                " levels deep");
        return false;
      }
      if (event == Json::parse_event_t::object_start)
        keys.emplace_back();
      if (event == Json::parse_event_t::object_end)
        keys.pop_back();
      if (event == Json::parse_event_t::key &&
          !keys.back().insert(value.get<std::string>()).second)
        mistake("says '" + value.get<std::string>() + "' twice of one object");
      return true;
    };
    try {
      return Json::parse(text, watch);
    } catch (const Json::exception &error) {
      // "[json.exception...] parse error at line 3, column 7: ..."
      std::string what = error.what();
      mistake("is no JSON: " +
              what.substr(std::min(what.size(), what.find("] ") + 2)));
    }
    return {};
  }

  DeviceDescription device(const Json &of, const std::string &place) {
    DeviceDescription found;
    checkKeys(of, place,
              {"name", "backend", "threads", "processors", "memory", "address",
               "compute", "bandwidth", "link"});
    if (const Json *name = find(of, "name")) {
      if (!name->is_string() || name->get<std::string>().empty())
        fail(place + ".name", name, "a text");
      else
        found.name = name->get<std::string>();
    }
    const Json *backend = find(of, "backend");
    if (!backend || !backend->is_string())
      fail(place + ".backend", backend, "the name of a backend");
    else
      found.backend = backend->get<std::string>();
    if (const Json *threads = find(of, "threads")) {
      constexpr uint64_t most = DeviceOptions::mostThreads;
      if (!threads->is_number_unsigned() || threads->get<uint64_t>() < 1 ||
          threads->get<uint64_t>() > most)
        fail(place + ".threads", threads,
             "a number from 1 to " + std::to_string(most));
      else
        found.options.threads = threads->get<unsigned>();
    }
    if (const Json *processors = find(of, "processors"))
      found.options.processors =
          processorsIn(*processors, found.options.threads, place);
    if (const Json *memory = find(of, "memory"))
      found.options.memoryBytes = size(*memory, place + ".memory");
    if (const Json *address = find(of, "address"))
      found.address = addressIn(*address, of, place);
    DeviceRates &rates = found.rates;
    rates.multipliesPerSecond = computeIn(of, place);
    rates.bytesPerSecond = rate(of, place, "bandwidth");
    if (const Json *link = find(of, "link")) {
      const std::string there = place + ".link";
      checkKeys(*link, there, {"bandwidth", "latency"});
      rates.linkBytesPerSecond = rate(*link, there, "bandwidth");
      rates.linkLatencySeconds = rate(*link, there, "latency");
    }
    return found;
  }

  /// The compute rates by element kind. A single number is the rate of f32.
  std::map<ElementKind, double> computeIn(const Json &of,
                                          const std::string &place) {
    const Json *rates = find(of, "compute");
    std::map<ElementKind, double> found;
    if (rates && !rates->is_object())
      found[ElementKind::F32] = rate(of, place, "compute");
    if (!rates || !rates->is_object())
      return found;
    const std::string there = place + ".compute";
    for (const auto &[name, value] : rates->items()) {
      std::optional<ElementKind> kind = elementKindNamed(name);
      if (!kind)
        mistake(there + " has '" + name +
                "', it should be an element kind, as f32 or i8");
      else
        found[*kind] = rate(*rates, there, name.c_str());
    }
    return found;
  }

  /// A number above 0; 0 if the key is absent.
  double rate(const Json &of, const std::string &place, const char *key) {
    const Json *number = find(of, key);
    if (!number)
      return 0;
    const double value = number->is_number() ? number->get<double>() : 0;
    if (!(value > 0))
      fail(place + "." + key, number, "a number above 0");
    return value;
  }

  Processors processorsIn(const Json &text, unsigned threads,
                          const std::string &place) {
    std::optional<Processors> processors;
    if (text.is_string())
      processors = parseProcessors(text.get<std::string>());
    if (!processors)
      fail(place + ".processors", &text,
           "a text with numbers and ranges, none twice, as \"0-3,8\"");
    else if (threads > processors->size())
      mistake(place + " has " + std::to_string(threads) + " threads for " +
              std::to_string(processors->size()) +
              " processors; they should be at most as many");
    return processors.value_or(Processors());
  }

  std::string addressIn(const Json &text, const Json &of,
                        const std::string &place) {
    if (!text.is_string()) {
      fail(place + ".address", &text, "a text, as \"grpc:HOST:PORT\"");
      return "";
    }
    for (const char *key : {"threads", "processors", "memory"})
      if (find(of, key))
        mistake(place + " has an address and '" + key +
                "', which is said to glow device");
    Result<RemoteAddress> address =
        RemoteAddress::parse(text.get<std::string>());
    if (!address)
      mistake(place + ".address: " + address.status().message());
    return text.get<std::string>();
  }

  uint64_t size(const Json &of, const std::string &place) {
    std::optional<uint64_t> bytes;
    if (of.is_string())
      bytes = parseSize(of.get<std::string>());
    else if (of.is_number_unsigned() && of.get<uint64_t>() > 0)
      bytes = of.get<uint64_t>();
    if (!bytes)
      fail(place, &of,
           "a number of bytes, or a text with k, M, G or T, as \"2G\"");
    return bytes.value_or(0);
  }

  void checkKeys(const Json &of, const std::string &place,
                 const std::vector<std::string> &known) {
    if (!of.is_object())
      return fail(place, &of, "an object");
    std::string all;
    for (const std::string &key : known)
      all += (all.empty() ? "" : ", ") + key;
    for (const auto &[key, value] : of.items())
      if (std::ranges::find(known, key) == known.end())
        mistake((place.empty() ? "" : place + " ") + "has '" + key +
                "', there are: " + all);
  }

  /// Rejects duplicate names, and gives each device without a name a unique
  /// one.
  void checkNames(std::vector<DeviceDescription> &devices) {
    std::set<std::string> names;
    for (const DeviceDescription &device : devices)
      if (!device.name.empty() && !names.insert(device.name).second)
        mistake("has two devices named '" + device.name + "'");
    for (DeviceDescription &device : devices)
      for (size_t i = 0; device.name.empty(); ++i)
        if (std::string name = device.backend + "." + std::to_string(i);
            names.insert(name).second)
          device.name = name;
  }

  /// Rejects two devices on one processor: the rates that are measured of one
  /// would depend on the other.
  void checkProcessors(const std::vector<DeviceDescription> &devices) {
    std::map<unsigned, std::string> owners;
    for (const DeviceDescription &device : devices)
      for (unsigned processor : device.options.processors)
        if (auto [owner, isNew] = owners.emplace(processor, device.name);
            !isNew)
          mistake("devices '" + owner->second + "' and '" + device.name +
                  "' both have processor " + std::to_string(processor) +
                  "; a processor should be of one device");
  }

  static const Json *find(const Json &of, const char *key) {
    if (!of.is_object())
      return nullptr;
    auto found = of.find(key);
    return found == of.end() ? nullptr : &*found;
  }

  void fail(const std::string &place, const Json *is,
            const std::string &shouldBe) {
    // At most so many bytes of the file are shown, so that they fit on a line.
    constexpr size_t shown = 60;
    std::string text = is ? is->dump() : "not there";
    if (text.size() > shown)
      text = text.substr(0, shown) + "...";
    mistake((place.empty() ? "it" : place) + " is " + text + ", it should be " +
            shouldBe);
  }

  void mistake(const std::string &message) {
    if (status.ok())
      status = failure(Code::InvalidArgument, path, ": ", message);
  }

  const std::string path;
  Status status;
};

} // namespace

Result<std::vector<DeviceDescription>>
glow::readDevices(const std::string &path) {
  Result<std::string> text = readText(path);
  if (!text)
    return text.status();
  return DevicesReader(path).read(*text);
}
