//===- Guard.h - what the functions of glow.h share -------------*- C++ -*-===//

#ifndef GLOW_TOOLS_LIBGLOW_GUARD_H
#define GLOW_TOOLS_LIBGLOW_GUARD_H

#include "glow/Runtime/Host.h"
#include "glow/Session/Session.h"
#include "glow/glow.h"
#include <initializer_list>
#include <mutex>
#include <new>
#include <optional>

struct glow_options {
  glow::CompileRequest request;
  unsigned threads = 0;
};

struct glow_model {
  std::string path;
  std::unique_ptr<glow::Session> session;
  std::mutex compiling; // a session is of one thread
};

struct glow_program {
  glow_program(glow::Program program, unsigned threads)
      : program(std::move(program)), threads(threads) {}

  const glow::Program program;
  const unsigned threads;
  std::mutex loading; // once, for the first call
  std::shared_ptr<glow::Host> host;
  std::optional<glow::ModelId> model; // on it

  ~glow_program() {
    if (model)
      host->unload(*model);
  }
};

namespace glow::capi {

/// What opens models: with a compiler in libglow, without one in
/// libglow-runtime.
SessionFactory &sessions();

/// Of this thread's last failure.
extern thread_local std::string lastMessage;

/// The status of C for a code.
glow_status statusOf(Code code);

/// The status of an unexpected exception, with its message.
glow_status failedBy(const std::exception &error) noexcept;

/// Runs the body of a function of C. No exception leaves it.
template <typename Body> glow_status guarded(Body body) {
  try {
    Status status = body();
    lastMessage = status.message();
    return statusOf(status.code());
  } catch (const std::bad_alloc &) {
    lastMessage = "out of memory"; // short enough to take none
    return GLOW_OUT_OF_MEMORY;
  } catch (const std::exception &error) {
    return failedBy(error);
  }
}

/// Fails for the first of a caller's pointers that is null.
Status checkPointers(std::initializer_list<const void *> pointers);

/// What is known of input or output `index`.
Status infoAt(const std::vector<Binding> &bindings, size_t index,
              glow_tensor_info *info);

/// Describes an output, and says where its elements are. Fails if a pointer is
/// null, or if there are not as many.
Status outputAt(const std::vector<NamedTensor> &outputs, size_t index,
                glow_tensor_info *info, const void **data);

/// The type that a caller names. Fails with Code::InvalidArgument if the kind
/// is none or the shape null.
Result<TensorType> typeOf(const glow_tensor &tensor);

/// A copy of a caller's elements, which are of this type. Fails with
/// Code::InvalidArgument if the type has no size or the data is null, and as
/// Tensor::copyOf does.
Result<Tensor> copyOf(const TensorType &type, const void *data);

/// What is asked for without options.
CompileRequest bestRequest();

} // namespace glow::capi

#endif // GLOW_TOOLS_LIBGLOW_GUARD_H
