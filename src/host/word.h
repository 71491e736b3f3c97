/* A word that threads of this process sleep on until it changes. */
#ifndef WEIR_HOST_WORD_H
#define WEIR_HOST_WORD_H

#include <stdint.h>

/* Sleeps while the word has this value. What its writer did before happens before the return. */
void weir_host_word_wait(uint32_t *word, uint32_t value);
/* Sleeps while the word has this value, for some time at most, and perhaps less. */
void weir_host_word_wait_for(uint32_t *word, uint32_t value, uint64_t ns);
/* Wakes all who sleep on it. Change it first. */
void weir_host_word_wake(uint32_t *word);

#endif
