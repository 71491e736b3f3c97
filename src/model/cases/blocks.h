/* The actions of the blocks of a case besides their calls of the object: they take turns, wait for
 * each other, and share data.
 */
#ifndef WEIR_MODEL_BLOCKS_H
#define WEIR_MODEL_BLOCKS_H

#include "model/cases/cases.h"

/* The thread's number among those of all blocks. */
uint32_t weir_model_self(void);

/* Whether some blocks try or wait with a deadline, and the others stay. */
int weir_model_is_bounded(const weir_model_case_run *r);
/* Whether the block stays in that round; each block takes turns. */
int weir_model_stays(uint32_t block, uint32_t round);
/* Whether a block that does not stay tries: otherwise it waits with a deadline. */
int weir_model_tries(const weir_model_case_run *r, uint32_t round);
/* Whether a wait with a deadline acquired; checks that it timed out exactly when the deadline was
 * over. */
int weir_model_got_in_time(weir_model_case_run *r, weir_status result);

/* For weir_model_primitive.make: the handle is of the object in the words of the case. */
void weir_model_check_made(const weir_model_case_run *r, const weir_word *words);

/* Block 0 waits until all others are done, and returns 1. The flags order nothing: the object alone
 * must order the data. */
int weir_model_is_last(void);
/* The same with ordering flags: block 0 knows all that the others did. */
int weir_model_is_last_and_knows(void);

/* All threads end a launch, the number of which is from 0: the next one begins when all have. */
void weir_model_end_launch(uint32_t launch);

/* The team of the calling thread, in a form with teams, and whether a thread of that number in its
 * block is in one. The others go on by themselves. */
weir_team weir_model_team(const weir_model_case_run *r);
int weir_model_in_team(const weir_model_case_run *r, uint32_t thread);
/* Why a case with teams of that size cannot run, or NULL. */
const char *weir_model_refuse_teams(const weir_model_case *c);

/* Reads that many data, from `first` on. */
void weir_model_read_all(uint32_t first, uint32_t count);
/* Every thread of a team reads the data that the previous team wrote, then writes its own. */
void weir_model_share_within_team(weir_team team);
/* Every thread reads the data that the threads of the previous block wrote, then writes its own. */
void weir_model_share_within_block(void);

#endif
