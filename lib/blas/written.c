/* Which pages of the program's memory were written, as Linux knows from version 6.7 on: pages are
 * protected against writes, and the first write to a page removes its protection, without a signal
 * (userfaultfd with asynchronous write protection; ioctl PAGEMAP_SCAN). */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "front.h"

/* <linux/userfaultfd.h> and <linux/fs.h>, which may be older than the kernel. */
struct Range {
  uint64_t start, length;
};
struct Api {
  uint64_t version, features, ioctls;
};
struct Registration {
  struct Range range;
  uint64_t mode, ioctls;
};
struct Protection {
  struct Range range;
  uint64_t mode;
};
struct Scan {
  uint64_t size, flags, start, end, walk_end, regions, region_count, page_limit;
  uint64_t inverted, all_of, any_of, returned;
};
enum {
  kUserModeOnly = 1,
  kApiVersion = 0xAA,
  kFeatureUnpopulated = 1 << 13,
  kFeatureAsync = 1 << 15,
  kModeWriteProtect = 2, /* of a registration */
  kProtect = 1,
  kCheckAsync = 2, /* fails if a page is not registered */
  kWritten = 2
};
#define IOCTL_API _IOWR(0xAA, 0x3F, struct Api)
#define IOCTL_REGISTER _IOWR(0xAA, 0x00, struct Registration)
#define IOCTL_PROTECT _IOWR(0xAA, 0x06, struct Protection)
#define IOCTL_SCAN _IOWR('f', 16, struct Scan)

static int faults = -1, pagemap = -1;
static pthread_once_t opened = PTHREAD_ONCE_INIT;

static void open_both(void) {
  struct Api api = {kApiVersion, kFeatureUnpopulated | kFeatureAsync, 0};
  faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | kUserModeOnly);
  if (faults < 0) return;
  pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  if (pagemap < 0 || ioctl(faults, IOCTL_API, &api) != 0) {
    (void)close(faults);
    faults = -1;
  }
}

/* The whole pages of some memory. */
static struct Range pages_of(const void* begin, size_t bytes) {
  const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), from = (uintptr_t)begin;
  const uint64_t first = (from + page - 1) / page * page, last = (from + bytes) / page * page;
  const struct Range range = {first, last > first ? last - first : 0};
  return range;
}

/* The mappings that some memory is part of; empty if others could write to it unseen: to a file, or
 * to shared memory. */
static struct Range private_mappings_of(struct Range range) {
  FILE* const maps = fopen("/proc/self/maps", "re");
  struct Range whole = {0, 0};
  char line[512];
  uint64_t covered = range.start;
  int is_next_whole = 1;
  while (maps != NULL && covered < range.start + range.length && fgets(line, sizeof line, maps)) {
    const int is_whole = is_next_whole; /* long lines come in parts */
    unsigned long start, end, inode;
    char access[5];
    is_next_whole = strchr(line, '\n') != NULL;
    if (!is_whole || sscanf(line, "%lx-%lx %4s %*x %*x:%*x %lu", &start, &end, access, &inode) != 4)
      continue;
    if (end <= covered) continue;
    if (start > covered || access[3] != 'p' || inode != 0) break;
    if (whole.start == 0) whole.start = start;
    covered = end;
  }
  if (maps != NULL) fclose(maps);
  if (covered >= range.start + range.length) whole.length = covered - whole.start;
  return whole;
}

static int protect(struct Range range, uint64_t mode) {
  struct Protection protection = {range, mode};
  return ioctl(faults, IOCTL_PROTECT, &protection) == 0;
}

int watch_writes(const void* begin, size_t bytes) {
  const struct Range range = pages_of(begin, bytes);
  struct Registration registration = {{0, 0}, kModeWriteProtect, 0};
  pthread_once(&opened, open_both);
  if (faults < 0 || range.length == 0) return 0;
  /* Whole mappings: a part of one would become a mapping of its own, and mremap() of both fail. */
  registration.range = private_mappings_of(range);
  return registration.range.length > 0 && ioctl(faults, IOCTL_REGISTER, &registration) == 0 &&
         protect(range, kProtect);
}

void ignore_writes(const void* begin, size_t bytes) { (void)protect(pages_of(begin, bytes), 0); }

int was_written(const void* begin, size_t bytes) {
  const struct Range range = pages_of(begin, bytes);
  uint64_t region[3];
  struct Scan scan = {sizeof scan, kCheckAsync, range.start, range.start + range.length,
                      0,           0,           1,           1,
                      0,           kWritten,    0,           kWritten};
  scan.regions = (uintptr_t)region;
  return ioctl(pagemap, IOCTL_SCAN, &scan) != 0;
}

size_t bytes_before_pages(const void* begin, size_t bytes) {
  return (size_t)(pages_of(begin, bytes).start - (uintptr_t)begin);
}
size_t bytes_of_pages(const void* begin, size_t bytes) {
  return (size_t)pages_of(begin, bytes).length;
}
