//===- Runtime.cpp - glow.h without a compiler ----------------------------===//
// SPDX-License-Identifier: MIT

#include "../Guard.h"
#include "glow/Front/Front.h"

using namespace glow;

static Status refuse() {
  return Status(Code::Unsupported,
                "libglow-runtime has no compiler; it opens what `glow compile "
                "MODEL -o MODEL.so` writes, and libglow compiles");
}

SessionFactory &capi::sessions() {
  static Front front(refuse); // keeps nothing, and reads no cache
  return front;
}

//===----------------------------------------------------------------------===//
// Training
//===----------------------------------------------------------------------===//

static glow_status refuseTraining() {
  return capi::guarded([] {
    return Status(Code::Unsupported, "libglow-runtime trains no models; it "
                                     "runs the steps that `glow compile "
                                     "--train` writes");
  });
}

glow_status glow_trainer_new(const char *, const glow_options *,
                             const char *const *, size_t, const char *const *,
                             const glow_tensor *, size_t, const glow_tensor *,
                             glow_trainer **) {
  return refuseTraining();
}
void glow_trainer_free(glow_trainer *) {}
glow_status glow_trainer_run(glow_trainer *, glow_epoch_done, void *) {
  return refuseTraining();
}
glow_status glow_trainer_step(glow_trainer *, const char *const *,
                              const glow_tensor *, size_t, const glow_tensor *,
                              double, double *) {
  return refuseTraining();
}
glow_status glow_trainer_save(const glow_trainer *, const char *) {
  return refuseTraining();
}
