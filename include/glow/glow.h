/*===- glow.h - compile and run neural networks from C --------------------===*/
/*
   Link with -lglow, or with -lglow-runtime, which has no compiler.
   docs/CApi.md shows whole programs.

     Versions and statuses   glow_version  glow_message
     Log                     glow_log_to
     Tensors                 glow_kind  glow_tensor_info
     Options                 glow_options_new ...  glow_option
     Models                  glow_model_load  glow_model_load_memory ...
     Programs                glow_compile  glow_explain ...
     Calls                   glow_call_new  glow_bind  glow_run
                             glow_run_async  glow_call_cancel  glow_call_wait
                             glow_profile
     Values                  glow_value_info  glow_value_new_strings ...
     Runners                 glow_runner_new ...
     Hosts                   glow_host_new ...  glow_submit

   Functions that can fail return a glow_status; glow_message() then says what
   is and what should be, to the thread that called. Nothing is printed unless
   it is asked for (glow_log_to). Every function may be called from any thread;
   what one object may not do at once in two threads, it says below. None
   throws. None ends the process, with three exceptions: LLVM aborts where it
   finds no memory while it compiles, the system sends SIGBUS to what reads a
   file that is cut in that moment, and bytecode is trusted (glow_model_load).

   In a child of fork() everything that its parent made may be used and freed,
   if no other thread of the parent was in a function of this file then; the
   threads of the parent are not there, and a program runs on that of its
   caller. Devices in other processes stay the parent's: in the child they are
   lost (GLOW_DEVICE_LOST), and what uses them may be freed.
*/
/*===----------------------------------------------------------------------===*/
/* clang-format off */

#ifndef GLOW_GLOW_H
#define GLOW_GLOW_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*----------------------------------------------------------------------------*/
/* Versions and statuses                                                      */
/*----------------------------------------------------------------------------*/

/* Of the library, as "1.2.3". docs/Versions.md says what it promises. */
const char *glow_version(void);

typedef enum glow_status {
  GLOW_OK,
  GLOW_INVALID_ARGUMENT, /* what a caller or a file said makes no sense        */
  GLOW_SHAPE_MISMATCH,   /* a tensor has not the size that is wanted           */
  GLOW_NOT_FOUND,        /* no file, input, backend or option has that name    */
  GLOW_OUT_OF_MEMORY,    /* there is not as much, or not as many threads       */
  GLOW_UNSUPPORTED,      /* it makes sense, but this build does not do it      */
  GLOW_INTERNAL,         /* a mistake of Glow's own                            */
  GLOW_OVERLOADED,       /* a request was refused: no room, or too little time */
  GLOW_DEADLINE,         /* a request was not done at its deadline             */
  GLOW_CANCELLED,        /* a run or a request is not wanted any more          */
  GLOW_DEVICE_LOST,      /* no device is left                                  */
  GLOW_POISON            /* two devices were lost while they ran a request     */
} glow_status;

/* The message of this thread's last failure, with all reasons of a model that
   is refused, a line each; "" if the last function did not fail. Valid until
   the thread calls another function. */
const char *glow_message(void);

/*----------------------------------------------------------------------------*/
/* Log                                                                        */
/*----------------------------------------------------------------------------*/

typedef enum glow_log_level {
  GLOW_LOG_OFF,
  GLOW_LOG_ERROR,   /* messages of functions that fail                     */
  GLOW_LOG_WARNING, /* it goes on, but not as was asked                    */
  GLOW_LOG_INFO,    /* what was compiled, or found in the cache, in a line */
  GLOW_LOG_DEBUG    /* what explains memory and time, also of runs         */
} glow_log_level;

/* Is told a text of one line or more, without the last end of line, on any
   thread, also on several at once. It may call functions of this file, which
   leave the message and the status of the function that logs as they are. A
   text that these functions log is dropped. A model or program that is being
   compiled by the thread may not be compiled or explained again: that fails
   with GLOW_INVALID_ARGUMENT. */
typedef void (*glow_log)(void *context, glow_log_level level, const char *text);

/* Has levels up to `most` told to `log`, or printed to stderr if that is null,
   from now on. What others are telling at that moment may still come. Without
   a call nothing is told, unless the environment variable GLOW_LOG is error,
   warning, info or debug: that is printed. */
glow_status glow_log_to(glow_log_level most, glow_log log, void *context);

/*----------------------------------------------------------------------------*/
/* Tensors                                                                    */
/*----------------------------------------------------------------------------*/

/* What an element is. Kinds of less than a byte have one of their own, of which
   the lowest bits count. */
typedef enum glow_kind {
  GLOW_F32,
  GLOW_F16,
  GLOW_BF16,
  GLOW_F64,
  GLOW_I8,
  GLOW_I16,
  GLOW_I32,
  GLOW_I64,
  GLOW_U8,
  GLOW_U16,
  GLOW_U32,
  GLOW_U64,
  GLOW_BOOL,       /* a byte, 0 or 1 */
  GLOW_I4,         /* 4 bits         */
  GLOW_U4,         /* 4 bits         */
  GLOW_F8E4M3FN,
  GLOW_F8E4M3FNUZ,
  GLOW_F8E5M2,
  GLOW_F8E5M2FNUZ,
  GLOW_F4E2M1FN,   /* 4 bits         */
  GLOW_F8E8M0FNU,
  GLOW_I2,         /* 2 bits         */
  GLOW_U2,         /* 2 bits         */
  GLOW_F6E2M3FN,   /* 6 bits         */
  GLOW_F6E3M2FN,   /* 6 bits         */
  /* Of what is no tensor of numbers: a glow_value has it. */
  GLOW_STRING = 64, /* a tensor of texts                        */
  GLOW_SEQUENCE,    /* a list of values                         */
  GLOW_MAP,         /* from integers or texts to such or floats */
  GLOW_OPTIONAL     /* a value of another kind, or nothing      */
} glow_kind;

/* An input or output. The pointers are valid as long as what was asked. From
   GLOW_STRING on kinds have 0 bytes, from GLOW_SEQUENCE on rank 0. */
typedef struct glow_tensor_info {
  const char        *name;
  glow_kind          kind;
  size_t             rank;
  const int64_t     *shape;      /* -1: open, in a model; not in a program    */
  const char *const *dimensions; /* names of the model, "" for those without;
                                    null where none has one                   */
  size_t             bytes;      /* of a dense tensor; 0 where a size is open */
} glow_tensor_info;

/* Dense and row-major elements of the caller's. */
typedef struct glow_tensor {
  glow_kind      kind;
  size_t         rank;
  const int64_t *shape;
  const void    *data;
} glow_tensor;

/*----------------------------------------------------------------------------*/
/* Options                                                                    */
/*----------------------------------------------------------------------------*/

/* How to compile and run. One thread at a time may change it. */
typedef struct glow_options glow_options;

/* The best there is for this machine; null if there is no memory. */
glow_options *glow_options_new(void);
void          glow_options_free(glow_options *options);

/* Sets an option by name. Fails with GLOW_NOT_FOUND, naming those there are,
   and with GLOW_INVALID_ARGUMENT for a value that is none. */
glow_status glow_options_set(glow_options *options,
                             const char *name, const char *value);

/* The shape of an input, where the model leaves it open, or of an initializer
   that becomes an input (glow_model_overridable). */
glow_status glow_options_set_shape(glow_options *options, const char *input,
                                   size_t rank, const int64_t *shape);

/* The size of a dimension that the model leaves open, by the model's name for
   it, in every input that has it. */
glow_status glow_options_set_size(glow_options *options,
                                  const char *dimension, int64_t size);

/* An option that can be set. The pointers are valid as long as the process. */
typedef struct glow_option_info {
  const char *name;
  const char *type;      /* text, int, bool, size (as 512M), or words: a|b|c  */
  const char *initially; /* the value of new options                          */
  const char *help;      /* one line, lower case                              */
  const char *backend;   /* whose option it is; "": of all                    */
} glow_option_info;

size_t      glow_option_count(void);
glow_status glow_option(size_t index, glow_option_info *info);

/*----------------------------------------------------------------------------*/
/* Models                                                                     */
/*----------------------------------------------------------------------------*/

/* A model, read: ONNX, text or bytecode of the dialects (.mlir, .mlirbc), or
   what glow compile --emit=so made. Bytecode is trusted: LLVM's reader ends the
   process at some mistakes in it, and what is compiled is code. */
typedef struct glow_model glow_model;

/* Reads a file. It, and the files that have its weights, should not change
   while the model or one of its programs lives: what is another file when it is
   compiled is read again, whatever the current folder is then; what is cut is
   an error of the next call that looks, but see above. Of a file that another
   user may write to, weights are read into memory. */
glow_status glow_model_load(const char *path, glow_model **model);

/* Reads the bytes of an .onnx, .mlirbc or compiled file, which are copied. A
   model of ONNX must have its weights in itself. `name` is for messages; null:
   "the model in memory". */
glow_status glow_model_load_memory(const void *data, size_t bytes,
                                   const char *name, glow_model **model);
void        glow_model_free(glow_model *model);

size_t glow_model_inputs(const glow_model *model);
size_t glow_model_outputs(const glow_model *model);

/* In the model's order. Fails with GLOW_NOT_FOUND if there are not as many. */
glow_status glow_model_input(const glow_model *model, size_t index,
                             glow_tensor_info *info);
glow_status glow_model_output(const glow_model *model, size_t index,
                              glow_tensor_info *info);

/* Initializers that the model lists as inputs too, from IR version 4 on. Each
   has its value in the model. With a shape in the options it is an input of a
   program, behind the others; a glow_runner may be given another value. */
size_t      glow_model_overridables(const glow_model *model);
glow_status glow_model_overridable(const glow_model *model, size_t index,
                                   glow_tensor_info *info);

/* What runs where and why, every node that cannot, and the memory plan; as text
   for people, or as a JSON object if `json` is not 0: what `glow explain`
   prints, and the object of its --json, which have the layers of the compiled
   program. An open first dimension of several is 1. `options` may be null. Valid until this thread asks again. */
glow_status glow_explain(glow_model *model, const glow_options *options,
                         int json, const char **text);

/*----------------------------------------------------------------------------*/
/* Programs                                                                   */
/*----------------------------------------------------------------------------*/

/* A model, compiled for its sizes. */
typedef struct glow_program glow_program;

/* `options` may be null. The program does not need the model any more. Calls
   with the same model wait for each other. Fails with GLOW_UNSUPPORTED if only
   a run knows some sizes of the model: a glow_runner runs it. */
glow_status glow_compile(glow_model *model, const glow_options *options,
                         glow_program **program);

/* After its calls were freed. */
void glow_program_free(glow_program *program);

size_t      glow_program_inputs(const glow_program *program);
size_t      glow_program_outputs(const glow_program *program);
glow_status glow_program_input(const glow_program *program, size_t index,
                               glow_tensor_info *info);
glow_status glow_program_output(const glow_program *program, size_t index,
                                glow_tensor_info *info);

/*----------------------------------------------------------------------------*/
/* Calls                                                                      */
/*----------------------------------------------------------------------------*/

/* What a program is run on. Threads that run one program at the same time have
   a call each, and run side by side, as many as the option runs-at-once says:
   each of them with memory of its own for values between the steps, which the
   program keeps for the next. One after the other they share it. */
typedef struct glow_call glow_call;

/* The first call of a program loads it onto a device. */
glow_status glow_call_new(glow_program *program, glow_call **call);

/* Waits for a run that glow_run_async began. */
void glow_call_free(glow_call *call);

/* Says where an input is read or an output written, until it is said again. The
   memory is the caller's, dense and row-major, aligned for its elements. Fails
   with GLOW_NOT_FOUND if there is none of this name, with GLOW_SHAPE_MISMATCH
   if it has not as many bytes, and with GLOW_INVALID_ARGUMENT while the call
   runs.

   An output may lie on inputs, wholly or in part, as a state that is updated in
   place: a run reads all inputs as they were, and writes such an output when it
   has succeeded. That takes memory of the output's size, and a copy. Inputs may
   share memory. Outputs may not: a run fails with GLOW_INVALID_ARGUMENT where
   two share a byte. */
glow_status glow_bind(glow_call *call, const char *name,
                      void *data, size_t bytes);

/* Runs, and waits. Fails with GLOW_INVALID_ARGUMENT, naming the first input or
   output that was not bound, or if the call runs already, and with
   GLOW_CANCELLED if another thread said so. */
glow_status glow_run(glow_call *call);

/* Binds all inputs and outputs, in the program's order, and runs: for callers
   that count calls. Each has as many bytes as its info says. */
glow_status glow_run_on(glow_call *call, const void *const *inputs,
                        void *const *outputs);

/* Is told that a run is over: what glow_run would return, and glow_message()
   says more. On any thread, which should not be kept. It may use and free the
   call. */
typedef void (*glow_ran)(void *context, glow_status status);

/* Begins a run and returns. If it returns GLOW_OK, `done` is called once, also
   before it returns; else never. Until then the call and what is bound are left
   alone. */
glow_status glow_run_async(glow_call *call, glow_ran done, void *context);

/* Ends the run of a call that another thread waits for, or that goes on, with
   GLOW_CANCELLED: at once if it waits for others, else before the next step of
   the program. It is no mistake if there is none. */
glow_status glow_call_cancel(glow_call *call);

/* Waits until no run of the call goes on, and every `done` that was told of the
   end of one has returned, but for that which calls this. The caller keeps the
   call until it returns. */
glow_status glow_call_wait(glow_call *call);

/* Runs the program `runs` times, from 1 to 1000000, on what is bound, on a
   device of its own, and says what each step took: a JSON object {"runs",
   "milliseconds" of the median run, "steps": [{"node", "instruction",
   "milliseconds"}]}. Valid until this thread asks again. */
glow_status glow_profile(glow_call *call, size_t runs, const char **json);

/*----------------------------------------------------------------------------*/
/* Values                                                                     */
/*----------------------------------------------------------------------------*/

/* A tensor of numbers or of texts, a sequence of values, a map, or nothing. It
   never changes, and any threads may read it. Each one that a function gives is
   the caller's to free, and needs no other. */
typedef struct glow_value glow_value;
void glow_value_free(glow_value *value);

/* Copies of a tensor's elements. */
glow_status glow_value_new_tensor(const glow_tensor *tensor,
                                  glow_value **value);

/* Copies of as many texts as the shape has elements, in row-major order, of any
   bytes. `lengths` may be null: each text ends at its first 0. */
glow_status glow_value_new_strings(size_t rank, const int64_t *shape,
                                   const char *const *texts,
                                   const size_t *lengths, glow_value **value);

/* Values in their order. */
glow_status glow_value_new_sequence(const glow_value *const *elements,
                                    size_t count, glow_value **value);

/* From keys, i64 or strings of rank 1, each once, to as many values, a tensor
   or strings of rank 1. */
glow_status glow_value_new_map(const glow_value *keys, const glow_value *values,
                               glow_value **value);

/* An optional without a value; one with a value is that value. */
glow_status glow_value_new_nothing(glow_value **value);

/* The kind and shape of a value, whose name is "", and its elements. `data` may
   be null; it becomes null where the value is no tensor of numbers. The kind of
   nothing is GLOW_OPTIONAL. */
glow_status glow_value_info(const glow_value *value, glow_tensor_info *info,
                            const void **data);

/* How many elements a tensor or sequence has, or pairs a map; 0 of nothing. */
size_t glow_value_count(const glow_value *value);

/* An element of strings: its bytes, which a 0 follows, and how many they are,
   if `length` is not null. Valid as long as the value. Fails with
   GLOW_NOT_FOUND if there are not as many, and with GLOW_INVALID_ARGUMENT for a
   value of another kind. So do the following. */
glow_status glow_value_text(const glow_value *value, size_t index,
                            const char **text, size_t *length);

/* An element of a sequence. */
glow_status glow_value_element(const glow_value *value, size_t index,
                               glow_value **element);

/* Of a map: keys in rising order, each once, and what they lead to. */
glow_status glow_value_keys(const glow_value *map, glow_value **keys);
glow_status glow_value_values(const glow_value *map, glow_value **values);

/*----------------------------------------------------------------------------*/
/* Runners                                                                    */
/*----------------------------------------------------------------------------*/

/* A model that is run on whatever it is given: compiled when the sizes of
   inputs are new, of which those used last are kept. Also for models of which
   only a run knows sizes, which are no programs. One thread at a time may use
   it. */
typedef struct glow_runner glow_runner;

/* `options` may be null; their shapes and sizes are not looked at. The runner
   does not need the handle of the model any more. */
glow_status glow_runner_new(const glow_model *model,
                            const glow_options *options, glow_runner **runner);
void        glow_runner_free(glow_runner *runner);

/* Gives an input, of any sizes that the model takes, until it is given again.
   The elements are dense and row-major, and are copied. Where it fails, the
   input is not given any more. */
glow_status glow_runner_set(glow_runner *runner, const char *name,
                            glow_kind kind, size_t rank, const int64_t *shape,
                            const void *data);

/* The same with a value of any kind, whose handle the runner does not need.
   Null: the input is not given any more. */
glow_status glow_runner_set_value(glow_runner *runner, const char *name,
                                  const glow_value *value);

/* Runs, and waits. Fails with GLOW_NOT_FOUND, naming the first input that was
   not given, and naming the node where one cannot run on what it is given;
   there are no outputs then. */
glow_status glow_runner_run(glow_runner *runner);

/* The outputs of the last run in the model's order: as many as the model has.
   The name is valid until the next run, the value is the caller's. */
size_t      glow_runner_values(const glow_runner *runner);
glow_status glow_runner_value(const glow_runner *runner, size_t index,
                              const char **name, glow_value **value);

/* The tensors of numbers among them; those of a sequence are one each,
   "name[0]", and strings and maps are left out. Valid until the next run. */
size_t      glow_runner_outputs(const glow_runner *runner);
glow_status glow_runner_output(const glow_runner *runner, size_t index,
                               glow_tensor_info *info, const void **data);

/*----------------------------------------------------------------------------*/
/* Hosts                                                                      */
/*----------------------------------------------------------------------------*/

/* Devices, and models that are served on them to many threads. Every request is
   answered once. docs/Runtime.md says what becomes of one. */
typedef struct glow_host glow_host;

/* 0 is what stands there. */
typedef struct glow_host_settings {
  size_t   queue;       /* requests that may wait, of all models; 0: 1024  */
  uint64_t memory;      /* bytes of tensors of requests; 0: any number     */
  double   hang_factor; /* a device is lost when a run takes this many times
                           as long as others did, and a second, or loading
                           five minutes; 0: never                          */
} glow_host_settings;

/* A host without devices; `settings` may be null. */
glow_status glow_host_new(const glow_host_settings *settings, glow_host **host);

/* Answers what is not answered with GLOW_CANCELLED. Not within a glow_done. */
void glow_host_free(glow_host *host);

/* Opens a device. `name` may be null: the backend and a number. `threads` of
   the host, 0: one a processor; `memory` that programs may take, 0: all.
   Fails with GLOW_NOT_FOUND for a backend, and with GLOW_INVALID_ARGUMENT for a
   name that there is already. */
glow_status glow_host_add_device(glow_host *host, const char *name,
                                 const char *backend, size_t threads,
                                 uint64_t memory);

/* Those of a file of devices, which docs/Runtime.md describes. */
glow_status glow_host_add_devices(glow_host *host, const char *path);

/* How a model is served. 0 is what stands there. */
typedef struct glow_serving {
  size_t   copies;        /* on a device each; 0: wherever it fits           */
  unsigned weight;        /* its share of a device among models; 0: 1        */
  int      pads;          /* not 0: a batch may be filled up                 */
  int      evicts_others; /* not 0: those unused the longest go for it       */
} glow_serving;

/* A version of a model on a host. */
typedef uint64_t glow_model_id;

/* Loads programs onto the host's devices and serves them as `name`, in place
   of what was; its requests go on. One program; or several of one model with
   another dimension 0 of all inputs and outputs each, to which requests are put
   together. `how` may be null. The host does not need the handles any more.
   Fails with GLOW_OUT_OF_MEMORY, naming bytes and devices, if it does not fit,
   and with GLOW_NOT_FOUND if there is no device of its backend. */
glow_status glow_host_serve(glow_host *host, const char *name,
                            glow_program *const *programs, size_t count,
                            const glow_serving *how, glow_model_id *model);

/* What is served under a name: the newest. */
glow_status glow_host_find(const glow_host *host, const char *name,
                           glow_model_id *model);

/* Ends the version of a model that `model` was given for, once its requests are
   answered; a newer version in its place stays. */
glow_status glow_host_end(glow_host *host, glow_model_id model);

/* Whether every model has a copy that can run; 0 if not, or of no host. */
int glow_host_is_ready(const glow_host *host);

/* Counters and times of models and devices, as one JSON object. Valid until
   this thread asks again. */
glow_status glow_host_report(const glow_host *host, const char **json);

/* Tells the report to what connects to a Unix socket, as glow top does, until
   the host is freed. Fails with GLOW_INVALID_ARGUMENT if the path is there. */
glow_status glow_host_listen(glow_host *host, const char *path);

typedef struct glow_request_options {
  int    priority;    /* the larger goes first                           */
  double deadline_ms; /* milliseconds from now; 0: any time              */
} glow_request_options;

/* The outputs of a request, in the program's order. */
typedef struct glow_result glow_result;
void        glow_result_free(glow_result *result);
size_t      glow_result_outputs(const glow_result *result);

/* An output, valid as long as the result. */
glow_status glow_result_output(const glow_result *result, size_t index,
                               glow_tensor_info *info, const void **data);

/* Is told what became of a request: GLOW_OK and a result, which is the
   caller's from then on; or why there is none, null, and glow_message() says
   more. On any thread, which should not be kept. */
typedef void (*glow_done)(void *context, glow_status status,
                          glow_result *result);

/* A request, for those that may cancel it. */
typedef struct glow_request glow_request;
void glow_request_free(glow_request *request);

/* Sends a request: inputs in the program's order, which are copied. `options`
   and `request` may be null. If it returns GLOW_OK, `done` is called once, also
   before it returns; else never. */
glow_status glow_submit(glow_host *host, glow_model_id model,
                        const glow_tensor *inputs, size_t count,
                        const glow_request_options *options, glow_done done,
                        void *context, glow_request **request);

/* Answers with GLOW_CANCELLED what is not answered. */
glow_status glow_cancel(glow_host *host, const glow_request *request);

#ifdef __cplusplus
}
#endif

#endif /* GLOW_GLOW_H */
