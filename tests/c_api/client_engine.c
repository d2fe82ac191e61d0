/* Devices, engines, streams, events, matrices and transfers. */
#include "client.h"

void use_engines(const tessera_engine* engine) {
  tessera_devices* devices = NULL;
  tessera_engine *same = NULL, *other = NULL;
  tessera_stream *own = NULL, *stream = NULL, *adopted = NULL;
  tessera_matrix *a = NULL, *b = NULL;
  tessera_event *event = NULL, *wrapped = NULL;
  const float elements[2] = {1, 2};
  uint64_t live = 1, scratch = 1, capacity = 0;
  int32_t lost = 1, complete = 0;
  size_t count;
  OK(tessera_devices_create(&devices, &error));
  count = tessera_devices_count(devices);
  EXPECT(count > 0 && tessera_devices_selector(devices, 0) != NULL);
  EXPECT(tessera_devices_name(devices, count) == NULL);
  EXPECT(strlen(tessera_devices_name(devices, 0)) > 0);
  EXPECT(strstr(tessera_devices_json(devices, 0), "\"name\"") != NULL);
  tessera_devices_destroy(devices);

  EXPECT(tessera_engine_device_type(engine) >= TESSERA_DEVICE_CPU);
  EXPECT(tessera_engine_device_type(engine) <= TESSERA_DEVICE_OTHER);
  EXPECT(tessera_engine_device_type(NULL) == TESSERA_DEVICE_OTHER);
  EXPECT(strlen(tessera_engine_device_name(engine)) > 0);
  EXPECT(tessera_engine_device_json(engine)[0] == '{');
  OK(tessera_engine_lost(engine, &lost, &error));
  OK(tessera_engine_memory(engine, &live, &scratch, &capacity, &error));
  EXPECT(lost == 0 && capacity > live + scratch);
  OK(tessera_engine_release_scratch(engine, &error));
  OK(tessera_engine_finish(engine, &error));

  OK(tessera_stream_of(&own, engine, &error));
  OK(tessera_engine_adopt_queue(&same, tessera_stream_queue(own), &error));
  OK(tessera_engine_adopt_context(&other, tessera_engine_context(engine),
                                  tessera_engine_device(engine), &error));
  EXPECT(tessera_engine_context(same) == tessera_engine_context(engine));
  OK(tessera_stream_create(&stream, engine, &error));
  OK(tessera_stream_adopt(&adopted, engine, tessera_stream_queue(stream), &error));
  OK(tessera_matrix_create(&a, engine, stream, TESSERA_FLOAT32, 1, 2, &error));
  OK(tessera_matrix_upload_async(a, elements, 2, &event, &error));
  OK(tessera_event_adopt(&wrapped, tessera_event_handle(event), &error));
  OK(tessera_stream_wait_for(own, &wrapped, 1, &error));
  OK(tessera_event_wait(event, &error));
  OK(tessera_event_complete(wrapped, &complete, &error));
  EXPECT(complete == 1);
  OK(tessera_stream_finish(adopted, &error));
  /* An object keeps alive what it needs. */
  tessera_stream_destroy(stream);
  tessera_engine_destroy(other);
  OK(tessera_matrix_copy(&b, a, own, &error));
  expect_floats(b, elements);
  tessera_event_destroy(event);
  tessera_event_destroy(wrapped);
  tessera_matrix_destroy(a);
  tessera_matrix_destroy(b);
  tessera_stream_destroy(adopted);
  tessera_stream_destroy(own);
  tessera_engine_destroy(same);
}

void use_matrices(const tessera_engine* engine) {
  const float padded[2][4] = {{1, 2, 3, -1}, {4, 5, 6, -1}};
  const float transposed[6] = {1, 4, 2, 5, 3, 6}, corner[2] = {2, 5};
  float back[2][4] = {{9, 9, 9, 9}, {9, 9, 9, 9}};
  tessera_matrix *a = NULL, *t = NULL, *h = NULL, *block = NULL, *adopted = NULL, *copy = NULL,
                 *numbers = NULL;
  tessera_pinned* pinned = NULL;
  tessera_event* done = NULL;
  OK(tessera_matrix_create(&a, engine, NULL, TESSERA_FLOAT32, 2, 3, &error));
  OK(tessera_matrix_upload(a, padded, 4, &error));
  OK(tessera_matrix_download(a, back, 4, &error));
  EXPECT(back[1][0] == 4 && back[1][2] == 6 && back[0][3] == 9 && back[1][3] == 9);
  OK(tessera_matrix_transposed(&t, a, &error));
  OK(tessera_matrix_adjoint(&h, a, &error));
  EXPECT(tessera_matrix_rows(t) == 3 && tessera_matrix_columns(t) == 2);
  EXPECT(tessera_matrix_type(t) == TESSERA_FLOAT32);
  EXPECT(tessera_matrix_op(t) == TESSERA_TRANSPOSE);
  EXPECT(tessera_matrix_op(h) != TESSERA_NO_TRANSPOSE);
  expect_floats(t, transposed);
  FAILS(TESSERA_ERROR_UNSUPPORTED_LAYOUT, "transposed",
        tessera_matrix_upload(t, transposed, 2, &error));
  expect_floats(t, transposed);
  OK(tessera_matrix_block(&block, a, 0, 1, 2, 1, &error));
  EXPECT(tessera_matrix_offset(block) == 1 && tessera_matrix_leading_dimension(block) == 3);
  expect_floats(block, corner);
  FAILS(TESSERA_ERROR_TOO_LARGE, "", tessera_matrix_download(a, back, (size_t)-4, &error));
  FAILS(TESSERA_ERROR_OUT_OF_BOUNDS, "block", tessera_matrix_block(&copy, a, 0, 1, 2, 3, &error));
  EXPECT(copy == NULL);
  OK(tessera_matrix_adopt(&adopted, engine, NULL, tessera_matrix_buffer(a), TESSERA_FLOAT32, 1, 2,
                          1, 3, &error));
  expect_floats(adopted, corner);
  copy = matrix_of(engine, TESSERA_FLOAT32, 2, 1, NULL);
  numbers = matrix_of(engine, TESSERA_INT32, 2, 1, NULL);
  FAILS(TESSERA_ERROR_WRONG_TYPE, "int32",
        tessera_matrix_copy_into(numbers, adopted, NULL, &error));
  tessera_matrix_destroy(numbers);
  OK(tessera_matrix_copy_into(copy, adopted, &done, &error));
  OK(tessera_event_wait(done, &error));
  tessera_event_destroy(done);
  expect_floats(copy, corner);
  OK(tessera_pinned_create(&pinned, engine, TESSERA_FLOAT32, 2, 3, &error));
  OK(tessera_matrix_download_async(a, tessera_pinned_data(pinned), 3, &done, &error));
  OK(tessera_event_wait(done, &error));
  EXPECT(((const float*)tessera_pinned_data(pinned))[5] == 6);
  tessera_event_destroy(done);
  tessera_pinned_destroy(pinned);
  tessera_matrix_destroy(a);
  tessera_matrix_destroy(t);
  tessera_matrix_destroy(h);
  tessera_matrix_destroy(block);
  tessera_matrix_destroy(adopted);
  tessera_matrix_destroy(copy);
}
