/* The PTX in what a program gives as its CUDA image. */
#ifndef WEIR_PTX_DEVICE_IMAGE_H
#define WEIR_PTX_DEVICE_IMAGE_H

#include <stddef.h>

#include "weir/weir.h"

/* `image` is PTX text that ends with a 0, or a fatbin; of a fatbin, the PTX of its newest architecture.
 * WEIR_BAD_PROGRAM with the reason when there is no PTX that can be read. */
weir_status weir_ptx_image_text(const void *image, const char **text, size_t *bytes);

#endif
