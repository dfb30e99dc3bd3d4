/* A plug-in of qemu that counts instructions: `-plugin count.so,out=FILE` writes their
   number to the file. The header of the interface is in no package, so that it is declared. */

#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct qemu_plugin_tb;
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, void (*made)(uint64_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, void (*ran)(unsigned, void *),
                                          int registers, void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
void qemu_plugin_register_atexit_cb(uint64_t id, void (*ended)(uint64_t, void *), void *data);

__attribute__((visibility("default"))) int qemu_plugin_version = VERSION;

static uint64_t count;
static char path[4096];

static void ran(unsigned processor, void *instructions) {
  (void)processor;
  count += (uintptr_t)instructions;
}
static void made(uint64_t id, struct qemu_plugin_tb *block) {
  (void)id;
  qemu_plugin_register_vcpu_tb_exec_cb(block, ran, 0, (void *)(uintptr_t)qemu_plugin_tb_n_insns(block));
}
static void ended(uint64_t id, void *data) {
  (void)id, (void)data;
  FILE *file = fopen(path, "w");
  if (!file)
    return;
  fprintf(file, "%llu\n", (unsigned long long)count);
  fclose(file);
}

__attribute__((visibility("default"))) int
qemu_plugin_install(uint64_t id, const void *info, int count, char **arguments) {
  (void)info;
  if (count != 1 || strncmp(arguments[0], "out=", 4))
    return 1;
  snprintf(path, sizeof path, "%s", arguments[0] + 4);
  qemu_plugin_register_vcpu_tb_trans_cb(id, made);
  qemu_plugin_register_atexit_cb(id, ended, NULL);
  return 0;
}
