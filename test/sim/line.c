/* The rules of a cache line's queue, by known answers, and the times that follow from a probe. */
#include <string.h>

#include "check.h"
#include "sim/memory.h"

static const weir_sim_memory memory = {
    .free = {{4, 20}, {2, 20}, {10, 200}, {12, 200}},
    .held = {{10, 50}, {6, 30}, {10, 200}, {12, 200}},
};

static weir_sim_line idle(void)
{
	weir_sim_line line = {.warp = WEIR_SIM_NO_WARP};
	return line;
}

static double serve(weir_sim_line *line, weir_sim_class access, double now)
{
	return weir_sim_serve(&memory, line, access, WEIR_SIM_NO_WARP, now);
}

static void alone_or_in_turn(void)
{
	weir_sim_line line = idle();

	CHECK(serve(&line, WEIR_SIM_READ, 100) == 124);
	CHECK(serve(&line, WEIR_SIM_READ, 101) == 128);
	CHECK(serve(&line, WEIR_SIM_READ, 1000) == 1024);
	line = idle();
	CHECK(serve(&line, WEIR_SIM_ATOMIC, 0) == 210);
	CHECK(serve(&line, WEIR_SIM_EXCHANGE, 0) == 222);
	CHECK(serve(&line, WEIR_SIM_ATOMIC, 0) == 232);
}

static void a_store_waits_for_the_atomics_before_it(void)
{
	weir_sim_line line = idle();

	serve(&line, WEIR_SIM_ATOMIC, 0);
	serve(&line, WEIR_SIM_ATOMIC, 0);
	serve(&line, WEIR_SIM_WRITE, 5);
	CHECK(line.busy_until == 26);
}

static void atomics_hold_a_line_until_its_queue_is_empty(void)
{
	weir_sim_line line = idle();

	serve(&line, WEIR_SIM_ATOMIC, 0);
	CHECK(serve(&line, WEIR_SIM_READ, 9) == 100);
	CHECK(serve(&line, WEIR_SIM_READ, 19) == 110); /* the atomic is done, its queue is not */
	CHECK(serve(&line, WEIR_SIM_READ, 30) == 54);
}

static void batched_loads_of_a_held_line_take_one_service(void)
{
	weir_sim_memory batching = memory;
	weir_sim_line line = idle();

	batching.batched_loads = 1;
	weir_sim_serve(&batching, &line, WEIR_SIM_ATOMIC, WEIR_SIM_NO_WARP, 0);
	/* Three loads queue behind the atomic; a store ends the run of them. */
	CHECK(weir_sim_serve(&batching, &line, WEIR_SIM_READ, WEIR_SIM_NO_WARP, 1) == 100);
	CHECK(weir_sim_serve(&batching, &line, WEIR_SIM_READ, WEIR_SIM_NO_WARP, 2) == 100);
	CHECK(weir_sim_serve(&batching, &line, WEIR_SIM_READ, WEIR_SIM_NO_WARP, 9) == 100);
	CHECK(line.busy_until == 20);
	weir_sim_serve(&batching, &line, WEIR_SIM_WRITE, WEIR_SIM_NO_WARP, 9);
	CHECK(weir_sim_serve(&batching, &line, WEIR_SIM_READ, WEIR_SIM_NO_WARP, 9) == 116);
	CHECK(line.busy_until == 36);
	/* Its service has begun: the next one has another. */
	CHECK(weir_sim_serve(&batching, &line, WEIR_SIM_READ, WEIR_SIM_NO_WARP, 27) == 126);
	/* A free line serves requests one after another. */
	line = idle();
	CHECK(weir_sim_serve(&batching, &line, WEIR_SIM_READ, WEIR_SIM_NO_WARP, 100) == 124);
	CHECK(weir_sim_serve(&batching, &line, WEIR_SIM_READ, WEIR_SIM_NO_WARP, 100) == 128);
}

/* An atomic on a line that is not held returns no later, but keeps the line busy longer. */
static void a_line_is_taken_anew(void)
{
	weir_sim_memory anew = memory;
	weir_sim_line line = idle();

	anew.reacquire[WEIR_SIM_ATOMIC] = 20;
	CHECK(weir_sim_serve(&anew, &line, WEIR_SIM_ATOMIC, WEIR_SIM_NO_WARP, 0) == 210);
	CHECK(line.busy_until == 30);
	CHECK(weir_sim_serve(&anew, &line, WEIR_SIM_ATOMIC, WEIR_SIM_NO_WARP, 5) == 240);
	CHECK(line.busy_until == 40);
	CHECK(weir_sim_serve(&anew, &line, WEIR_SIM_ATOMIC, WEIR_SIM_NO_WARP, 50) == 260);
	CHECK(line.busy_until == 80);
}

static void a_warp_reads_a_line_once(void)
{
	weir_sim_line line = idle();

	CHECK(weir_sim_serve(&memory, &line, WEIR_SIM_READ, 1, 50) == 74);
	CHECK(weir_sim_serve(&memory, &line, WEIR_SIM_READ, 1, 50) == 74);
	CHECK(weir_sim_serve(&memory, &line, WEIR_SIM_READ, 2, 50) == 78);
	CHECK(weir_sim_serve(&memory, &line, WEIR_SIM_READ, 2, 51) == 82);
	CHECK(weir_sim_serve(&memory, &line, WEIR_SIM_WRITE, 2, 51) == 84);
}

static const weir_probe gt200 = {
    240, 128, 1000, {.848, .829, .590, .226, 78.407, 78.404, .845, .991, .923, .915, .601, .228}};

static const weir_probe gf100 = {
    128, 128, 1000, {.494, .175, .043, .029, 1.479, 1.470, .437, .312, 1.473, .824, .125, .050}};

/* GF100's atomic units hold their lines, and GT200's do not. */
static void only_held_lines_are_taken_anew(void)
{
	weir_sim_memory made;

	CHECK(weir_sim_memory_make(&gf100, &made) == WEIR_OK);
	CHECK_NEAR(made.reacquire[WEIR_SIM_ATOMIC], 2 * made.free[WEIR_SIM_ATOMIC].service, .01);
	CHECK_NEAR(made.reacquire[WEIR_SIM_EXCHANGE], 2 * made.free[WEIR_SIM_EXCHANGE].service,
	           .01);
	CHECK(made.reacquire[WEIR_SIM_READ] == 0 && made.reacquire[WEIR_SIM_WRITE] == 0);
	CHECK(weir_sim_memory_make(&gt200, &made) == WEIR_OK);
	CHECK(made.reacquire[WEIR_SIM_ATOMIC] < .01 * made.free[WEIR_SIM_ATOMIC].service);
}

static void times_come_from_the_probe(void)
{
	weir_sim_memory made;

	CHECK(weir_sim_memory_make(&gt200, &made) == WEIR_OK);
	CHECK_NEAR(made.free[WEIR_SIM_READ].service, 0.848e6 / 240e3, 1e-12);
	CHECK_NEAR(made.free[WEIR_SIM_ATOMIC].service, 78.407e6 / 240e3, 1e-12);
	CHECK_NEAR(made.free[WEIR_SIM_EXCHANGE].service + 2 * made.free[WEIR_SIM_EXCHANGE].travel,
	           991, 1e-12);
	CHECK_NEAR(made.held[WEIR_SIM_WRITE].service, 0.915e6 / 240e3, 1e-12);
	CHECK_NEAR(made.pause_unit, 590, 1e-12);
	CHECK_NEAR(made.write_issue, 226, 1e-12);
}

static void impossible_probes_are_refused(void)
{
	static const double impossible[] = {0, -1, NAN, INFINITY};
	weir_sim_memory made;

	for (int i = 0; i < WEIR_ACCESS_COUNT; i++)
		for (size_t j = 0; j < sizeof impossible / sizeof impossible[0]; j++) {
			weir_probe probe = gt200;
			probe.ms[i] = impossible[j];
			CHECK(weir_sim_memory_make(&probe, &made) == WEIR_BAD_ARGUMENT);
		}
	weir_probe probe = gt200;
	probe.ms[WEIR_ACCESS(WEIR_ACCESS_ATOMIC, WEIR_ACCESS_OWN, WEIR_ACCESS_WRITE)] = -1;
	CHECK(weir_sim_memory_make(&probe, &made) == WEIR_BAD_ARGUMENT);
	CHECK(strstr(weir_error_text(), "atomic own write"));
	probe = gt200;
	probe.blocks = 0;
	CHECK(weir_sim_memory_make(&probe, &made) == WEIR_BAD_ARGUMENT);
}

int main(void)
{
	alone_or_in_turn();
	a_store_waits_for_the_atomics_before_it();
	atomics_hold_a_line_until_its_queue_is_empty();
	batched_loads_of_a_held_line_take_one_service();
	a_line_is_taken_anew();
	a_warp_reads_a_line_once();
	times_come_from_the_probe();
	only_held_lines_are_taken_anew();
	impossible_probes_are_refused();
	return check_failures != 0;
}
