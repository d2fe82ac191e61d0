/* The trial of a device in another process, and the files that belong to this library. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "front.h"

extern char** environ;

/* This library may have been found through a link, and may be libblas.so.3 in the folder below. */
int beside(char* path, size_t size, const char* name) {
  static const char* const folders[] = {"", "../"};
  Dl_info own;
  char file[PATH_MAX];
  size_t i;
  if (dladdr((void*)&beside, &own) == 0 || own.dli_fname == NULL ||
      realpath(own.dli_fname, file) == NULL)
    return 0;
  for (i = 0; i < 2; i++) {
    const int length = (int)(strrchr(file, '/') + 1 - file);
    if (snprintf(path, size, "%.*s%s%s", length, file, folders[i], name) < (int)size &&
        access(path, F_OK) == 0)
      return 1;
  }
  return 0;
}

/* Waits for a child for a minute, or as long as $TESSERA_SELF_CHECK says, in steps. Returns whether
 * it ended with status 0. */
static int ends_well(pid_t child) {
  const char* const wish = getenv("TESSERA_SELF_CHECK");
  const double seconds = wish != NULL ? strtod(wish, NULL) : 0;
  double left = seconds > 0 ? seconds : 60;
  for (; left > 0; left -= 0.01) {
    const struct timespec step = {0, 10000000};
    int status = 0;
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (ended < 0 && errno != EINTR) return 0;
    nanosleep(&step, NULL);
  }
  kill(child, SIGKILL);
  (void)waitpid(child, NULL, 0);
  return 0;
}

/* A driver that aborts or hangs does so in a child process. */
int survives_probe(void) {
  char program[4096];
  char* arguments[] = {program, NULL};
  char* clean[512];
  size_t count = 0, i;
  posix_spawnattr_t attributes;
  sigset_t none;
  pid_t child;
  int failure;
  if (!beside(program, sizeof program, "tessera/tessera-blas-probe")) {
    complain("tessera/tessera-blas-probe", "there is none in this library's folder");
    return 0;
  }
  for (i = 0; environ[i] != NULL && count < 511; i++) {
    if (strncmp(environ[i], "LD_PRELOAD=", 11) != 0) clean[count++] = environ[i];
  }
  clean[count] = NULL;
  /* The thread that opens the device has all signals blocked. */
  sigemptyset(&none);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  failure = posix_spawn(&child, program, NULL, &attributes, arguments, clean);
  posix_spawnattr_destroy(&attributes);
  if (failure != 0) complain(program, strerror(failure));
  return failure == 0 && ends_well(child);
}
