//===- Glow.cpp - the functions of glow.h ---------------------------------===//
//
// Each function of the interface for C checks its pointers and names, and
// returns a status: no exception leaves it. The message of the last failure is
// kept for each thread, as errno is.
//
//===----------------------------------------------------------------------===//

#include "Guard.h"
#include "glow/Base/MemorySize.h"
#include <charconv>
#include <filesystem>
#include <set>

using namespace glow;
using namespace glow::capi;

static_assert(int(ElementKind::Bool) == GLOW_BOOL &&
                  int(ElementKind::I64) == GLOW_I64 &&
                  int(ElementKind::F6E3M2FN) == GLOW_F6E3M2FN,
              "kinds have the same numbers here and there");

thread_local std::string capi::lastMessage;

struct glow_call {
  glow_program *program;
  Tensors tensors;
};

Status capi::infoAt(const std::vector<Binding> &bindings, size_t index,
                    glow_tensor_info *info) {
  if (Status status = checkPointers({info}); !status.ok())
    return status;
  if (index >= bindings.size())
    return failure(Code::NotFound, "there are ", bindings.size(),
                   " of them, none has number ", index);
  const Binding &binding = bindings[index];
  *info = {binding.name.c_str(), glow_kind(binding.type.kind),
           binding.type.shape.size(), binding.type.shape.data(),
           size_t(binding.type.bytes())};
  return Status();
}

/// The host whose devices programs share, which have as many threads.
static std::shared_ptr<Host> hostOf(unsigned threads) {
  static std::mutex mutex;
  static std::map<unsigned, std::weak_ptr<Host>> all;
  std::lock_guard lock(mutex);
  // Its devices have threads and live as long as a program is on them.
  std::weak_ptr<Host> &known = all[threads];
  std::shared_ptr<Host> host = known.lock();
  if (!host) {
    host = std::make_shared<Host>(DeviceOptions{threads});
    known = host;
  }
  return host;
}

const char *glow_message(void) { return capi::lastMessage.c_str(); }

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

CompileRequest capi::bestRequest() {
  CompileRequest request;
  request.cacheDir = defaultCacheDir();
  return request;
}

glow_options *glow_options_new(void) {
  glow_options *options = nullptr;
  (void)guarded([&] {
    options = new glow_options{bestRequest(), 0};
    return Status();
  });
  return options;
}
void glow_options_free(glow_options *options) { delete options; }

static std::set<std::string> settings() {
  std::set<std::string> names;
  for (const BackendRecord &backend : backendRecords())
    for (const BackendOption &option : backend.options)
      names.insert(option.name);
  return names;
}

/// The options of backends, each after a comma.
static std::string namesOfSettings() {
  std::string text;
  for (const std::string &name : settings())
    text += ", " + name;
  return text;
}

static Status setOption(glow_options &options, const std::string &name,
                        const std::string &value) {
  auto wrong = [&](const char *wanted) {
    return failure(Code::InvalidArgument, "option '", name, "' is '", value,
                   "', it should be ", wanted);
  };
  if (name == "backend") {
    if (Status status = sessions().checkBackend(value); !status.ok())
      return status;
    options.request.backend = value;
  } else if (name == "cache-dir") {
    options.request.cacheDir = value;
  } else if (name == "math") {
    options.request.code.math = mathNamed(value);
    if (!options.request.code.math)
      return wrong("strict, default or fast");
  } else if (name == "threads") {
    const char *end = value.data() + value.size();
    unsigned threads = 0;
    auto [rest, error] = std::from_chars(value.data(), end, threads);
    if (error != std::errc() || rest != end ||
        threads > DeviceOptions::mostThreads)
      return wrong("a number from 0 to 1024");
    options.threads = threads;
  } else if (name == "memory-limit") {
    std::optional<uint64_t> bytes = parseSize(value);
    if (!bytes)
      return wrong("a number of bytes, as 512M");
    options.request.memoryLimit = *bytes;
  } else if (settings().contains(name)) {
    options.request.code.settings[name] = value;
  } else {
    return failure(Code::NotFound, "no option is named '", name,
                   "'; there are: backend, cache-dir, math, memory-limit, "
                   "threads",
                   namesOfSettings());
  }
  return Status();
}

glow_status glow_options_set(glow_options *options, const char *name,
                             const char *value) {
  return guarded([&] {
    Status status = checkPointers({options, name, value});
    return status.ok() ? setOption(*options, name, value) : status;
  });
}

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

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

glow_status glow_model_load(const char *path, glow_model **model) {
  return guarded([&] {
    if (Status status = checkPointers({path, model}); !status.ok())
      return status;
    // It is read again later, whatever the folder of the process is then.
    std::error_code error;
    std::string file = std::filesystem::absolute(path, error);
    Result<std::unique_ptr<Session>> session =
        sessions().open(error ? path : file);
    if (session)
      *model = new glow_model{error ? path : file, session.take(), {}};
    return session.status();
  });
}
void glow_model_free(glow_model *model) { delete model; }

size_t glow_model_inputs(const glow_model *model) {
  return model ? model->session->inputs().size() : 0;
}
size_t glow_model_outputs(const glow_model *model) {
  return model ? model->session->outputs().size() : 0;
}
glow_status glow_model_input(const glow_model *model, size_t index,
                             glow_tensor_info *info) {
  return guarded([&] {
    Status status = checkPointers({model});
    return status.ok() ? infoAt(model->session->inputs(), index, info) : status;
  });
}
glow_status glow_model_output(const glow_model *model, size_t index,
                              glow_tensor_info *info) {
  return guarded([&] {
    Status status = checkPointers({model});
    return status.ok() ? infoAt(model->session->outputs(), index, info)
                       : status;
  });
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

static Status compile(glow_model &model, const glow_options &options,
                      glow_program **result) {
  CompileRequest request = options.request;
  request.path = model.path;
  Result<Program> program = [&] {
    // A session is of one thread; programs of one model may be compiled by
    // several.
    std::lock_guard lock(model.compiling);
    return model.session->compile(request);
  }();
  if (!program)
    return program.status();
  *result = new glow_program(program.take(), options.threads);
  return Status();
}

glow_status glow_compile(glow_model *model, const glow_options *options,
                         glow_program **program) {
  return guarded([&] {
    Status status = checkPointers({model, program});
    if (!status.ok())
      return status;
    return options ? compile(*model, *options, program)
                   : compile(*model, glow_options{bestRequest(), 0}, program);
  });
}
void glow_program_free(glow_program *program) { delete program; }

size_t glow_program_inputs(const glow_program *program) {
  return program ? program->program.inputs.size() : 0;
}
size_t glow_program_outputs(const glow_program *program) {
  return program ? program->program.outputs.size() : 0;
}
glow_status glow_program_input(const glow_program *program, size_t index,
                               glow_tensor_info *info) {
  return guarded([&] {
    Status status = checkPointers({program});
    return status.ok() ? infoAt(program->program.inputs, index, info) : status;
  });
}
glow_status glow_program_output(const glow_program *program, size_t index,
                                glow_tensor_info *info) {
  return guarded([&] {
    Status status = checkPointers({program});
    return status.ok() ? infoAt(program->program.outputs, index, info) : status;
  });
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static std::vector<TensorView> unbound(const std::vector<Binding> &bindings) {
  std::vector<TensorView> views;
  for (const Binding &binding : bindings)
    views.push_back({nullptr, &binding.type});
  return views;
}

/// Brings a program onto the device, unless it is there.
static Status load(glow_program &program) {
  std::lock_guard lock(program.loading);
  if (program.model)
    return Status();
  program.host = hostOf(program.threads);
  Result<ModelId> model = program.host->load(program.program);
  if (model)
    program.model = *model;
  return model.status();
}

static Status makeCall(glow_program &program, glow_call **call) {
  if (Status status = load(program); !status.ok())
    return status;
  *call = new glow_call{
      &program,
      {unbound(program.program.inputs), unbound(program.program.outputs)}};
  return Status();
}

glow_status glow_call_new(glow_program *program, glow_call **call) {
  return guarded([&] {
    Status status = checkPointers({program, call});
    return status.ok() ? makeCall(*program, call) : status;
  });
}
void glow_call_free(glow_call *call) { delete call; }

static Status bindOne(glow_call &call, const std::string &name, void *data,
                      size_t bytes) {
  auto bindIn = [&](const std::vector<Binding> &bindings,
                    std::vector<TensorView> &views) -> std::optional<Status> {
    for (size_t i = 0; i < bindings.size(); ++i) {
      if (bindings[i].name != name)
        continue;
      const TensorType &type = bindings[i].type;
      if (bytes != type.bytes())
        return failure(Code::ShapeMismatch, "'", name, "' has ", bytes,
                       " bytes, ", type.text(), " takes ", type.bytes());
      // Kernels read whole elements.
      if (reinterpret_cast<uintptr_t>(data) % byteSize(type.kind) != 0)
        return failure(Code::InvalidArgument, "'", name,
                       "' is at an address that is no multiple of ",
                       byteSize(type.kind), " bytes, the size of an element");
      views[i].data = data;
      return Status();
    }
    return std::nullopt;
  };
  if (auto status = bindIn(call.program->program.inputs, call.tensors.inputs))
    return *status;
  if (auto status = bindIn(call.program->program.outputs, call.tensors.outputs))
    return *status;
  return failure(Code::NotFound, "no input or output is named '", name, "'");
}

glow_status glow_bind(glow_call *call, const char *name, void *data,
                      size_t bytes) {
  return guarded([&] {
    Status status = checkPointers({call, name});
    if (status.ok() && bytes)
      status = checkPointers({data});
    return status.ok() ? bindOne(*call, name, data, bytes) : status;
  });
}

static Status checkBound(const std::vector<Binding> &bindings,
                         const std::vector<TensorView> &views) {
  for (size_t i = 0; i < bindings.size(); ++i)
    if (!views[i].data && bindings[i].type.bytes() != 0)
      return failure(Code::InvalidArgument, "'", bindings[i].name,
                     "' is not bound; it should be ", bindings[i].type.text());
  return Status();
}

static Status run(glow_call &call) {
  const glow_program &program = *call.program;
  Status status = checkBound(program.program.inputs, call.tensors.inputs);
  if (status.ok())
    status = checkBound(program.program.outputs, call.tensors.outputs);
  return status.ok() ? program.host->run(*program.model, call.tensors) : status;
}

glow_status glow_run(glow_call *call) {
  return guarded([&] {
    Status status = checkPointers({call});
    return status.ok() ? run(*call) : status;
  });
}
