/* Calls of one program side by side, without waiting, and cancelled.

   calls DIGITS BACKEND: the model takes image, f32[1,1,28,28]. */

#include <glow/glow.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { images = 4, each = 40, tries = 1000 };

static glow_program *program;
static float image[images][784], expected[images][10];

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int over, statuses[GLOW_POISON + 1];
static char last[128];

static void done(void *context, glow_status status) {
  pthread_mutex_lock(&mutex);
  ++*(int *)context;
  ++statuses[status];
  if (status != GLOW_OK)
    snprintf(last, sizeof last, "%s", glow_message());
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
}

static void wait_for(int count) {
  pthread_mutex_lock(&mutex);
  while (over < count)
    pthread_cond_wait(&changed, &mutex);
  over = 0;
  pthread_mutex_unlock(&mutex);
}

static int is_right(int which, const float *result) {
  return memcmp(result, expected[which], sizeof expected[which]) == 0;
}

static glow_call *call_on(int which, float *result) {
  glow_call *call = NULL;
  if (glow_call_new(program, &call) != GLOW_OK ||
      glow_bind(call, "image", image[which], sizeof image[which]) != GLOW_OK ||
      glow_bind(call, "probabilities", result, sizeof expected[which]) !=
          GLOW_OK)
    printf("no call: %s\n", glow_message());
  return call;
}

/* A thread with an image of its own. */
static void *work(void *of) {
  const int which = (int)((float(*)[784])of - image);
  float result[10];
  glow_call *call = call_on(which, result);
  void *failed = NULL;
  for (int i = 0; i < each && !failed; ++i) {
    const void *inputs[] = {image[which]};
    void *outputs[] = {result};
    memset(result, 0, sizeof result);
    if ((i % 2 ? glow_run(call) : glow_run_on(call, inputs, outputs)) !=
            GLOW_OK ||
        !is_right(which, result))
      failed = of;
  }
  glow_call_free(call);
  return failed;
}

static void side_by_side(void) {
  pthread_t threads[images];
  int right = 0;
  for (int i = 0; i < images; ++i)
    pthread_create(&threads[i], NULL, work, image[i]);
  for (int i = 0; i < images; ++i) {
    void *failed = NULL;
    pthread_join(threads[i], &failed);
    right += !failed;
  }
  printf("%d of %d threads right\n", right, images);
}

static void without_waiting(void) {
  float results[images][10];
  glow_call *calls[images];
  int right = 0;
  for (int i = 0; i < images; ++i) {
    calls[i] = call_on(i, results[i]);
    if (glow_run_async(calls[i], done, &over) != GLOW_OK)
      printf("not begun: %s\n", glow_message());
  }
  wait_for(images);
  for (int i = 0; i < images; ++i) {
    right += is_right(i, results[i]);
    glow_call_free(calls[i]);
  }
  printf("%d of %d runs right, %d of them ok\n", right, images,
         statuses[GLOW_OK]);
}

/* A run may be over before anything is said of it: until one is not. */
static void cancelled(void) {
  float result[10];
  glow_call *call = call_on(0, result);
  int busy = 0, is_told = 0;
  memset(statuses, 0, sizeof statuses);
  for (int i = 0; i < tries && !(busy && statuses[GLOW_CANCELLED]); ++i) {
    if (glow_run_async(call, done, &over) != GLOW_OK)
      printf("not begun: %s\n", glow_message());
    if (glow_run(call) == GLOW_INVALID_ARGUMENT) {
      is_told = strstr(glow_message(), "the call runs already") != NULL;
      ++busy;
    }
    if (busy && glow_call_cancel(call) != GLOW_OK)
      printf("not cancelled: %s\n", glow_message());
    wait_for(1);
  }
  printf("busy %d, told %d, cancelled %d: %s\n", busy > 0, is_told,
         statuses[GLOW_CANCELLED] > 0, last);
  printf("no run is cancelled: %d\n", glow_call_cancel(call));
  printf("again: %d, right %d\n", glow_run(call), is_right(0, result));
  /* The end of a run is waited for. */
  over = 0;
  glow_run_async(call, done, &over);
  glow_call_free(call);
  wait_for(1);
}

static void profiled(void) {
  const char *json = "";
  float result[10];
  glow_call *call = call_on(1, result);
  printf("of none: %d %s\n", glow_profile(call, 0, &json), glow_message());
  glow_status status = glow_profile(call, 3, &json);
  printf("profile: %d %s\n", status, json);
  glow_call_free(call);
}

int main(int count, char **arguments) {
  glow_options *options = glow_options_new();
  glow_model *model = NULL;
  for (int i = 0; i < images * 784; ++i)
    image[i / 784][i % 784] = (float)(i % (7 + i / 784)) / 10;
  if (count != 3 ||
      glow_options_set(options, "backend", arguments[2]) != GLOW_OK ||
      glow_options_set(options, "threads", "2") != GLOW_OK ||
      glow_options_set(options, "runs-at-once", "3") != GLOW_OK ||
      glow_model_load(arguments[1], &model) != GLOW_OK ||
      glow_compile(model, options, &program) != GLOW_OK) {
    printf("%s\n", glow_message());
    return 2;
  }
  for (int i = 0; i < images; ++i) {
    glow_call *call = call_on(i, expected[i]);
    if (glow_run(call) != GLOW_OK)
      printf("%s\n", glow_message());
    glow_call_free(call);
  }
  side_by_side();
  without_waiting();
  cancelled();
  profiled();
  glow_program_free(program);
  glow_model_free(model);
  glow_options_free(options);
  return 0;
}
