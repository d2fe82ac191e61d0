/* Devices, engines, streams and events. See tessera/tessera.h. */
#ifndef TESSERA_C_ENGINE_H
#define TESSERA_C_ENGINE_H

#include <tessera/c/base.h>

/* OpenCL's objects, as <CL/cl.h> declares them. */
struct _cl_context;
struct _cl_device_id;
struct _cl_command_queue;
struct _cl_mem;
struct _cl_event;

#ifdef __cplusplus
extern "C" {
#endif

/* The devices of all platforms, in clinfo's order. `index` is below the count; else NULL. */
typedef struct tessera_devices tessera_devices;
TESSERA_C_API tessera_status tessera_devices_create(tessera_devices** devices,
                                                    tessera_error** error);
TESSERA_C_API size_t tessera_devices_count(const tessera_devices* devices);
/* "0:1": platform and device. Selects this device for an engine. */
TESSERA_C_API const char* tessera_devices_selector(const tessera_devices* devices, size_t index);
TESSERA_C_API const char* tessera_devices_name(const tessera_devices* devices, size_t index);
/* Everything that is known of it, with the keys listed in docs/json.md. */
TESSERA_C_API const char* tessera_devices_json(const tessera_devices* devices, size_t index);
TESSERA_C_API void tessera_devices_destroy(tessera_devices* devices);

typedef struct tessera_engine tessera_engine; /* a device, its programs and its tuned kernels */
typedef struct tessera_stream tessera_stream; /* an in-order queue of an engine */
typedef struct tessera_event tessera_event;   /* the completion of an operation */

typedef struct tessera_engine_options {
  size_t struct_size;
  const char* device; /* "gpu", "cpu", "0:1", a part of a name; NULL: $TESSERA_DEVICE, or fastest */
  const char* profile; /* tuned kernels: a .jsonl file, a folder, "off"; NULL: $TESSERA_PROFILE */
  int32_t profiling;   /* not 0: runs have device times */
  int32_t reserved;    /* 0 */
} tessera_engine_options;
#define TESSERA_ENGINE_OPTIONS_INIT \
  { sizeof(tessera_engine_options), NULL, NULL, 0, 0 }

TESSERA_C_API tessera_status tessera_engine_create(tessera_engine** engine,
                                                   const tessera_engine_options* options,
                                                   tessera_error** error);
/* An engine whose own stream is the program's in-order queue, which is retained. */
TESSERA_C_API tessera_status tessera_engine_adopt_queue(tessera_engine** engine,
                                                        struct _cl_command_queue* queue,
                                                        tessera_error** error);
/* An engine on the program's context and device, with a queue of its own. */
TESSERA_C_API tessera_status tessera_engine_adopt_context(tessera_engine** engine,
                                                          struct _cl_context* context,
                                                          struct _cl_device_id* device,
                                                          tessera_error** error);
/* What kind of device it is; TESSERA_DEVICE_OTHER for NULL. */
enum {
  TESSERA_DEVICE_CPU = 0,
  TESSERA_DEVICE_GPU = 1,
  TESSERA_DEVICE_ACCELERATOR = 2,
  TESSERA_DEVICE_OTHER = 3
};
TESSERA_C_API int32_t tessera_engine_device_type(const tessera_engine* engine);
TESSERA_C_API const char* tessera_engine_device_name(const tessera_engine* engine);
/* The same keys as tessera_devices_json(). */
TESSERA_C_API const char* tessera_engine_device_json(const tessera_engine* engine);
/* Waits for all streams of the engine. An operation that failed since the last wait is an error. */
TESSERA_C_API tessera_status tessera_engine_finish(const tessera_engine* engine,
                                                   tessera_error** error);
/* Sets `lost` to 1 if the device no longer works, else to 0. Waits for a small transfer. */
TESSERA_C_API tessera_status tessera_engine_lost(const tessera_engine* engine, int32_t* lost,
                                                 tessera_error** error);
/* Bytes of matrices, of memory that operations work in, and of the device. */
TESSERA_C_API tessera_status tessera_engine_memory(const tessera_engine* engine, uint64_t* live,
                                                   uint64_t* scratch, uint64_t* capacity,
                                                   tessera_error** error);
/* Frees the memory that operations work in; later ones allocate it again. */
TESSERA_C_API tessera_status tessera_engine_release_scratch(const tessera_engine* engine,
                                                            tessera_error** error);
/* OpenCL's handles, which are not retained. */
TESSERA_C_API struct _cl_context* tessera_engine_context(const tessera_engine* engine);
TESSERA_C_API struct _cl_device_id* tessera_engine_device(const tessera_engine* engine);
TESSERA_C_API void tessera_engine_destroy(tessera_engine* engine);

/* A new stream, which runs concurrently with the engine's others. */
TESSERA_C_API tessera_status tessera_stream_create(tessera_stream** stream,
                                                   const tessera_engine* engine,
                                                   tessera_error** error);
/* The engine's own stream, which is used if none is named. */
TESSERA_C_API tessera_status tessera_stream_of(tessera_stream** stream,
                                               const tessera_engine* engine, tessera_error** error);
/* A stream on the program's in-order queue, of the engine's context and device. */
TESSERA_C_API tessera_status tessera_stream_adopt(tessera_stream** stream,
                                                  const tessera_engine* engine,
                                                  struct _cl_command_queue* queue,
                                                  tessera_error** error);
/* Waits for the stream, as tessera_engine_finish() does for all. */
TESSERA_C_API tessera_status tessera_stream_finish(const tessera_stream* stream,
                                                   tessera_error** error);
/* Whatever is enqueued from now on waits for `count` events. */
TESSERA_C_API tessera_status tessera_stream_wait_for(const tessera_stream* stream,
                                                     tessera_event* const* events, size_t count,
                                                     tessera_error** error);
/* The queue is not retained. */
TESSERA_C_API struct _cl_command_queue* tessera_stream_queue(const tessera_stream* stream);
TESSERA_C_API void tessera_stream_destroy(tessera_stream* stream);

/* An event of the program, which is retained. */
TESSERA_C_API tessera_status tessera_event_adopt(tessera_event** event, struct _cl_event* handle,
                                                 tessera_error** error);
/* Waits; a failed command is an error. */
TESSERA_C_API tessera_status tessera_event_wait(const tessera_event* event, tessera_error** error);
/* Sets `complete` to 1 or 0, without waiting. */
TESSERA_C_API tessera_status tessera_event_complete(const tessera_event* event, int32_t* complete,
                                                    tessera_error** error);
/* The operation's last command, not retained; NULL if there was none. */
TESSERA_C_API struct _cl_event* tessera_event_handle(const tessera_event* event);
TESSERA_C_API void tessera_event_destroy(tessera_event* event);

#ifdef __cplusplus
}
#endif

#endif
