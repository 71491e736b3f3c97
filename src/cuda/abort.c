/* The cuda backend ends the waits of kernels that were compiled with WEIR_ABORTABLE: such a module
 * has a word for the order (weir/machine/cuda_abort.h), which is found by its name. */
#include "cuda/state.h"

/* The name of weir_kernels_abort_<0>. */
#define ABORT_NAME "_Z19weir_kernels_abort_ILi0EE"

void weir_cuda_note_launch(cuda_state *cuda, cuda_function function)
{
	uint32_t kept = cuda->launches < WEIR_CUDA_LAUNCHED ? cuda->launches : WEIR_CUDA_LAUNCHED;

	for (uint32_t i = 0; i < kept; i++)
		if (cuda->launched[i] == function)
			return;
	cuda->launched[cuda->launches++ % WEIR_CUDA_LAUNCHED] = function;
}

void weir_cuda_forget_launches(cuda_state *cuda)
{
	cuda->launches = 0;
}

void weir_cuda_withdraw_orders(cuda_state *cuda)
{
	static const uint32_t none;

	for (uint32_t i = 0; i < cuda->orders; i++)
		cuda->calls->memory_write(cuda->ordered[i], &none, sizeof none, cuda->stream);
	cuda->orders = 0;
}

/* 0: the kernel has no word for the order, or the driver cannot tell. */
static cuda_address order_word(const cuda_state *cuda, cuda_function function)
{
	cuda_module module = NULL;
	cuda_address address = 0;
	size_t bytes = 0;

	if (!cuda->calls->function_module || !cuda->calls->module_global ||
	    cuda->calls->function_module(&module, function) != WEIR_CUDA_SUCCESS ||
	    cuda->calls->module_global(&address, &bytes, module, ABORT_NAME) != WEIR_CUDA_SUCCESS ||
	    bytes != sizeof(uint32_t))
		return 0;
	return address;
}

/* Returns whether the word has the order now. Kernels of one module share it. */
static int order(cuda_state *cuda, cuda_address word)
{
	static const uint32_t now = 1;

	for (uint32_t i = 0; i < cuda->orders; i++)
		if (cuda->ordered[i] == word)
			return 1;
	if (!word || cuda->orders == WEIR_CUDA_LAUNCHED ||
	    cuda->calls->memory_write(word, &now, sizeof now, cuda->beside) != WEIR_CUDA_SUCCESS)
		return 0;
	cuda->ordered[cuda->orders++] = word;
	return 1;
}

static int order_all(cuda_state *cuda)
{
	uint32_t kept = cuda->launches < WEIR_CUDA_LAUNCHED ? cuda->launches : WEIR_CUDA_LAUNCHED;
	int found = 0;

	for (uint32_t i = 0; i < kept; i++)
		found |= order(cuda, order_word(cuda, cuda->launched[i]));
	return found && cuda->calls->stream_synchronize(cuda->beside) == WEIR_CUDA_SUCCESS;
}

int weir_cuda_abort(void *state)
{
	cuda_state *cuda = state;
	int can = 1;

	if (weir_cuda_enter(cuda) != WEIR_OK)
		return 0;
	pthread_mutex_lock(&cuda->lock);
	if (!cuda->beside)
		can = cuda->calls->stream_create(&cuda->beside, WEIR_CU_STREAM_NON_BLOCKING) ==
		      WEIR_CUDA_SUCCESS;
	can = can && order_all(cuda);
	cuda->aborted |= can;
	pthread_mutex_unlock(&cuda->lock);
	weir_cuda_leave(cuda);
	return can;
}
