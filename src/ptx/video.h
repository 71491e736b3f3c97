/* Video instructions: what one of them does, in 64 bits that an operation carries. */
#ifndef WEIR_PTX_VIDEO_H
#define WEIR_PTX_VIDEO_H

#include <stdint.h>

typedef enum ptx_video_op {
	PTX_V_ADD,
	PTX_V_SUB,
	PTX_V_ABSDIFF,
	PTX_V_MIN,
	PTX_V_MAX,
	PTX_V_AVRG,
	PTX_V_SHL,
	PTX_V_SHR,
	PTX_V_SET,
	PTX_V_MAD
} ptx_video_op;

/* What becomes of the result, or of the results of all lanes. */
typedef enum ptx_video_end {
	PTX_V_PLAIN, /* lanes that the mask leaves out keep c's bits */
	PTX_V_SUM,
	PTX_V_LEAST,
	PTX_V_MOST
} ptx_video_end;

typedef enum ptx_video_order {
	PTX_V_EQ,
	PTX_V_NE,
	PTX_V_LT,
	PTX_V_LE,
	PTX_V_GT,
	PTX_V_GE
} ptx_video_order;

typedef struct ptx_video {
	uint64_t op : 4, lanes : 3; /* lanes: 1, 2 or 4 */
	uint64_t signed_d : 1, signed_a : 1, signed_b : 1;
	uint64_t sat : 1, end : 2, order : 3;
	uint64_t clamp : 1;                                /* of shifts; else they wrap */
	uint64_t negate_a : 1, negate_b : 1, negate_c : 1; /* of vmad */
	uint64_t plus_one : 1, scale : 4;
	/* For each lane the part of {b, a} that it takes, three bits each. With one lane: the part of the register,
	 * of `width` bits. */
	uint64_t part_a : 12, part_b : 12;
	uint64_t width_a : 2, width_b : 2; /* 0: 32 bits, 1: 8, 2: 16 */
	uint64_t mask : 4, width_d : 2;    /* with one lane: the part of the result */
} ptx_video;

uint32_t weir_ptx_video(uint32_t a, uint32_t b, uint32_t c, int64_t code);

#endif
