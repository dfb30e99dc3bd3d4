//===- glow.hpp - compile and run neural networks from C++ ------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// C++ classes around glow.h that free their handles. They need C++17 and no
// part of Glow but libglow. The rules of glow.h for threads apply.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GLOW_HPP
#define GLOW_GLOW_HPP

#include "glow/glow.h"
#include <algorithm>
#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace glow::api {

/// The exception for a C function that fails.
class Error : public std::runtime_error {
public:
  explicit Error(glow_status status)
      : std::runtime_error(glow_message()), status(status) {}
  glow_status status;
};

inline void check(glow_status status) {
  if (status != GLOW_OK)
    throw Error(status);
}

inline std::string version() { return glow_version(); }

/// Sends log levels up to `most` to `tell`, which any thread may call.
inline void
logTo(glow_log_level most,
      std::function<void(glow_log_level, const std::string &)> tell) {
  // Never freed: other threads may be logging at any moment.
  struct Kept {
    decltype(tell) function;
    Kept *previous;
  };
  static std::atomic<Kept *> last = nullptr;
  auto *kept = new Kept{std::move(tell), nullptr};
  kept->previous = last.exchange(kept);
  check(glow_log_to(
      most,
      [](void *context, glow_log_level level, const char *text) {
        static_cast<Kept *>(context)->function(level, text);
      },
      kept));
}

/// An input or output.
struct TensorInfo {
  explicit TensorInfo(const glow_tensor_info &info)
      : name(info.name), kind(info.kind),
        shape(info.shape, info.shape + info.rank), bytes(info.bytes) {
    if (info.dimensions)
      dimensions.assign(info.dimensions, info.dimensions + info.rank);
  }
  TensorInfo() = default;

  std::string name;
  glow_kind kind = GLOW_F32;
  std::vector<int64_t> shape; ///< -1: open, in a model
  size_t bytes = 0;
  std::vector<std::string> dimensions =
      {}; ///< their names; empty if all are unnamed
};

template <auto free> struct Deleter {
  template <typename T> void operator()(T *object) const { free(object); }
};
template <typename T, auto free>
using Handle = std::unique_ptr<T, Deleter<free>>;

/// The infos of all inputs or outputs of `object`.
template <typename T>
std::vector<TensorInfo> infos(const T *object, size_t count,
                              glow_status (*get)(const T *, size_t,
                                                 glow_tensor_info *)) {
  std::vector<TensorInfo> result;
  for (size_t i = 0; i < count; ++i) {
    glow_tensor_info info;
    check(get(object, i, &info));
    result.emplace_back(info);
  }
  return result;
}

/// The elements of output `index`, and its description in `info`.
template <typename T, typename Of>
std::vector<T> elements(const Of *object, size_t index,
                        glow_status (*get)(const Of *, size_t,
                                           glow_tensor_info *, const void **),
                        TensorInfo &info) {
  glow_tensor_info found;
  const void *data;
  check(get(object, index, &found, &data));
  info = TensorInfo(found);
  const T *first = static_cast<const T *>(data);
  return {first, first + found.bytes / sizeof(T)};
}

class Options {
public:
  Options() : handle(glow_options_new()) {
    if (!handle)
      throw std::bad_alloc();
  }
  Options &set(const std::string &name, const std::string &value) {
    check(glow_options_set(handle.get(), name.c_str(), value.c_str()));
    return *this;
  }
  Options &setShape(const std::string &input,
                    const std::vector<int64_t> &shape) {
    check(glow_options_set_shape(handle.get(), input.c_str(), shape.size(),
                                 shape.data()));
    return *this;
  }
  /// Sets the size of a dimension that the model leaves open.
  Options &setSize(const std::string &dimension, int64_t size) {
    check(glow_options_set_size(handle.get(), dimension.c_str(), size));
    return *this;
  }
  /// Opens a dimension for all multiples of `multiple` from `least` to `most`.
  /// One program of a Runner then serves all these sizes.
  Options &setRange(const std::string &dimension, int64_t least, int64_t most,
                    int64_t multiple = 1) {
    check(glow_options_set_range(handle.get(), dimension.c_str(), least, most,
                                 multiple));
    return *this;
  }
  const glow_options *get() const { return handle.get(); }

  /// All options that can be set.
  static std::vector<glow_option_info> all() {
    std::vector<glow_option_info> infos(glow_option_count());
    for (size_t i = 0; i < infos.size(); ++i)
      check(glow_option(i, &infos[i]));
    return infos;
  }

private:
  Handle<glow_options, glow_options_free> handle;
};

class Program {
public:
  explicit Program(glow_program *program) : handle(program) {}
  std::vector<TensorInfo> inputs() const {
    return infos(handle.get(), glow_program_inputs(handle.get()),
                 glow_program_input);
  }
  std::vector<TensorInfo> outputs() const {
    return infos(handle.get(), glow_program_outputs(handle.get()),
                 glow_program_output);
  }
  /// The states of its sessions. The pointers are valid as long as the program.
  std::vector<glow_state_info> states() const {
    std::vector<glow_state_info> infos(glow_program_states(handle.get()));
    for (size_t i = 0; i < infos.size(); ++i)
      check(glow_program_state(handle.get(), i, &infos[i]));
    return infos;
  }
  glow_program *get() const { return handle.get(); }

private:
  Handle<glow_program, glow_program_free> handle;
};

class Model {
public:
  explicit Model(const std::string &path) {
    glow_model *model;
    check(glow_model_load(path.c_str(), &model));
    handle.reset(model);
  }
  /// Reads a model from the bytes of a file; `name` is for messages.
  Model(std::string_view bytes, const std::string &name) {
    glow_model *model;
    check(glow_model_load_memory(bytes.data(), bytes.size(), name.c_str(),
                                 &model));
    handle.reset(model);
  }
  std::vector<TensorInfo> inputs() const {
    return infos(handle.get(), glow_model_inputs(handle.get()),
                 glow_model_input);
  }
  std::vector<TensorInfo> outputs() const {
    return infos(handle.get(), glow_model_outputs(handle.get()),
                 glow_model_output);
  }
  /// The functions of a module that are programs; empty for a model of ONNX.
  std::vector<std::string> functions() const {
    std::vector<std::string> names;
    for (size_t i = 0; i < glow_model_functions(handle.get()); ++i)
      names.push_back(glow_model_function_name(handle.get(), i));
    return names;
  }
  /// A model of one function of a module.
  Model function(const std::string &name) const {
    glow_model *model;
    check(glow_model_function(handle.get(), name.c_str(), &model));
    return Model(model);
  }
  const glow_model *get() const { return handle.get(); }
  Program compile(const Options &options = {}) {
    glow_program *program;
    check(glow_compile(handle.get(), options.get(), &program));
    return Program(program);
  }
  /// Explains where and why nodes run, for people or as JSON.
  std::string explain(const Options &options = {}, bool json = false) {
    const char *text;
    check(glow_explain(handle.get(), options.get(), json, &text));
    return text;
  }

private:
  friend class Graph;
  explicit Model(glow_model *model) : handle(model) {}

  Handle<glow_model, glow_model_free> handle;
};

/// Base of Call and Session, which bind tensors and run.
class Runnable {
public:
  /// Binds a vector, which must not move or be resized until the last run.
  template <typename T>
  Runnable &bind(const std::string &name, std::vector<T> &elements) {
    check(glow_bind(call, name.c_str(), elements.data(),
                    elements.size() * sizeof(T)));
    return *this;
  }
  /// Sets the sizes of the next runs of a program with ranges: a shape for each
  /// input of the program; an empty one, or none at the end, for a state.
  /// Tensors are bound afterwards.
  Runnable &setShapes(const std::vector<std::vector<int64_t>> &shapes) {
    std::vector<const int64_t *> pointers(std::max(inputs, shapes.size()));
    for (size_t i = 0; i < shapes.size(); ++i)
      pointers[i] = shapes[i].empty() ? nullptr : shapes[i].data();
    check(glow_call_set_shapes(call, pointers.data()));
    return *this;
  }
  /// An output of the next run, without open sizes.
  TensorInfo output(size_t index) const {
    glow_tensor_info info;
    check(glow_call_output(call, index, &info));
    return TensorInfo(info);
  }
  void run() { check(glow_run(call)); }

  /// Begins a run. The future throws Error if the run fails. Until it is ready,
  /// the call and the bound memory must not be used.
  std::future<void> runAsync() {
    auto promise = std::make_unique<std::promise<void>>();
    std::future<void> over = promise->get_future();
    check(glow_run_async(call, done, promise.get()));
    (void)promise.release(); // `done` has it
    return over;
  }
  /// Ends the current run, from any thread.
  void cancel() { check(glow_call_cancel(call)); }

  /// The time of each step, as JSON.
  std::string profile(size_t runs) {
    const char *json;
    check(glow_profile(call, runs, &json));
    return json;
  }

protected:
  explicit Runnable(glow_call *call = nullptr) : call(call) {}
  glow_call *call;   ///< owned by the derived class
  size_t inputs = 0; ///< number of inputs of the program

private:
  static void done(void *context, glow_status status) {
    std::unique_ptr<std::promise<void>> promise(
        static_cast<std::promise<void> *>(context));
    if (status == GLOW_OK)
      promise->set_value();
    else
      promise->set_exception(std::make_exception_ptr(Error(status)));
  }
};

/// A call of a program, for one thread. The program must outlive the call.
class Call : public Runnable {
public:
  explicit Call(const Program &program) {
    check(glow_call_new(program.get(), &call));
    handle.reset(call);
    inputs = glow_program_inputs(program.get());
  }

private:
  Handle<glow_call, glow_call_free> handle;
};

/// The call of one program of a session, which must outlive it.
class SessionCall : public Runnable {
private:
  friend class Session;
  SessionCall(glow_call *of, size_t count) : Runnable(of) { inputs = count; }
};

/// States of a program between its runs, or of several programs over the same
/// states. `bind` is for the other inputs and outputs of the first program. The
/// programs must outlive the session.
class Session : public Runnable {
public:
  explicit Session(const Program &program) : Session({&program}) {}
  explicit Session(std::initializer_list<const Program *> programs) {
    std::vector<glow_program *> all;
    for (const Program *program : programs) {
      all.push_back(program->get());
      counts.push_back(glow_program_inputs(program->get()));
    }
    glow_session *session;
    check(glow_session_new_of(all.data(), all.size(), &session));
    take(session);
  }
  /// The call of a program, by its number in the list of the constructor.
  SessionCall of(size_t program) {
    return SessionCall(glow_session_call_of(handle.get(), program),
                       counts.at(program));
  }
  /// A session with the same values, on which nothing is bound.
  Session fork() const {
    glow_session *session;
    check(glow_session_fork(handle.get(), &session));
    return Session(session, counts);
  }
  /// A state by the name of its input or output. The pointers are valid as long
  /// as the session.
  glow_state_info state(const std::string &name) const {
    glow_state_info info;
    check(glow_session_state(handle.get(), name.c_str(), &info));
    return info;
  }
  template <typename T> std::vector<T> get(const std::string &name) const {
    std::vector<T> elements(state(name).bytes / sizeof(T));
    check(glow_session_get(handle.get(), name.c_str(), elements.data(),
                           elements.size() * sizeof(T)));
    return elements;
  }
  template <typename T>
  void set(const std::string &name, const std::vector<T> &elements) {
    check(glow_session_set(handle.get(), name.c_str(), elements.data(),
                           elements.size() * sizeof(T)));
  }
  /// Appends entries along the axis of a state that grows.
  template <typename T>
  void append(const std::string &name, const std::vector<T> &elements,
              size_t entries) {
    check(glow_session_append(handle.get(), name.c_str(), elements.data(),
                              entries));
  }
  /// Removes the last entries of all states.
  void rollback(size_t entries) {
    check(glow_session_rollback(handle.get(), entries));
  }
  /// Sets all states to zeros, and states that grow to no entries.
  void reset() { check(glow_session_reset(handle.get())); }
  void save(const std::string &path) const {
    check(glow_session_save(handle.get(), path.c_str()));
  }
  void restore(const std::string &path) {
    check(glow_session_restore(handle.get(), path.c_str()));
  }

private:
  Session(glow_session *session, std::vector<size_t> counts)
      : counts(std::move(counts)) {
    take(session);
  }
  void take(glow_session *session) {
    handle.reset(session);
    call = glow_session_call(session);
    inputs = counts.front();
  }

  std::vector<size_t> counts; ///< numbers of inputs of the programs
  Handle<glow_session, glow_session_free> handle;
};

/// A model that runs on inputs of any sizes.
class Runner {
public:
  explicit Runner(const Model &model, const Options &options = {}) {
    glow_runner *runner;
    check(glow_runner_new(model.get(), options.get(), &runner));
    handle.reset(runner);
  }
  /// Sets an input; `elements` has as many elements as the shape.
  template <typename T>
  Runner &set(const std::string &name, glow_kind kind,
              const std::vector<int64_t> &shape,
              const std::vector<T> &elements) {
    check(glow_runner_set(handle.get(), name.c_str(), kind, shape.size(),
                          shape.data(), elements.data()));
    return *this;
  }
  void run() { check(glow_runner_run(handle.get())); }
  size_t outputs() const { return glow_runner_outputs(handle.get()); }

  /// The elements of an output, and its description in `info`.
  template <typename T>
  std::vector<T> output(size_t index, TensorInfo &info) const {
    return elements<T>(handle.get(), index, glow_runner_output, info);
  }

private:
  Handle<glow_runner, glow_runner_free> handle;
};

/// An input of a request to a host.
struct Input {
  /// `elements` has as many elements as the shape. Shape and elements are
  /// referenced, and must stay valid until the request is sent.
  template <typename T>
  Input(glow_kind kind, const std::vector<int64_t> &shape,
        const std::vector<T> &elements)
      : tensor{kind, shape.size(), shape.data(), elements.data()} {}
  glow_tensor tensor;
};

/// The outputs of a request.
class Answer {
public:
  explicit Answer(glow_result *result) : handle(result) {}
  size_t outputs() const { return glow_result_outputs(handle.get()); }

  /// The elements of an output, and its description in `info`.
  template <typename T>
  std::vector<T> output(size_t index, TensorInfo &info) const {
    return elements<T>(handle.get(), index, glow_result_output, info);
  }

private:
  Handle<glow_result, glow_result_free> handle;
};

/// Devices, and models served on them.
class Host {
public:
  explicit Host(const glow_host_settings &settings = {}) {
    glow_host *host;
    check(glow_host_new(&settings, &host));
    handle.reset(host);
  }
  Host &addDevice(const std::string &name, const std::string &backend,
                  size_t threads = 0, uint64_t memory = 0) {
    check(glow_host_add_device(handle.get(), name.c_str(), backend.c_str(),
                               threads, memory));
    return *this;
  }
  /// Adds the devices of a file.
  Host &addDevices(const std::string &path) {
    check(glow_host_add_devices(handle.get(), path.c_str()));
    return *this;
  }
  /// Serves a program, or one program for each batch size.
  glow_model_id serve(const std::string &name,
                      const std::vector<const Program *> &programs,
                      const glow_serving &how = {1, 1, 0, 0}) {
    std::vector<glow_program *> handles;
    for (const Program *program : programs)
      handles.push_back(program->get());
    glow_model_id model;
    check(glow_host_serve(handle.get(), name.c_str(), handles.data(),
                          handles.size(), &how, &model));
    return model;
  }
  /// Serves one program for all batch sizes: requests are combined along the
  /// open dimension `batch`.
  glow_model_id serve(const std::string &name, const Program &program,
                      const std::string &batch,
                      const glow_serving &how = {1, 1, 0, 0}) {
    glow_model_id model;
    check(glow_host_serve_batches(handle.get(), name.c_str(), program.get(),
                                  batch.c_str(), &how, &model));
    return model;
  }
  glow_model_id find(const std::string &name) const {
    glow_model_id model;
    check(glow_host_find(handle.get(), name.c_str(), &model));
    return model;
  }
  void end(glow_model_id model) { check(glow_host_end(handle.get(), model)); }
  bool isReady() const { return glow_host_is_ready(handle.get()) != 0; }
  std::string report() const {
    const char *json;
    check(glow_host_report(handle.get(), &json));
    return json;
  }
  /// Sends the report to clients of a Unix socket, such as glow top.
  Host &listen(const std::string &path) {
    check(glow_host_listen(handle.get(), path.c_str()));
    return *this;
  }

  /// Sends a request. The future throws Error if the request fails.
  std::future<Answer> submit(glow_model_id model,
                             const std::vector<Input> &inputs,
                             const glow_request_options &options = {}) {
    return send(glow_submit, model, inputs, options);
  }

  /// Begins a session of a model, and ends it: docs/Sessions.md.
  glow_host_session openSession(glow_model_id model) {
    glow_host_session session;
    check(glow_host_session_new(handle.get(), model, &session));
    return session;
  }
  /// Begins a session of several models, as of the functions of a module.
  glow_host_session openSession(const std::vector<glow_model_id> &models) {
    glow_host_session session;
    check(glow_host_session_new_of(handle.get(), models.data(), models.size(),
                                   &session));
    return session;
  }
  void closeSession(glow_host_session session) {
    check(glow_host_session_end(handle.get(), session));
  }
  /// As submit(), to a session: with the inputs that are no states.
  std::future<Answer> submitTo(glow_host_session session,
                               const std::vector<Input> &inputs,
                               const glow_request_options &options = {}) {
    return send(glow_host_session_submit, session, inputs, options);
  }
  /// The same, to a model of the session by its number in openSession.
  std::future<Answer> submitTo(glow_host_session session, size_t model,
                               const std::vector<Input> &inputs,
                               const glow_request_options &options = {}) {
    auto submit = [model](glow_host *host, glow_host_session to,
                          auto... arguments) {
      return glow_host_session_submit_of(host, to, model, arguments...);
    };
    return send(submit, session, inputs, options);
  }
  /// The states of a session, between two requests of it.
  void save(glow_host_session session, const std::string &path) {
    check(glow_host_session_save(handle.get(), session, path.c_str()));
  }
  void restore(glow_host_session session, const std::string &path) {
    check(glow_host_session_restore(handle.get(), session, path.c_str()));
  }
  void rollback(glow_host_session session, size_t entries) {
    check(glow_host_session_rollback(handle.get(), session, entries));
  }
  void reset(glow_host_session session) {
    check(glow_host_session_reset(handle.get(), session));
  }

private:
  template <typename Submit>
  std::future<Answer> send(Submit submit, uint64_t target,
                           const std::vector<Input> &inputs,
                           const glow_request_options &options) {
    std::vector<glow_tensor> tensors;
    for (const Input &input : inputs)
      tensors.push_back(input.tensor);
    auto promise = std::make_unique<std::promise<Answer>>();
    std::future<Answer> answer = promise->get_future();
    check(submit(handle.get(), target, tensors.data(), tensors.size(), &options,
                 done, promise.get(), nullptr));
    (void)promise.release(); // `done` has it
    return answer;
  }

  static void done(void *context, glow_status status, glow_result *result) {
    std::unique_ptr<std::promise<Answer>> promise(
        static_cast<std::promise<Answer> *>(context));
    if (status == GLOW_OK)
      promise->set_value(Answer(result));
    else
      promise->set_exception(std::make_exception_ptr(Error(status)));
  }

  Handle<glow_host, glow_host_free> handle;
};

} // namespace glow::api

#endif // GLOW_GLOW_HPP
