/* The device ptx: its parameters, launches in the background, faults, hangs, abort, and what it has room
 * for. It needs no compiler of CUDA: the kernels are PTX text. */
#include <stdio.h>
#include <string.h>

#include "weir/weir.h"

static const char text[] =
    ".version 7.8\n.target sm_90\n.address_size 64\n"
    ".visible .entry fill(.param .u64 to) { .reg .b64 %x<4>; .reg .b32 %r<5>;\n"
    "ld.param.u64 %x1, [to]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"
    "mad.lo.u32 %r4, %r1, %r2, %r3; mul.wide.u32 %x2, %r4, 4; add.u64 %x3, %x1, %x2;\n"
    "st.global.u32 [%x3], %r4; ret; }\n"
    /* Waits until a word is not 0. */
    ".visible .entry poll(.param .u64 to) { .reg .b64 %x<2>; .reg .b32 %r<2>; .reg .pred %p;\n"
    "ld.param.u64 %x1, [to];\n"
    "L: ld.acquire.sys.global.u32 %r1, [%x1]; setp.eq.u32 %p, %r1, 0; @%p bra L;\n"
    "st.release.sys.global.u32 [%x1+4], %r1; ret; }\n"
    /* Never ends, and changes memory all the time. */
    ".visible .entry busy(.param .u64 to) { .reg .b64 %x<2>; .reg .b32 %r<2>;\n"
    "ld.param.u64 %x1, [to]; L: atom.global.add.u32 %r1, [%x1], 1; bra L; }\n"
    /* A barrier of all blocks. */
    ".visible .entry meet(.param .u64 to) { .reg .b64 %x<2>; .reg .b32 %r<4>; .reg .pred %p;\n"
    "ld.param.u64 %x1, [to]; mov.u32 %r1, %nctaid.x; mov.u32 %r2, %tid.x; setp.ne.u32 %p, %r2, 0;\n"
    "@%p ret; atom.global.add.u32 %r2, [%x1], 1;\n"
    "L: ld.acquire.gpu.global.u32 %r3, [%x1]; setp.lt.u32 %p, %r3, %r1; @%p bra L; ret; }\n"
    /* The same, with registers and shared memory that limit how many blocks run at once. */
    ".visible .entry meet_wide(.param .u64 to) .maxntid 64, 1, 1 .maxnreg 128 {\n"
    ".reg .b64 %x<2>; .reg .b32 %r<4>; .reg .pred %p;\n"
    "ld.param.u64 %x1, [to]; mov.u32 %r1, %nctaid.x; mov.u32 %r2, %tid.x; setp.ne.u32 %p, %r2, 0;\n"
    "@%p ret; atom.global.add.u32 %r2, [%x1], 1;\n"
    "L: ld.acquire.gpu.global.u32 %r3, [%x1]; setp.lt.u32 %p, %r3, %r1; @%p bra L; ret; }\n"
    ".visible .entry meet_shared(.param .u64 to) { .shared .b8 large[20000];\n"
    ".reg .b64 %x<2>; .reg .b32 %r<4>; .reg .pred %p;\n"
    "ld.param.u64 %x1, [to]; mov.u32 %r1, %nctaid.x; st.shared.u32 [large], %r1;\n"
    "atom.global.add.u32 %r2, [%x1], 1;\n"
    "L: ld.acquire.gpu.global.u32 %r3, [%x1]; setp.lt.u32 %p, %r3, %r1; @%p bra L; ret; }\n"
    ".visible .entry clusters(.param .u64 to) .reqnctapercluster 2 { .reg .b64 %x<4>; .reg .b32 "
    "%r<3>;\n"
    "ld.param.u64 %x1, [to]; mov.u32 %r1, %cluster_ctarank; mov.u32 %r2, %ctaid.x;\n"
    "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n"
    "mul.wide.u32 %x2, %r2, 4; add.u64 %x3, %x1, %x2; st.global.u32 [%x3], %r1; ret; }\n";

static int failures;

#define CHECK(condition)                                                                           \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			printf("FAILED line %d: %s (%s)\n", __LINE__, #condition,                  \
			       weir_error_text());                                                 \
			failures++;                                                                \
		}                                                                                  \
	} while (0)

typedef struct bed {
	weir_device *device;
	weir_program *program;
	weir_buffer buffer;
} bed;

static bed begin(const char *name)
{
	const weir_program_text program = {.cuda_image = text};
	bed b = {0};

	CHECK(weir_device_open(name, &b.device) == WEIR_OK);
	CHECK(weir_program_create(b.device, &program, &b.program) == WEIR_OK);
	CHECK(weir_buffer_create(b.device, 1024, &b.buffer) == WEIR_OK);
	return b;
}

static weir_status start(const bed *b, const char *kernel, uint32_t blocks, uint32_t threads,
                         const void *at, int cooperative)
{
	weir_argument argument = {&at, sizeof at};
	weir_launch launch = {.grid = {blocks},
	                      .block = {threads},
	                      .arguments = &argument,
	                      .argument_count = 1,
	                      .cooperative = cooperative};

	if (strcmp(kernel, "clusters") == 0)
		launch.cluster[0] = 2;
	CHECK(weir_program_kernel(b->program, kernel, &launch.kernel) == WEIR_OK);
	return weir_kernel_launch(b->device, &launch);
}

static weir_status run(const bed *b, const char *kernel, uint32_t blocks, uint32_t threads)
{
	weir_status status = start(b, kernel, blocks, threads, b->buffer.native, 0);

	return status == WEIR_OK ? weir_device_wait(b->device, 0, NULL) : status;
}

static void end(bed *b)
{
	CHECK(weir_device_close(b->device) == WEIR_OK);
}

static void results(void)
{
	bed b = begin("ptx:sms=2,blocks=3,seed=5");
	uint32_t words[256];
	weir_device_info info;

	CHECK(weir_device_describe(b.device, &info) == WEIR_OK);
	CHECK(strcmp(info.name, "ptx:sms=2,blocks=3,seed=5") == 0);
	CHECK(info.machine == WEIR_MACHINE_PTX && !info.is_gpu && info.units == 2);
	CHECK(info.resident_blocks_at_128 == 6);
	CHECK(run(&b, "fill", 8, 32) == WEIR_OK);
	CHECK(weir_buffer_read(b.device, b.buffer, 0, words, sizeof words) == WEIR_OK);
	for (uint32_t i = 0; i < 256; i++)
		CHECK(words[i] == i);
	CHECK(run(&b, "clusters", 4, 32) == WEIR_OK);
	CHECK(weir_buffer_read(b.device, b.buffer, 0, words, 16) == WEIR_OK);
	CHECK(words[0] == 0 && words[1] == 1 && words[2] == 0 && words[3] == 1);
	end(&b);
}

static void parameters(void)
{
	static const char *const bad[] = {"ptx:cores=4", "ptx:sms",         "ptx:sms=0",
	                                  "ptx:sms=x",   "ptx:sms=4,=",     "ptx:blocks=1000000",
	                                  "ptx:seed=-1", "ptx:sms=4blocks", "ptx:random",
	                                  "ptx:trace=",  "ptx:trace"};
	weir_device *device;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		CHECK(weir_device_open(bad[i], &device) == WEIR_NO_DEVICE && !device);
	CHECK(weir_device_open("ptx:seed=random", &device) == WEIR_OK);
	CHECK(weir_device_close(device) == WEIR_OK);
}

/* Faults name their thread, and the device stays broken, as on CUDA. */
static void faults(void)
{
	bed b = begin("ptx");
	uint32_t word;

	CHECK(run(&b, "fill", 9, 32) == WEIR_LAUNCH_FAILED);
	CHECK(strstr(weir_error_text(), "out of bounds: block (8,0,0)"));
	CHECK(strstr(weir_error_text(), "at PTX line 7, st.global.u32"));
	CHECK(weir_buffer_read(b.device, b.buffer, 0, &word, 4) == WEIR_LAUNCH_FAILED);
	CHECK(run(&b, "fill", 1, 32) == WEIR_LAUNCH_FAILED);
	end(&b);
}

static void hangs(void)
{
	bed b = begin("ptx:sms=2,blocks=2");

	CHECK(run(&b, "meet", 4, 1) == WEIR_OK);
	end(&b);
	b = begin("ptx:sms=2,blocks=2");
	CHECK(start(&b, "meet", 5, 1, b.buffer.native, 1) == WEIR_TOO_MANY_BLOCKS);
	/* One block more than can be resident. */
	CHECK(run(&b, "meet", 5, 1) == WEIR_LAUNCH_FAILED);
	CHECK(strstr(weir_error_text(), "hang: ") &&
	      strstr(weir_error_text(), "1 has not started"));
	end(&b);
}

/* A barrier ends over as many blocks as run at once, and one more deadlocks. */
static void meets(const char *device, const char *kernel, uint32_t threads, uint32_t at_once)
{
	weir_kernel of;
	uint32_t blocks = 0;

	for (uint32_t more = 0; more < 2; more++) {
		bed b = begin(device);

		CHECK(weir_program_kernel(b.program, kernel, &of) == WEIR_OK);
		CHECK(weir_kernel_resident_blocks(b.device, of, threads, 0, &blocks) == WEIR_OK);
		if (blocks != at_once)
			printf("%s, %s: %u blocks of %u threads\n", device, kernel, blocks,
			       threads);
		CHECK(blocks == at_once);
		CHECK(run(&b, kernel, at_once + more, threads) ==
		      (more ? WEIR_LAUNCH_FAILED : WEIR_OK));
		CHECK(!more || (strstr(weir_error_text(), "hang: ") &&
		                strstr(weir_error_text(), "1 has not started")));
		end(&b);
	}
}

static void occupancy(void)
{
	meets("ptx:sms=2,blocks=3", "meet", 1, 6);
	meets("ptx:sms=1,threads=128", "meet_wide", 33, 2); /* of 64 threads each */
	meets("ptx:sms=3,registers=16384", "meet_wide", 64, 6);
	meets("ptx:sms=3,registers=16384", "meet_wide", 32, 12);
	meets("ptx:sms=2,shared=64", "meet_shared", 1, 6); /* of 21 024 bytes each */
	/* An estimate never keeps a block from running. */
	meets("ptx:sms=1,registers=1024", "meet", 128, 1);
}

/* A kernel that waits for the host is no hang. */
static void with_the_host(void)
{
	bed b = begin("ptx");
	weir_buffer buffer;
	volatile uint32_t *words;

	CHECK(weir_buffer_create_shared(b.device, 64, &buffer) == WEIR_OK);
	words = buffer.native;
	CHECK(start(&b, "poll", 1, 1, buffer.native, 0) == WEIR_OK);
	CHECK(weir_device_wait(b.device, 50000000, NULL) == WEIR_TIMED_OUT);
	CHECK(words[1] == 0);
	words[0] = 9;
	CHECK(weir_device_wait(b.device, 0, NULL) == WEIR_OK);
	CHECK(words[1] == 9);
	end(&b);
}

static void stopped(void)
{
	bed b = begin("ptx");

	CHECK(start(&b, "busy", 2, 32, b.buffer.native, 0) == WEIR_OK);
	CHECK(weir_device_wait(b.device, 20000000, NULL) == WEIR_TIMED_OUT);
	CHECK(weir_device_abort(b.device) == WEIR_OK);
	CHECK(weir_device_wait(b.device, 0, NULL) == WEIR_ABORTED);
	CHECK(run(&b, "fill", 8, 32) == WEIR_OK);
	/* Closing ends what runs. */
	CHECK(start(&b, "busy", 2, 32, b.buffer.native, 0) == WEIR_OK);
	end(&b);
}

static void images(void)
{
	static const unsigned char cubin[] = {0x7f, 'E', 'L', 'F', 2, 1, 1, 0};
	weir_program_text program = {.cuda_image = "no PTX at all"};
	weir_program *made;
	weir_device *device;

	CHECK(weir_device_open("ptx", &device) == WEIR_OK);
	CHECK(weir_program_create(device, &program, &made) == WEIR_BAD_PROGRAM);
	program.cuda_image = cubin;
	CHECK(weir_program_create(device, &program, &made) == WEIR_BAD_PROGRAM);
	CHECK(strstr(weir_error_text(), "cubin"));
	program.cuda_image = NULL;
	CHECK(weir_program_create(device, &program, &made) == WEIR_UNSUPPORTED);
	CHECK(weir_device_close(device) == WEIR_OK);
}

/* Each instruction is in the file. */
static void traces(void)
{
	bed b = begin("ptx:sms=2,trace=ptx_device.trace");
	char line[400];
	FILE *file;
	unsigned lines = 0, stores = 0;

	CHECK(run(&b, "fill", 2, 32) == WEIR_OK);
	end(&b);
	file = fopen("ptx_device.trace", "r");
	CHECK(file != NULL);
	while (file && fgets(line, sizeof line, file)) {
		unsigned block, thread, written;
		lines++;
		if (sscanf(line,
		           "block %u,0,0 thread %u,0,0 line 7: st.global.u32 [%%x3], %%r4 | <- "
		           "[%*x] %x",
		           &block, &thread, &written) == 3 &&
		    written == block * 32 + thread)
			stores++;
	}
	CHECK(lines == 2 * 32 * 9 && stores == 64);
	if (file)
		fclose(file);
	remove("ptx_device.trace");
}

int main(void)
{
	traces();
	results();
	parameters();
	faults();
	hangs();
	occupancy();
	with_the_host();
	stopped();
	images();
	printf("%d failed\n", failures);
	return failures != 0;
}
