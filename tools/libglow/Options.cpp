//===- Options.cpp - the options of glow.h --------------------------------===//
// SPDX-License-Identifier: MIT
//
// One table has the options, their meaning, and their parsers. The options of
// backends follow from their records.
//
//===----------------------------------------------------------------------===//

#include "Guard.h"
#include "glow/Base/MemorySize.h"
#include "glow/Program/SizeValues.h"
#include "glow/Runtime/PartitionDevices.h"
#include <charconv>
#include <limits>
#include <set>

using namespace glow;
using namespace glow::capi;

CompileRequest capi::bestRequest() {
  CompileRequest request;
  request.cacheDir = defaultCacheDir();
  return request;
}

glow_options *glow_options_new(void) {
  glow_options *options = nullptr;
  (void)guarded([&] {
    options = new glow_options{bestRequest()};
    return Status();
  });
  return options;
}
void glow_options_free(glow_options *options) { delete options; }

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace {
struct Option {
  glow_option_info info;
  /// Sets a value. If it is invalid, returns a text that describes valid
  /// values.
  std::string (*set)(glow_options &options, const std::string &value);
};
} // namespace

/// The number that a value is, if it is one from 0 to `most`.
template <typename T>
static std::optional<T> numberOf(const std::string &value, T most) {
  const char *end = value.data() + value.size();
  T number = 0;
  auto [rest, error] = std::from_chars(value.data(), end, number);
  if (error != std::errc() || rest != end || number < 0 || number > most)
    return std::nullopt;
  return number;
}

static std::string setCount(unsigned &count, const std::string &value) {
  std::optional<unsigned> number =
      numberOf<unsigned>(value, DeviceOptions::mostThreads);
  if (!number)
    return "a number from 0 to " + std::to_string(DeviceOptions::mostThreads);
  count = *number;
  return "";
}

static std::string setMath(glow_options &options, const std::string &value) {
  std::optional<Math> math = mathNamed(value);
  if (!math)
    return "strict, default or fast";
  options.request.code.math = math;
  return "";
}

static std::string setLimit(glow_options &options, const std::string &value) {
  std::optional<uint64_t> bytes = value.empty() ? 0 : parseSize(value);
  if (!bytes)
    return "a number of bytes, as 1048576 or 512M, or empty";
  options.request.code.memoryLimit = *bytes;
  return "";
}

static std::string setIterations(glow_options &options,
                                 const std::string &value) {
  std::optional<int64_t> most =
      numberOf(value, std::numeric_limits<int64_t>::max());
  if (!most)
    return "a number of trips; 0 for no limit";
  options.request.maxIterations = *most;
  return "";
}

/// "cpu|interpreter".
static std::string namesOfBackends() {
  std::string names;
  for (const BackendRecord &backend : backendRecords())
    names += (names.empty() ? "" : "|") + std::string(backend.name);
  return names;
}

/// The texts between commas; none of "".
static std::vector<std::string> textsOf(const std::string &value) {
  std::vector<std::string> texts;
  for (size_t at = 0; !value.empty() && at <= value.size();) {
    const size_t end = std::min(value.find(',', at), value.size());
    texts.push_back(value.substr(at, end - at));
    at = end + 1;
  }
  return texts;
}

/// "" or "a=left,b*=right".
static std::string setAssign(glow_options &options, const std::string &value) {
  std::vector<std::string> pins = textsOf(value);
  for (const std::string &pin : pins)
    if (!nodePinOf(pin))
      return "PATTERN=DEVICE, or several of these with commas between";
  options.assign = std::move(pins);
  return "";
}

/// "" or "h0=hn,c0=cn" or "none" or "append".
static std::string setState(glow_options &options, const std::string &value) {
  Result<StateRequest> states = stateRequestOf(textsOf(value));
  if (!states)
    return "INPUT=OUTPUT, several of these with commas between, append or none";
  options.request.states = states.take();
  return "";
}

static std::string setPartition(glow_options &options,
                                const std::string &value) {
  std::optional<PartitionMode> mode;
  for (size_t i = 0; i < partitionModes.size(); ++i)
    if (value == partitionModes[i])
      mode = PartitionMode(i);
  if (!mode && !value.empty())
    return "latency, pipeline, saturate or empty";
  options.partition = mode;
  return "";
}

/// In alphabetical order.
static const std::vector<Option> &generalOptions() {
  static const std::string backend = preferredBackend(),
                           backends = namesOfBackends(),
                           folder = defaultCacheDir();
  static const std::vector<Option> options = {
      {{"assign", "text", "",
        "nodes that a device gets in a partition, as conv*=left, with commas "
        "between",
        ""},
       setAssign},
      {{"backend", backends.c_str(), backend.c_str(), "what runs the model",
        ""},
       [](glow_options &options, const std::string &value) -> std::string {
         options.request.backend = value; // which was checked
         return "";
       }},
      {{"cache-dir", "text", folder.c_str(),
        "folder that keeps compiled models for later, if no other user may "
        "write to it; empty: none",
        ""},
       [](glow_options &options, const std::string &value) -> std::string {
         options.request.cacheDir = value;
         return "";
       }},
      {{"devices", "text", "",
        "file of devices, as of glow_host_add_devices, for which a program is "
        "cut",
        ""},
       [](glow_options &options, const std::string &value) -> std::string {
         options.devices = value;
         return "";
       }},
      {{"math", "strict|default|fast", "default",
        "how exact results are, as docs/Math.md says", ""},
       setMath},
      {{"max-iterations", "int", "0",
        "the most trips of a loop; a run in which another one follows fails; "
        "0: as many as the loop does",
        ""},
       setIterations},
      {{"memory-limit", "size", "",
        "bytes that all tensors of a run may take; empty: three quarters of "
        "those of this machine, at most 64G",
        ""},
       setLimit},
      {{"partition", "latency|pipeline|saturate", "",
        "cut a program for the devices, so that a request takes the least "
        "time, or the busiest device; empty: it is whole",
        ""},
       setPartition},
      {{"predicate", "bool", "false",
        "compute the rows alone that a Where takes, if products take most of "
        "their time",
        ""},
       [](glow_options &options, const std::string &value) -> std::string {
         options.request.predicates = value == "true";
         return value == "true" || value == "false" ? "" : "true or false";
       }},
      {{"runs-at-once", "int", "0",
        "calls of a program that run side by side, which take memory for their "
        "values each; 0: one a processor",
        ""},
       [](glow_options &options, const std::string &value) {
         return setCount(options.run.atOnce, value);
       }},
      {{"specialize", "none|lazy|eager", "none",
        "sizes of a range that get programs of their own in the background, in "
        "runners, calls and sessions: none, those that come often, or each",
        ""},
       [](glow_options &options, const std::string &value) -> std::string {
         std::optional<Specialize> when = specializeNamed(value);
         if (!when)
           return "none, lazy or eager";
         options.request.specialize = *when;
         return "";
       }},
      {{"state", "text", "",
        "outputs that a session feeds to inputs in its next run, as h0=hn, "
        "with commas between; names and types suggest more, but not after "
        "none, and pairs that grow only after append",
        ""},
       setState},
      {{"threads", "int", "0",
        "threads that a run is shared out to, up to 1024; 0: one a processor",
        ""},
       [](glow_options &options, const std::string &value) {
         return setCount(options.run.threads, value);
       }},
  };
  return options;
}

/// The options of all backends, in order.
static std::vector<glow_option_info> backendOptions() {
  std::vector<glow_option_info> infos;
  for (const BackendRecord &backend : backendRecords())
    for (const BackendOption &option : backend.options)
      infos.push_back({option.name, option.type, option.initially,
                       option.summary, backend.name});
  return infos;
}

size_t glow_option_count(void) {
  size_t count = 0;
  (void)guarded([&] {
    count = generalOptions().size() + backendOptions().size();
    return Status();
  });
  return count;
}

glow_status glow_option(size_t index, glow_option_info *info) {
  return guarded([&] {
    if (Status status = checkPointers({info}); !status.ok())
      return status;
    const std::vector<Option> &general = generalOptions();
    if (index < general.size()) {
      *info = general[index].info;
      return Status();
    }
    std::vector<glow_option_info> others = backendOptions();
    if (index - general.size() >= others.size())
      return failure(Code::NotFound, "there are ",
                     general.size() + others.size(),
                     " options, none has number ", index);
    *info = others[index - general.size()];
    return Status();
  });
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static Status noSuchOption(const std::string &name) {
  std::string names;
  for (const Option &option : generalOptions())
    names += (names.empty() ? "" : ", ") + std::string(option.info.name);
  for (const glow_option_info &option : backendOptions())
    names += ", " + std::string(option.name);
  return failure(Code::NotFound, "no option is named '", name,
                 "'; there are: ", names);
}

static Status setOption(glow_options &options, const std::string &name,
                        const std::string &value) {
  if (name == "backend")
    if (Status status = sessions().checkBackend(value); !status.ok())
      return status;
  for (const Option &option : generalOptions())
    if (name == option.info.name) {
      std::string wanted = option.set(options, value);
      if (wanted.empty())
        return Status();
      return failure(Code::InvalidArgument, "option '", name, "' is '", value,
                     "', it should be ", wanted);
    }
  for (const glow_option_info &option : backendOptions())
    if (name == option.name) {
      Status status = checkSettings(option.backend, {{name, value}});
      if (status.ok())
        options.request.code.settings[name] = value;
      return status;
    }
  return noSuchOption(name);
}

glow_status glow_options_set(glow_options *options, const char *name,
                             const char *value) {
  return guarded([&] {
    Status status = checkPointers({options, name, value});
    return status.ok() ? setOption(*options, name, value) : status;
  });
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

glow_status glow_options_set_shape(glow_options *options, const char *input,
                                   size_t rank, const int64_t *shape) {
  return guarded([&] {
    Status status = checkPointers({options, input});
    if (status.ok() && rank)
      status = checkPointers({shape});
    if (status.ok())
      options->request.shapes[input] = Ints(shape, shape + rank);
    return status;
  });
}

glow_status glow_options_set_size(glow_options *options, const char *dimension,
                                  int64_t size) {
  return guarded([&] {
    Status status = checkPointers({options, dimension});
    if (status.ok() && size < 0)
      status = failure(Code::InvalidArgument, "dimension '", dimension, "' is ",
                       size, ", it should be at least 0");
    if (status.ok())
      options->sizes[dimension] = size;
    return status;
  });
}

glow_status glow_options_set_range(glow_options *options, const char *dimension,
                                   int64_t least, int64_t most,
                                   int64_t multiple) {
  return guarded([&] {
    if (Status status = checkPointers({options, dimension}); !status.ok())
      return status;
    const bool isChosen = most == chosenSize;
    if (least < 0 || (most < least && !isChosen) || multiple < 1 ||
        least % multiple != 0 || (most % multiple != 0 && !isChosen))
      return failure(Code::InvalidArgument, "dimension '", dimension,
                     "' has the range ", least, " to ", most, " by ", multiple,
                     ", it should be from one multiple to another that is not "
                     "smaller, none below 0");
    std::vector<SizeVariable> &sizes = options->request.sizes;
    std::erase_if(sizes, [&](const SizeVariable &size) {
      return size.name == dimension;
    });
    sizes.push_back({dimension, least, most, multiple});
    return Status();
  });
}

static Status noSuchDimension(const std::vector<Binding> &inputs,
                              const std::string &name) {
  std::set<std::string> names;
  for (const Binding &input : inputs)
    for (const std::string &dimension : input.dimensions)
      if (!dimension.empty())
        names.insert(dimension);
  std::string text;
  for (const std::string &known : names)
    text += (text.empty() ? "; there are: " : ", ") + known;
  return failure(Code::NotFound, "no input has a dimension named '", name, "'",
                 text.empty() ? "; none has a name" : text);
}

/// Gives every dimension of a name its size.
static Status setSize(std::vector<Binding> &inputs, const std::string &name,
                      int64_t size) {
  bool isThere = false;
  for (Binding &input : inputs)
    for (size_t d = 0; d < input.dimensions.size(); ++d) {
      if (input.dimensions[d] != name)
        continue;
      isThere = true;
      int64_t &known = input.type.shape[d];
      if (known >= 0 && known != size)
        return failure(Code::ShapeMismatch, "dimension '", name, "' of input '",
                       input.name, "' is ", known, ", not ", size);
      known = size;
    }
  return isThere ? Status() : noSuchDimension(inputs, name);
}

/// The batch is 1 where neither a shape nor a size says another, as in `glow
/// explain`. Shapes that contradict each other are left to the compiler.
static void assumeBatch(std::vector<Binding> &inputs,
                        const std::map<std::string, Ints> &shapes) {
  for (const Binding &input : std::vector<Binding>(inputs)) {
    auto given = shapes.find(input.name);
    if (given == shapes.end() ||
        given->second.size() != input.dimensions.size())
      continue;
    for (size_t d = 0; d < input.dimensions.size(); ++d)
      if (!input.dimensions[d].empty())
        (void)setSize(inputs, input.dimensions[d], given->second[d]);
  }
  for (Binding &input : inputs) {
    Ints &shape = input.type.shape;
    // Sizes without another keep the ranges of a module.
    if (!input.other.empty() || !input.lengths.empty() || shape.size() < 2 ||
        shape[0] >= 0)
      continue;
    if (input.dimensions.empty() || input.dimensions[0].empty())
      shape[0] = 1;
    else
      (void)setSize(inputs, input.dimensions[0], 1);
  }
}

Result<CompileRequest> capi::requestFor(const glow_model &model,
                                        const glow_options *options,
                                        bool assumesBatch) {
  CompileRequest request = options ? options->request : bestRequest();
  request.path = model.name;
  if (options && options->partition) {
    Result<PartitionRequest> partition = partitionRequestFor(
        options->devices, *options->partition, options->assign);
    if (!partition)
      return partition.status();
    request.partition = partition.take();
  } else if (options &&
             !(options->devices.empty() && options->assign.empty())) {
    return failure(Code::InvalidArgument, "option '",
                   options->devices.empty() ? "assign" : "devices",
                   "' is given without partition, which should be latency, "
                   "pipeline or saturate");
  }
  const bool haveSizes = options && !options->sizes.empty();
  if (!haveSizes && !assumesBatch)
    return request;
  std::vector<Binding> inputs = model.session->inputs();
  if (haveSizes)
    for (const auto &[name, size] : options->sizes)
      if (Status status = setSize(inputs, name, size); !status.ok())
        return status;
  if (!request.sizes.empty() || hasLengths(inputs)) {
    // An input may have dimensions of either kind.
    if (haveSizes)
      for (const auto &[name, size] : options->sizes)
        request.sizes.push_back({name, size, size});
    return request;
  }
  if (assumesBatch)
    assumeBatch(inputs, request.shapes);
  for (const Binding &input : inputs)
    // The compiler checks shapes that are given for whole inputs.
    if (input.other.empty() && input.ranked && input.type.isStatic())
      request.shapes.emplace(input.name, input.type.shape);
  return request;
}
