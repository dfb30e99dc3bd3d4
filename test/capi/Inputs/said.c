/* What is told, what is not, and what can be asked: said MODEL REFUSED DYNAMIC.
 */

#include <glow/glow.h>
#include <stdio.h>
#include <string.h>

static const char *levels[] = {"off", "error", "warning", "info", "debug"};

static void tell(void *context, glow_log_level level, const char *text) {
  printf("  %s %s: %s\n", (const char *)context, levels[level], text);
}

static void show(const char *what, glow_status status) {
  printf("%s: %d %s\n", what, status, glow_message());
}

static void options(void) {
  glow_option_info info;
  for (size_t i = 0; i < glow_option_count(); ++i)
    if (glow_option(i, &info) == GLOW_OK)
      printf("%s%s%s (%s) = '%s': %s\n", info.backend, *info.backend ? "." : "",
             info.name, info.type, info.initially, info.help);
  show("one more", glow_option(glow_option_count(), &info));
}

/* A size by its name. */
static void sizes(glow_model *model, const char *name, int64_t size) {
  glow_options *options = glow_options_new();
  glow_program *program = NULL;
  glow_tensor_info info;
  if (glow_options_set_size(options, name, size) != GLOW_OK ||
      glow_compile(model, options, &program) != GLOW_OK)
    printf("%s = %d: %s\n", name, (int)size, glow_message());
  else if (glow_program_input(program, 0, &info) == GLOW_OK)
    printf("%s = %d: %s is of %d x %d\n", name, (int)size, info.name,
           (int)info.shape[0], (int)info.shape[1]);
  glow_program_free(program);
  glow_options_free(options);
}

int main(int count, char **arguments) {
  glow_model *model = NULL, *dynamic = NULL;
  glow_program *program = NULL;
  glow_tensor_info info;
  const char *text = NULL;
  (void)count;
  printf("version %s\n", glow_version());
  options();

  show("level", glow_log_to((glow_log_level)5, tell, "x"));
  glow_model_load(arguments[2], &model);
  show("refused", glow_compile(model, NULL, &program));
  glow_log_to(GLOW_LOG_INFO, tell, "log");
  show("again", glow_compile(model, NULL, &program));
  glow_model_free(model);
  glow_model_load(arguments[1], &model);
  show("compiled", glow_compile(model, NULL, &program));
  glow_program_free(program);
  glow_log_to(GLOW_LOG_OFF, NULL, NULL);

  show("explain", glow_explain(model, NULL, 0, &text));
  printf("says cpu: %d\n", strstr(text, "cpu") != NULL);
  show("explain", glow_explain(model, NULL, 1, &text));
  printf("is an object: %d\n", *text == '{');
  show("names", glow_model_input(model, 0, &info));
  printf("has some: %d\n", info.dimensions != NULL);

  show("dynamic", glow_model_load(arguments[3], &dynamic));
  show("names", glow_model_input(dynamic, 0, &info));
  printf("%s: '%s' '%s'\n", info.name, info.dimensions[0], info.dimensions[1]);
  sizes(dynamic, "n", 3);
  sizes(dynamic, "m", 3);
  sizes(dynamic, "n", -3);
  glow_model_free(dynamic);
  glow_model_free(model);
  return 0;
}
