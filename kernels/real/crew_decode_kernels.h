/* One token through the layers of a transformer whose weights are divided over the ranks of a crew: rows of the
 * first matrix of a pair, and columns of the second. Each rank has its own heads and its part of the inner
 * width. Parts 2 and 4 produce sums over a rank's own columns, and the residual is the sum over all ranks.
 *
 *   crew_decode        all layers in one launch. Each rank writes its sums to all ranks, and posts events
 *                      there; blocks wait for tiles of them (real/decode_steps.h).
 *   crew_decode_once   one part, as people launch it. Another part adds up the ranks' sums.
 *
 * Rank 0 adds the previous residual to its own sums, so the sum over the ranks is the new residual. All ranks add
 * in the same order, and so get the same bits.
 *
 * Launches need no barrier between them. A rank writes to another rank's vectors for the next launch only after it has
 * been told of all that rank's rows of the last part. By then that rank has finished all reads of the earlier
 * vectors. */
#include "crew_decode_params.h"
#include "kernels/kernel.h"

#if WEIR_HAS_BLOCK_VALUE && WEIR_HAS_DEADLINE

typedef struct decode_link {
	weir_crew crew;
	weir_event_array events; /* of this rank */
	WEIR_GLOBAL weir_word *result;
	uint64_t data; /* words before the data of a share */
	uint64_t ns;
	uint32_t hasty;
} decode_link;

#include "decode_steps.h"

WEIR_FN uint32_t decode_ranks(decode_sync sync)
{
	return sync.link.crew.config.ranks;
}

WEIR_FN uint32_t decode_rank(decode_sync sync)
{
	return sync.link.crew.config.rank;
}

/* After a failed wait, all others of all ranks fail soon. The launch then ends with some result. */
WEIR_FN void crew_decode_failed(weir_crew c, WEIR_GLOBAL weir_word *result, weir_status why)
{
	if (why == WEIR_OK)
		return;
	weir_crew_abort(c);
	/* Only the first failure says why: its abort ends the other waits. Relaxed: the host reads it after the launch. */
	(void)weir_cas_rlx(result, WEIR_OK, (uint32_t)why);
}

WEIR_FN void decode_wait_one(decode_sync sync, uint32_t event, uint32_t target)
{
	if (!sync.link.hasty)
		crew_decode_failed(sync.link.crew, sync.link.result,
		                   weir_crew_event_wait_for(sync.link.crew,
		                                            weir_event_at(sync.link.events, event),
		                                            target, sync.link.ns));
}

WEIR_FN void decode_post(decode_sync sync, uint32_t rank, uint32_t event, uint32_t n)
{
	weir_event_post(weir_crew_event(sync.link.crew, rank, event), n);
}

/* The sums of rank 0 after part 2 or 4, in the data of a rank; those of the other ranks follow. */
WEIR_FN WEIR_GLOBAL float *crew_decode_sums(decode_layer at, decode_sync sync, uint32_t rank,
                                            enum decode_vector vector)
{
	WEIR_GLOBAL float *data =
	    (WEIR_GLOBAL float *)(weir_crew_share(sync.link.crew, rank) + sync.link.data);

	return vector == DECODE_MIDDLE ? data : data + decode_ranks(sync) * at.width;
}

WEIR_FN decode_input decode_residual(decode_layer at, decode_sync sync, enum decode_vector vector)
{
	decode_input in;

	if (vector == DECODE_LAST && sync.layer == 0)
		return decode_input_of(at.from);
	in.x = crew_decode_sums(at, sync, decode_rank(sync), vector);
	in.slices = decode_ranks(sync);
	return in;
}

/* The lanes of a worker; each writes to one rank. */
#ifdef __CUDACC__
#define CREW_DECODE_WRITERS DECODE_WARP
#else
#define CREW_DECODE_WRITERS 1
#endif

WEIR_FN void decode_put(decode_layer at, decode_sync sync, enum decode_vector vector, uint32_t row,
                        float sum)
{
	uint32_t rank = decode_rank(sync);

	if (rank == 0)
		sum += decode_element(
		    decode_residual(at, sync,
		                    vector == DECODE_MIDDLE ? DECODE_LAST : DECODE_MIDDLE),
		    row, at.width);
	for (uint32_t to = weir_thread_id() % CREW_DECODE_WRITERS; to < decode_ranks(sync);
	     to += CREW_DECODE_WRITERS)
		crew_decode_sums(at, sync, to, vector)[rank * at.width + row] = sum;
}

/* The result: each block has the same rows as in part 4. */
WEIR_FN void crew_decode_finish(WEIR_GLOBAL uint32_t *data, real_params params, decode_sync sync)
{
	decode_layer at = decode_layer_at(data, params, sync.layers);
	decode_rows mine = decode_rows_of(at.width, at.width / DECODE_TILES);
	decode_input in;

	if (mine.first == mine.end)
		return;
	sync.layer = sync.layers;
	decode_wait_residual(at, decode_before(sync), DECODE_LAST);
	in = decode_residual(at, sync, DECODE_LAST);
	for (uint32_t row = mine.first + weir_thread_id(); row < mine.end;
	     row += weir_thread_count())
		at.residual[row] = decode_element(in, row, at.width);
}

WEIR_FN decode_link crew_decode_link(const crew_decode_params *params,
                                     WEIR_GLOBAL weir_word *result)
{
	decode_link link;

	link.crew = params->crew;
	link.events = weir_crew_events(params->crew, params->crew.config.rank);
	link.result = result;
	link.data = weir_crew_words(params->crew.config);
	link.ns = params->ns;
	link.hasty = params->hasty;
	return link;
}

#ifdef __CUDACC__
extern "C" __global__ void __launch_bounds__(DECODE_THREADS)
    crew_decode(weir_word *words, uint32_t *data, crew_decode_params params);
extern "C" __global__ void __launch_bounds__(DECODE_THREADS)
    crew_decode_once(weir_word *words, uint32_t *data, crew_decode_params params);
#endif

WEIR_KERNEL(crew_decode, crew_decode_params)
{
	decode_sync sync;

	sync.link = crew_decode_link(&params, words);
	sync.round = weir_event_array_round(sync.link.events);
	sync.layers = params.real.size[5];
	sync.layer = 0;
	decode_steps(data, params.real, sync);
	crew_decode_finish(data, decode_apart(params.real), sync);
	weir_event_array_block_leave(sync.link.events);
}

/* The sums of all ranks for the rows of a lane, at the place where earlier launches left them. */
WEIR_FN void crew_decode_add_lane(decode_layer at, weir_crew c, uint32_t lane, uint64_t from)
{
	uint32_t each = (at.width + CREW_DECODE_LANES - 1) / CREW_DECODE_LANES;
	uint32_t end = decode_less((lane + 1) * each, at.width);

	for (uint32_t row = lane * each + weir_thread_id(); row < end; row += weir_thread_count()) {
		float sum = 0;

		for (uint32_t rank = 0; rank < c.config.ranks; rank++)
			sum += ((WEIR_GLOBAL float *)(weir_crew_share(c, rank) + from))[row];
		at.residual[row] = sum;
	}
}

WEIR_FN void crew_decode_add_up(decode_layer at, const crew_decode_params *params,
                                WEIR_GLOBAL weir_word *result, uint64_t from)
{
	for (uint32_t lane = weir_block_id(); lane < CREW_DECODE_LANES;
	     lane += weir_block_count()) {
		weir_crew_token t = weir_crew_lane_arrive(params->crew, lane);
		weir_status why = WEIR_OK;

		if (!params->hasty)
			why = weir_crew_await_for(params->crew, &t, params->ns);
		if (weir_thread_id() == 0)
			crew_decode_failed(params->crew, result, why);
		crew_decode_add_lane(at, params->crew, lane, from);
	}
}

WEIR_KERNEL(crew_decode_once, crew_decode_params)
{
	uint32_t part = params.part % CREW_DECODE_PARTS;
	decode_layer at = decode_layer_at(data, params.real, params.part / CREW_DECODE_PARTS);
	uint64_t sums =
	    weir_crew_words(params.crew.config) + (part <= CREW_DECODE_SUM_MIDDLE ? 0 : at.width);

	if (params.part / CREW_DECODE_PARTS >= params.real.size[5])
		return;
	at.out = (WEIR_GLOBAL float *)(params.crew.words + sums);
	at.adds = params.crew.config.rank == 0;
	if (part == CREW_DECODE_SUM_MIDDLE || part == CREW_DECODE_SUM_LAST)
		crew_decode_add_up(at, &params, words, sums);
	else
		decode_layer_part(at, part < CREW_DECODE_SUM_MIDDLE ? part : part - 1);
}

#endif
