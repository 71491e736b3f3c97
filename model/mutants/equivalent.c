#include "equivalent.h"

#include <stddef.h>
#include <string.h>

/* A name without its kind stands for all kinds. */
static const struct {
	const char *name;
	const char *reason;
} known[] = {
    {"barrier counter: weir_counter_barrier_start for #1 a turn less",
     "the counters of a copy are compared with each other alone"},
    {"barrier central: weir_counter_at_ bits #1 ignored", "there is one counter"},
    {"weir_counter_look_ step #1 ignored", "the block that completes a counter polls it, too"},
    {"weir_counter_check_ if #1 never", "every block has threads enough here"},
    {"weir_xf_out_ block #1 ignored", "one word serves all blocks"},
    {"weir_xf_gather_next_ < #1 as <=", "nobody uses what is read"},
    {"weir_xf_gather_and_release_ for #1 a turn less",
     "the turns left out are those of block 0 alone"},
    {"weir_paced_pause_ ahead #1 ignored", "only the length of a pause"},
    {"weir_paced_pause_ - 1 #1 one less", "only the length of a pause"},
    {"weir_paced_pause_ < #1 as <=", "only the length of a pause"},
    {"weir_patient_pause_ ahead #1 ignored", "only the length of a pause"},
    {"weir_patient_pause_ < #1 as <=", "only the length of a pause"},
    {"weir_paced_lock if #2 never", "settling is a hint"},
    {"weir_ring_mutex_start < #1 as <=", "the number wraps to the first slot"},
    {"weir_patient_mutex_start < #1 as <=", "the number wraps to the first slot"},
    {"weir_ring_mutex_start for #1 a turn less",
     "what stands in a slot is looked at when the head is there, and is no waiter's"},
    {"weir_ttas_lock [] #2 of another word", "the look only saves exchanges"},
    {"weir_ttas_lock while #2 never", "the look only saves exchanges"},
    {"weir_cohort_home_ [] #1 of another word",
     "the last tail would be of a cluster of one, which does not queue"},
    {"weir_cohort_queues_ cluster_size #1 +1", "other clusters queue, each as a whole"},
    {"weir_cohort_queues_ cluster_id #1 +1", "fewer clusters queue, each as a whole"},
    {"weir_cohort_queues_ <= #1 as <", "fewer clusters queue, each as a whole"},
    {"weir_cohort_queues_ > #1 as >=", "a cluster of one may queue, too"},
    {"weir_cohort_pass_ if #1 never", "fewer hand-overs in a row"},
    {"weir_cohort_pass_ if #2 never",
     "a store to its own node; only the end of its memory makes a difference"},
    {"weir_line_has_room_ <= #1 as <", "the bound is one lower"},
    {"weir_packed_wait_n <= #1 as <", "1024 may join either way"},
    {"weir_packed_wait_n if #1 never", "few slots may join as many do"},
    {"weir_packed_wait_n <= #2 as <", "the wait is over at once"},
    {"weir_packed_wait_n if #2 never", "the wait is over at once"},
    {"weir_sleeping_wait_n > #1 as >=", "1024 may wait either way"},
    {"weir_sleeping_wait_n <= #1 as <", "it gives itself the turns that it waits for"},
    {"weir_sleeping_wait_n < #1 as <=", "no turns are added"},
    {"weir_sleeping_post_n > #1 as >=", "no turns are added"},
    {"weir_sleeping_post_n < #1 as <=", "the same number either way"},
    {"group discovery: weir_counter_barrier_start < #1 as <=",
     "zeros, and the words that follow are started after it"},
    {"group discovery: weir_counter_barrier_start < #3 as <=",
     "zeros, and the words that follow are started after it"},
    {"group discovery: weir_counter_barrier_start store_rlx #1 too late",
     "the closing release comes after all"},
    {"group discovery: weir_xf_barrier_start < #1 as <=",
     "zeros, and the words that follow are started after it"},
    {"group discovery: weir_xf_barrier_start store_rlx #1 value -1",
     "any value but the next epoch will do"},
    {"group discovery: weir_xf_barrier_start store_rlx #2 value +1", "any epoch will do"},
    {"group discovery: weir_xf_barrier_start store_rlx #1 too late",
     "the closing release comes after all"},
    {"group discovery: weir_xf_barrier_start store_rlx #2 too late",
     "the closing release comes after all"},
    {"group discovery: weir_group_close_ < #1 as <=", "only the length of a pause"},
    {"group discovery: weir_group_close_ for #1 a turn less", "only the length of a pause"},
    {"group discovery: weir_group_ask_ < #1 as <=", "the same number either way"},
    {"group discovery: weir_group_count_ block_id #2 +1",
     "a block that is the first of its word has a place in it"},
    {"weir_cohort_join_ await_ge_acq #1 unsigned compare", "a grant is far below 2^31"},
    {"weir_cohort_pass_ await_ge_acq #1 unsigned compare", "a rank is far below 2^31"},
    {"weir_cohort_pass_ load_rlx #1 result +1", "fewer hand-overs in a row"},
    {"weir_cohort_pass_ store_rel #1 value +1", "fewer hand-overs in a row"},
    {"weir_cohort_trylock store_rlx #1 too late", "nobody else touches the words"},
    {"weir_cohort_trylock store_rlx #2 value +1", "past the limit is past the limit"},
    {"weir_bounded_arrive_ cas_rel #1 result +1", "nobody uses the result"},
    {"weir_bounded_await_ cas_acq #1 result +1", "nobody uses the result"},
    {"weir_packed_trywait_n load64_rlx #1 result +2^32", "a guess that the next step corrects"},
    {"weir_spin_trywait_n load_rlx #1 result +1", "a guess that the next step corrects"},
    {"weir_patient_skip_ cas_rlx #1 result +1", "nobody uses the result"},
    {"weir_sleeping_post add_rel #2 result +1", "nobody uses the result"},
    {"weir_spin_wait_with_ xchg_rlx #1 result +1", "nobody uses the result"},
    {"weir_spin_wait_with_ xchg_rlx #2 result +1", "nobody uses the result"},
    {"group discovery: weir_atomic_barrier_start store_rlx #1 too late",
     "the closing release comes after both"},
    {"group discovery: weir_atomic_barrier_start store_rlx #2 left out", "any epoch will do"},
    {"group discovery: weir_atomic_barrier_start store_rlx #2 value +1", "any epoch will do"},
    {"group discovery: weir_atomic_barrier_start store_rlx #2 value -1", "any epoch will do"},
    {"group discovery: weir_bounded_barrier_start store_rlx #1 too late",
     "the closing release comes after both"},
    {"group discovery: weir_group_close_ store_rlx #1 value -1",
     "still above every number of members"},
    {"group discovery: weir_group_reopen_ store_rlx #1 too late",
     "the end of the launch comes after all of them"},
    {"group discovery: weir_group_reopen_ store_rlx #2 too late",
     "the end of the launch comes after all of them"},
    {"group discovery: weir_group_ask_ await_ge_acq #1 value +1",
     "who waits is at least the second member"},
    {"group discovery: weir_group_ask_ await_ge_acq #1 unsigned compare",
     "members are fewer than 2^31"},
    {"group discovery: weir_group_ask_ store_rlx #1 too late", "the block sync comes after both"},
};

const char *weir_model_why_equivalent_(const char *name)
{
	const char *place = strstr(name, ": ");

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (strcmp(known[i].name, name) == 0 ||
		    (place && strcmp(known[i].name, place + 2) == 0))
			return known[i].reason;
	return NULL;
}
