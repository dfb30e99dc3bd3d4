/* SPDX-License-Identifier: MIT */
/*===- glow.h - compile and run neural networks from C --------------------===*/
/*
   Link with -lglow, or with -lglow-runtime, which has no compiler. The
   interface is one file of over 700 lines, which a program can copy.
   docs/CApi.md shows whole programs.

     Versions and statuses   glow_version  glow_message
     Log                     glow_log_to
     Tensors                 glow_kind  glow_tensor_info
     Options                 glow_options_new ...  glow_option
     Models                  glow_model_load  glow_model_load_memory
                             glow_model_function ...
     Programs                glow_compile  glow_explain ...
     Calls                   glow_call_new  glow_bind  glow_run
                             glow_run_async  glow_call_cancel  glow_call_wait
                             glow_profile
     Sessions                glow_program_state  glow_session_new
                             glow_session_new_of  glow_session_call
                             glow_session_fork ...
     Values                  glow_value_info  glow_value_new_strings ...
     Runners                 glow_runner_new ...
     Hosts                   glow_host_new ...  glow_submit
                             glow_host_session_new ...
     Training                glow_trainer_new  glow_trainer_run
                             glow_trainer_step  glow_trainer_save

   A function that can fail returns a glow_status. glow_message() then gives the
   calling thread the actual state and the required one. Nothing is printed
   unless it is requested (glow_log_to). Every function may be called from any
   thread; limits on concurrent use of one object are documented below. No
   function throws. No function ends the process, with three exceptions: LLVM
   aborts if it runs out of memory while it compiles, the system sends SIGBUS to
   a reader of a file that is truncated at that moment, and bytecode is trusted
   (glow_model_load).

   A child of fork() may use and free all objects of its parent, if no other
   thread of the parent was in a function of this file at the time. The child
   has no threads of the parent; a program runs on the thread of its caller.
   Devices in other processes stay with the parent. In the child they are lost
   (GLOW_DEVICE_LOST), and objects that use them may be freed.
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

/* The version of the library, as "1.2.3". docs/Versions.md defines its
   promises. */
const char *glow_version(void);

typedef enum glow_status {
  GLOW_OK,
  GLOW_INVALID_ARGUMENT, /* an argument or a file makes no sense               */
  GLOW_SHAPE_MISMATCH,   /* a tensor has not the required size                 */
  GLOW_NOT_FOUND,        /* no file, input, backend or option has that name    */
  GLOW_OUT_OF_MEMORY,    /* too little memory, or too few threads              */
  GLOW_UNSUPPORTED,      /* valid, but this build cannot do it                 */
  GLOW_INTERNAL,         /* an error in Glow itself                            */
  GLOW_OVERLOADED,       /* a request was refused: full, or too little time    */
  GLOW_DEADLINE,         /* a request was not done at its deadline             */
  GLOW_CANCELLED,        /* a run or a request was cancelled                   */
  GLOW_DEVICE_LOST,      /* no device is left                                  */
  GLOW_POISON            /* two devices were lost while they ran a request     */
} glow_status;

/* The message of this thread's last failure; "" if the last function did not
   fail. For a refused model it lists all reasons, one for each line. Valid
   until the thread calls another function. */
const char *glow_message(void);

/*----------------------------------------------------------------------------*/
/* Log                                                                        */
/*----------------------------------------------------------------------------*/

typedef enum glow_log_level {
  GLOW_LOG_OFF,
  GLOW_LOG_ERROR,   /* messages of functions that fail                     */
  GLOW_LOG_WARNING, /* work goes on, but differs from the request          */
  GLOW_LOG_INFO,    /* one line for each compilation or cache hit          */
  GLOW_LOG_DEBUG    /* details of memory and time, also of runs            */
} glow_log_level;

/* Receives a text of one or more lines, without the last end of line, on any
   thread, also on several at once. It may call functions of this file. They
   leave the message and the status of the logging function unchanged, and texts
   that they log are dropped. A model or program that the thread is compiling
   must not be compiled or explained again: that fails with
   GLOW_INVALID_ARGUMENT. */
typedef void (*glow_log)(void *context, glow_log_level level, const char *text);

/* Sends levels up to `most` to `log` from now on, or to stderr if `log` is
   null. A text that another thread is logging at that moment may still reach
   the old listener. Without a call nothing is logged, unless the environment
   variable GLOW_LOG is error, warning, info or debug: levels up to that one go
   to stderr. */
glow_status glow_log_to(glow_log_level most, glow_log log, void *context);

/*----------------------------------------------------------------------------*/
/* Tensors                                                                    */
/*----------------------------------------------------------------------------*/

/* Element kinds. An element of less than a byte takes a whole byte, of which
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
  /* Kinds of values that are no tensors of numbers (glow_value). */
  GLOW_STRING = 64, /* a tensor of texts                        */
  GLOW_SEQUENCE,    /* a list of values                         */
  GLOW_MAP,         /* integers or texts to such, or to floats  */
  GLOW_OPTIONAL     /* a value of another kind, or nothing      */
} glow_kind;

/* An input or output. The pointers are valid as long as the object that was
   asked. Kinds from GLOW_STRING on have 0 bytes, kinds from GLOW_SEQUENCE on
   have rank 0. */
typedef struct glow_tensor_info {
  const char        *name;
  glow_kind          kind;
  size_t             rank;
  const int64_t     *shape;      /* -1: open, in a model, and a size with a
                                    range in a program                        */
  const char *const *dimensions; /* the model's names, "" for an unnamed one;
                                    null if all are unnamed                   */
  size_t             bytes;      /* of a dense tensor; 0 if a size is open    */
} glow_tensor_info;

/* Dense and row-major elements that the caller owns. */
typedef struct glow_tensor {
  glow_kind      kind;
  size_t         rank;
  const int64_t *shape;
  const void    *data;
} glow_tensor;

/*----------------------------------------------------------------------------*/
/* Options                                                                    */
/*----------------------------------------------------------------------------*/

/* Options of compiling and running. One thread at a time may change them. */
typedef struct glow_options glow_options;

/* The best options for this machine; null if there is no memory. */
glow_options *glow_options_new(void);
void          glow_options_free(glow_options *options);

/* Sets an option by name. Fails with GLOW_NOT_FOUND, naming the known options,
   and with GLOW_INVALID_ARGUMENT for an invalid value. */
glow_status glow_options_set(glow_options *options,
                             const char *name, const char *value);

/* Sets the shape of an input whose shape the model leaves open, or of an
   initializer that becomes an input (glow_model_overridable). */
glow_status glow_options_set_shape(glow_options *options, const char *input,
                                   size_t rank, const int64_t *shape);

/* Sets the size of a dimension that the model leaves open, by the model's name
   for it, in every input that has the dimension. */
glow_status glow_options_set_size(glow_options *options,
                                  const char *dimension, int64_t size);

/* Opens a dimension for all multiples of `multiple` from `least` to `most`, by
   the model's name for it, or "x.0" for dimension 0 of input x if it has none.
   One program of a glow_runner then serves all these sizes. Fails with
   GLOW_INVALID_ARGUMENT unless 0 <= least <= most, 1 <= multiple, and both
   bounds are multiples. With -1 for `most` the compiler chooses the greatest
   size, and logs it as a warning. */
glow_status glow_options_set_range(glow_options *options,
                                   const char *dimension, int64_t least,
                                   int64_t most, int64_t multiple);

/* An option that can be set. The pointers are valid as long as the process. */
typedef struct glow_option_info {
  const char *name;
  const char *type;      /* text, int, bool, size (as 512M), or words: a|b|c  */
  const char *initially; /* the value of new options                          */
  const char *help;      /* one line, lower case                              */
  const char *backend;   /* the backend of the option; "": all backends       */
} glow_option_info;

size_t      glow_option_count(void);
glow_status glow_option(size_t index, glow_option_info *info);

/*----------------------------------------------------------------------------*/
/* Models                                                                     */
/*----------------------------------------------------------------------------*/

/* A parsed model: ONNX, text or bytecode of the dialects (.mlir, .mlirbc), or a
   library from glow compile --emit=so. Bytecode is trusted: LLVM's reader ends
   the process at some mistakes in it, and compiled libraries are code. */
typedef struct glow_model glow_model;

/* Reads a file. The file, and the files of its weights, should not change while
   the model or one of its programs lives. A file that was replaced is read
   again at the next compilation, whatever the current folder is then. A
   truncated file is an error of the next call that checks it, but see above. If
   another user may write to a file, its weights are read into memory. */
glow_status glow_model_load(const char *path, glow_model **model);

/* Reads the bytes of an .onnx, .mlirbc or compiled file, which are copied. An
   ONNX model must contain its weights. `name` is for messages; null stands for
   "the model in memory". */
glow_status glow_model_load_memory(const void *data, size_t bytes,
                                   const char *name, glow_model **model);
void        glow_model_free(glow_model *model);

size_t glow_model_inputs(const glow_model *model);
size_t glow_model_outputs(const glow_model *model);

/* Inputs and outputs are in the model's order. Fails with GLOW_NOT_FOUND if
   `index` is out of range. */
glow_status glow_model_input(const glow_model *model, size_t index,
                             glow_tensor_info *info);
glow_status glow_model_output(const glow_model *model, size_t index,
                              glow_tensor_info *info);

/* Initializers that the model also lists as inputs, from IR version 4 on. Each
   has its value in the model. With a shape in the options it becomes an input
   of a program, after the others; a glow_runner may get another value for
   it. */
size_t      glow_model_overridables(const glow_model *model);
glow_status glow_model_overridable(const glow_model *model, size_t index,
                                   glow_tensor_info *info);

/* The functions of a module (.mlir, .mlirbc) that are programs over the same
   constants and states, as "prefill" and "decode", in the order of the module.
   A model of ONNX is one program without a name, and has none. The name is null
   if there are not as many. */
size_t      glow_model_functions(const glow_model *model);
const char *glow_model_function_name(const glow_model *model, size_t index);

/* Makes a model of one function of a module, with the inputs and outputs of that
   function. A module of several is compiled by its functions alone. Fails with
   GLOW_NOT_FOUND, listing the names. Either model may be freed first. */
glow_status glow_model_function(const glow_model *model, const char *name,
                                glow_model **function);

/* Explains where and why nodes run, lists every node that cannot, and gives the
   memory plan. The text is for people, or a JSON object if `json` is not 0. It
   is the output of `glow explain`, or the object of its --json, with the layers
   of the compiled program. An open first dimension of several is 1. `options`
   may be null. Valid until this thread asks again. */
glow_status glow_explain(glow_model *model, const glow_options *options,
                         int json, const char **text);

/*----------------------------------------------------------------------------*/
/* Programs                                                                   */
/*----------------------------------------------------------------------------*/

/* A model, compiled for its sizes. */
typedef struct glow_program glow_program;

/* Compiles a model. `options` may be null. The program does not need the model
   any more. Calls with the same model wait for each other. Fails with
   GLOW_UNSUPPORTED if some sizes of the model are known only during a run: a
   glow_runner runs it. */
glow_status glow_compile(glow_model *model, const glow_options *options,
                         glow_program **program);

/* Frees a program, after its calls were freed. */
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

/* The arguments of a program's runs. Threads that run one program at the same
   time have a call each. They run concurrently, up to the option runs-at-once.
   Each concurrent run has memory of its own for values between the steps, which
   the program keeps for later runs; consecutive runs share it. */
typedef struct glow_call glow_call;

/* Makes a call. The first call of a program loads it onto a device. */
glow_status glow_call_new(glow_program *program, glow_call **call);

/* Frees a call; waits for a run that glow_run_async began. */
void glow_call_free(glow_call *call);

/* Sets the memory of an input or output, until it is set again. The caller owns
   the memory, which is dense and row-major, and aligned for its elements. Fails
   with GLOW_NOT_FOUND if there is no input or output of this name, with
   GLOW_SHAPE_MISMATCH if the number of bytes differs, and with
   GLOW_INVALID_ARGUMENT while the call runs.

   An output may overlap inputs, wholly or in part, such as a state that is
   updated in place: a run reads all inputs with their old values, and writes
   such an output after it has succeeded. That takes memory of the output's
   size, and a copy. Inputs may share memory. Outputs may not: a run fails with
   GLOW_INVALID_ARGUMENT if two outputs share a byte. */
glow_status glow_bind(glow_call *call, const char *name,
                      void *data, size_t bytes);

/* Sets the sizes of the next runs of a program with ranges (see
   glow_options_set_range), and unbinds tensors whose sizes change: they are
   bound afterwards. shapes[i] has a size for each dimension of input i, and may
   be null if all of them are fixed. Fails with GLOW_SHAPE_MISMATCH if the program
   has no runs of these sizes, with all reasons, and with GLOW_INVALID_ARGUMENT
   for a program without ranges, and while the call runs. The sizes before stay
   then. */
glow_status glow_call_set_shapes(glow_call *call, const int64_t *const *shapes);

/* Describes an output of the next run, without open sizes. The pointers are
   valid until the sizes change. Fails with GLOW_INVALID_ARGUMENT before the sizes
   are set. An output whose size the program computes has the greatest size. */
glow_status glow_call_output(const glow_call *call, size_t index,
                             glow_tensor_info *info);

/* Whether a run computes sizes of outputs, as of a NonZero: 1 or 0. */
int glow_program_computes_sizes(const glow_program *program);

/* Describes an output as the last run has written it. A size that the program
   computes may be less than that of glow_call_output; the elements are dense at
   the beginning of the tensor that was bound. The pointers are valid until the
   next run. Fails with GLOW_INVALID_ARGUMENT while the call runs. */
glow_status glow_call_written(const glow_call *call, size_t index,
                              glow_tensor_info *info);

/* Runs, and waits. Fails with GLOW_INVALID_ARGUMENT, naming the first input or
   output that was not bound, or if the call already runs. Fails with
   GLOW_CANCELLED if another thread cancelled it. */
glow_status glow_run(glow_call *call);

/* Binds all inputs and outputs, in the program's order, and runs, for callers
   that minimise the number of calls. Each has as many bytes as its info
   requires. */
glow_status glow_run_on(glow_call *call, const void *const *inputs,
                        void *const *outputs);

/* Receives the end of a run: the status that glow_run would return, with
   details in glow_message(). It may be called on any thread, which it should
   not block, and may use and free the call. */
typedef void (*glow_ran)(void *context, glow_status status);

/* Begins a run and returns. If it returns GLOW_OK, `done` is called once,
   possibly before it returns; otherwise never. Until then the call and the
   bound memory must not be used. */
glow_status glow_run_async(glow_call *call, glow_ran done, void *context);

/* Ends the current run of a call, which may belong to another thread, with
   GLOW_CANCELLED: at once if the run waits for others, else before the next
   step of the program. Does nothing if there is no run. */
glow_status glow_call_cancel(glow_call *call);

/* Waits until no run of the call goes on, and until every `done` that reported
   the end of a run has returned, except a `done` that calls this function. The
   caller must keep the call until it returns. */
glow_status glow_call_wait(glow_call *call);

/* Runs the program `runs` times, from 1 to 1000000, with the bound memory, on a
   device of its own, and reports the time of each step: a JSON object {"runs",
   "milliseconds" of the median run, "steps": [{"node", "instruction",
   "milliseconds"}]}. Valid until this thread asks again. */
glow_status glow_profile(glow_call *call, size_t runs, const char **json);

/*----------------------------------------------------------------------------*/
/* Sessions                                                                   */
/*----------------------------------------------------------------------------*/

/* An output whose value the next run reads as an input, such as the state of a
   recurrent model. The option "state" gives such pairs; others are recognised
   by their names and types. With "append" in it, an input with a range and an
   output that is the input and more entries, such as the cache of a language
   model, are a state that grows; the program has its growing axis first. The
   pointers are valid as long as the object that was asked. */
typedef struct glow_state_info {
  const char    *input;
  const char    *output;
  glow_kind      kind;
  size_t         rank;
  const int64_t *shape;
  size_t         bytes;
  int            given;    /* 0: recognised                                   */
  int            axis;     /* 0: it grows along the first axis; -1: one size  */
  size_t         capacity; /* entries along the axis; 1 without an axis       */
  size_t         length;   /* entries in use; in a program, the capacity      */
} glow_state_info;

/* The states of a program. A call does not know them: it takes and gives all
   inputs and outputs. */
size_t      glow_program_states(const glow_program *program);
glow_status glow_program_state(const glow_program *program, size_t index,
                               glow_state_info *info);

/* The states of a program between its runs: a run reads them, and its outputs
   are their next values. After a run that failed they are as before it. No
   value is copied between runs; entries are appended to a state that grows. In
   glow_call_set_shapes, shapes of states may be null: they have their lengths.
   Sessions of one program share its weights, and threads may use them at the
   same time. One session is in use once at a time: a function below, or a run,
   fails with GLOW_INVALID_ARGUMENT while the session runs, or another thread
   uses it. `name` is the input of a state, or its
   output. */
typedef struct glow_session glow_session;

/* Makes a session, whose states are zeros; states that grow have no entries.
   Fails with GLOW_INVALID_ARGUMENT if the program has no state, and with
   GLOW_UNSUPPORTED if a state has a range and does not grow. */
glow_status glow_session_new(glow_program *program, glow_session **session);

/* Makes a session of several programs, as of the functions of a module. It has
   the states of all of them. A program also reads and writes a state that
   another one declares, if its input or output has the name. Fails as
   glow_session_new, and with GLOW_SHAPE_MISMATCH if a state is of different
   types in two programs. */
glow_status glow_session_new_of(glow_program *const *programs, size_t count,
                                glow_session **session);

/* Frees a session; waits for its run. No program of it must be freed before. */
void glow_session_free(glow_session *session);

/* The call that runs a session, or one that runs a program of the session by
   its number in glow_session_new_of: glow_bind binds the inputs and outputs that
   are no states, and glow_run or glow_run_async runs it. The session frees it.
   Null if there are not as many programs. */
glow_call *glow_session_call(glow_session *session);
glow_call *glow_session_call_of(glow_session *session, size_t program);

/* A state of a session. Fails with GLOW_NOT_FOUND, naming the states. */
glow_status glow_session_state(const glow_session *session, const char *name,
                               glow_state_info *info);

/* Copies the value of a state to or from memory of exactly its size. Fails with
   GLOW_SHAPE_MISMATCH for another number of bytes. A state that grows may be set
   to any number of entries that fit. */
glow_status glow_session_get(const glow_session *session, const char *name,
                             void *data, size_t bytes);
glow_status glow_session_set(glow_session *session, const char *name,
                             const void *data, size_t bytes);

/* Appends entries to a state, or removes the last entries of all states. Fails,
   naming the state, with GLOW_UNSUPPORTED for a state of a fixed size, and with
   GLOW_INVALID_ARGUMENT if the capacity is exceeded, or a state has fewer
   entries. Nothing changes then. A run fails in the same way. */
glow_status glow_session_append(glow_session *session, const char *name,
                                const void *data, size_t entries);
glow_status glow_session_rollback(glow_session *session, size_t entries);

/* Sets all states to zeros, and states that grow to no entries. */
glow_status glow_session_reset(glow_session *session);

/* Makes a session with the same values, for which nothing is copied; the first
   run of either copies the entries of states that grow. The fork has a call of
   its own, on which nothing is bound. Either may be freed first. */
glow_status glow_session_fork(const glow_session *session,
                              glow_session **fork);

/* Writes all states to a file, whole or not at all. */
glow_status glow_session_save(const glow_session *session, const char *path);

/* Reads all states from a file of glow_session_save, by any program of the same
   inputs, outputs, states and compiled weights. Fails with GLOW_INVALID_ARGUMENT
   for a file of another model, or that is incomplete or was changed, and with
   GLOW_UNSUPPORTED for one of another format. The session is then as before. */
glow_status glow_session_restore(glow_session *session, const char *path);

/*----------------------------------------------------------------------------*/
/* Values                                                                     */
/*----------------------------------------------------------------------------*/

/* A tensor of numbers or of texts, a sequence of values, a map, or nothing. It
   is immutable, and any thread may read it. The caller must free every value
   that a function returns; a value depends on no other value. */
typedef struct glow_value glow_value;
void glow_value_free(glow_value *value);

/* Copies the elements of a tensor. */
glow_status glow_value_new_tensor(const glow_tensor *tensor,
                                  glow_value **value);

/* Copies texts of any bytes, one for each element of the shape, in row-major
   order. `lengths` may be null: each text then ends at its first 0. */
glow_status glow_value_new_strings(size_t rank, const int64_t *shape,
                                   const char *const *texts,
                                   const size_t *lengths, glow_value **value);

/* A sequence of values in this order. */
glow_status glow_value_new_sequence(const glow_value *const *elements,
                                    size_t count, glow_value **value);

/* A map from keys to values. Keys are i64 or strings of rank 1, without
   duplicates; values are a tensor or strings of rank 1 with as many
   elements. */
glow_status glow_value_new_map(const glow_value *keys, const glow_value *values,
                               glow_value **value);

/* An optional without a value. An optional with a value is that value. */
glow_status glow_value_new_nothing(glow_value **value);

/* The kind and shape of a value, with the name "", and its elements. `data` may
   be null; `*data` becomes null if the value is no tensor of numbers. The kind
   of nothing is GLOW_OPTIONAL. */
glow_status glow_value_info(const glow_value *value, glow_tensor_info *info,
                            const void **data);

/* Number of elements of a tensor or sequence, or of pairs of a map; 0 of
   nothing. */
size_t glow_value_count(const glow_value *value);

/* An element of strings: its bytes, which a 0 follows, and their number, if
   `length` is not null. Valid as long as the value. Fails with GLOW_NOT_FOUND
   if `index` is out of range, and with GLOW_INVALID_ARGUMENT for a value of
   another kind. The functions below fail in the same way. */
glow_status glow_value_text(const glow_value *value, size_t index,
                            const char **text, size_t *length);

/* An element of a sequence. */
glow_status glow_value_element(const glow_value *value, size_t index,
                               glow_value **element);

/* The distinct keys of a map in ascending order, and their values. */
glow_status glow_value_keys(const glow_value *map, glow_value **keys);
glow_status glow_value_values(const glow_value *map, glow_value **values);

/*----------------------------------------------------------------------------*/
/* Runners                                                                    */
/*----------------------------------------------------------------------------*/

/* A model that runs on inputs of any sizes. It compiles when the sizes of
   inputs are new, and keeps the programs used most recently. It also runs
   models whose sizes are known only during a run, which cannot be programs. One
   thread at a time may use it. */
typedef struct glow_runner glow_runner;

/* Makes a runner. `options` may be null; their shapes and sizes are ignored,
   their ranges are not.
   The runner does not need the handle of the model any more. */
glow_status glow_runner_new(const glow_model *model,
                            const glow_options *options, glow_runner **runner);
void        glow_runner_free(glow_runner *runner);

/* Sets an input, of any sizes that the model accepts, until it is set again.
   The elements are dense and row-major, and are copied. After a failure the
   input is not set. */
glow_status glow_runner_set(glow_runner *runner, const char *name,
                            glow_kind kind, size_t rank, const int64_t *shape,
                            const void *data);

/* The same with a value of any kind, whose handle the runner does not need.
   Null removes the input. */
glow_status glow_runner_set_value(glow_runner *runner, const char *name,
                                  const glow_value *value);

/* Runs, and waits. Fails with GLOW_NOT_FOUND, naming the first input that was
   not set. Fails, naming the node, if a node cannot run on its inputs. After a
   failure there are no outputs. */
glow_status glow_runner_run(glow_runner *runner);

/* The outputs of the last run in the model's order, as many as the model has.
   The name is valid until the next run; the caller must free the value. */
size_t      glow_runner_values(const glow_runner *runner);
glow_status glow_runner_value(const glow_runner *runner, size_t index,
                              const char **name, glow_value **value);

/* The tensors of numbers among the outputs. Each tensor of a sequence is an
   output of its own, "name[0]"; strings and maps are omitted. Valid until the
   next run. */
size_t      glow_runner_outputs(const glow_runner *runner);
glow_status glow_runner_output(const glow_runner *runner, size_t index,
                               glow_tensor_info *info, const void **data);

/*----------------------------------------------------------------------------*/
/* Hosts                                                                      */
/*----------------------------------------------------------------------------*/

/* Devices, and the models that they serve to many threads. Every request is
   answered once. docs/Runtime.md describes the life of a request. */
typedef struct glow_host glow_host;

/* Settings of a host. 0 selects the default that is given below. */
typedef struct glow_host_settings {
  size_t   queue;       /* requests that may wait, of all models; 0: 1024  */
  uint64_t memory;      /* bytes for tensors of requests; 0: no limit      */
  double   hang_factor; /* a device is lost if a run takes this many times
                           as long as earlier ones, and over a second, or
                           if loading takes over five minutes; 0: never    */
} glow_host_settings;

/* Makes a host without devices; `settings` may be null. */
glow_status glow_host_new(const glow_host_settings *settings, glow_host **host);

/* Answers all open requests with GLOW_CANCELLED. Must not be called within a
   glow_done. */
void glow_host_free(glow_host *host);

/* Opens a device. `name` may be null, for the backend and a number. `threads`
   are threads of the host; 0: one for each processor. `memory` is the limit for
   programs; 0: all. Fails with GLOW_NOT_FOUND for an unknown backend, and with
   GLOW_INVALID_ARGUMENT for a name that is taken. */
glow_status glow_host_add_device(glow_host *host, const char *name,
                                 const char *backend, size_t threads,
                                 uint64_t memory);

/* Adds the devices of a file, whose format docs/Runtime.md describes. */
glow_status glow_host_add_devices(glow_host *host, const char *path);

/* Settings of a served model. 0 selects the default that is given below. */
typedef struct glow_serving {
  size_t   copies;        /* each on its own device; 0: wherever it fits     */
  unsigned weight;        /* share of a device among models; 0: 1            */
  int      pads;          /* not 0: a batch may be padded                    */
  int      evicts_others; /* not 0: may evict the longest unused models      */
} glow_serving;

/* A version of a model on a host. */
typedef uint64_t glow_model_id;

/* Loads programs onto the host's devices and serves them as `name`, in place of
   an earlier version, whose requests go on. There is one program, or several of
   one model that differ in dimension 0 of all inputs and outputs; requests are
   then combined into batches. `how` may be null. The host does not need the
   handles any more. Fails with GLOW_OUT_OF_MEMORY, naming bytes and devices, if
   the model does not fit, and with GLOW_NOT_FOUND if its backend has no
   device. */
glow_status glow_host_serve(glow_host *host, const char *name,
                            glow_program *const *programs, size_t count,
                            const glow_serving *how, glow_model_id *model);

/* As glow_host_serve, with one program for all batch sizes. `batch` is the name
   of dimension 0 of all inputs and outputs, which has a range
   (glow_options_set_range). Requests whose other sizes are equal are combined,
   up to the end of the range, so that `pads` has no effect. Fails with
   GLOW_INVALID_ARGUMENT if another dimension or a condition of the program
   depends on `batch`. */
glow_status glow_host_serve_batches(glow_host *host, const char *name,
                                    glow_program *program, const char *batch,
                                    const glow_serving *how,
                                    glow_model_id *model);

/* The newest version that is served under a name. */
glow_status glow_host_find(const glow_host *host, const char *name,
                           glow_model_id *model);

/* Ends the version `model`, once its requests are answered; a newer version in
   its place stays. */
glow_status glow_host_end(glow_host *host, glow_model_id model);

/* Whether every model has a copy that can run; 0 if not, or if `host` is
   null. */
int glow_host_is_ready(const glow_host *host);

/* Counters and times of models and devices, as one JSON object. Valid until
   this thread asks again. */
glow_status glow_host_report(const glow_host *host, const char **json);

/* Sends the report to each client of a Unix socket, such as glow top, until the
   host is freed. Fails with GLOW_INVALID_ARGUMENT if the path exists. */
glow_status glow_host_listen(glow_host *host, const char *path);

typedef struct glow_request_options {
  int    priority;    /* larger numbers go first                         */
  double deadline_ms; /* milliseconds from now; 0: no deadline           */
} glow_request_options;

/* The outputs of a request, in the program's order. */
typedef struct glow_result glow_result;
void        glow_result_free(glow_result *result);
size_t      glow_result_outputs(const glow_result *result);

/* An output, valid as long as the result. */
glow_status glow_result_output(const glow_result *result, size_t index,
                               glow_tensor_info *info, const void **data);

/* Receives the end of a request: GLOW_OK and a result, which the caller then
   owns; or the reason of a failure and null, with details in glow_message(). It
   may be called on any thread, which it should not block. */
typedef void (*glow_done)(void *context, glow_status status,
                          glow_result *result);

/* A handle of a request, for callers that may cancel it. */
typedef struct glow_request glow_request;
void glow_request_free(glow_request *request);

/* Sends a request: inputs in the program's order, which are copied. Where the
   program has ranges, they have any sizes in these. `options` and `request` may
   be null. If it returns GLOW_OK, `done` is called once,
   possibly before it returns; otherwise never. */
glow_status glow_submit(glow_host *host, glow_model_id model,
                        const glow_tensor *inputs, size_t count,
                        const glow_request_options *options, glow_done done,
                        void *context, glow_request **request);

/* A session of a served model, at one host: states that stay between its
   requests (docs/Sessions.md). It belongs to one version of the model: once a
   newer version is served, requests to the session fail with GLOW_NOT_FOUND. */
typedef uint64_t glow_host_session;

/* Begins a session. The memory of its states counts as that of requests. Fails
   as glow_session_new does, with GLOW_UNSUPPORTED if requests to the model are
   combined into batches, and with GLOW_OVERLOADED if the memory is full. */
glow_status glow_host_session_new(glow_host *host, glow_model_id model,
                                  glow_host_session *session);

/* Begins a session of several models, as of the functions of a module: see
   glow_session_new_of. Fails also if one of the models fails. */
glow_status glow_host_session_new_of(glow_host           *host,
                                     const glow_model_id *models, size_t count,
                                     glow_host_session *session);

/* Ends a session. Its waiting requests are answered with GLOW_CANCELLED. */
glow_status glow_host_session_end(glow_host *host, glow_host_session session);

/* Sends a request to a session, with the inputs that are no states; the result
   has the outputs that are no states. Requests of a session run one after the
   other: the larger priority first, then in the order in which they were sent.
   Those of other sessions run meanwhile. Only a request that is answered with
   GLOW_OK changes the states. Otherwise as glow_submit; `done` also receives
   GLOW_INVALID_ARGUMENT if the capacity of a state is exceeded. */
glow_status glow_host_session_submit(glow_host *host, glow_host_session session,
                                     const glow_tensor *inputs, size_t count,
                                     const glow_request_options *options,
                                     glow_done done, void *context,
                                     glow_request **request);

/* The same, to a model of the session by its number in
   glow_host_session_new_of. `done` receives GLOW_NOT_FOUND if there are not as
   many. */
glow_status glow_host_session_submit_of(
    glow_host *host, glow_host_session session, size_t model,
    const glow_tensor *inputs, size_t count,
    const glow_request_options *options, glow_done done, void *context,
    glow_request **request);

/* As the functions of glow_session, between two requests of the session. They
   fail with GLOW_OVERLOADED, changing nothing, while one runs. Requests that
   wait run afterwards. A session that is saved and ended takes no memory, and
   another one of the model may restore it. */
glow_status glow_host_session_save(glow_host *host, glow_host_session session,
                                   const char *path);
glow_status glow_host_session_restore(glow_host        *host,
                                      glow_host_session session,
                                      const char       *path);
glow_status glow_host_session_rollback(glow_host        *host,
                                       glow_host_session session,
                                       size_t            entries);
glow_status glow_host_session_reset(glow_host *host, glow_host_session session);

/* Answers a request with GLOW_CANCELLED, unless it is already answered. */
glow_status glow_cancel(glow_host *host, const glow_request *request);

/*----------------------------------------------------------------------------*/
/* Training                                                                   */
/*----------------------------------------------------------------------------*/

/* An ONNX model whose weights follow data (docs/Training.md). One thread at a
   time may use a trainer. libglow-runtime has none: GLOW_UNSUPPORTED. */
typedef struct glow_trainer glow_trainer;

/* The losses of an epoch, means over rows. An accuracy is -1 where there are no
   classes, and both values of validation are where no rows are kept for it. */
typedef struct glow_epoch {
  int64_t epoch; /* from 1 */
  double  loss;
  double  accuracy;
  double  validation_loss;
  double  validation_accuracy;
  double  samples_per_second;
} glow_epoch;

/* Hears of an epoch that is done. A result other than 0 ends the training. */
typedef int (*glow_epoch_done)(void *context, const glow_epoch *epoch);

/* Reads an ONNX file, and compiles a step of training. Words are flags of `glow
   train` without dashes, as "optimizer=adam" and "epochs=5". Rows are tensors,
   which outlive the trainer, by the names of inputs, of which a single one may
   be ""; or, where `labels` is null, the files of words "data=FILE" and
   "labels=FILE". */
glow_status glow_trainer_new(const char *model, const glow_options *options,
                             const char *const *words, size_t word_count,
                             const char *const *names,
                             const glow_tensor *inputs, size_t input_count,
                             const glow_tensor *labels, glow_trainer **trainer);
void        glow_trainer_free(glow_trainer *trainer);

/* Trains for all epochs, or until `done`, which may be null, ends it. */
glow_status glow_trainer_run(glow_trainer *trainer, glow_epoch_done done,
                             void *context);

/* One step on other rows, at most those of a batch, with a learning rate of its
   own. `loss` is that before the step. */
glow_status glow_trainer_step(glow_trainer *trainer, const char *const *names,
                              const glow_tensor *inputs, size_t input_count,
                              const glow_tensor *labels, double rate,
                              double *loss);

/* Writes the model with the weights so far, whole or not at all. */
glow_status glow_trainer_save(const glow_trainer *trainer, const char *path);

/*----------------------------------------------------------------------------*/
/* Graphs                                                                     */
/*----------------------------------------------------------------------------*/

/* A model that is built node by node, by the names of the records (`glow ops`;
   docs/BuildAGraph.md). One thread at a time may use a graph. A function that
   fails leaves it as it was. libglow-runtime has none: GLOW_UNSUPPORTED.
   glow/graph.hpp has a method of C++ for each node. */
typedef struct glow_graph glow_graph;

/* A value of a graph, from 1 on; 0 stands for an absent operand. */
typedef uint32_t glow_graph_value;

/* An operand of a node by name. An operand of several tensors occurs several
   times. */
typedef struct glow_graph_operand {
  const char      *name;
  glow_graph_value value;
} glow_graph_operand;

/* An attribute of a node by name. Its value is a text: "3", "true", "0.5",
   "linear", "[1, 2]", "f32". A kind may be the number of its glow_kind, too. */
typedef struct glow_graph_attribute {
  const char *name;
  const char *value;
} glow_graph_attribute;

glow_status glow_graph_new(glow_graph **graph);
void        glow_graph_free(glow_graph *graph);

/* An input of the model, of the kind and shape of `type`, whose data is
   ignored. Fails with GLOW_INVALID_ARGUMENT for a name that is taken. */
glow_status glow_graph_input(glow_graph *graph, const char *name,
                             const glow_tensor *type, glow_graph_value *value);

/* A weight with a copy of the elements. Without data, `initially` describes the
   elements: "zero", "broadcast X", "uniform LOW HIGH", "normal MEAN DEVIATION",
   "xavier", "kaiming"; the last two are uniform from -b to b, with
   b = sqrt(6 / (in + out)) and sqrt(6 / in). `fan_in` is `in`, or 0 for the
   product of all sizes but the last. Equal seeds give equal elements. */
glow_status glow_graph_weight(glow_graph *graph, const char *name,
                              const glow_tensor *elements,
                              const char *initially, uint64_t seed,
                              int64_t fan_in, glow_graph_value *value);

/* Adds a node, as "conv", of which all attributes must be given. `name` is for
   messages and profiles, and may be null. Writes at most `capacity` results,
   and their number to `count`. Fails with GLOW_NOT_FOUND for a name that the
   record lacks, and with GLOW_INVALID_ARGUMENT, with the labels of requirements
   that do not hold. */
glow_status glow_graph_node(glow_graph *graph, const char *kind,
                            const char *name,
                            const glow_graph_operand *operands,
                            size_t operand_count,
                            const glow_graph_attribute *attributes,
                            size_t attribute_count, glow_graph_value *results,
                            size_t capacity, size_t *count);

/* Makes a value an output of the model. */
glow_status glow_graph_output(glow_graph *graph, const char *name,
                              glow_graph_value value);

/* Describes a value. `name` of the description is "". The pointers are valid
   until the next call for the graph. */
glow_status glow_graph_type(glow_graph *graph, glow_graph_value value,
                            glow_tensor_info *info);

/* Writes the model, whole or not at all, in the form of the file's ending:
   .onnx, .mlir or .mlirbc. Fails with GLOW_UNSUPPORTED, with the reasons, for a
   node that ONNX lacks. */
glow_status glow_graph_save(const glow_graph *graph, const char *path);

/* The model of a graph, as glow_model_load gives it. */
glow_status glow_graph_model(const glow_graph *graph, glow_model **model);

#ifdef __cplusplus
}
#endif

#endif /* GLOW_GLOW_H */
