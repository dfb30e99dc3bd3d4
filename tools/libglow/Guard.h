//===- Guard.h - what the functions of glow.h share -------------*- C++ -*-===//

#ifndef GLOW_TOOLS_LIBGLOW_GUARD_H
#define GLOW_TOOLS_LIBGLOW_GUARD_H

#include "glow/Session/Session.h"
#include "glow/glow.h"
#include <initializer_list>
#include <mutex>
#include <new>

struct glow_options {
  glow::CompileRequest request;
  unsigned threads = 0;
};

struct glow_model {
  std::string path;
  std::unique_ptr<glow::Session> session;
  std::mutex compiling; // a session is of one thread
};

namespace glow::capi {

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

/// What is asked for without options.
CompileRequest bestRequest();

} // namespace glow::capi

#endif // GLOW_TOOLS_LIBGLOW_GUARD_H
