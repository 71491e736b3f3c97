/* `weir crew --decode`: one token through a transformer whose weights are divided over the ranks. */
#ifndef WEIR_COMMAND_CREW_DECODE_H
#define WEIR_COMMAND_CREW_DECODE_H

#include "rank.h"

extern const char *const crew_form_names[CREW_FORMS];

/* Why so many ranks cannot divide the model of that device; NULL: they can. */
const char *crew_decode_refuses(const crew_request *request);

/* Checks and measures each form as the rank of that place. crew_rank_close follows. */
void crew_decode_run(crew_rank *rank, const weir_crew_place *place);

#endif
