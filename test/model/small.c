#include "small.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LABELS 16

typedef struct label {
	char name[16];
	int at; /* -1: not seen yet */
} label;

typedef struct reader {
	const char *at;
	small_program *p;
	char *error;
	size_t room;
	int failed;
	uint32_t ctas[SMALL_THREADS][3]; /* block, cluster and device as written */
	label labels[SMALL_THREADS][LABELS];
	uint32_t label_count[SMALL_THREADS];
} reader;

static const char *const order_names[] = {"weak", "relaxed", "acquire", "release", "acq_rel", "sc"};
static const char *const scope_names[] = {"cta", "cluster", "gpu", "sys"};
static const char *const calc_names[] = {"exch", "cas", "add", "sub", "mul", "div", "and", "or",
                                         "xor",  "beq", "bne", "blt", "ble", "bgt", "bge"};

static void fail(reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void fail(reader *r, const char *format, ...)
{
	va_list arguments;

	if (r->failed)
		return;
	r->failed = 1;
	va_start(arguments, format);
	vsnprintf(r->error, r->room, format, arguments);
	va_end(arguments);
}

static void skip_space(reader *r)
{
	for (;;) {
		while (isspace((unsigned char)*r->at))
			r->at++;
		if (strncmp(r->at, "(*", 2) == 0 && strstr(r->at, "*)"))
			r->at = strstr(r->at, "*)") + 2;
		else if (*r->at == '"' && strchr(r->at + 1, '"'))
			r->at = strchr(r->at + 1, '"') + 1;
		else
			return;
	}
}

static int takes(reader *r, const char *what)
{
	size_t length = strlen(what);

	skip_space(r);
	if (strncmp(r->at, what, length) != 0)
		return 0;
	if (isalpha((unsigned char)*what) &&
	    (isalnum((unsigned char)r->at[length]) || r->at[length] == '_'))
		return 0;
	r->at += length;
	return 1;
}

static void expect(reader *r, const char *what)
{
	if (!r->failed && !takes(r, what))
		fail(r, "\"%s\" expected at \"%.20s\"", what, r->at);
}

/* Takes a word of letters, digits and the characters in `more`. */
static void take_name(reader *r, char *name, size_t room, const char *more)
{
	size_t length = 0;

	skip_space(r);
	while (isalnum((unsigned char)*r->at) || (*r->at && strchr(more, *r->at))) {
		if (length + 1 < room)
			name[length++] = *r->at;
		r->at++;
	}
	name[length] = 0;
	if (length == 0)
		fail(r, "a name expected at \"%.20s\"", r->at);
}

static uint32_t take_number(reader *r)
{
	char *end;
	unsigned long value;

	skip_space(r);
	value = strtoul(r->at, &end, 0);
	if (end == r->at)
		fail(r, "a number expected at \"%.20s\"", r->at);
	r->at = end;
	return (uint32_t)value;
}

static int is_register(reader *r)
{
	skip_space(r);
	return r->at[0] == 'r' && isdigit((unsigned char)r->at[1]);
}

static uint8_t take_register(reader *r)
{
	uint32_t number;

	if (!is_register(r)) {
		fail(r, "a register expected at \"%.20s\"", r->at);
		return 0;
	}
	r->at++;
	number = (uint32_t)strtoul(r->at, (char **)&r->at, 10);
	if (number >= SMALL_REGISTERS)
		fail(r, "register r%u is beyond r%d", number, SMALL_REGISTERS - 1);
	return (uint8_t)(number < SMALL_REGISTERS ? number : 0);
}

static uint32_t take_thread(reader *r)
{
	uint32_t thread;

	skip_space(r);
	if (*r->at == 'P')
		r->at++;
	thread = take_number(r);
	if (thread >= SMALL_THREADS)
		fail(r, "more than %d threads", SMALL_THREADS);
	return thread < SMALL_THREADS ? thread : 0;
}

static uint8_t take_word(reader *r)
{
	char name[16];

	take_name(r, name, sizeof name, "_");
	for (uint32_t i = 0; i < r->p->words; i++)
		if (strcmp(r->p->word_names[i], name) == 0)
			return (uint8_t)i;
	if (r->p->words == SMALL_WORDS) {
		fail(r, "more than %d words", SMALL_WORDS);
		return 0;
	}
	memcpy(r->p->word_names[r->p->words], name, sizeof name);
	return (uint8_t)r->p->words++;
}

static small_value take_value(reader *r)
{
	small_value value = {0, 0};

	if (is_register(r)) {
		value.is_register = 1;
		value.value = take_register(r);
	} else {
		value.value = take_number(r);
	}
	return value;
}

static void read_initial(reader *r)
{
	expect(r, "{");
	while (!r->failed && !takes(r, "}")) {
		skip_space(r);
		if (takes(r, ";"))
			continue;
		if (*r->at == 'P' && isdigit((unsigned char)r->at[1])) {
			uint32_t thread = take_thread(r);
			uint8_t number;
			expect(r, ":");
			number = take_register(r);
			expect(r, "=");
			r->p->registers[thread][number] = take_number(r);
		} else {
			uint8_t word = take_word(r);
			if (takes(r, "@") || takes(r, "aliases"))
				fail(r, "proxies and aliases are not supported");
			expect(r, "=");
			r->p->initial[word] = take_number(r);
		}
	}
	takes(r, ";");
}

static uint8_t number_of(uint32_t ids[][3], uint32_t count, const uint32_t *id)
{
	for (uint32_t i = 0; i < count; i++)
		if (memcmp(ids[i], id, sizeof ids[i]) == 0)
			return (uint8_t)i;
	return (uint8_t)count;
}

/* Numbers blocks, clusters and devices in the order in which they first occur. */
static void place_threads(reader *r)
{
	uint32_t blocks[SMALL_THREADS][3];
	uint32_t clusters[SMALL_THREADS][3];
	uint32_t count[2] = {0, 0};

	for (uint32_t t = 0; t < r->p->threads; t++) {
		uint32_t block[3] = {r->ctas[t][0], r->ctas[t][1], r->ctas[t][2]};
		uint32_t cluster[3] = {0, r->ctas[t][1], r->ctas[t][2]};
		small_thread *thread = &r->p->thread[t];
		thread->block = number_of(blocks, count[0], block);
		thread->cluster = number_of(clusters, count[1], cluster);
		thread->device = (uint8_t)r->ctas[t][2];
		if (thread->block == count[0])
			memcpy(blocks[count[0]++], block, sizeof block);
		if (thread->cluster == count[1])
			memcpy(clusters[count[1]++], cluster, sizeof cluster);
	}
}

static void read_threads(reader *r)
{
	do {
		uint32_t *cta = r->ctas[r->p->threads];
		if (take_thread(r) != r->p->threads)
			fail(r, "threads out of order");
		if (r->failed)
			return;
		expect(r, "@");
		expect(r, "cta");
		cta[0] = take_number(r);
		cta[1] = 1000 + cta[0]; /* its own cluster */
		expect(r, ",");
		if (takes(r, "cluster")) {
			cta[1] = take_number(r);
			expect(r, ",");
		}
		expect(r, "gpu");
		cta[2] = take_number(r);
		r->p->threads++;
		if (r->p->threads == SMALL_THREADS)
			break;
	} while (takes(r, "|"));
	expect(r, ";");
	place_threads(r);
}

static uint8_t label_number(reader *r, uint32_t thread)
{
	label *labels = r->labels[thread];
	char name[16];

	take_name(r, name, sizeof name, "_");
	for (uint32_t i = 0; i < r->label_count[thread]; i++)
		if (strcmp(labels[i].name, name) == 0)
			return (uint8_t)i;
	if (r->label_count[thread] == LABELS) {
		fail(r, "more than %d labels", LABELS);
		return 0;
	}
	memcpy(labels[r->label_count[thread]].name, name, sizeof name);
	labels[r->label_count[thread]].at = -1;
	return (uint8_t)r->label_count[thread]++;
}

/* Takes a ".name" of the list; -1: none of them. */
static int take_modifier(reader *r, const char *const *names, int count)
{
	const char *start = r->at;
	char name[16];

	if (*r->at != '.')
		return -1;
	r->at++;
	take_name(r, name, sizeof name, "_");
	for (int i = 0; i < count; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	r->at = start;
	return -1;
}

/* Takes the order and the scope, in either sequence. Without an order an access is weak and an atomic is
 * relaxed; "volatile" is relaxed at system scope. */
static void take_order(reader *r, small_op *op)
{
	int order = -1;
	int scope = -1;
	int is_atomic = op->type == SMALL_ATOM || op->type == SMALL_RED;

	for (int i = 0; i < 2; i++) {
		if (order < 0)
			order = take_modifier(r, order_names, 6);
		if (scope < 0)
			scope = take_modifier(r, scope_names, 4);
		if (strncmp(r->at, ".volatile", 9) == 0) {
			r->at += 9;
			order = SMALL_RELAXED;
			scope = SMALL_SYS;
		}
	}
	if (order < 0)
		order = op->type == SMALL_FENCE ? SMALL_ACQ_REL
		        : is_atomic             ? SMALL_RELAXED
		                                : SMALL_WEAK;
	if (scope < 0 && order != SMALL_WEAK)
		scope = SMALL_GPU;
	op->order = (small_order)order;
	op->scope = scope < 0 ? SMALL_CTA : (small_scope)scope;
	if (is_atomic && order == SMALL_WEAK)
		fail(r, "no atomic is weak");
}

static void read_barrier(reader *r, small_op *op)
{
	takes(r, ".cta");
	if (takes(r, ".arrive"))
		op->type = SMALL_ARRIVE;
	else
		expect(r, ".sync");
	op->word = (uint8_t)take_number(r);
	/* The first number is the position in the source; the barrier's number and the number of threads
	 * may follow. */
	if (takes(r, ",")) {
		if (is_register(r))
			fail(r, "a barrier in a register is not supported");
		else
			op->word = (uint8_t)take_number(r);
	}
	if (takes(r, ","))
		op->count = (uint8_t)take_number(r);
}

static void read_atomic(reader *r, small_op *op)
{
	int calc;

	take_order(r, op);
	calc = take_modifier(r, calc_names, SMALL_EQ);
	if (calc < 0)
		fail(r, "an atomic operation expected at \"%.20s\"", r->at);
	op->calc = (small_calc)(calc < 0 ? 0 : calc);
	if (op->type == SMALL_ATOM) {
		op->to = take_register(r);
		expect(r, ",");
	}
	op->word = take_word(r);
	expect(r, ",");
	op->a = take_value(r);
	if (op->calc == SMALL_CAS) {
		expect(r, ",");
		op->b = take_value(r);
	}
}

static void read_load(reader *r, small_op *op)
{
	if (*r->at == '.') {
		take_order(r, op);
		op->to = take_register(r);
		expect(r, ",");
		op->word = take_word(r);
		return;
	}
	op->type = SMALL_SET;
	op->calc = SMALL_ADD;
	op->to = take_register(r);
	expect(r, ",");
	op->a = take_value(r);
}

/* Calculations of registers, and branches. */
static int read_other(reader *r, small_op *op, uint32_t thread)
{
	for (int i = SMALL_ADD; i <= SMALL_GE; i++) {
		if (!takes(r, calc_names[i]))
			continue;
		op->calc = (small_calc)i;
		op->type = i >= SMALL_EQ ? SMALL_BRANCH : SMALL_SET;
		if (op->type == SMALL_SET) {
			op->to = take_register(r);
			expect(r, ",");
		}
		op->a = take_value(r);
		expect(r, ",");
		op->b = take_value(r);
		if (op->type == SMALL_BRANCH) {
			expect(r, ",");
			op->target = label_number(r, thread);
		}
		return 1;
	}
	return 0;
}

static void read_instruction(reader *r, uint32_t thread)
{
	static const small_op nothing = {.to = SMALL_NOWHERE};
	small_thread *t = &r->p->thread[thread];
	small_op op = nothing;

	skip_space(r);
	if (*r->at == '|' || *r->at == ';')
		return;
	if (takes(r, "ld")) {
		op.type = SMALL_LOAD;
		read_load(r, &op);
	} else if (takes(r, "st")) {
		op.type = SMALL_STORE;
		take_order(r, &op);
		op.word = take_word(r);
		expect(r, ",");
		op.a = take_value(r);
	} else if (takes(r, "fence")) {
		op.type = SMALL_FENCE;
		if (takes(r, ".proxy"))
			fail(r, "proxies are not supported");
		take_order(r, &op);
	} else if (takes(r, "bar")) {
		op.type = SMALL_SYNC;
		read_barrier(r, &op);
	} else if (takes(r, "atom") || takes(r, "red")) {
		op.type = r->at[-1] == 'm' ? SMALL_ATOM : SMALL_RED;
		read_atomic(r, &op);
	} else if (takes(r, "goto")) {
		op.type = SMALL_JUMP;
		op.target = label_number(r, thread);
	} else if (!read_other(r, &op, thread)) {
		uint8_t number = label_number(r, thread);
		if (takes(r, ":"))
			r->labels[thread][number].at = t->ops;
		else
			fail(r, "an instruction that is not supported at \"%.20s\"", r->at);
		return;
	}
	if (t->ops == SMALL_OPS)
		fail(r, "more than %d instructions", SMALL_OPS);
	else
		t->op[t->ops++] = op;
}

static void resolve_labels(reader *r)
{
	for (uint32_t t = 0; t < r->p->threads; t++)
		for (uint32_t i = 0; i < r->p->thread[t].ops; i++) {
			small_op *op = &r->p->thread[t].op[i];
			if (op->type != SMALL_BRANCH && op->type != SMALL_JUMP)
				continue;
			if (r->labels[t][op->target].at < 0)
				fail(r, "no label %s", r->labels[t][op->target].name);
			else
				op->target = (uint8_t)r->labels[t][op->target].at;
		}
}

static int at_condition(reader *r)
{
	skip_space(r);
	return *r->at == 0 || *r->at == '~' || strncmp(r->at, "exists", 6) == 0 ||
	       strncmp(r->at, "forall", 6) == 0 || strncmp(r->at, "locations", 9) == 0 ||
	       strncmp(r->at, "filter", 6) == 0;
}

static void read_rows(reader *r)
{
	while (!r->failed && !at_condition(r)) {
		for (uint32_t t = 0; t < r->p->threads && !r->failed; t++) {
			read_instruction(r, t);
			if (!takes(r, "|"))
				break;
		}
		expect(r, ";");
	}
	resolve_labels(r);
}

static void add_term(reader *r, small_term term)
{
	if (r->p->terms == SMALL_TERMS)
		fail(r, "a condition of more than %d terms", SMALL_TERMS);
	else
		r->p->term[r->p->terms++] = term;
}

static void read_operand(reader *r)
{
	small_term term = {.what = SMALL_CONSTANT};

	skip_space(r);
	if ((*r->at == 'P' || isdigit((unsigned char)*r->at)) &&
	    r->at[1 + strspn(r->at + 1, "0123456789")] == ':') {
		term.what = SMALL_REGISTER;
		term.thread = (uint8_t)take_thread(r);
		expect(r, ":");
		term.value = take_register(r);
	} else if (isdigit((unsigned char)*r->at)) {
		term.value = take_number(r);
	} else {
		term.what = SMALL_WORD;
		term.value = take_word(r);
	}
	add_term(r, term);
}

static void read_either(reader *r);

static void read_comparison(reader *r)
{
	static const struct {
		const char *text;
		small_calc calc;
	} signs[] = {{"==", SMALL_EQ}, {"!=", SMALL_NE}, {"<=", SMALL_LE}, {">=", SMALL_GE},
	             {"=", SMALL_EQ},  {"<", SMALL_LT},  {">", SMALL_GT}};
	small_term compare = {.what = SMALL_COMPARE};

	if (takes(r, "~")) {
		read_comparison(r);
		add_term(r, (small_term){.what = SMALL_NOT});
		return;
	}
	if (takes(r, "(")) {
		read_either(r);
		expect(r, ")");
		return;
	}
	read_operand(r);
	for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
		if (takes(r, signs[i].text)) {
			compare.calc = signs[i].calc;
			read_operand(r);
			add_term(r, compare);
			return;
		}
	fail(r, "a comparison expected at \"%.20s\"", r->at);
}

static void read_both(reader *r)
{
	read_comparison(r);
	while (!r->failed && takes(r, "/\\")) {
		read_comparison(r);
		add_term(r, (small_term){.what = SMALL_BOTH});
	}
}

static void read_either(reader *r)
{
	read_both(r);
	while (!r->failed && takes(r, "\\/")) {
		read_both(r);
		add_term(r, (small_term){.what = SMALL_EITHER});
	}
}

static void read_condition(reader *r)
{
	if (r->failed)
		return;
	if (takes(r, "~")) {
		expect(r, "exists");
		r->p->quantifier = SMALL_NOT_EXISTS;
	} else if (takes(r, "forall")) {
		r->p->quantifier = SMALL_FOR_ALL;
	} else if (takes(r, "exists")) {
		r->p->quantifier = SMALL_EXISTS;
	} else {
		fail(r, "exists, ~exists or forall expected at \"%.20s\"", r->at);
		return;
	}
	read_either(r);
	skip_space(r);
}

/* Goes to the next line that starts a program, or to the end. */
static void to_next(reader *r)
{
	while (*r->at && !(strncmp(r->at, "PTX ", 4) == 0 && r->at[-1] == '\n'))
		r->at++;
}

int small_read(const char **text, small_program *p, char *error, size_t room)
{
	reader r = {.at = *text, .p = p, .error = error, .room = room};

	memset(p, 0, sizeof *p);
	skip_space(&r);
	if (*r.at == 0)
		return 0;
	expect(&r, "PTX");
	take_name(&r, p->name, sizeof p->name, "_+-.,()[]'");
	p->races = takes(&r, "races");
	read_initial(&r);
	read_threads(&r);
	read_rows(&r);
	read_condition(&r);
	if (!r.failed && *r.at && strncmp(r.at, "PTX ", 4) != 0)
		fail(&r, "not understood: \"%.20s\"", r.at);
	if (r.failed)
		to_next(&r);
	*text = r.at;
	return r.failed ? -1 : 1;
}

uint32_t small_calculate(small_calc calc, uint32_t a, uint32_t b)
{
	switch (calc) {
	case SMALL_ADD:
		return a + b;
	case SMALL_SUB:
		return a - b;
	case SMALL_MUL:
		return a * b;
	case SMALL_DIV:
		return b ? a / b : 0;
	case SMALL_AND:
		return a & b;
	case SMALL_OR:
		return a | b;
	case SMALL_XOR:
		return a ^ b;
	case SMALL_EQ:
		return a == b;
	case SMALL_NE:
		return a != b;
	case SMALL_LT:
		return a < b;
	case SMALL_LE:
		return a <= b;
	case SMALL_GT:
		return a > b;
	case SMALL_GE:
		return a >= b;
	default:
		return b;
	}
}

int small_condition(const small_program *p, const small_state *state)
{
	uint32_t stack[SMALL_TERMS + 1] = {0};
	uint32_t depth = 0;

	for (uint32_t i = 0; i < p->terms; i++) {
		const small_term *term = &p->term[i];
		uint32_t *top = depth ? &stack[depth - 1] : stack;
		uint32_t *below = depth > 1 ? &stack[depth - 2] : stack;
		switch (term->what) {
		case SMALL_CONSTANT:
			stack[depth++] = term->value;
			continue;
		case SMALL_REGISTER:
			stack[depth++] = state->registers[term->thread][term->value];
			continue;
		case SMALL_WORD:
			stack[depth++] = state->words[term->value];
			continue;
		case SMALL_NOT:
			*top = !*top;
			continue;
		case SMALL_COMPARE:
			*below = small_calculate(term->calc, *below, *top);
			break;
		case SMALL_BOTH:
			*below = *below && *top;
			break;
		case SMALL_EITHER:
			*below = *below || *top;
			break;
		}
		depth--;
	}
	return stack[0] != 0;
}

int small_includes(const small_program *p, small_scope scope, uint32_t a, uint32_t b)
{
	const small_thread *x = &p->thread[a];
	const small_thread *y = &p->thread[b];

	if (a == b || scope == SMALL_SYS)
		return 1;
	if (scope == SMALL_GPU)
		return x->device == y->device;
	return scope == SMALL_CLUSTER ? x->cluster == y->cluster : x->block == y->block;
}

static uint32_t first_with(const uint8_t *ids, uint32_t t)
{
	uint32_t first = 0;

	while (ids[first] != ids[t])
		first++;
	return first;
}

/* How many ids of the level occur before that of thread `t`, in the same part of the level above. */
static uint32_t rank(const uint8_t *above, const uint8_t *ids, uint32_t t)
{
	uint32_t count = 0;

	for (uint32_t u = 0; u < first_with(ids, t); u++)
		count += above[u] == above[t] && first_with(ids, u) == u;
	return count;
}

small_grid small_place(const small_program *p)
{
	uint8_t all[SMALL_THREADS] = {0};
	uint8_t ids[4][SMALL_THREADS]; /* device, cluster, block, thread */
	uint32_t ranks[4][SMALL_THREADS];
	uint32_t size[4] = {1, 1, 1, 1};
	small_grid grid = {0};

	for (uint32_t t = 0; t < p->threads; t++) {
		ids[0][t] = p->thread[t].device;
		ids[1][t] = p->thread[t].cluster;
		ids[2][t] = p->thread[t].block;
		ids[3][t] = (uint8_t)t;
	}
	for (uint32_t level = 0; level < 4; level++)
		for (uint32_t t = 0; t < p->threads; t++) {
			uint32_t r = rank(level ? ids[level - 1] : all, ids[level], t);
			ranks[level][t] = r;
			size[level] = r + 1 > size[level] ? r + 1 : size[level];
		}
	for (uint32_t t = 0; t < p->threads; t++)
		for (uint32_t level = 0; level < 4; level++)
			grid.slot[t] = grid.slot[t] * size[level] + ranks[level][t];
	grid.blocks = size[0] * size[1] * size[2];
	grid.threads = size[3];
	grid.cluster = size[2];
	grid.device = size[1] * size[2];
	return grid;
}

static void print_value(char *to, size_t room, small_value value)
{
	snprintf(to, room, "%s%u", value.is_register ? "r" : "", value.value);
}

static void print_op(const small_program *p, const small_op *op, char *to, size_t room)
{
	static const char *const names[] = {"ld", "st", "atom", "red", "fence"};
	char order[32] = ".weak";
	char a[16];
	char b[24] = "";

	if (op->order != SMALL_WEAK)
		snprintf(order, sizeof order, ".%s.%s", order_names[op->order],
		         scope_names[op->scope]);
	print_value(a, sizeof a, op->a);
	if (op->calc == SMALL_CAS) {
		snprintf(b, sizeof b, ", ");
		print_value(b + 2, sizeof b - 2, op->b);
	}
	switch (op->type) {
	case SMALL_LOAD:
		snprintf(to, room, "ld%s r%u, %s", order, op->to, p->word_names[op->word]);
		break;
	case SMALL_STORE:
		snprintf(to, room, "st%s %s, %s", order, p->word_names[op->word], a);
		break;
	case SMALL_ATOM:
		snprintf(to, room, "atom%s.%s r%u, %s, %s%s", order, calc_names[op->calc], op->to,
		         p->word_names[op->word], a, b);
		break;
	case SMALL_RED:
		snprintf(to, room, "red%s.%s %s, %s%s", order, calc_names[op->calc],
		         p->word_names[op->word], a, b);
		break;
	case SMALL_FENCE:
		snprintf(to, room, "%s%s", names[op->type], order);
		break;
	case SMALL_SYNC:
	case SMALL_ARRIVE:
		snprintf(to, room, "bar.cta.%s %u, %u, %u",
		         op->type == SMALL_SYNC ? "sync" : "arrive", op->word, op->word, op->count);
		break;
	case SMALL_SET:
		snprintf(to, room, "%s r%u, %s, %u", calc_names[op->calc], op->to, a, op->b.value);
		break;
	case SMALL_BRANCH:
		snprintf(to, room, "%s %s, %u, LC%u", calc_names[op->calc], a, op->b.value,
		         op->target);
		break;
	case SMALL_JUMP:
		snprintf(to, room, "goto LC%u", op->target);
		break;
	}
}

void small_print(const small_program *p)
{
	uint32_t rows = 0;
	char cell[64];

	printf("PTX %s\n{", p->name);
	for (uint32_t i = 0; i < p->words; i++)
		printf(" %s=%u;", p->word_names[i], p->initial[i]);
	printf(" }\n");
	for (uint32_t t = 0; t < p->threads; t++) {
		const small_thread *thread = &p->thread[t];
		snprintf(cell, sizeof cell, "P%u@cta %u,cluster %u,gpu %u", t, thread->block,
		         thread->cluster, thread->device);
		printf(" %-32s %c", cell, t + 1 < p->threads ? '|' : ';');
		rows = thread->ops > rows ? thread->ops : rows;
	}
	printf("\n");
	for (uint32_t i = 0; i < rows; i++) {
		for (uint32_t t = 0; t < p->threads; t++) {
			cell[0] = 0;
			if (i < p->thread[t].ops)
				print_op(p, &p->thread[t].op[i], cell, sizeof cell);
			printf(" %-32s %c", cell, t + 1 < p->threads ? '|' : ';');
		}
		printf("\n");
	}
}
