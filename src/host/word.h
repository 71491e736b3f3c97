/* A word that threads of this process sleep on until it changes. */
#ifndef WEIR_HOST_WORD_H
#define WEIR_HOST_WORD_H

#include <stdint.h>

/* Sleeps while the word has this value. What its writer did before happens before the return. */
void weir_host_word_wait(uint32_t *word, uint32_t value);
/* Wakes all who sleep on it. Change it first. */
void weir_host_word_wake(uint32_t *word);

#endif
