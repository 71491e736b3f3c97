/* The names of weir 0.1, for programs that move to 0.2 (doc/changes-0.2.md). It goes away in 0.3.
 *
 * Compile with -DWEIR_COMPAT_0_1, or include this file after weir/weir.h or weir/device.h. It has the names whose
 * arguments are the same. The creation of objects, their options and dispensers have other arguments, and
 * WEIR_CLOSED is another outcome: it was WEIR_DEVICE_CLOSED.
 */
#ifndef WEIR_WEIR_COMPAT_H
#define WEIR_WEIR_COMPAT_H

/* Outcomes. */
#define weir_result weir_status
#define WEIR_ACQUIRED WEIR_OK
#define WEIR_STILL_RUNNING WEIR_TIMED_OUT /* WEIR_BUSY from a call that does not wait */
#define WEIR_LAUNCH_ABORTED WEIR_ABORTED
#define WEIR_NO_MORE WEIR_CLOSED
#define WEIR_ENDED WEIR_CLOSED

/* Functions of the host. */
#define weir_resident_blocks weir_kernel_resident_blocks
#define weir_device_cuda weir_device_cuda_handles
#define weir_barrier_default weir_barrier_default_kind
#define weir_mutex_default weir_mutex_default_kind
#define weir_semaphore_default weir_semaphore_default_kind
#define weir_diagnosis_clear weir_diagnosis_destroy
#define weir_profile_free weir_profile_destroy
#define weir_combine_reset weir_combiner_reset
#define weir_combine_destroy weir_combiner_destroy
#define weir_crew_join weir_crew_create
#define weir_crew_leave(link) weir_crew_leave_0_1_(link)
#define weir_crew_stop weir_crew_host_abort
#define weir_crew_report_clear weir_crew_report_destroy

/* Operations of kernels. */
#define weir_mutex_trylock weir_mutex_try_lock
#define weir_semaphore_trywait weir_semaphore_try_wait
#define weir_semaphore_trywait_n weir_semaphore_try_wait_n
#define weir_rwlock_try_read weir_rwlock_try_read_lock
#define weir_rwlock_try_write weir_rwlock_try_write_lock
#define weir_event_round weir_event_array_round
#define weir_event_leave weir_event_array_leave
#define weir_event_block_leave weir_event_array_block_leave
#define weir_event_wait_all weir_event_array_wait_all
#define weir_event_wait_all_for weir_event_array_wait_all_for
#define weir_event_wait_any weir_event_array_wait_any
#define weir_event_wait_any_for weir_event_array_wait_any_for
#define weir_event_block_wait_all weir_event_array_block_wait_all
#define weir_event_block_wait_any weir_event_array_block_wait_any
#define weir_event_team_wait_all weir_event_array_team_wait_all
#define weir_event_team_wait_any weir_event_array_team_wait_any
#define weir_sequence_enter weir_sequence_begin
#define weir_sequence_leave weir_sequence_end
#define weir_sequence_block_enter weir_sequence_block_begin
#define weir_sequence_block_leave weir_sequence_block_end
#define weir_crew_barrier weir_crew_wait
#define weir_crew_lane_barrier weir_crew_lane_wait
#define weir_crew_post weir_crew_event_post

/* Combiners. */
#define WEIR_COMBINE_WORDS_MOST WEIR_COMBINER_WORDS_MOST
#define WEIR_COMBINE_WORDS WEIR_COMBINER_WORDS
#define WEIR_COMBINE_ROUNDS WEIR_COMBINER_ROUNDS
#define WEIR_COMBINE_EACH WEIR_COMBINER_EACH
#define weir_combine weir_combiner
#define weir_combine_config weir_combiner_config
#define weir_combine_call weir_combiner_call
#define weir_combine_in weir_combiner_in
#define weir_combine_words weir_combiner_words
#define weir_combine_publish weir_combiner_publish
#define weir_combine_publish_words weir_combiner_publish_words
#define weir_combine_publish_timed weir_combiner_publish_timed
#define weir_combine_next weir_combiner_next
#define weir_combine_operation weir_combiner_operation
#define weir_combine_operation_word weir_combiner_operation_word
#define weir_combine_answer weir_combiner_answer
#define weir_combine_answer_word weir_combiner_answer_word
#define weir_combine_release weir_combiner_release
#define weir_combine_result weir_combiner_result
#define weir_combine_result_word weir_combiner_result_word
#define weir_combine_wait weir_combiner_wait
#define weir_combine_wait_by weir_combiner_wait_by
#define weir_combine_block_call weir_combiner_block_call
#define weir_combine_serve weir_combiner_serve
#define weir_combine_goes_on weir_combiner_serve_next
#define weir_combine_leave weir_combiner_leave

#endif

/* It gives a link that the caller no longer has. */
#if defined(WEIR_RANKS_H) && !defined(WEIR_COMPAT_RANKS_)
#define WEIR_COMPAT_RANKS_
static inline weir_status weir_crew_leave_0_1_(weir_crew_link *link)
{
	return weir_crew_destroy(&link);
}
#endif
