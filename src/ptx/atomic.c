/* What atomics compute. */
#include "ptx/machine.h"

static uint64_t of_float(unsigned what, ptx_type type, uint64_t old, uint64_t x)
{
	uint32_t a = (uint32_t)old, b = (uint32_t)x;

	switch (type) {
	case PTX_F32: /* subnormals are flushed by no form of atom on global memory that this models */
		return what == PTX_RMW_ADD   ? ptx_f32_bits(ptx_canonical(ptx_f32(a) + ptx_f32(b)))
		       : what == PTX_RMW_MIN ? ptx_f32_bits(ptx_min(ptx_f32(a), ptx_f32(b)))
		                             : ptx_f32_bits(ptx_max(ptx_f32(a), ptx_f32(b)));
	case PTX_F64:
		return what == PTX_RMW_ADD   ? ptx_f64_bits(ptx_f64(old) + ptx_f64(x))
		       : what == PTX_RMW_MIN ? ptx_f64_bits(ptx_min_f64(ptx_f64(old), ptx_f64(x)))
		                             : ptx_f64_bits(ptx_max_f64(ptx_f64(old), ptx_f64(x)));
	case PTX_F16: {
		float f = ptx_from_f16((uint16_t)a), g = ptx_from_f16((uint16_t)b);
		return weir_ptx_to_f16(what == PTX_RMW_ADD   ? (double)f + g
		                       : what == PTX_RMW_MIN ? ptx_min(f, g)
		                                             : ptx_max(f, g),
		                       PTX_RN);
	}
	default: {
		float f = ptx_from_bf16((uint16_t)a), g = ptx_from_bf16((uint16_t)b);
		return what == PTX_RMW_ADD
		           ? weir_ptx_fma_bf16((uint16_t)a, 0x3f80, (uint16_t)b)
		           : ptx_f32_to_bf16(what == PTX_RMW_MIN ? ptx_min(f, g) : ptx_max(f, g));
	}
	}
}

static uint64_t of_signed(unsigned what, ptx_type type, uint64_t old, uint64_t x)
{
	int64_t a = type == PTX_S32 ? (int32_t)old : (int64_t)old,
		b = type == PTX_S32 ? (int32_t)x : (int64_t)x;

	return (what == PTX_RMW_MIN) == (a < b) ? old : x;
}

uint64_t weir_ptx_rmw(unsigned what, ptx_type type, uint64_t old, uint64_t operand, uint64_t other)
{
	char class = weir_ptx_types[type].class;
	uint64_t mask = ptx_low(weir_ptx_types[type].bits);

	old &= mask;
	operand &= mask;
	if (class == 'p') { /* two halves */
		ptx_type part = type == PTX_F16X2 ? PTX_F16 : PTX_BF16;
		return of_float(what, part, old & 0xffff, operand & 0xffff) |
		       of_float(what, part, old >> 16, operand >> 16) << 16;
	}
	switch (what) {
	case PTX_RMW_EXCH:
		return operand;
	case PTX_RMW_CAS:
		return old == operand ? other & mask : old;
	case PTX_RMW_AND:
		return old & operand;
	case PTX_RMW_OR:
		return old | operand;
	case PTX_RMW_XOR:
		return old ^ operand;
	case PTX_RMW_INC:
		return old >= operand ? 0 : old + 1;
	case PTX_RMW_DEC:
		return old == 0 || old > operand ? operand : old - 1;
	default:
		break;
	}
	if (class == 'f')
		return of_float(what, type, old, operand);
	if (what == PTX_RMW_ADD)
		return (old + operand) & mask;
	if (class == 's')
		return of_signed(what, type, old, operand);
	return (what == PTX_RMW_MIN) == (old < operand) ? old : operand;
}
