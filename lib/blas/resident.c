/* Operands that stay on the device while no page of them is written. An operand is kept from its
 * second use in the same place on: the first write to a protected page costs microseconds. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "front.h"

struct Kept {
  Stored stored;
  void* matrix; /* null while it is uploaded */
  char* edges;  /* the bytes before and after the whole pages */
  int users, is_used, is_stale;
  unsigned long turn;
};

enum { kKept = 8, kSeen = 16 };
static Kept kept[kKept];
/* Operands that were used lately. Where they are written between uses, they wait longer. */
static struct Seen {
  Stored stored;
  int uses, needed;
} seen[kSeen];
static unsigned long turn;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int is_same(const Stored* a, const Stored* b) {
  return a->data == b->data && a->rows == b->rows && a->columns == b->columns &&
         a->leading_dimension == b->leading_dimension && a->type == b->type;
}

static size_t span_of(const Stored* s) {
  return ((s->rows - 1) * s->leading_dimension + s->columns) * elements[s->type].bytes;
}
static size_t head_of(const Stored* s) { return bytes_before_pages(s->data, span_of(s)); }
static const char* tail_of(const Stored* s) {
  return (const char*)s->data + head_of(s) + bytes_of_pages(s->data, span_of(s));
}
static size_t length_of_tail(const Stored* s) {
  return span_of(s) - head_of(s) - bytes_of_pages(s->data, span_of(s));
}

static int is_current(const Kept* k) {
  const Stored* const s = &k->stored;
  return !was_written(s->data, span_of(s)) && memcmp(k->edges, s->data, head_of(s)) == 0 &&
         memcmp(k->edges + head_of(s), tail_of(s), length_of_tail(s)) == 0;
}

/* Forgets an operand, as soon as nobody uses it. */
static void drop(Kept* k) {
  k->is_stale = 1;
  if (k->users > 0) return;
  if (k->matrix != NULL) destroy_on_device(k->matrix);
  free(k->edges);
  memset(k, 0, sizeof *k);
}

/* A page that two operands share without overlapping is whole in neither. */
static int overlaps(const Stored* s, const void* begin, size_t bytes) {
  const char *const first = s->data, *const second = begin;
  return first < second + bytes && second < first + span_of(s);
}

static struct Seen* find_seen(const Stored* s) {
  struct Seen* place = &seen[turn % kSeen];
  int i;
  for (i = 0; i < kSeen; i++)
    if (is_same(&seen[i].stored, s)) return &seen[i];
  place->stored = *s;
  place->uses = 0;
  place->needed = 2;
  return place;
}
/* Whether an operand is to be kept from this use on. */
static int is_due(const Stored* s) {
  struct Seen* const known = find_seen(s);
  if (++known->uses < known->needed) return 0;
  known->uses = 0;
  return 1;
}
static void wait_longer(const Stored* s) {
  struct Seen* const known = find_seen(s);
  known->uses = 0;
  if (known->needed < 64) known->needed *= 2;
}

/* A place for an operand; those that were used least recently make room for it. */
static Kept* free_place(const Stored* s) {
  for (;;) {
    size_t bytes = span_of(s);
    Kept *place = NULL, *oldest = NULL;
    int i;
    for (i = 0; i < kKept; i++) {
      if (!kept[i].is_used) {
        place = &kept[i];
        continue;
      }
      bytes += span_of(&kept[i].stored);
      if (kept[i].users == 0 && (oldest == NULL || kept[i].turn < oldest->turn)) oldest = &kept[i];
    }
    if (place != NULL && (double)bytes <= device_memory() / 4) return place;
    if (oldest == NULL) return NULL;
    ignore_writes(oldest->stored.data, span_of(&oldest->stored));
    drop(oldest);
  }
}

static void drop_in(const void* begin, size_t bytes) {
  int i;
  for (i = 0; i < kKept; i++)
    if (kept[i].is_used && overlaps(&kept[i].stored, begin, bytes)) drop(&kept[i]);
}

/* Protects an operand. Others that overlap it are dropped: whether their pages were written is
 * lost. */
static Kept* begin_keeping(const Stored* s) {
  Kept* place;
  if (bytes_of_pages(s->data, span_of(s)) == 0) return NULL;
  drop_in(s->data, span_of(s));
  place = free_place(s);
  if (place == NULL) return NULL;
  place->edges = malloc(head_of(s) + length_of_tail(s) + 1);
  if (place->edges == NULL) return NULL;
  if (!watch_writes(s->data, span_of(s))) {
    free(place->edges);
    place->edges = NULL;
    return NULL;
  }
  memcpy(place->edges, s->data, head_of(s));
  memcpy(place->edges + head_of(s), tail_of(s), length_of_tail(s));
  place->stored = *s;
  place->is_used = place->users = 1;
  return place;
}

Kept* use_kept(const Stored* s, void** matrix) {
  Kept* found = NULL;
  int i;
  *matrix = NULL;
  if (settings()->keep == 0 || span_of(s) < settings()->keep || is_measuring()) return NULL;
  pthread_mutex_lock(&lock);
  turn++;
  for (i = 0; i < kKept && found == NULL; i++) {
    Kept* const k = &kept[i];
    if (!k->is_used || k->is_stale || k->matrix == NULL || !is_same(&k->stored, s)) continue;
    if (is_current(k)) {
      found = k;
      found->users++;
      find_seen(s)->needed = 2;
      found->turn = turn;
      *matrix = found->matrix;
      count_kept();
    } else {
      ignore_writes(s->data, span_of(s));
      drop(k);
      wait_longer(s);
    }
  }
  if (found == NULL && is_due(s)) {
    found = begin_keeping(s);
    if (found != NULL) found->turn = turn;
  }
  pthread_mutex_unlock(&lock);
  return found;
}

void leave_kept(Kept* k, void* matrix) {
  pthread_mutex_lock(&lock);
  k->users--;
  if (k->matrix == NULL) k->matrix = matrix;
  if (k->matrix == NULL || k->is_stale) drop(k);
  pthread_mutex_unlock(&lock);
}

void drop_kept_in(const void* begin, size_t bytes) {
  if (settings()->keep == 0) return;
  pthread_mutex_lock(&lock);
  drop_in(begin, bytes);
  pthread_mutex_unlock(&lock);
}
