/* What the blocks of a case do besides calling the object: they take turns, wait for each other and
 * share data.
 */
#ifndef WEIR_MODEL_BLOCKS_H
#define WEIR_MODEL_BLOCKS_H

#include "model/cases/cases.h"

/* The thread's number among those of all blocks. */
uint32_t weir_model_self(void);

/* Whether some blocks try or wait with a deadline, while the others wait without one. */
int weir_model_is_bounded(const weir_model_case_run *r);
/* Whether the block waits without a deadline in that round. The blocks take turns at this. */
int weir_model_stays(uint32_t block, uint32_t round);
/* Whether a block that may give up only tries; otherwise it waits with a deadline. */
int weir_model_tries(const weir_model_case_run *r, uint32_t round);
/* Whether a wait with a deadline acquired. Checks that it timed out exactly if the deadline had
 * passed. */
int weir_model_got_in_time(weir_model_case_run *r, weir_status result);

/* For weir_model_primitive.make: checks that the handle is of the object in the case's words. */
void weir_model_check_made(const weir_model_case_run *r, const weir_word *words);

/* Block 0 waits until all others are done, and returns 1. The flags order nothing: the object alone
 * must order the data. */
int weir_model_is_last(void);
/* The same with ordering flags: block 0 sees everything the others did. */
int weir_model_is_last_and_knows(void);

/* Every thread calls this at the end of a launch (numbered from 0). The next launch begins when all
 * threads have. */
void weir_model_end_launch(uint32_t launch);

/* The team of the calling thread, in a form with teams; and whether the thread of that number is in
 * a team. The other threads of the block run on their own. */
weir_team weir_model_team(const weir_model_case_run *r);
int weir_model_in_team(const weir_model_case_run *r, uint32_t thread);
/* Why a case with teams of that size cannot run, or NULL. */
const char *weir_model_refuse_teams(const weir_model_case *c);

/* Reads `count` data, starting at `first`. */
void weir_model_read_all(uint32_t first, uint32_t count);
/* Every thread of a team reads the data that the previous team wrote, then writes its own. */
void weir_model_share_within_team(weir_team team);
/* Every thread reads the data that the threads of the previous block wrote, then writes its own. */
void weir_model_share_within_block(void);

#endif
