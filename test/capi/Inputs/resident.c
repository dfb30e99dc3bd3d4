/* What a loaded program takes: resident PROGRAM loads it, runs it once on what
   is all 0, and prints the memory of the process in KiB. */

#include <glow/glow.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int bind(glow_call *call, glow_program *program, size_t count,
                glow_status (*get)(const glow_program *, size_t,
                                   glow_tensor_info *)) {
  glow_tensor_info info;
  for (size_t i = 0; i < count; ++i)
    if (get(program, i, &info) != GLOW_OK ||
        glow_bind(call, info.name, calloc(1, info.bytes), info.bytes) !=
            GLOW_OK)
      return 0;
  return 1;
}

int main(int count, char **arguments) {
  glow_options *options = glow_options_new();
  glow_model *model = NULL;
  glow_program *program = NULL;
  glow_call *call = NULL;
  char line[128];
  FILE *status;
  if (count != 2 || glow_options_set(options, "threads", "1") != GLOW_OK ||
      glow_model_load(arguments[1], &model) != GLOW_OK ||
      glow_compile(model, options, &program) != GLOW_OK ||
      glow_call_new(program, &call) != GLOW_OK ||
      !bind(call, program, glow_program_inputs(program), glow_program_input) ||
      !bind(call, program, glow_program_outputs(program),
            glow_program_output) ||
      glow_run(call) != GLOW_OK) {
    printf("%s\n", glow_message());
    return 1;
  }
  status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status))
    if (strncmp(line, "VmRSS:", 6) == 0)
      printf("%d\n", atoi(line + 6));
  return 0;
}
