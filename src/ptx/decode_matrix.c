/* Decoders of matrix instructions. Those that only move registers and shared memory become shuffles, loads and
 * stores of single threads; a multiplication is a warp operation of its own. */
#include "ptx/decode.h"

#define NONE PTX_NONE

typedef struct place {
	uint32_t quad, row; /* lane % 4 and lane / 4 */
} place;

static uint32_t shifted(ptx_decoder *d, ptx_op op, uint32_t x, unsigned by)
{
	uint32_t to = weir_ptx_temp(d);

	weir_ptx_emit(d, op, to, x, weir_ptx_number(d, by), NONE);
	return to;
}

static uint32_t plus(ptx_decoder *d, uint32_t a, uint32_t b)
{
	uint32_t to = weir_ptx_temp(d);

	weir_ptx_emit(d, PTX_X_ADD_64, to, a, b, NONE);
	return to;
}

static place find_place(ptx_decoder *d)
{
	uint32_t lane = weir_ptx_temp(d), quad = weir_ptx_temp(d);

	weir_ptx_emit_imm(d, PTX_X_SPECIAL, lane, NONE, NONE, NONE, PTX_S_LANEID);
	weir_ptx_emit(d, PTX_X_AND, quad, lane, weir_ptx_number(d, 3), NONE);
	return (place){quad, shifted(d, PTX_X_SHR_U32, lane, 2)};
}

/* What the lane numbered `from` holds. */
static uint32_t of_lane(ptx_decoder *d, uint32_t x, uint32_t from)
{
	uint32_t to = weir_ptx_temp(d);

	weir_ptx_warp_op(d, PTX_SHFL_IDX, (uint32_t[3]){x, from, weir_ptx_number(d, 31)},
	                 weir_ptx_number(d, UINT32_MAX), to, NONE);
	return to;
}

static unsigned matrices(const ptx_statement *s)
{
	return ptx_has(s, PTX_M_X4) ? 4 : ptx_has(s, PTX_M_X2) ? 2 : 1;
}

/* The registers of a vector, or of one that stands for a vector of one. */
static bool read_vector(ptx_decoder *d, unsigned i, unsigned count, bool written,
                        uint32_t *registers)
{
	const ptx_operand *o = &d->o[i], *elements = o;

	if (i >= d->s->operands)
		return weir_ptx_refuse(d, "an operand is missing");
	if (o->kind == PTX_O_VECTOR) {
		elements = &d->module->operands.at[o->id];
		if (o->count != count)
			return weir_ptx_refuse(d, "a vector has the wrong length");
	} else if (count != 1) {
		return weir_ptx_refuse(d, "a vector was expected");
	}
	for (unsigned k = 0; k < count; k++)
		registers[k] = written ? weir_ptx_def(d, &elements[k])
		                       : weir_ptx_use(d, &elements[k], PTX_B64);
	return !d->why;
}

/* Thread t of matrix i has two neighbours of row t / 4, or of column t / 4 if it is transposed. Lane 8i + r has the
 * address of row r. */
static void load_part(ptx_decoder *d, place at, uint32_t address, unsigned i, bool trans,
                      uint32_t to)
{
	uint32_t halves[2];

	if (!trans) {
		uint32_t row = of_lane(d, address, plus(d, at.row, weir_ptx_number(d, 8 * i)));
		weir_ptx_emit_load(d, PTX_B32, plus(d, row, shifted(d, PTX_X_SHL_32, at.quad, 2)),
		                   to);
		return;
	}
	for (unsigned k = 0; k < 2; k++) {
		uint32_t from =
		    plus(d, shifted(d, PTX_X_SHL_32, at.quad, 1), weir_ptx_number(d, 8 * i + k));
		halves[k] = weir_ptx_temp(d);
		weir_ptx_emit_load(
		    d, PTX_B16,
		    plus(d, of_lane(d, address, from), shifted(d, PTX_X_SHL_32, at.row, 1)),
		    halves[k]);
	}
	weir_ptx_emit_imm(d, PTX_X_JOIN, to, halves[0], halves[1], NONE, 16);
}

static void store_part(ptx_decoder *d, place at, uint32_t address, unsigned i, bool trans,
                       uint32_t x)
{
	if (!trans) {
		uint32_t row = of_lane(d, address, plus(d, at.row, weir_ptx_number(d, 8 * i)));
		weir_ptx_emit_store(d, PTX_B32, plus(d, row, shifted(d, PTX_X_SHL_32, at.quad, 2)),
		                    x);
		return;
	}
	for (unsigned k = 0; k < 2; k++) {
		uint32_t from =
		    plus(d, shifted(d, PTX_X_SHL_32, at.quad, 1), weir_ptx_number(d, 8 * i + k));
		weir_ptx_emit_store(
		    d, PTX_B16,
		    plus(d, of_lane(d, address, from), shifted(d, PTX_X_SHL_32, at.row, 1)),
		    shifted(d, PTX_X_SHR_U32, x, 16 * k));
	}
}

/* ldmatrix.m8n8.x4 {d0, d1, d2, d3}, [a]; stmatrix.m8n8.x4 [a], {b0, b1, b2, b3} */
bool weir_ptx_decode_ldmatrix(ptx_decoder *d)
{
	bool load = d->s->opcode == PTX_OP_ldmatrix, trans = ptx_has(d->s, PTX_M_TRANS);
	unsigned count = matrices(d->s);
	uint32_t registers[4], loaded[4], base, address;
	int64_t offset;
	place at;

	if (!ptx_has(d->s, PTX_M_M8N8) || weir_ptx_type(d) != PTX_B16 || !weir_ptx_count(d, 2, 2))
		return weir_ptx_refuse(d, "this form is not supported");
	if (!read_vector(d, load ? 0 : 1, count, load, registers) ||
	    !weir_ptx_address(d, &d->o[load ? 1 : 0], &base, &offset))
		return false;
	address = plus(d, base, weir_ptx_number(d, (uint64_t)offset));
	at = find_place(d);
	for (unsigned i = 0; i < count; i++) {
		loaded[i] = weir_ptx_temp(d);
		if (load)
			load_part(d, at, address, i, trans, loaded[i]);
		else
			store_part(d, at, address, i, trans, registers[i]);
	}
	for (unsigned i = 0; i < count && load; i++)
		weir_ptx_emit(d, PTX_X_MOV, registers[i], loaded[i], NONE, NONE);
	return !d->why;
}

/* movmatrix.trans d, a: element (r, c) comes from (c, r), which lane 4c + r / 2 has. */
bool weir_ptx_decode_movmatrix(ptx_decoder *d)
{
	uint32_t x, to, half, halves[2];
	place at;

	if (!ptx_has(d->s, PTX_M_TRANS) || !weir_ptx_count(d, 2, 2))
		return weir_ptx_refuse(d, "this form is not supported");
	x = weir_ptx_in(d, 1, PTX_B32);
	to = weir_ptx_out(d, 0);
	at = find_place(d);
	half = weir_ptx_temp(d);
	weir_ptx_emit(d, PTX_X_AND, half, at.row, weir_ptx_number(d, 1), NONE);
	half = shifted(d, PTX_X_SHL_32, half, 4);
	for (unsigned k = 0; k < 2; k++) {
		uint32_t from =
		    plus(d, shifted(d, PTX_X_SHL_32, at.quad, 3), weir_ptx_number(d, 4 * k));
		halves[k] = weir_ptx_temp(d);
		from = of_lane(d, x, plus(d, from, shifted(d, PTX_X_SHR_U32, at.row, 1)));
		weir_ptx_emit(d, PTX_X_SHR_U32, halves[k], from, half, NONE);
	}
	weir_ptx_emit_imm(d, PTX_X_FIELD, halves[1], halves[1], NONE, NONE, 16 << 8);
	weir_ptx_emit_imm(d, PTX_X_JOIN, to, halves[0], halves[1], NONE, 16);
	return !d->why;
}

/* --- Multiplication ------------------------------------------------------------------------------------ */

static bool read_shape(const ptx_statement *s, ptx_mma *mma)
{
	static const struct {
		ptx_modifier modifier;
		uint16_t m, k;
	} shapes[] = {
	    {PTX_M_M8N8K4, 8, 4},       {PTX_M_M8N8K16, 8, 16},    {PTX_M_M8N8K32, 8, 32},
	    {PTX_M_M8N8K128, 8, 128},   {PTX_M_M16N8K4, 16, 4},    {PTX_M_M16N8K8, 16, 8},
	    {PTX_M_M16N8K16, 16, 16},   {PTX_M_M16N8K32, 16, 32},  {PTX_M_M16N8K64, 16, 64},
	    {PTX_M_M16N8K128, 16, 128}, {PTX_M_M16N8K256, 16, 256}};

	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		if (ptx_has(s, shapes[i].modifier)) {
			mma->m = (uint8_t)shapes[i].m;
			mma->k = shapes[i].k;
			return true;
		}
	return false;
}

/* The families that have the same shapes and accumulators. */
static char family(ptx_type type)
{
	switch (type) {
	case PTX_F16:
	case PTX_BF16:
	case PTX_TF32:
		return 'f';
	case PTX_E4M3:
	case PTX_E5M2:
		return 'e';
	case PTX_F64:
		return 'd';
	case PTX_S8:
	case PTX_U8:
	case PTX_S4:
	case PTX_U4:
		return 'i';
	case PTX_B1:
		return 'b';
	default:
		return 'x';
	}
}

static bool known_shape(const ptx_mma *mma)
{
	unsigned bits = weir_ptx_types[mma->a].bits, row = bits * mma->k;
	char of = family(mma->a);

	if (of == 'd')
		return mma->m == 16 ? mma->k <= 16 : mma->k == 4;
	if (mma->m == 8)
		return (of == 'i' || of == 'b') && row == 128;
	return row == 128 || row == 256;
}

static bool known_types(const ptx_mma *mma)
{
	char of = family(mma->a);

	if (of != family(mma->b) || weir_ptx_types[mma->a].bits != weir_ptx_types[mma->b].bits)
		return false;
	switch (of) {
	case 'f':
		return mma->a == mma->b &&
		       (mma->c == PTX_F32 || (mma->c == PTX_F16 && mma->a == PTX_F16)) &&
		       (mma->d == PTX_F32 || (mma->d == PTX_F16 && mma->a == PTX_F16));
	case 'e':
		return (mma->c == PTX_F32 || mma->c == PTX_F16) && mma->c == mma->d;
	case 'd':
		return mma->c == PTX_F64 && mma->d == PTX_F64;
	case 'i':
		return mma->c == PTX_S32 && mma->d == PTX_S32;
	case 'b':
		return mma->c == PTX_S32 && mma->d == PTX_S32 && mma->bits_op;
	default:
		return false;
	}
}

static unsigned registers_of(ptx_type type, unsigned elements)
{
	unsigned bits = weir_ptx_types[type].bits;

	return elements / 32 / (bits < 32 ? 32 / bits : 1);
}

static char bits_op_of(const ptx_statement *s)
{
	if (ptx_has(s, PTX_M_XOR))
		return 'x';
	return (char)(ptx_has(s, PTX_M_AND) ? 'a' : '\0');
}

/* mma.sync.shape.row.col.dtype.atype.btype.ctype d, a, b, c. The inputs are those of a warp operation, then the
 * registers of a, b and c. */
bool weir_ptx_decode_mma(ptx_decoder *d)
{
	const ptx_statement *s = d->s;
	ptx_mma mma = {.n = 8, .saturates = ptx_has(s, PTX_M_SATFINITE), .bits_op = bits_op_of(s)};
	uint32_t in[PTX_INPUTS], out[PTX_OUTPUTS], count = 4;
	unsigned counts[4];

	if (s->type_count != 4 || !weir_ptx_count(d, 4, 4) || !ptx_has(s, PTX_M_ROW) ||
	    !ptx_has(s, PTX_M_COL) || !read_shape(s, &mma))
		return weir_ptx_refuse(d, "this form is not supported");
	mma.d = s->types[0];
	mma.a = s->types[1];
	mma.b = s->types[2];
	mma.c = s->types[3];
	if (!known_types(&mma) || !known_shape(&mma))
		return weir_ptx_refuse(d, "this shape or type is not supported");
	counts[0] = registers_of(mma.d, mma.m * 8u);
	counts[1] = registers_of(mma.a, mma.m * mma.k);
	counts[2] = registers_of(mma.b, 8u * mma.k);
	counts[3] = registers_of(mma.c, mma.m * 8u);
	if (!read_vector(d, 0, counts[0], true, out))
		return false;
	in[0] = in[1] = in[2] = weir_ptx_number(d, 0);
	in[3] = weir_ptx_number(d, UINT32_MAX);
	for (unsigned i = 1; i < 4; i++) {
		if (!read_vector(d, i, counts[i], false, in + count))
			return false;
		count += counts[i];
	}
	mma.a_count = (uint8_t)counts[1];
	mma.b_count = (uint8_t)counts[2];
	return weir_ptx_emit_mma(d, &mma, in, count, out, counts[0]);
}

/* --- wmma ------------------------------------------------------------------------------------------------- */

/* The manual leaves open where a fragment has its elements. Here a lane has elements that follow each other in the
 * matrix, row by row. Fragments of f16 have more registers than that takes: they repeat. */
typedef struct part {
	uint32_t rows, columns;
	ptx_type type;
	uint32_t elements, registers; /* of a lane; registers that the instruction has */
} part;

static bool read_wmma_shape(const ptx_statement *s, ptx_mma *mma)
{
	static const struct {
		ptx_modifier modifier;
		uint8_t m, n, k;
	} shapes[] = {{PTX_M_M16N16K16, 16, 16, 16},
	              {PTX_M_M32N8K16, 32, 8, 16},
	              {PTX_M_M8N32K16, 8, 32, 16},
	              {PTX_M_M16N16K8, 16, 16, 8},
	              {PTX_M_M8N8K4, 8, 8, 4}};

	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		if (ptx_has(s, shapes[i].modifier)) {
			mma->m = shapes[i].m;
			mma->n = shapes[i].n;
			mma->k = shapes[i].k;
			return true;
		}
	return false;
}

static bool fits(const ptx_mma *mma, ptx_type type)
{
	switch (type) {
	case PTX_TF32:
		return mma->k == 8;
	case PTX_F64:
		return mma->k == 4;
	case PTX_F32:
		return mma->k != 4;
	default:
		return mma->k == 16;
	}
}

static part part_of(const ptx_mma *mma, char which, ptx_type type)
{
	unsigned each = weir_ptx_types[type].bits < 32 ? 32u / weir_ptx_types[type].bits : 1;
	part p = {.rows = which == 'b' ? mma->k : mma->m,
	          .columns = which == 'a' ? mma->k : mma->n,
	          .type = type};

	p.elements = p.rows * p.columns / 32;
	p.registers = type == PTX_F16 && which != 'c' ? 8 : p.elements / each;
	return p;
}

/* The address of element i of the lane: its row and column times the stride, whichever the layout says. */
static uint32_t element_at(ptx_decoder *d, const part *p, uint32_t base, uint32_t lane,
                           uint32_t stride, unsigned i)
{
	bool by_row = ptx_has(d->s, PTX_M_ROW);
	uint32_t number = weir_ptx_temp(d), column = weir_ptx_temp(d), at = weir_ptx_temp(d), row;

	weir_ptx_emit(d, PTX_X_MAD_32, number, lane, weir_ptx_number(d, p->elements),
	              weir_ptx_number(d, i));
	row = shifted(d, PTX_X_SHR_U32, number, (unsigned)__builtin_ctz(p->columns));
	weir_ptx_emit(d, PTX_X_AND, column, number, weir_ptx_number(d, p->columns - 1), NONE);
	weir_ptx_emit(d, PTX_X_MADW_U32, at, by_row ? row : column, stride, by_row ? column : row);
	weir_ptx_emit(d, PTX_X_MAD_64, number, at, weir_ptx_number(d, ptx_bytes(p->type)), base);
	return number;
}

static ptx_type bits_like(ptx_type type)
{
	switch (ptx_bytes(type)) {
	case 1:
		return PTX_B8;
	case 2:
		return PTX_B16;
	case 4:
		return PTX_B32;
	default:
		return PTX_B64;
	}
}

static void load_elements(ptx_decoder *d, const part *p, const uint32_t *registers, uint32_t base,
                          uint32_t lane, uint32_t stride)
{
	unsigned bits = weir_ptx_types[p->type].bits, each = bits < 32 ? 32 / bits : 1,
		 used = p->elements / each;
	uint32_t loaded[16], sum = NONE;

	for (unsigned i = 0; i < p->elements; i++) {
		uint32_t one = weir_ptx_temp(d), joined;
		weir_ptx_emit_load(d, bits_like(p->type), element_at(d, p, base, lane, stride, i),
		                   one);
		joined = i % each ? weir_ptx_temp(d) : one;
		if (i % each)
			weir_ptx_emit_imm(d, PTX_X_JOIN, joined, sum, one, NONE, i % each * bits);
		sum = joined;
		loaded[i / each] = sum;
	}
	for (unsigned i = 0; i < p->registers; i++)
		weir_ptx_emit(d, PTX_X_MOV, registers[i], loaded[i % used], NONE, NONE);
}

static void store_elements(ptx_decoder *d, const part *p, const uint32_t *registers, uint32_t base,
                           uint32_t lane, uint32_t stride)
{
	unsigned bits = weir_ptx_types[p->type].bits, each = bits < 32 ? 32 / bits : 1;

	for (unsigned i = 0; i < p->elements; i++) {
		uint32_t one = registers[i / each];
		if (each > 1) {
			one = weir_ptx_temp(d);
			weir_ptx_emit_imm(d, PTX_X_FIELD, one, registers[i / each], NONE, NONE,
			                  i % each * bits | bits << 8);
		}
		weir_ptx_emit_store(d, bits_like(p->type), element_at(d, p, base, lane, stride, i),
		                    one);
	}
}

/* Which matrix it moves: accumulators are c, whether they are loaded or stored. */
static char matrix_of(const ptx_statement *s)
{
	if (ptx_has(s, PTX_M_MATRIX_A))
		return 'a';
	return (char)(ptx_has(s, PTX_M_MATRIX_B) ? 'b' : 'c');
}

/* wmma.load.a.sync.aligned.row.shape.type r, [p]{, stride}; wmma.store.d.sync.aligned.row.shape.type [p], r{, stride} */
static bool move_fragment(ptx_decoder *d, const ptx_mma *mma)
{
	bool store = ptx_has(d->s, PTX_M_STORE), by_row = ptx_has(d->s, PTX_M_ROW);
	char which = matrix_of(d->s);
	ptx_type type = weir_ptx_type(d);
	uint32_t registers[16] = {0}, base, lane = weir_ptx_temp(d), stride, start;
	int64_t offset;
	part p;

	if (d->s->type_count != 1 || !weir_ptx_count(d, 2, 3) || by_row == ptx_has(d->s, PTX_M_COL))
		return weir_ptx_refuse(d, "this form is not supported");
	if (!(which == 'c' ? type == PTX_F64 ? mma->k == 4 : mma->k != 4 : fits(mma, type)))
		return weir_ptx_refuse(d, "this shape or type is not supported");
	p = part_of(mma, which, type);
	if (p.registers > 16 || !read_vector(d, store ? 1 : 0, p.registers, !store, registers) ||
	    !weir_ptx_address(d, &d->o[store ? 0 : 1], &base, &offset))
		return weir_ptx_refuse(d, "this form is not supported");
	stride = d->s->operands == 3 ? weir_ptx_in(d, 2, PTX_U32)
	                             : weir_ptx_number(d, by_row ? p.columns : p.rows);
	start = plus(d, base, weir_ptx_number(d, (uint64_t)offset));
	weir_ptx_emit_imm(d, PTX_X_SPECIAL, lane, NONE, NONE, NONE, PTX_S_LANEID);
	(store ? store_elements : load_elements)(d, &p, registers, start, lane, stride);
	return !d->why;
}

/* wmma.mma.sync.aligned.row.col.shape.dtype{.atype.btype}.ctype d, a, b, c */
static bool multiply_fragments(ptx_decoder *d, ptx_mma *mma)
{
	const ptx_statement *s = d->s;
	uint32_t in[PTX_INPUTS], out[PTX_OUTPUTS], count = 4;
	part parts[4];

	if ((s->type_count != 2 && s->type_count != 4) || !weir_ptx_count(d, 4, 4))
		return weir_ptx_refuse(d, "this form is not supported");
	mma->d = s->types[0];
	mma->c = s->types[s->type_count - 1];
	mma->a = s->type_count == 4 ? s->types[1] : PTX_F16;
	mma->b = s->type_count == 4 ? s->types[2] : PTX_F16;
	mma->linear = true;
	mma->saturates = ptx_has(s, PTX_M_SATFINITE);
	if (!known_types(mma) || !fits(mma, mma->a))
		return weir_ptx_refuse(d, "this shape or type is not supported");
	parts[0] = part_of(mma, 'c', mma->d);
	parts[1] = part_of(mma, 'a', mma->a);
	parts[2] = part_of(mma, 'b', mma->b);
	parts[3] = part_of(mma, 'c', mma->c);
	if (!read_vector(d, 0, parts[0].registers, true, out))
		return false;
	in[0] = in[1] = in[2] = weir_ptx_number(d, 0);
	in[3] = weir_ptx_number(d, UINT32_MAX);
	for (unsigned i = 1; i < 4; i++) {
		if (!read_vector(d, i, parts[i].registers, false, in + count))
			return false;
		count += parts[i].registers;
	}
	mma->a_count = (uint8_t)parts[1].registers;
	mma->b_count = (uint8_t)parts[2].registers;
	return weir_ptx_emit_mma(d, mma, in, count, out, parts[0].registers);
}

bool weir_ptx_decode_wmma(ptx_decoder *d)
{
	ptx_mma mma = {.m = 0};

	if (!read_wmma_shape(d->s, &mma))
		return weir_ptx_refuse(d, "this shape is not supported");
	return ptx_has(d->s, PTX_M_MMA) ? multiply_fragments(d, &mma) : move_fragment(d, &mma);
}
