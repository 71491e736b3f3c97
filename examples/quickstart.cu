#include <stdio.h>
#include <weir/device.h>
#include <weir/weir.h>

__device__ unsigned total;

__global__ void count_blocks(weir_barrier b, weir_mutex m)
{
	weir_mutex_block_lock(m); /* one block at a time */
	if (threadIdx.x == 0)
		total += 1;
	weir_mutex_block_unlock(m);
	weir_barrier_wait(b); /* now all blocks have counted */
	if (total != gridDim.x)
		__trap();
}

int main(void)
{
	weir_device *device;
	weir_barrier b;
	weir_mutex m;
	cudaFunction_t kernel;

	if (weir_device_open("cuda", &device) != WEIR_OK)
		return puts(weir_error_text()), 77; /* skipped */
	weir_barrier_create(device, WEIR_BARRIER_DEFAULT, 64, &b);
	weir_mutex_create(device, WEIR_MUTEX_DEFAULT, &m);
	cudaGetFuncBySymbol(&kernel, (const void *)count_blocks);
	weir_argument arguments[] = {{&b, sizeof b}, {&m, sizeof m}};
	weir_launch launch = {{kernel, NULL}, {64}, {128}, 0, NULL, 1, &b, arguments, 2};
	if (weir_kernel_launch(device, &launch) || weir_device_wait(device, 10000000000, NULL))
		return puts(weir_error_text()), 1;
	puts("64 blocks of 128 threads counted themselves");
	return weir_device_close(device);
}
