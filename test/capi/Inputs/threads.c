/* Threads compile one model and run one program at the same time. */

#include <glow/glow.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static glow_model *model;
static glow_program *shared;
static float image[784], expected[10];

static void *work(void *result) {
  glow_program *own = NULL;
  for (int i = 0; i < 20; ++i) {
    float probabilities[10] = {0};
    glow_call *call = NULL;
    if (i == 0 && glow_compile(model, NULL, &own) != GLOW_OK)
      return result;
    if (glow_call_new(i % 2 ? own : shared, &call) != GLOW_OK ||
        glow_bind(call, "image", image, sizeof image) != GLOW_OK ||
        glow_bind(call, "probabilities", probabilities,
                  sizeof probabilities) != GLOW_OK ||
        glow_run(call) != GLOW_OK ||
        memcmp(probabilities, expected, sizeof expected) != 0)
      return result;
    glow_call_free(call);
  }
  glow_program_free(own);
  return NULL;
}

int main(int count, char **arguments) {
  glow_call *call;
  pthread_t threads[4];
  void *failed = NULL;
  for (int i = 0; i < 784; ++i)
    image[i] = (float)(i % 7) / 7;
  if (count != 2 || glow_model_load(arguments[1], &model) != GLOW_OK ||
      glow_compile(model, NULL, &shared) != GLOW_OK ||
      glow_call_new(shared, &call) != GLOW_OK ||
      glow_bind(call, "image", image, sizeof image) != GLOW_OK ||
      glow_bind(call, "probabilities", expected, sizeof expected) != GLOW_OK ||
      glow_run(call) != GLOW_OK)
    return 2;
  for (int i = 0; i < 4; ++i)
    pthread_create(&threads[i], NULL, work, arguments);
  for (int i = 0; i < 4; ++i) {
    void *result;
    pthread_join(threads[i], &result);
    failed = failed ? failed : result;
  }
  puts(failed ? "failed" : "all agree");
  return failed != NULL;
}
