/* Random changes of texts, the same for the same seed. */
#ifndef TEST_FUZZ_MUTATE_H
#define TEST_FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* Starts the numbers of a case. */
void fuzz_seed(uint64_t seed);
/* A number below `limit`. */
uint64_t fuzz_draw(uint64_t limit);
/* Changes a text a few times, with parts of another. `text` has `room` bytes and stays terminated. Returns its length. */
size_t fuzz_mutate(char *text, size_t bytes, size_t room, const char *other, size_t other_bytes);
/* The contents of a file and a terminating zero, for the caller to free. Ends the program if it cannot be read. */
char *fuzz_file(const char *name, size_t *bytes);
/* Seconds of a clock that only goes forward. */
double fuzz_now(void);

#endif
