/* A semaphore: many blocks share a few scratch slots, and each takes a free one. */
#include "check.h"
#include "weir/device.h"

#define BLOCKS 12u
#define SLOTS 3u
#define ROUNDS 100u

typedef struct pool {
	weir_word taken[SLOTS]; /* 1: a block has it */
	weir_word inside, most, errors;
	uint32_t scratch[SLOTS];
	uint32_t jobs[SLOTS];
} pool;

/* A block that has passed the semaphore always finds a free slot, so the search ends. */
static uint32_t take_slot(pool *p)
{
	for (uint32_t i = 0;; i = (i + 1) % SLOTS)
		/* The acquire pairs with the release in the store that frees the slot. */
		if (weir_cas_acq(&p->taken[i], 0, 1) == 0)
			return i;
}

/* All relaxed: these are only counts, read after the launch. */
static void note_how_many(pool *p)
{
	uint32_t now = weir_add_rlx(&p->inside, 1) + 1;
	uint32_t most = weir_load_rlx(&p->most);
	while (now > most) {
		uint32_t found = weir_cas_rlx(&p->most, most, now);
		if (found == most)
			break;
		most = found;
	}
}

static void use_slots(void **arguments)
{
	weir_semaphore free_slots = *(weir_semaphore *)arguments[0];
	pool *p = *(pool **)arguments[1];
	uint32_t me = weir_block_id() + 1;

	for (uint32_t i = 0; i < ROUNDS; i++) {
		weir_semaphore_wait(free_slots);
		note_how_many(p);
		uint32_t slot = take_slot(p);
		p->scratch[slot] = me;
		weir_pause(1);
		if (p->scratch[slot] != me)
			weir_red_add_rlx(&p->errors, 1); /* only a count */
		p->jobs[slot]++;
		weir_red_add_rlx(&p->inside, (uint32_t)-1); /* only a count */
		weir_store_rel(&p->taken[slot], 0); /* pairs with the acquire in take_slot */
		weir_semaphore_post(free_slots);
	}
}

int main(void)
{
	weir_device *device;
	weir_semaphore free_slots;
	weir_buffer buffer;
	pool p;
	uint32_t jobs = 0;

	CHECK(weir_device_open("host", &device));
	CHECK(weir_semaphore_create(device, SLOTS, SLOTS, NULL, &free_slots));
	CHECK(weir_buffer_create(device, sizeof p, &buffer));

	weir_argument arguments[] = {{&free_slots, sizeof free_slots},
	                             {&buffer.native, sizeof buffer.native}};
	weir_launch launch = {.kernel = {.host = use_slots},
	                      .grid = {BLOCKS},
	                      .block = {1},
	                      .arguments = arguments,
	                      .argument_count = 2};
	CHECK(weir_kernel_launch(device, &launch));
	CHECK(weir_device_wait(device, DEADLINE_NS, NULL));
	CHECK(weir_buffer_read(device, buffer, 0, &p, sizeof p));
	CHECK(weir_device_close(device)); /* also frees the semaphore and the buffer */

	for (uint32_t i = 0; i < SLOTS; i++)
		jobs += p.jobs[i];
	uint32_t most = weir_load_rlx(&p.most), errors = weir_load_rlx(&p.errors);
	if (errors != 0 || most > SLOTS || jobs != BLOCKS * ROUNDS) {
		printf("semaphore: %u errors, %u inside, %u jobs\n", errors, most, jobs);
		return 1;
	}
	printf("semaphore: %u blocks did %u jobs in %u slots, %u of them at once\n", BLOCKS, jobs,
	       SLOTS, most);
	return 0;
}
