/* The part of PyTorch's header that the guide's code uses; see torch/extension.h. */
#ifndef STAND_IN_ATEN_CUDA_CONTEXT_H
#define STAND_IN_ATEN_CUDA_CONTEXT_H

#include <cuda_runtime.h>

#define C10_CUDA_CHECK(call) static_cast<void>(call)

namespace at
{
namespace cuda
{

class CUDAStream
{
public:
	operator cudaStream_t() const;
};

CUDAStream getCurrentCUDAStream();

} // namespace cuda
} // namespace at

#endif
