/* A crew of processes: each computes its part of a sum, all meet, and each gets the whole. Then they print
 * one line each, in the order of their ranks, using events.
 *
 *   weir crew -n 4 build/examples/example_crew     also: mpirun -n 4 build/examples/example_crew
 *   build/examples/example_crew                    a crew of one */
#include <stdio.h>
#include <weir/device.h>
#include <weir/ranks.h>

#define NUMBERS 1000000u
#define DEADLINE_NS 30000000000ull

/* Says what is wrong, and which ranks have not arrived if that is the reason. */
static int fail(weir_crew_link *link, const char *text)
{
	weir_crew_report report;

	fprintf(stderr, "example_crew: %s\n", text);
	if (link && weir_crew_diagnose(link, DEADLINE_NS * 1e-9, &report) == WEIR_OK) {
		fputs(report.text, stderr);
		weir_crew_report_destroy(&report);
	}
	return 1;
}

/* The whole sum: each rank writes its part, which all others read after all have written. */
static weir_status add_up(weir_crew c, uint32_t *sum)
{
	weir_crew_token token;
	weir_status result;

	*weir_crew_data(c, c.config.rank) = 0;
	for (uint32_t i = c.config.rank; i < NUMBERS; i += c.config.ranks)
		*weir_crew_data(c, c.config.rank) += i % 7;
	token = weir_crew_arrive(c);
	result = weir_crew_await_for(c, &token, DEADLINE_NS);
	*sum = 0;
	for (uint32_t rank = 0; result == WEIR_OK && rank < c.config.ranks; rank++)
		*sum += *weir_crew_data(c, rank);
	return result;
}

int main(void)
{
	const weir_crew_options options = {.events = 1, .data_bytes = sizeof(uint32_t)};
	weir_crew_place place = {.rank = 0, .ranks = 1};
	weir_crew_link *link;
	weir_device *device;
	weir_crew crew;
	uint32_t sum, expected = 0;

	if (weir_crew_place_find(&place) == WEIR_NOT_FOUND)
		place.ranks = 1; /* no launcher: a crew of one */
	if (weir_device_open("host", &device) != WEIR_OK ||
	    weir_crew_create(device, &place, &options, &link) != WEIR_OK ||
	    weir_crew_handle(link, &crew) != WEIR_OK)
		return fail(NULL, weir_error_text());
	if (add_up(crew, &sum) != WEIR_OK)
		return fail(link, "not all ranks arrived");
	for (uint32_t i = 0; i < NUMBERS; i++)
		expected += i % 7;

	/* Rank 0 begins, and each rank signals the next one. */
	if (place.rank != 0 && weir_crew_event_wait_for(crew, weir_crew_event(crew, place.rank, 0),
	                                                1, DEADLINE_NS) != WEIR_OK)
		return fail(link, "the previous rank did not signal");
	printf("rank %u of %u: the sum is %u\n", place.rank, place.ranks, sum);
	fflush(stdout);
	if (place.rank + 1 < place.ranks)
		weir_event_post(weir_crew_event(crew, place.rank + 1, 0), 1);

	if (weir_crew_wait(crew) != WEIR_OK)
		return fail(link, "the crew was aborted");
	weir_crew_destroy(&link);
	return weir_device_close(device) != WEIR_OK || sum != expected;
}
