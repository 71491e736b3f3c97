/* Mistakes in a program, one per row: its name, the status that the last call returns, words of the error text, where
 * it can be made, and the code. `d` is the device of the test, `other` another device of the same name. */
/* clang-format off */
#define MISUSES(X)                                                                                                     \
	/* Devices. */                                                                                                 \
	X(open_an_unknown_name, WEIR_NO_DEVICE, "'nowhere' is not the name of a device: use cuda:N", ANY,              \
	  return weir_device_open("nowhere", &made.device);)                                                           \
	X(open_a_device_past_the_last, WEIR_NO_DEVICE, "no device host:7: the last is host:0", ANY,                    \
	  return weir_device_open("host:7", &made.device);)                                                            \
	X(open_into_nothing, WEIR_BAD_ARGUMENT, "weir_device_open needs a place for the device", ANY,                  \
	  return weir_device_open(NULL, NULL);)                                                                        \
	X(open_by_a_number_that_is_none, WEIR_NO_DEVICE, "is not the name of a device", ANY,                           \
	  return weir_device_open("host:x", &made.device);)                                                            \
	X(open_for_another_version, WEIR_OTHER_VERSION, "9.0.0", ANY,                                                  \
	  return weir_device_open_for("9.0.0", "host", &made.device);)                                                 \
	X(wait_for_no_device, WEIR_BAD_ARGUMENT, "the device is NULL", ANY,                                            \
	  return weir_device_wait(NULL, 1, NULL);)                                                                     \
	X(use_a_closed_device, WEIR_DEVICE_CLOSED, "device host was closed", ANY,                                        \
	  return weir_barrier_create(closed, 2, NULL, &made.barrier);)                                                 \
	X(close_twice, WEIR_DEVICE_CLOSED, "device host was closed", ANY,                                                \
	  return weir_device_close(closed);)                                                                           \
	X(abort_on_no_device, WEIR_BAD_ARGUMENT, "the device is NULL", ANY,                                            \
	  return weir_device_abort(NULL);)                                                                             \
	X(diagnose_without_diagnosed_objects, WEIR_NOT_FOUND, "has no diagnosed objects", ANY,                         \
	  return weir_device_diagnose(other, &made.report);)                                                           \
	X(ask_for_cuda_handles_elsewhere, WEIR_UNSUPPORTED, "", NOT_CUDA,                                                \
	  return weir_device_cuda_handles(d, &made.handles);)                                                          \
	/* Memory. */                                                                                                  \
	X(a_buffer_of_nothing, WEIR_BAD_ARGUMENT, "0 bytes", ANY,                                                      \
	  return weir_buffer_create(d, 0, &made.buffer);)                                                              \
	X(read_past_a_buffer, WEIR_BAD_ARGUMENT, "8 bytes at 60 of a buffer of 64", ANY,                                                      \
	  return weir_buffer_read(d, small, 60, made.bytes, 8);)                                                       \
	X(write_past_a_buffer, WEIR_BAD_ARGUMENT, "of a buffer of 64", ANY,                                                     \
	  return weir_buffer_write(d, small, SIZE_MAX, made.bytes, 8);)                                                \
	X(destroy_a_buffer_of_another_device, WEIR_NOT_FOUND, "no such buffer on device", ANY,                         \
	  made.buffer = small; return weir_buffer_destroy(other, &made.buffer);)                                       \
	/* Creation. */                                                                                                \
	X(a_barrier_of_no_blocks, WEIR_BAD_ARGUMENT, "a barrier of 0 blocks", ANY,                                     \
	  return weir_barrier_create(d, 0, NULL, &made.barrier);)                                                      \
	X(a_barrier_for_too_many_blocks, WEIR_TOO_MANY_BLOCKS, "a barrier of 100000000 blocks: no kernel has", ANY,    \
	  return weir_barrier_create(d, 100000000, NULL, &made.barrier);)                                              \
	X(a_barrier_into_nothing, WEIR_BAD_ARGUMENT, "no place for the handle of the barrier", ANY,                    \
	  return weir_barrier_create(d, 2, NULL, NULL);)                                                               \
	X(a_group_of_no_blocks, WEIR_BAD_ARGUMENT, "a group for grids of 0 blocks", ANY,                               \
	  return weir_group_create(d, 0, NULL, &made.group);)                                                          \
	X(a_kind_that_is_none, WEIR_BAD_ARGUMENT, "there is no mutex of kind 99", ANY,                                 \
	  return weir_mutex_create(d, &(weir_mutex_options){.kind = 99}, &made.mutex);)                                \
	X(a_member_that_the_kind_lacks, WEIR_BAD_ARGUMENT, "queue_slots", ANY,                                         \
	  return weir_mutex_create(d, &(weir_mutex_options){.kind = WEIR_MUTEX_TICKET, .queue_slots = 8},              \
	                           &made.mutex);)                                                                      \
	X(fair_and_not_fair, WEIR_BAD_ARGUMENT, "fair", ANY,                                                           \
	  return weir_mutex_create(d, &(weir_mutex_options){.kind = WEIR_MUTEX_SPIN, .fair = 1}, &made.mutex);)        \
	X(more_shards_than_blocks, WEIR_BAD_ARGUMENT, "shards is 8 for a barrier of 2 blocks", ANY,                    \
	  return weir_barrier_create(d, 2, &(weir_barrier_options){.kind = WEIR_BARRIER_COUNTER, .shards = 8},         \
	                             &made.barrier);)                                                                  \
	X(a_first_block_of_the_whole_grid, WEIR_BAD_ARGUMENT, "first_block", ANY,                                      \
	  return weir_barrier_create(d, 2, &(weir_barrier_options){.first_block = 1}, &made.barrier);)                 \
	X(a_backoff_that_shrinks, WEIR_BAD_ARGUMENT, "a backoff from 3 up to 2 units", ANY,                            \
	  return weir_mutex_create(d, &(weir_mutex_options){.backoff = {3, 2}}, &made.mutex);)                         \
	X(memory_that_is_too_small, WEIR_BAD_ARGUMENT, "bytes, the memory has 4", ANY,                                 \
	  return weir_barrier_create(d, 2, &(weir_barrier_options){.object.memory = small.native,                      \
	                                                           .object.memory_bytes = 4}, &made.barrier);)         \
	X(an_offset_without_memory, WEIR_BAD_ARGUMENT, "object.memory_offset is 8, but object.memory is NULL", ANY,    \
	  return weir_once_create(d, &(weir_once_options){.object.memory_offset = 8}, &made.once);)                    \
	X(options_of_a_later_version, WEIR_UNSUPPORTED, "object.reserved", ANY,                                        \
	  return weir_once_create(d, &(weir_once_options){.object.reserved = {1}}, &made.once);)                       \
	X(a_semaphore_above_its_maximum, WEIR_BAD_ARGUMENT, "initial value of 3 is above its maximum of 2", ANY,       \
	  return weir_semaphore_create(d, 3, 2, NULL, &made.semaphore);)                                               \
	X(a_semaphore_of_no_slots, WEIR_BAD_ARGUMENT, "a semaphore of 0 slots", ANY,                                   \
	  return weir_semaphore_create(d, 0, 0, NULL, &made.semaphore);)                                               \
	X(an_array_of_no_mutexes, WEIR_BAD_ARGUMENT, "an array of mutexes of 0 mutexes", ANY,                          \
	  return weir_mutex_array_create(d, 0, NULL, &made.mutexes);)                                                  \
	X(an_array_of_no_events, WEIR_BAD_ARGUMENT, "of 0 events", ANY,                                                \
	  return weir_event_array_create(d, 0, NULL, &made.events);)                                                   \
	X(a_queue_for_no_items, WEIR_BAD_ARGUMENT, "a queue of 0 items", ANY,                                          \
	  return weir_queue_create(d, 0, 4, NULL, &made.queue);)                                                       \
	X(a_queue_of_odd_items, WEIR_BAD_ARGUMENT, "6 bytes", ANY,                                                     \
	  return weir_queue_create(d, 4, 6, NULL, &made.queue);)                                                       \
	X(a_dispenser_for_too_many_takers, WEIR_BAD_ARGUMENT, "takers", ANY,                                    \
	  return weir_dispenser_create(d, 4, &(weir_dispenser_options){.takers = 100000}, &made.dispenser);)                                                  \
	X(no_graph, WEIR_BAD_ARGUMENT, "graph", ANY,                                                                   \
	  return weir_tasks_create(d, NULL, NULL, &made.tasks);)                                                       \
	X(a_graph_with_a_cycle, WEIR_BAD_ARGUMENT, "cycle", ANY,                                                       \
	  return weir_tasks_create(d, &cyclic, NULL, &made.tasks);)                                                    \
	X(an_edge_to_no_task, WEIR_BAD_ARGUMENT, "successor", ANY,                                                     \
	  return weir_tasks_create(d, &wild, NULL, &made.tasks);)                                                      \
	X(a_combiner_of_wide_operations, WEIR_BAD_ARGUMENT, "9", ANY,                                                  \
	  return weir_combiner_create(d, 2, &(weir_combiner_options){.words = 9}, &made.combiner);)                    \
	X(a_size_into_nothing, WEIR_BAD_ARGUMENT, "no place for the size of the queue", ANY,                           \
	  return weir_queue_size(d, 4, 4, NULL, NULL, NULL);)                                                          \
	/* Objects that are gone, or elsewhere. */                                                                     \
	X(destroy_twice, WEIR_NOT_FOUND, "no such barrier on device", ANY,                                             \
	  made.barrier = gone; return weir_barrier_destroy(d, &made.barrier);)                                         \
	X(reset_what_is_destroyed, WEIR_NOT_FOUND, "not created there, or destroyed before", ANY,                      \
	  return weir_barrier_reset(d, gone);)                                                                         \
	X(destroy_on_another_device, WEIR_NOT_FOUND, "no such barrier on device", ANY,                                 \
	  made.barrier = four; return weir_barrier_destroy(other, &made.barrier);)                                     \
	X(destroy_nothing, WEIR_BAD_ARGUMENT, "the handle of the barrier is NULL", ANY,                                \
	  return weir_barrier_destroy(d, NULL);)                                                                       \
	X(destroy_as_another_primitive, WEIR_NOT_FOUND, "no such mutex on device", ANY,                                \
	  memset(&made.mutex, 0, sizeof made.mutex); made.mutex.words = four.words;                                    \
	  return weir_mutex_destroy(d, &made.mutex);)                                                                  \
	/* Programs and kernels. */                                                                                    \
	X(a_program_without_text, WEIR_BAD_ARGUMENT, "weir_program_create needs a text", ANY,                          \
	  return weir_program_create(d, NULL, &made.program);)                                                         \
	X(a_program_of_other_machines, WEIR_UNSUPPORTED, "the program has no", ANY,                                    \
	  return weir_program_create(d, &(weir_program_text){.opencl_text = NULL}, &made.program);)                    \
	X(a_kernel_that_is_not_there, WEIR_NOT_FOUND, "api_idz", ANY,                                                  \
	  return weir_program_kernel(api_program, "api_idz", &made.kernel);)                                           \
	X(a_program_that_is_none, WEIR_NOT_FOUND, "no such program, or destroyed before", ANY,                         \
	  return weir_program_kernel((weir_program *)&small, "api_ids", &made.kernel);)                                \
	X(resident_blocks_of_no_kernel, WEIR_BAD_ARGUMENT, "no kernel, or none of device", ANY,                        \
	  return weir_kernel_resident_blocks(d, (weir_kernel){NULL, NULL}, 1, 0, &made.count);)                        \
	/* Launches. */                                                                                                \
	X(launch_nothing, WEIR_BAD_ARGUMENT, "the launch is NULL", ANY,                                                \
	  return weir_kernel_launch(d, NULL);)                                                                         \
	X(launch_of_a_later_version, WEIR_UNSUPPORTED, "the launch has a member that this library", ANY,               \
	  made.later.launch = launch; made.later.more = 1;                                                             \
	  return weir_kernel_launch_sized(d, &made.later.launch, sizeof made.later);)                                  \
	X(launch_of_no_version, WEIR_BAD_ARGUMENT, "a launch of 8 bytes: the least is", ANY,                           \
	  return weir_kernel_launch_sized(d, &launch, 8);)                                                             \
	X(launch_no_kernel, WEIR_BAD_ARGUMENT, "no kernel, or none of device", ANY,                                    \
	  launch.kernel = (weir_kernel){NULL, NULL}; return weir_kernel_launch(d, &launch);)                           \
	X(a_grid_of_no_blocks, WEIR_BAD_ARGUMENT, "a grid of 0", ANY,                                                  \
	  launch.grid[0] = 0; return weir_kernel_launch(d, &launch);)                                                  \
	X(a_block_of_no_threads, WEIR_BAD_ARGUMENT, "a block of 0", ANY,                                               \
	  launch.block[0] = 0; return weir_kernel_launch(d, &launch);)                                                 \
	X(a_block_of_too_many_threads, WEIR_BAD_ARGUMENT, "a block of 1000000 threads", ANY,                           \
	  launch.block[0] = 1000000; return weir_kernel_launch(d, &launch);)                                           \
	X(arguments_without_a_list, WEIR_BAD_ARGUMENT, "3 arguments and no list of them", ANY,                         \
	  launch.arguments = NULL; return weir_kernel_launch(d, &launch);)                                             \
	X(a_grid_smaller_than_its_barrier, WEIR_BAD_ARGUMENT, "a grid of 3 blocks for a barrier of 4", ANY,            \
	  launch.grid[0] = 3; launch.barrier = &four; return weir_kernel_launch(d, &launch);)                          \
	X(a_grid_larger_than_its_barrier, WEIR_BAD_ARGUMENT, "a grid of 5 blocks for a barrier of 4", ANY,             \
	  launch.grid[0] = 5; launch.barrier = &four; return weir_kernel_launch(d, &launch);)                          \
	X(more_blocks_than_run_at_once, WEIR_TOO_MANY_BLOCKS, "run at once on", ANY,                                   \
	  launch.grid[0] = 1 << 24; launch.cooperative = 1; return weir_kernel_launch(d, &launch);)                    \
	X(clusters_that_do_not_divide_the_grid, WEIR_BAD_ARGUMENT, "do not divide a grid of 4 x 1 x 1", HOST,          \
	  launch.cluster[0] = 3; return weir_kernel_launch(d, &launch);)                                               \
	X(shared_memory_where_there_is_none, WEIR_UNSUPPORTED, "dynamic shared memory", NOT_CUDA,                      \
	  launch.shared_bytes = 64; return weir_kernel_launch(d, &launch);)                                            \
	X(a_stream_where_there_is_none, WEIR_UNSUPPORTED, "the host machine has no streams", HOST,                     \
	  launch.stream = &small; return weir_kernel_launch(d, &launch);)                                              \
	X(launch_with_a_destroyed_barrier, WEIR_NOT_FOUND, "launch.barrier is a barrier that was destroyed", ANY,      \
	  launch.barrier = &gone; return weir_kernel_launch(d, &launch);)                                              \
	X(launch_with_a_barrier_of_another_device, WEIR_NOT_FOUND, "launch.barrier is a barrier of another", ANY,      \
	  launch.barrier = &elsewhere; return weir_kernel_launch(d, &launch);)                                         \
	X(pass_a_destroyed_barrier, WEIR_NOT_FOUND, "argument 0 is a barrier that was destroyed before", ANY,          \
	  return pass(&gone);)                                                                                         \
	X(pass_a_barrier_of_another_device, WEIR_NOT_FOUND, "argument 0 is a barrier of another device", ANY,          \
	  return pass(&elsewhere);)                                                                                    \
	/* While a kernel runs. */                                                                                     \
	X(destroy_under_a_kernel, WEIR_BUSY, "a kernel still runs on host: wait for it before", HOST,                  \
	  return under_a_kernel(destroy_four);)                                                                        \
	X(reset_under_a_kernel, WEIR_BUSY, "still running", HOST,                                                      \
	  return under_a_kernel(reset_four);)                                                                          \
	X(launch_under_a_kernel, WEIR_BUSY, "still running", HOST,                                                     \
	  return under_a_kernel(launch_again);)                                                                        \
	X(wait_too_briefly, WEIR_TIMED_OUT, "still running", HOST,                                                     \
	  return under_a_kernel(wait_briefly);)                                                                        \
	X(abort_a_wait_without_end, WEIR_ABORTED, "weir_device_abort ended the kernel's waits", HOST,                  \
	  return under_a_kernel(abort_and_wait);)                                                                      \
	/* In kernels. */                                                                                              \
	X(come_to_a_barrier_of_more_blocks, WEIR_LAUNCH_FAILED, "a barrier of 4 blocks", HOST,                         \
	  return run(3, use_four);)                                                                                    \
	X(come_as_a_block_too_many, WEIR_LAUNCH_FAILED, "block", HOST,                                                 \
	  return run(5, use_four);)                                                                                    \
	X(lock_a_mutex_of_no_kind, WEIR_LAUNCH_FAILED, "a mutex of kind 17, which is none", HOST,                      \
	  return run(1, lock_nothing);)                                                                                \
	X(push_an_item_of_another_size, WEIR_LAUNCH_FAILED, "item", HOST,                                              \
	  return run(1, push_a_large_item);)                                                                           \
	X(make_a_team_of_no_threads, WEIR_LAUNCH_FAILED, "a team 1 that is none", HOST,                                \
	  return run(1, team_of_none);)                                                                                \
	X(join_in_a_kernel, WEIR_BAD_ARGUMENT, "weir_host_join in a kernel", HOST,                                     \
	  return join_inside_of();)                                                                                 \
	/* Threads of the program's own. */                                                                            \
	X(join_past_the_count, WEIR_BAD_ARGUMENT, "a thread joins as block 4 of 4: blocks count from 0", HOST,         \
	  return weir_host_join(4, 4);)                                                                                \
	X(join_as_one_of_none, WEIR_BAD_ARGUMENT, "a thread joins as block 0 of 0", HOST,                              \
	  return weir_host_join(0, 0);)                                                                                \
	X(come_without_joining, WEIR_BAD_ARGUMENT, "none of its 4 blocks came to a barrier: call weir_host_join", HOST,\
	  return come_apart(0, 0);)                                                                                    \
	X(join_with_too_few, WEIR_BAD_ARGUMENT, "block 0 of 3 came to a barrier of 4: join with the count", HOST,      \
	  return come_apart(0, 3);)                                                                                    \
	X(join_with_too_many, WEIR_BAD_ARGUMENT, "block 1 of 9 came to a barrier of another number of blocks", HOST,   \
	  return come_apart(1, 9);)                                                                                    \
	/* The host's side of events and queues. */                                                                    \
	X(count_an_event_of_kernels, WEIR_BAD_ARGUMENT, "host_visible", HOST,                                          \
	  return weir_event_host_count(d, private_events, 0, &made.count);)                                            \
	X(post_past_the_array, WEIR_BAD_ARGUMENT, "event 9", HOST,                                                     \
	  return weir_event_host_post(d, seen_events, 9, 1);)                                                          \
	X(wait_for_an_event_that_nobody_posts, WEIR_TIMED_OUT, "", HOST,                                               \
	  return weir_event_host_wait(d, seen_events, 0, 5, 1000000);)                                                 \
	X(push_where_the_host_pops, WEIR_BAD_ARGUMENT, "", HOST,                                                       \
	  return weir_queue_host_push(d, pops, &made.count, 4, 1000000);)                                              \
	X(pop_an_empty_queue, WEIR_TIMED_OUT, "", HOST,                                                                \
	  return weir_queue_host_pop(d, pops, &made.count, 4, 1000000);)                                               \
	X(pop_an_item_of_another_size, WEIR_BAD_ARGUMENT, "8 bytes", HOST,                                             \
	  return weir_queue_host_pop(d, pops, made.bytes, 8, 1000000);)                                                \
	X(close_the_side_of_kernels, WEIR_BAD_ARGUMENT, "", HOST,                                                      \
	  return weir_queue_host_close(d, pops);)                                                                      \
	/* Crews. */                                                                                                   \
	X(a_crew_without_a_place, WEIR_BAD_ARGUMENT, "place or link is NULL", HOST,                                    \
	  return weir_crew_create(d, NULL, NULL, &made.link);)                                                         \
	X(a_rank_past_the_last, WEIR_BAD_ARGUMENT, "", HOST,                                                           \
	  return weir_crew_create(d, &(weir_crew_place){.rank = 2, .ranks = 2, .name = "misuse"}, NULL, &made.link);)  \
	X(a_rank_that_does_not_come, WEIR_NO_RANK, "", HOST,                                                           \
	  return weir_crew_create(d, &place, &(weir_crew_options){.seconds = 0.05}, &made.link);)                      \
	X(a_crew_of_odd_copies, WEIR_BAD_ARGUMENT, "options.copies is 3; a power of two", HOST,                         \
	  return weir_crew_create(d, &(weir_crew_place){.rank = 0, .ranks = 1, .name = "misuse"},                      \
	                          &(weir_crew_options){.copies = 3}, &made.link);)                                     \
	X(leave_no_crew, WEIR_BAD_ARGUMENT, "the link of the crew is NULL", HOST,                                      \
	  return weir_crew_destroy(NULL);)
/* clang-format on */
