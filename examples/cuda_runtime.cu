/* Handles passed by value to kernels that the program launches itself, with the runtime API: <<<>>>
 * where only locks are used, a cooperative launch where blocks meet at a barrier. */
#include <time.h>

#include "check.h"
#include "weir/device.h"

#define THREADS 128
#define ROUNDS 100

/* A grid may be larger than what runs at once: a block that waits for a mutex or a semaphore only
 * waits for blocks that have started. */
__global__ void count(weir_mutex m, weir_semaphore s, unsigned *total)
{
	weir_semaphore_block_wait(s); /* only a few blocks at a time */
	for (int i = 0; i < ROUNDS; i++) {
		weir_mutex_block_lock(m);
		if (threadIdx.x == 0)
			*total += 1;
		weir_mutex_block_unlock(m);
	}
	weir_semaphore_block_post(s);
}

__global__ void meet(weir_barrier b, unsigned *last, unsigned *wrong)
{
	for (unsigned i = 1; i <= ROUNDS; i++) {
		if (threadIdx.x == 0)
			last[blockIdx.x] = i;
		weir_barrier_wait(b);
		for (unsigned other = threadIdx.x; other < gridDim.x; other += blockDim.x)
			if (last[other] != i)
				atomicAdd(wrong, 1);
		weir_barrier_wait(b);
	}
}

#define CHECK_CUDA(call)                                                                           \
	do {                                                                                       \
		cudaError_t error_ = (call);                                                       \
		if (error_ != cudaSuccess) {                                                       \
			fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error_));            \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

/* weir_device_wait waits for the device's own stream; these launches are on ours. An orderly exit
 * would hang on a kernel that does not end. */
static void wait_for(cudaStream_t stream)
{
	time_t begin = time(NULL);
	cudaError_t state;

	while ((state = cudaStreamQuery(stream)) == cudaErrorNotReady) {
		if (time(NULL) - begin < 20)
			continue;
		fprintf(stderr, "the kernel is still running\n");
		_Exit(1);
	}
	CHECK_CUDA(state);
}

static void count_with_mutex(weir_device *device, cudaStream_t stream)
{
	weir_mutex m;
	weir_semaphore s;
	unsigned *total, result, blocks = 1000;

	CHECK(weir_mutex_create(device, NULL, &m));
	CHECK(weir_semaphore_create(device, 10, 10, NULL, &s));
	CHECK_CUDA(cudaMalloc(&total, sizeof *total));
	CHECK_CUDA(cudaMemset(total, 0, sizeof *total));
	count<<<blocks, THREADS, 0, stream>>>(m, s, total);
	CHECK_CUDA(cudaGetLastError());
	wait_for(stream);
	CHECK_CUDA(cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost));
	CHECK_CUDA(cudaFree(total));
	CHECK(weir_mutex_destroy(device, &m));
	CHECK(weir_semaphore_destroy(device, &s));
	printf("cuda_runtime: %u blocks counted to %u\n", blocks, result);
	if (result != blocks * ROUNDS)
		exit(1);
}

static void meet_at_barrier(weir_device *device, cudaStream_t stream)
{
	weir_barrier b;
	weir_kernel kernel = {NULL, NULL};
	cudaFunction_t function;
	uint32_t blocks;
	unsigned *last, *wrong, result;

	CHECK_CUDA(cudaGetFuncBySymbol(&function, (const void *)meet));
	kernel.native = function;
	CHECK(weir_kernel_resident_blocks(device, kernel, THREADS, 0, &blocks));
	CHECK(weir_barrier_create(device, blocks, NULL, &b));
	CHECK_CUDA(cudaMalloc(&last, (blocks + 1) * sizeof *last));
	CHECK_CUDA(cudaMemset(last, 0, (blocks + 1) * sizeof *last));
	wrong = last + blocks;
	void *arguments[] = {&b, &last, &wrong};
	CHECK_CUDA(
	    cudaLaunchCooperativeKernel((const void *)meet, blocks, THREADS, arguments, 0, stream));
	wait_for(stream);
	CHECK_CUDA(cudaMemcpy(&result, wrong, sizeof result, cudaMemcpyDeviceToHost));
	CHECK_CUDA(cudaFree(last));
	CHECK(weir_barrier_destroy(device, &b));
	printf("cuda_runtime: %u blocks met %d times\n", blocks, 2 * ROUNDS);
	if (result != 0)
		exit(1);
}

int main(void)
{
	weir_device *device;
	cudaStream_t stream;

	if (weir_device_open("cuda", &device) == WEIR_NO_DEVICE) {
		printf("skipped: %s\n", weir_error_text());
		return 77;
	}
	CHECK_CUDA(cudaStreamCreate(&stream));
	count_with_mutex(device, stream);
	meet_at_barrier(device, stream);
	CHECK_CUDA(cudaStreamDestroy(stream));
	CHECK(weir_device_close(device));
	return 0;
}
