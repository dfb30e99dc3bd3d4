/* A host in a hard place: one_host fork|serve MODEL DEVICES.

   The model takes image, f32[1,1,28,28]. DEVICES is a file of devices. */

#define _XOPEN_SOURCE 700
#include <glow/glow.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static glow_host *host;
static glow_model_id digits;
static float image[784];
static const int64_t shape[] = {1, 1, 28, 28};
static const glow_tensor input = {GLOW_F32, 4, shape, image};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int isAnswered;

static int show(const char *what, glow_status status) {
  printf("%s: %d %s\n", what, status, status == GLOW_OK ? "" : glow_message());
  fflush(stdout);
  return status == GLOW_OK;
}

static void done(void *context, glow_status status, glow_result *result) {
  pthread_mutex_lock(&mutex);
  show(context, status);
  isAnswered = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  glow_result_free(result);
}

static void ask(char *what) {
  isAnswered = 0;
  if (!show("submit", glow_submit(host, digits, &input, 1, NULL, done, what,
                                  NULL)))
    return;
  pthread_mutex_lock(&mutex);
  while (!isAnswered)
    pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
}

int main(int count, char **arguments) {
  glow_model *model = NULL;
  glow_program *program = NULL;
  glow_options *options = glow_options_new();
  glow_options_set(options, "cache-dir", "");
  glow_options_set(options, "threads", "1");
  if (count != 4 || !show("load", glow_model_load(arguments[2], &model)) ||
      !show("compile", glow_compile(model, options, &program)) ||
      !show("host", glow_host_new(NULL, &host)) ||
      !show("devices", glow_host_add_devices(host, arguments[3])))
    return 1;
  if (!show("serve",
            glow_host_serve(host, "digits", &program, 1, NULL, &digits)))
    return 1;
  ask("answer");
  if (strcmp(arguments[1], "fork") == 0) {
    int state = 1;
    pid_t child = fork();
    if (child == 0) {
      /* Both end: the request by the host's end, if not before. */
      glow_submit(host, digits, &input, 1, NULL, done, "child's answer", NULL);
      glow_host_free(host);
      _exit(isAnswered ? 0 : 2);
    }
    waitpid(child, &state, 0);
    printf("the child ended with %d\n", state);
    ask("parent's answer");
  }
  glow_host_free(host);
  glow_program_free(program);
  glow_model_free(model);
  glow_options_free(options);
  return 0;
}
