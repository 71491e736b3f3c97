/* The operations of kernels, for kernels that are Python functions on the host machine.
 *
 * Python calls weir_python_call with the number of an operation. The operation's call site is the line of
 * the Python file, so that a diagnosis names it. No operation jumps across the interpreter's frames:
 * weir_host_guard ends the jump of a thread that leaves its launch.
 */
#define WEIR_DIAGNOSE
#include "native.h"

#include <string.h>

#include "crew/link.h"
#include "crew/share.h"
#include "host/run.h"
#include "host/thread.h"
#include "weir/device.h"

/* Operations pass on Python's call site. */
#undef WEIR_HERE_
#define WEIR_HERE_ (call->site)

#define OBJECT(type) (*(const type *)call->object)
#define BARRIER OBJECT(weir_barrier)
#define MUTEX OBJECT(weir_mutex)
#define SEMAPHORE OBJECT(weir_semaphore)
#define EVENT weir_event_at(OBJECT(weir_event_array), N(3))
#define EVENTS OBJECT(weir_event_array)
#define QUEUE OBJECT(weir_queue)
#define DISPENSER OBJECT(weir_dispenser)
#define TASKS OBJECT(weir_tasks)
#define CONDITION OBJECT(weir_condition)
#define OTHER (*(const weir_mutex *)call->other)
#define RWLOCK OBJECT(weir_rwlock)
#define ONCE OBJECT(weir_once)
#define SHARE ((weir_share *)call->items)
#define COMBINE OBJECT(weir_combiner)
#define GROUP OBJECT(weir_group)
#define CREW OBJECT(weir_crew)
#define TOKEN ((weir_crew_token *)call->items)
#define CALL ((weir_combiner_call *)call->items)
#define TEAM (team_given(call))
#define NS (call->ns)
#define N(i) ((uint32_t)call->numbers[i])
#define ITEMS (call->items)

static weir_team team_value(weir_python_call *call, weir_team team)
{
	call->team = team;
	return team;
}

/* A team that Python kept may belong to a larger launch, or to another warp. */
static weir_team team_given(const weir_python_call *call)
{
	weir_team team = call->team;

	if (team.id > WEIR_TEAM_WARP || weir_team_rank(team) >= team.threads ||
	    team.first + team.threads > weir_thread_count())
		weir_end_launch(WEIR_FAULT_TEAM, team.id);
	return team;
}

static void member_value(weir_python_call *call, weir_member member)
{
	call->items[0] = member.is_member;
	call->items[1] = member.rank;
	call->items[2] = member.count;
}

static weir_member member_given(const weir_python_call *call)
{
	weir_member member = {call->items[0], call->items[1], call->items[2]};
	return member;
}

static weir_status once_begin_for(weir_python_call *call)
{
	int is_mine = 0;
	weir_status result = weir_once_begin_for(ONCE, NS, &is_mine);

	call->items[0] = (uint32_t)is_mine;
	return result;
}

static int combine_wait_for(weir_python_call *call)
{
	weir_deadline deadline = {call->numbers[0], NS};

	return (int)weir_combiner_wait_by(COMBINE, CALL, &deadline);
}

/* The operations: V without a result, R with one. */
#define OPERATIONS(V, R)                                                                           \
	V(block_sync, weir_block_sync())                                                           \
	R(block_value, weir_block_value(N(0)))                                                     \
	R(block_id, weir_block_id())                                                               \
	R(block_count, weir_block_count())                                                         \
	R(thread_id, weir_thread_id())                                                             \
	R(thread_count, weir_thread_count())                                                       \
	R(cluster_id, weir_cluster_id())                                                           \
	R(cluster_rank, weir_cluster_rank())                                                       \
	R(cluster_size, weir_cluster_size())                                                       \
	R(is_in_launch, weir_host_self_()->group != NULL)                                          \
	R(clock_ns, weir_clock_ns())                                                               \
	R(join, (uint64_t)weir_host_join(N(0), N(1)))                                              \
	V(end_launch, weir_host_aborted_())                                                        \
	V(team_block, (void)team_value(call, weir_team_block()))                                   \
	V(team_warp, (void)team_value(call, weir_team_warp()))                                     \
	V(team_named, (void)team_value(call, weir_team_named(N(0), N(1), N(2))))                   \
	V(team_sync, weir_team_sync(TEAM))                                                         \
	R(team_value, weir_team_value(TEAM, N(0)))                                                 \
	R(team_rank, weir_team_rank(TEAM))                                                         \
	V(barrier_wait, weir_barrier_wait(BARRIER))                                                \
	R(barrier_wait_for, weir_barrier_wait_for(BARRIER, NS))                                    \
	R(barrier_arrive, weir_barrier_arrive(BARRIER))                                            \
	V(barrier_await, weir_barrier_await(BARRIER, N(0)))                                        \
	V(barrier_team_wait, weir_barrier_team_wait(BARRIER, TEAM))                                \
	V(mutex_lock, weir_mutex_lock(MUTEX))                                                      \
	R(mutex_lock_for, weir_mutex_lock_for(MUTEX, NS))                                          \
	R(mutex_try_lock, weir_mutex_try_lock(MUTEX))                                              \
	V(mutex_unlock, weir_mutex_unlock(MUTEX))                                                  \
	V(mutex_block_lock, weir_mutex_block_lock(MUTEX))                                          \
	V(mutex_block_unlock, weir_mutex_block_unlock(MUTEX))                                      \
	V(mutex_team_lock, weir_mutex_team_lock(MUTEX, TEAM))                                      \
	V(mutex_team_unlock, weir_mutex_team_unlock(MUTEX, TEAM))                                  \
	V(mutex_at, *(weir_mutex *)call->items = weir_mutex_at(OBJECT(weir_mutex_array), N(0)))    \
	V(semaphore_wait, weir_semaphore_wait_n(SEMAPHORE, N(0)))                                  \
	R(semaphore_wait_for, weir_semaphore_wait_n_for(SEMAPHORE, N(0), NS))                      \
	R(semaphore_try_wait, weir_semaphore_try_wait_n(SEMAPHORE, N(0)))                          \
	V(semaphore_post, weir_semaphore_post_n(SEMAPHORE, N(0)))                                  \
	V(semaphore_block_wait, weir_semaphore_block_wait(SEMAPHORE))                              \
	V(semaphore_block_post, weir_semaphore_block_post(SEMAPHORE))                              \
	V(semaphore_team_wait, weir_semaphore_team_wait(SEMAPHORE, TEAM))                          \
	V(semaphore_team_post, weir_semaphore_team_post(SEMAPHORE, TEAM))                          \
	R(event_signal, weir_event_signal(EVENT, N(0)))                                            \
	V(event_post, weir_event_post(EVENT, N(0)))                                                \
	V(event_wait, weir_event_wait(EVENT, N(0)))                                                \
	R(event_wait_for, weir_event_wait_for(EVENT, N(0), NS))                                    \
	R(event_count, weir_event_count(EVENT))                                                    \
	R(event_reached, weir_event_reached(EVENT, N(0)))                                          \
	R(event_block_signal, weir_event_block_signal(EVENT, N(0)))                                \
	V(event_block_post, weir_event_block_post(EVENT, N(0)))                                    \
	V(event_block_wait, weir_event_block_wait(EVENT, N(0)))                                    \
	R(event_team_signal, weir_event_team_signal(EVENT, N(0), TEAM))                            \
	V(event_team_post, weir_event_team_post(EVENT, N(0), TEAM))                                \
	V(event_team_wait, weir_event_team_wait(EVENT, N(0), TEAM))                                \
	V(event_array_wait_all, weir_event_array_wait_all(EVENTS, N(0), N(1), N(2)))               \
	R(event_array_wait_all_for, weir_event_array_wait_all_for(EVENTS, N(0), N(1), N(2), NS))   \
	R(event_array_wait_any, weir_event_array_wait_any(EVENTS, N(0), N(1), N(2)))               \
	R(event_array_wait_any_for,                                                                \
	  weir_event_array_wait_any_for(EVENTS, N(0), N(1), N(2), NS, ITEMS))                      \
	V(event_array_block_wait_all, weir_event_array_block_wait_all(EVENTS, N(0), N(1), N(2)))   \
	R(event_array_block_wait_any, weir_event_array_block_wait_any(EVENTS, N(0), N(1), N(2)))   \
	V(event_array_team_wait_all,                                                               \
	  weir_event_array_team_wait_all(EVENTS, N(0), N(1), N(2), TEAM))                          \
	R(event_array_team_wait_any,                                                               \
	  weir_event_array_team_wait_any(EVENTS, N(0), N(1), N(2), TEAM))                          \
	R(event_array_round, weir_event_array_round(EVENTS))                                       \
	R(event_array_leave, weir_event_array_leave(EVENTS))                                       \
	R(event_array_block_leave, weir_event_array_block_leave(EVENTS))                           \
	R(queue_push, weir_queue_push_item(QUEUE, ITEMS, N(0)))                                    \
	R(queue_pop, weir_queue_pop_item(QUEUE, ITEMS, N(0)))                                      \
	R(queue_push_for, weir_queue_push_item_for(QUEUE, ITEMS, N(0), NS))                        \
	R(queue_pop_for, weir_queue_pop_item_for(QUEUE, ITEMS, N(0), NS))                          \
	R(queue_try_push, weir_queue_try_push_item(QUEUE, ITEMS, N(0)))                            \
	R(queue_try_pop, weir_queue_try_pop_item(QUEUE, ITEMS, N(0)))                              \
	R(queue_block_push, weir_queue_block_push(QUEUE, ITEMS[0]))                                \
	R(queue_block_pop, weir_queue_block_pop(QUEUE, ITEMS))                                     \
	R(queue_block_push_n, weir_queue_block_push_n(QUEUE, N(1), ITEMS, N(0)))                   \
	R(queue_block_pop_n, weir_queue_block_pop_n(QUEUE, N(1), ITEMS, N(0)))                     \
	R(queue_block_pop_some, weir_queue_block_pop_some(QUEUE, N(1), ITEMS, N(0)))               \
	R(queue_team_push, weir_queue_team_push(QUEUE, ITEMS[0], TEAM))                            \
	R(queue_team_pop, weir_queue_team_pop(QUEUE, ITEMS, TEAM))                                 \
	R(queue_team_push_n, weir_queue_team_push_n(QUEUE, N(1), ITEMS, N(0), TEAM))               \
	R(queue_team_pop_n, weir_queue_team_pop_n(QUEUE, N(1), ITEMS, N(0), TEAM))                 \
	R(queue_team_pop_some, weir_queue_team_pop_some(QUEUE, N(1), ITEMS, N(0), TEAM))           \
	V(queue_close, weir_queue_close(QUEUE))                                                    \
	R(queue_leave, weir_queue_leave(QUEUE))                                                    \
	R(queue_block_leave, weir_queue_block_leave(QUEUE))                                        \
	R(queue_length, weir_queue_length(QUEUE))                                                  \
	R(dispenser_next, weir_dispenser_next(DISPENSER, SHARE, N(0)))                             \
	R(dispenser_block_next, weir_dispenser_block_next(DISPENSER, SHARE, N(0)))                 \
	R(dispenser_team_next, weir_dispenser_team_next(DISPENSER, SHARE, N(0), TEAM))             \
	R(tasks_next, weir_tasks_next(TASKS, ITEMS))                                               \
	R(tasks_block_next, weir_tasks_block_next(TASKS, ITEMS))                                   \
	R(tasks_add, weir_tasks_add(TASKS, N(0), N(1)))                                            \
	R(condition_wait, weir_condition_wait(CONDITION, OTHER))                                   \
	R(condition_wait_for, weir_condition_wait_for(CONDITION, OTHER, NS))                       \
	R(condition_signal, weir_condition_signal(CONDITION))                                      \
	R(condition_broadcast, weir_condition_broadcast(CONDITION))                                \
	R(condition_block_wait, weir_condition_block_wait(CONDITION, OTHER))                       \
	R(condition_block_wait_for, weir_condition_block_wait_for(CONDITION, OTHER, NS))           \
	V(condition_block_signal, weir_condition_block_signal(CONDITION))                          \
	V(condition_block_broadcast, weir_condition_block_broadcast(CONDITION))                    \
	V(rwlock_read_lock, weir_rwlock_read_lock(RWLOCK))                                         \
	R(rwlock_read_lock_for, weir_rwlock_read_lock_for(RWLOCK, NS))                             \
	R(rwlock_try_read_lock, weir_rwlock_try_read_lock(RWLOCK))                                 \
	V(rwlock_read_unlock, weir_rwlock_read_unlock(RWLOCK))                                     \
	V(rwlock_write_lock, weir_rwlock_write_lock(RWLOCK))                                       \
	R(rwlock_write_lock_for, weir_rwlock_write_lock_for(RWLOCK, NS))                           \
	R(rwlock_try_write_lock, weir_rwlock_try_write_lock(RWLOCK))                               \
	V(rwlock_write_unlock, weir_rwlock_write_unlock(RWLOCK))                                   \
	V(rwlock_downgrade, weir_rwlock_downgrade(RWLOCK))                                         \
	V(rwlock_block_read_lock, weir_rwlock_block_read_lock(RWLOCK))                             \
	V(rwlock_block_read_unlock, weir_rwlock_block_read_unlock(RWLOCK))                         \
	V(rwlock_block_write_lock, weir_rwlock_block_write_lock(RWLOCK))                           \
	V(rwlock_block_write_unlock, weir_rwlock_block_write_unlock(RWLOCK))                       \
	V(rwlock_block_downgrade, weir_rwlock_block_downgrade(RWLOCK))                             \
	R(once_begin, weir_once_begin(ONCE))                                                       \
	R(once_begin_for, once_begin_for(call))                                                    \
	V(once_end, weir_once_end(ONCE))                                                           \
	R(once_is_done, weir_once_is_done(ONCE))                                                   \
	R(once_block_begin, weir_once_block_begin(ONCE))                                           \
	V(once_block_end, weir_once_block_end(ONCE))                                               \
	V(combiner_publish,                                                                        \
	  *CALL = weir_combiner_publish_words(COMBINE, (const uint32_t *)call->other, N(0)))       \
	V(combiner_publish_timed,                                                                  \
	  *CALL = weir_combiner_publish_timed(COMBINE, (const uint32_t *)call->other, N(0)))       \
	R(combiner_wait, weir_combiner_wait(COMBINE, CALL))                                        \
	R(combiner_wait_for, combine_wait_for(call))                                               \
	R(combiner_next, weir_combiner_next(COMBINE, CALL))                                        \
	R(combiner_found, CALL->count)                                                             \
	R(combiner_operation, weir_combiner_operation_word(CALL, N(0), N(1)))                      \
	V(combiner_answer, weir_combiner_answer_word(CALL, N(0), N(1), N(2)))                      \
	V(combiner_release, weir_combiner_release(COMBINE, CALL))                                  \
	R(combiner_result, weir_combiner_result_word(CALL, N(0)))                                  \
	R(combiner_serve, weir_combiner_serve(COMBINE, CALL))                                      \
	R(combiner_serve_next, weir_combiner_serve_next(COMBINE, CALL))                            \
	V(combiner_leave, weir_combiner_leave(COMBINE))                                            \
	R(combiner_call_bytes, sizeof(weir_combiner_call))                                         \
	V(group_discover, member_value(call, weir_group_discover(GROUP)))                          \
	V(group_wait, weir_group_wait(GROUP, member_given(call)))                                  \
	V(group_range, member_value(call, weir_group_range(N(0), N(1))))                           \
	V(group_mask, member_value(call, weir_group_mask(call->numbers[0])))                       \
	V(group_barrier_wait, weir_barrier_wait(weir_group_barrier(BARRIER, member_given(call))))  \
	V(crew_in, ((weir_crew *)call->items)->config = weir_crew_in_config(N(0), N(1), N(2)))     \
	R(crew_words, weir_crew_words(CREW.config))                                                \
	R(crew_token_bytes, sizeof(weir_crew_token))                                               \
	V(crew_arrive, *TOKEN = weir_crew_arrive(CREW))                                            \
	V(crew_lane_arrive, *TOKEN = weir_crew_lane_arrive(CREW, N(0)))                            \
	R(crew_await_for, weir_crew_await_for(CREW, TOKEN, NS))                                    \
	R(crew_event_wait_for,                                                                     \
	  weir_crew_event_wait_for(                                                                \
	      CREW, weir_event_at(*(const weir_event_array *)call->other, N(3)), N(0), NS))        \
	V(crew_events, *(weir_event_array *)call->items = weir_crew_events(CREW, N(0)))            \
	V(crew_queue, *(weir_queue *)call->items = weir_crew_queue(CREW, N(0)))                    \
	R(crew_data, (uintptr_t)weir_crew_data(CREW, N(0)))                                        \
	V(crew_abort, weir_crew_abort(CREW))                                                       \
	R(crew_aborted, weir_crew_aborted(CREW))

#define DEFINE_VOID(name, statement)                                                               \
	static void call_##name(void *context)                                                     \
	{                                                                                          \
		weir_python_call *call = context;                                                  \
		call->result = 0;                                                                  \
		statement;                                                                         \
	}

#define DEFINE_RESULT(name, expression)                                                            \
	static void call_##name(void *context)                                                     \
	{                                                                                          \
		weir_python_call *call = context;                                                  \
		call->result = (uint64_t)(expression);                                             \
	}

OPERATIONS(DEFINE_VOID, DEFINE_RESULT)

#define ROW(name, text) {#name, call_##name},

static const struct {
	const char *name;
	void (*call)(void *context);
} operations[] = {OPERATIONS(ROW, ROW)};

#define OPERATION_COUNT (sizeof operations / sizeof operations[0])

int weir_python_operation(const char *name)
{
	for (size_t i = 0; i < OPERATION_COUNT; i++)
		if (strcmp(operations[i].name, name) == 0)
			return (int)i;
	return -1;
}

const char *weir_python_operation_name(int operation)
{
	return operation >= 0 && (size_t)operation < OPERATION_COUNT ? operations[operation].name
	                                                             : NULL;
}

int weir_python_do(int operation, weir_python_call *call)
{
	return weir_host_guard(operations[operation].call, call);
}

void weir_python_crew_leaves(weir_crew_link *link)
{
	/* Pairs with the acquire in the reports of others. */
	weir_store_rel(&link->table[link->config.rank][WEIR_SHARE_STATE], WEIR_SHARE_LEFT);
}

uint64_t weir_python_site(const char *file, uint32_t line)
{
	return weir_site_at(file, line);
}
