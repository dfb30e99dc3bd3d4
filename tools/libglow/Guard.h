//===- Guard.h - shared parts of glow.h's functions -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_LIBGLOW_GUARD_H
#define GLOW_TOOLS_LIBGLOW_GUARD_H

#include "Exclusive.h"
#include "glow/Base/Log.h"
#include "glow/Base/MemoryFile.h"
#include "glow/Runtime/Host.h"
#include "glow/Runtime/SessionStates.h"
#include "glow/Session/Session.h"
#include "glow/Session/SizedPrograms.h"
#include "glow/Values/HostValue.h"
#include "glow/glow.h"
#include <initializer_list>
#include <map>
#include <mutex>
#include <new>
#include <optional>

namespace glow::capi {

/// How programs run, besides how they are compiled. 0: as the machine is.
struct RunOptions {
  unsigned threads = 0, atOnce = 0;
};

/// Inputs or outputs in the form of the C interface, where names of dimensions
/// are pointers. A size that differs between runs is -1.
class Infos {
public:
  explicit Infos(const std::vector<Binding> &bindings);
  Infos(const Infos &) = delete;

  size_t size() const { return bindings.size(); }

  /// Fails with Code::NotFound if there are not as many, and if `info` is null.
  Status at(size_t index, glow_tensor_info *info) const;

private:
  std::vector<Binding> bindings;
  std::vector<std::vector<const char *>> names; ///< empty: none has one
};

} // namespace glow::capi

struct glow_options {
  glow::CompileRequest request;
  glow::capi::RunOptions run = {};
  std::map<std::string, int64_t> sizes = {}; ///< of dimensions, by name

  // How a program is cut, where a mode is given.
  std::optional<glow::PartitionMode> partition = {};
  std::string devices = {}; ///< a file
  std::vector<std::string> assign = {};
};

struct glow_model {
  glow_model(std::string name, std::shared_ptr<const glow::MemoryFile> file,
             std::unique_ptr<glow::Session> opened)
      : name(std::move(name)), file(std::move(file)),
        session(std::move(opened)), inputs(session->inputs()),
        outputs(session->outputs()), overridable(session->overridable()) {}

  const std::string name; ///< its path, or the caller's name of it
  const std::shared_ptr<const glow::MemoryFile> file; ///< null: by its path
  const std::unique_ptr<glow::Session> session;
  const glow::capi::Infos inputs, outputs, overridable;
  glow::capi::Exclusive compiling; // a session is of one thread
};

struct glow_value {
  glow::HostValue value;
};

struct glow_program {
  glow_program(glow::Program compiled, glow::capi::RunOptions run)
      : program(std::move(compiled)), states(statesOf(program)), run(run),
        inputs(program.inputs), outputs(program.outputs) {}

  const glow::Program program;
  const std::vector<glow::StateInfo> states;
  const glow::capi::RunOptions run;
  const glow::capi::Infos inputs, outputs;
  std::mutex loading; // once, for the first call
  std::shared_ptr<glow::Host> host;
  std::optional<glow::ModelId> model; // on it
  uint64_t memoryLimit = 0; ///< bytes of a run between nodes; 0: no limit
  /// Programs of sizes that come often, on the host; null if there are none.
  std::unique_ptr<glow::SizedPrograms> sized;

  ~glow_program() {
    if (model)
      host->unload(*model);
  }
};

namespace glow::capi {

/// The factory that opens models: with a compiler in libglow, without one in
/// libglow-runtime.
SessionFactory &sessions();

/// As SizedPrograms::create; null in libglow-runtime.
std::unique_ptr<SizedPrograms> sizedPrograms(const Session &session,
                                             const CompileRequest &request,
                                             const Program &program);

/// Of this thread's last failure.
extern thread_local std::string lastMessage;

/// The status of C for a code.
glow_status statusOf(Code code);

/// Makes a failure this thread's last, with the reasons that were logged on the
/// way to it, and tells it to the log. Returns its status of C.
glow_status keep(const Status &status, const std::string &reasons);

/// The status of an unexpected exception, with its message.
glow_status failedBy(const std::exception &error) noexcept;

/// Runs the body of a function of C. No exception leaves it.
template <typename Body> glow_status guarded(Body body) {
  try {
    Status status;
    std::string reasons;
    {
      ErrorsOfThread errors;
      status = body();
      reasons = std::move(errors.text);
    }
    return keep(status, reasons);
  } catch (const std::bad_alloc &) {
    lastMessage = "out of memory"; // short enough to take none
    return GLOW_OUT_OF_MEMORY;
  } catch (const std::exception &error) {
    return failedBy(error);
  }
}

/// Fails for the first of a caller's pointers that is null.
Status checkPointers(std::initializer_list<const void *> pointers);

/// Describes a tensor, and says where its elements are. Fails if a pointer is
/// null.
Status describe(const std::string &name, const Tensor &tensor,
                glow_tensor_info *info, const void **data);

/// The failure for an output that is not there.
Status noOutput(size_t count, size_t index);

/// The type that a caller names. Fails with Code::InvalidArgument if the kind
/// is none of numbers or the shape null.
Result<TensorType> typeOf(const glow_tensor &tensor);

/// The kind of an input or output, which may be no tensor of numbers.
glow_kind kindOf(const Binding &binding);

/// The shape of a tensor or of strings; of anything else none.
const Ints &shapeOf(const HostValue &value);

/// A copy of a caller's elements, which are of this type. Fails with
/// Code::InvalidArgument if the type has no size or the data is null, and as
/// Tensor::copyOf does.
Result<Tensor> copyOf(const TensorType &type, const void *data);

/// The request without options.
CompileRequest bestRequest();

/// The request for a model with options, which may be null. Fails with
/// Code::NotFound for a size of a dimension that no input has, and with
/// Code::ShapeMismatch for a size that contradicts the model. With
/// `assumesBatch`, an open first dimension of several is 1.
Result<CompileRequest> requestFor(const glow_model &model,
                                  const glow_options *options,
                                  bool assumesBatch = false);

/// The times of the steps of a program, in the form of glow_profile. Fails as
/// Host::run does.
Result<std::string> profile(const glow_program &program, const Tensors &tensors,
                            size_t runs);

} // namespace glow::capi

#endif // GLOW_TOOLS_LIBGLOW_GUARD_H
