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

	if (weir_device_open("cuda", &device) != WEIR_OK)
		return puts(weir_error_text()), 77; /* skipped: there is no GPU here */
	if (weir_barrier_create(device, 64, NULL, &b) != WEIR_OK ||
	    weir_mutex_create(device, NULL, &m) != WEIR_OK)
		return puts(weir_error_text()), 1;
	void *arguments[] = {&b, &m};
	cudaError_t error =
	    cudaLaunchCooperativeKernel((const void *)count_blocks, 64, 128, arguments, 0, 0);
	if (error == cudaSuccess)
		error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		return puts(cudaGetErrorString(error)), 1;
	return weir_device_close(device) != WEIR_OK;
}
