/* For extensions that Python loads, for example with torch.utils.cpp_extension: handles that Python passes as
 * bytes, and cooperative launches that refuse a grid that does not fit. A CUDA source includes this beside
 * weir/device.h.
 */
#ifndef WEIR_LAUNCH_HPP
#define WEIR_LAUNCH_HPP

#include <cstddef>
#include <cstring>
#include <cuda_runtime.h>
#include <stdexcept>
#include <string>

namespace weir
{

/* The handle of an object, from bytes(object) in Python. */
template <class Handle> Handle handle(const std::string &bytes)
{
	Handle made;

	if (bytes.size() != sizeof made)
		throw std::invalid_argument(
		    "a handle of " + std::to_string(bytes.size()) + " bytes in place of one of " +
		    std::to_string(sizeof made) +
		    ": pass bytes(object) of the right class, and the headers of this weir");
	std::memcpy(&made, bytes.data(), sizeof made);
	return made;
}

inline void check(cudaError_t error)
{
	if (error != cudaSuccess)
		throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(error));
}

/* How many blocks of a kernel run at once on the current device. */
template <class... Parameters>
std::size_t resident_blocks(void (*kernel)(Parameters...), unsigned threads,
                            std::size_t shared_bytes)
{
	int device;
	int units;
	int each;

	check(cudaGetDevice(&device));
	check(cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, device));
	check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, (int)threads,
	                                                    shared_bytes));
	return (std::size_t)each * (std::size_t)units;
}

template <class Type> struct given_ {
	using type = Type;
};

/* A cooperative launch, for kernels with a barrier. */
template <class... Parameters>
void launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t shared_bytes,
            cudaStream_t stream, typename given_<Parameters>::type... arguments)
{
	std::size_t blocks = (std::size_t)grid.x * grid.y * grid.z;
	std::size_t most = resident_blocks(kernel, block.x * block.y * block.z, shared_bytes);
	void *places[] = {&arguments..., nullptr};

	if (blocks > most)
		throw std::invalid_argument("a grid of " + std::to_string(blocks) +
		                            " blocks does not fit: " + std::to_string(most) +
		                            " blocks of this kernel run at once");
	check(cudaLaunchCooperativeKernel((const void *)kernel, grid, block, places, shared_bytes,
	                                  stream));
}

} // namespace weir

#endif
