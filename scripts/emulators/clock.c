/* Preloaded into an emulator, so that a test decides what time it is there: visibility, deduplication and age then pass at the test's word
 * and exactly. CRAWLER_EMULATOR_CLOCK names a file of two 64-bit numbers, microseconds each: the instant at which the wall clock stands
 * (0: it runs), and how much it is ahead of the real one while it runs. Clocks that are no wall clock stay as they are: timeouts work. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct clock_file {
    volatile int64_t stands_at;
    volatile int64_t ahead;
};
typedef int (*clock_gettime_t)(clockid_t, struct timespec *);

static const struct clock_file *asked;
static clock_gettime_t real_clock_gettime;

__attribute__((constructor)) static void open_clock(void) {
    real_clock_gettime = (clock_gettime_t)dlsym(RTLD_NEXT, "clock_gettime");
    const char *path = getenv("CRAWLER_EMULATOR_CLOCK");
    const int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *mapped = mmap(NULL, sizeof(struct clock_file), PROT_READ, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) asked = mapped;
    close(file);
}

int clock_gettime(clockid_t id, struct timespec *now) {
    if (!real_clock_gettime) open_clock();
    const int result = real_clock_gettime(id, now);
    if (result != 0 || !asked || (id != CLOCK_REALTIME && id != CLOCK_REALTIME_COARSE)) return result;
    int64_t micros = asked->stands_at;
    if (micros == 0) micros = (int64_t)now->tv_sec * 1000000 + now->tv_nsec / 1000 + asked->ahead;
    now->tv_sec = micros / 1000000;
    now->tv_nsec = micros % 1000000 * 1000;
    return 0;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    (void)zone;
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *out) {
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    if (out) *out = exact.tv_sec;
    return exact.tv_sec;
}
