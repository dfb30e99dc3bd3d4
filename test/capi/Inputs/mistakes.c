/* Every way to fail has its status and a message. */

#include <glow/glow.h>
#include <stdio.h>

static const char *words[] = {"ok",        "invalid argument", "shape mismatch",
                              "not found", "out of memory",    "unsupported",
                              "internal"};

static void show(glow_status status) {
  printf("%s: %s\n", words[status], glow_message());
}

int main(int count, char **arguments) {
  glow_model *model = NULL;
  glow_program *program = NULL;
  glow_call *call = NULL;
  glow_tensor_info info;
  glow_options *options = glow_options_new();
  int64_t shape[] = {2, 1, 28, 28};
  float image[784] = {0}, probabilities[10];
  (void)count;

  show(glow_model_load("nowhere.onnx", &model));
  show(glow_model_load(NULL, &model));
  show(glow_model_load(arguments[1], &model));
  show(glow_model_output(model, 1, &info));
  show(glow_options_set(options, "backend", "abacus"));
  show(glow_options_set(options, "threads", "many"));
  show(glow_options_set(options, "threads", "1025"));
  show(glow_options_set(options, "threads", "-1"));
  show(glow_options_set(options, "threads", ""));
  show(glow_options_set(options, "colour", "red"));
  show(glow_options_set(options, "math", "sloppy"));
  show(glow_options_set(options, "math", "strict"));
  show(glow_options_set(options, "runs-at-once", "-1"));
  show(glow_options_set(options, "memory-limit", "1k"));
  show(glow_compile(model, options, &program));
  show(glow_options_set(options, "memory-limit", "1G"));
  show(glow_options_set_shape(options, "picture", 4, shape));
  show(glow_compile(model, options, &program));
  show(glow_compile(model, NULL, &program));
  show(glow_program_input(program, 0, &info));
  printf("%s %d %zu %d %zu\n", info.name, (int)info.kind, info.rank,
         (int)info.shape[2], info.bytes);
  show(glow_call_new(program, &call));
  show(glow_bind(call, "picture", image, sizeof image));
  show(glow_bind(call, "image", image, 12));
  show(glow_bind(call, "image", (char *)image + 1, sizeof image));
  show(glow_bind(call, "image", image, sizeof image));
  show(glow_run(call));
  show(glow_bind(call, "probabilities", probabilities, sizeof probabilities));
  show(glow_run(call));
  glow_call_free(call);
  glow_program_free(program);
  glow_model_free(model);
  glow_options_free(options);
  return 0;
}
