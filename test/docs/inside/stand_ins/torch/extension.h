/* The part of PyTorch's header that the guide's code uses, to check the code's types without
 * PyTorch. */
#ifndef STAND_IN_TORCH_EXTENSION_H
#define STAND_IN_TORCH_EXTENSION_H

#include <cstdint>

namespace torch
{

class Tensor
{
public:
	int64_t numel() const;
	void *data_ptr() const;
	template <typename T> T *data_ptr() const;
};

} // namespace torch

#endif
