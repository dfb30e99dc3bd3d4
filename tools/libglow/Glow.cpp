//===- Glow.cpp - the models and programs of glow.h -----------------------===//
// SPDX-License-Identifier: MIT
//
// Each function of the interface for C checks its pointers and names, and
// returns a status: no exception leaves it. The message of the last failure is
// kept for each thread, as errno is.
//
//===----------------------------------------------------------------------===//

#include "Guard.h"
#include "glow/Base/Version.h"
#include <filesystem>

using namespace glow;
using namespace glow::capi;

static_assert(int(ElementKind::Bool) == GLOW_BOOL &&
                  int(ElementKind::I64) == GLOW_I64 &&
                  int(ElementKind::F6E3M2FN) == GLOW_F6E3M2FN,
              "kinds have the same numbers here and there");

thread_local std::string capi::lastMessage;

const char *glow_version(void) { return version().data(); }
const char *glow_message(void) { return capi::lastMessage.c_str(); }

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
    if (error)
      file = path;
    Result<std::unique_ptr<Session>> session = sessions().open(file);
    if (session)
      *model = new glow_model(file, nullptr, session.take());
    return session.status();
  });
}

glow_status glow_model_load_memory(const void *data, size_t bytes,
                                   const char *name, glow_model **model) {
  std::shared_ptr<const MemoryFile> file; // until a failure has its name
  return guarded([&] {
    if (Status status = checkPointers({data, model}); !status.ok())
      return status;
    const std::string called = name ? name : "the model in memory";
    auto made =
        MemoryFile::make(called, {static_cast<const char *>(data), bytes});
    if (!made)
      return made.status();
    file = *made;
    Result<std::unique_ptr<Session>> session = sessions().open(file->path());
    if (session)
      *model = new glow_model(called, file, session.take());
    return session.status();
  });
}
void glow_model_free(glow_model *model) { delete model; }

size_t glow_model_inputs(const glow_model *model) {
  return model ? model->inputs.size() : 0;
}
size_t glow_model_outputs(const glow_model *model) {
  return model ? model->outputs.size() : 0;
}
glow_status glow_model_input(const glow_model *model, size_t index,
                             glow_tensor_info *info) {
  return guarded([&] {
    Status status = checkPointers({model});
    return status.ok() ? model->inputs.at(index, info) : status;
  });
}
glow_status glow_model_output(const glow_model *model, size_t index,
                              glow_tensor_info *info) {
  return guarded([&] {
    Status status = checkPointers({model});
    return status.ok() ? model->outputs.at(index, info) : status;
  });
}

size_t glow_model_overridables(const glow_model *model) {
  return model ? model->overridable.size() : 0;
}
glow_status glow_model_overridable(const glow_model *model, size_t index,
                                   glow_tensor_info *info) {
  return guarded([&] {
    Status status = checkPointers({model});
    return status.ok() ? model->overridable.at(index, info) : status;
  });
}

size_t glow_model_functions(const glow_model *model) {
  return model ? model->session->functions().size() : 0;
}
const char *glow_model_function_name(const glow_model *model, size_t index) {
  return index < glow_model_functions(model)
             ? model->session->functions()[index].c_str()
             : nullptr;
}

static Status choose(const glow_model &model, const char *name,
                     glow_model **function) {
  Result<std::unique_ptr<Session>> session = model.session->another();
  if (!session)
    return session.status();
  if (Status status = (*session)->choose(name); !status.ok())
    return status;
  *function = new glow_model(model.name, model.file, session.take());
  return Status();
}

glow_status glow_model_function(const glow_model *model, const char *name,
                                glow_model **function) {
  return guarded([&] {
    Status status = checkPointers({model, name, function});
    return status.ok() ? choose(*model, name, function) : status;
  });
}

/// Locks the session. A log function that the same thread calls gets an error.
template <typename Body>
static auto withSession(glow_model &model, Body body) -> decltype(body()) {
  return model.compiling.run(
      model.name + " is being compiled by this thread; a log function may "
                   "not compile or explain it",
      body);
}

static Status explain(glow_model &model, const glow_options *options, bool json,
                      std::string &text) {
  Result<CompileRequest> request =
      requestFor(model, options, /*assumesBatch=*/true);
  if (!request)
    return request.status();
  Result<Explanation> found = withSession(
      model, [&] { return model.session->explainAll(*request, json); });
  if (found)
    text = found->text;
  return found.status();
}

glow_status glow_explain(glow_model *model, const glow_options *options,
                         int json, const char **text) {
  return guarded([&] {
    if (Status status = checkPointers({model, text}); !status.ok())
      return status;
    static thread_local std::string explained;
    Status status = explain(*model, options, json != 0, explained);
    if (status.ok())
      *text = explained.c_str();
    return status;
  });
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

static Status compile(glow_model &model, const glow_options *options,
                      glow_program **result) {
  Result<CompileRequest> request = requestFor(model, options);
  if (!request)
    return request.status();
  request->mayRunInStages = true;
  std::unique_ptr<SizedPrograms> sized;
  Result<Program> program = withSession(model, [&] {
    Result<Program> compiled = model.session->compile(*request);
    if (compiled)
      sized = sizedPrograms(*model.session, *request, *compiled);
    return compiled;
  });
  if (program.status().code() == Code::InStages)
    return failure(Code::Unsupported, model.name,
                   " is no single program, as only a run knows some of its "
                   "sizes; a glow_runner runs it in stages");
  if (!program)
    return program.status();
  *result =
      new glow_program(program.take(), options ? options->run : RunOptions());
  (*result)->sized = std::move(sized);
  (*result)->memoryLimit = request->code.memoryLimit;
  return Status();
}

glow_status glow_compile(glow_model *model, const glow_options *options,
                         glow_program **program) {
  return guarded([&] {
    Status status = checkPointers({model, program});
    return status.ok() ? compile(*model, options, program) : status;
  });
}
void glow_program_free(glow_program *program) { delete program; }

size_t glow_program_inputs(const glow_program *program) {
  return program ? program->inputs.size() : 0;
}
size_t glow_program_outputs(const glow_program *program) {
  return program ? program->outputs.size() : 0;
}
glow_status glow_program_input(const glow_program *program, size_t index,
                               glow_tensor_info *info) {
  return guarded([&] {
    Status status = checkPointers({program});
    return status.ok() ? program->inputs.at(index, info) : status;
  });
}
glow_status glow_program_output(const glow_program *program, size_t index,
                                glow_tensor_info *info) {
  return guarded([&] {
    Status status = checkPointers({program});
    return status.ok() ? program->outputs.at(index, info) : status;
  });
}
