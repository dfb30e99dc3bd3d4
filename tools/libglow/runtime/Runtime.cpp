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

std::unique_ptr<SizedPrograms>
capi::sizedPrograms(const Session &, const CompileRequest &, const Program &) {
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Training
//===----------------------------------------------------------------------===//

static glow_status refuse(const char *why) {
  return capi::guarded([why] { return Status(Code::Unsupported, why); });
}
static glow_status refuseTraining() {
  return refuse("libglow-runtime trains no models; it runs the steps that "
                "`glow compile --train` writes");
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

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

static glow_status refuseGraph() {
  return refuse("libglow-runtime builds no graphs; libglow does");
}

glow_status glow_graph_new(glow_graph **) { return refuseGraph(); }
void glow_graph_free(glow_graph *) {}
glow_status glow_graph_input(glow_graph *, const char *, const glow_tensor *,
                             glow_graph_value *) {
  return refuseGraph();
}
glow_status glow_graph_weight(glow_graph *, const char *, const glow_tensor *,
                              const char *, uint64_t, int64_t,
                              glow_graph_value *) {
  return refuseGraph();
}
glow_status glow_graph_node(glow_graph *, const char *, const char *,
                            const glow_graph_operand *, size_t,
                            const glow_graph_attribute *, size_t,
                            glow_graph_value *, size_t, size_t *) {
  return refuseGraph();
}
glow_status glow_graph_output(glow_graph *, const char *, glow_graph_value) {
  return refuseGraph();
}
glow_status glow_graph_type(glow_graph *, glow_graph_value,
                            glow_tensor_info *) {
  return refuseGraph();
}
glow_status glow_graph_save(const glow_graph *, const char *) {
  return refuseGraph();
}
glow_status glow_graph_model(const glow_graph *, glow_model **) {
  return refuseGraph();
}
