/* How a process joins a crew: what rank 0 does (lead.c), what the others do (follow.c), and what
 * both need (link.c). */
#ifndef WEIR_CREW_JOIN_H
#define WEIR_CREW_JOIN_H

#include "crew/link.h"
#include "crew/message.h"

/* Both create the crew of a link that is complete except for its memory and its peers. WEIR_OK when
 * all ranks are ready. The sockets of the place stay open. */
weir_status weir_crew_lead(weir_crew_link *link, const weir_crew_place *place);
weir_status weir_crew_follow(weir_crew_link *link, const weir_crew_place *place);

/* Maps the memory of all shares. */
weir_status weir_crew_map(weir_crew_link *link, int memory);
/* Records the identity of a rank. A `pid` of 0 or below is unknown. */
weir_status weir_crew_set_peer(weir_crew_link *link, uint32_t rank, int pid, uint32_t blocks);

/* A message from this rank. */
weir_crew_message weir_crew_message_of(const weir_crew_link *link, uint32_t what);
/* Checks that a message is of the kind `what`, from a rank of this crew with the same options. */
weir_status weir_crew_check_message(const weir_crew_link *link, const weir_crew_message *m,
                                    uint32_t what);
#define WEIR_CREW_ERROR_BYTES 1024 /* a copy of weir_error_text */

/* Tells the other end why there is no crew by sending the message of the last error, which stays
 * the last error. Does not wait. */
void weir_crew_refuse(int socket, uint32_t rank, uint32_t ranks, weir_status status);
/* The failure that the other end has reported, with `who` prepended to its message. */
weir_status weir_crew_take_refusal(const weir_crew_message *m, const char *who);

#endif
