/* A module as the parser leaves it: functions, statements, operands, variables, source lines. */
#ifndef WEIR_PTX_MODULE_H
#define WEIR_PTX_MODULE_H

#include <pthread.h>
#include <stdbool.h>

#include "ptx/event.h"
#include "ptx/table.h"

#define PTX_NONE UINT32_MAX

typedef enum ptx_operand_kind {
	PTX_O_REGISTER, /* `id` is a virtual register of the function */
	PTX_O_INTEGER,  /* `value` */
	PTX_O_DOUBLE,   /* `value` has the bits of a double */
	PTX_O_SINGLE,   /* `value` has the bits of a float */
	PTX_O_VARIABLE, /* its address, plus `value` */
	PTX_O_NAME,     /* a function, or a variable that is declared later; `value` is added */
	PTX_O_LABEL,    /* `id` is a label of the module */
	PTX_O_SPECIAL,  /* `id` is a ptx_special, `value` the component or number */
	PTX_O_SINK,     /* _ */
	PTX_O_VECTOR,   /* `count` operands from `id` on; also an argument list in parentheses */
	PTX_O_MEMORY    /* one operand at `id`, and `value` is added */
} ptx_operand_kind;

enum {
	PTX_F_NOT = 1,       /* !%p */
	PTX_F_SECOND = 2,    /* the %q of %p|%q */
	PTX_F_WIDE = 4,      /* a register of 128 bits, which takes two virtual ones */
	PTX_F_NEGATED = 8,   /* -%r1 */
	PTX_F_PREDICATE = 16 /* a register of type .pred */
};

/* The parts of a register that a video instruction takes, in `count`: 1 + how many of them << 12, and three bits for
 * each, the lowest part last. */
#define PTX_PARTS 0x8000u
#define PTX_PARTS_HALVES 0x4000u

typedef struct ptx_operand {
	uint8_t kind, flags;
	uint16_t count;
	uint32_t id;
	int64_t value;
} ptx_operand;

typedef struct ptx_statement {
	uint64_t modifiers[PTX_MODIFIER_WORDS];
	const char *name; /* in the source: the instruction with its modifiers */
	const char *why;  /* not NULL: why it is not supported, or what is wrong with it */
	uint32_t guard;   /* the register of @%p, or PTX_NONE */
	uint32_t first;   /* operand */
	uint32_t line, location;
	uint16_t name_length;
	uint8_t opcode, operands, guard_not, type_count;
	uint8_t types[4];
} ptx_statement;

typedef struct ptx_label {
	uint32_t name, scope, next; /* another label of the name in the same function */
	uint32_t statement;         /* that it stands before */
	uint32_t targets, count;    /* of a .branchtargets: operands */
} ptx_label;

typedef struct ptx_relocation {
	uint32_t offset, name;
	uint64_t addend, mask;
	uint8_t bytes;
} ptx_relocation;

typedef struct ptx_variable {
	uint32_t name;
	uint8_t space; /* weir_ptx_space */
	uint8_t type;
	bool external, unsized, in_register, /* a .reg parameter, which is register `address` */
	    broken;                          /* its declaration cannot be read */
	uint32_t function;                   /* that declares it, or PTX_NONE */
	uint32_t align;
	uint64_t bytes;
	uint64_t address; /* GLOBAL and CONST: where it lies. PARAM of an entry: its offset */
	uint8_t *initial;
	ptx_relocation *relocations;
	uint32_t relocation_count;
} ptx_variable;

typedef struct ptx_function {
	uint32_t name, line;
	bool entry, defined;
	uint32_t params, param_count; /* variables */
	uint32_t returns, return_count;
	uint32_t registers; /* virtual ones that it declares */
	uint32_t statements, statement_count;
	uint32_t operands, operand_count;
	uint32_t max_threads, max_registers, least_blocks, cluster[3];
	uint32_t required_threads; /* .reqntid, or 0 */
	uint64_t param_bytes;
	const char *why; /* not NULL: why its source cannot be read */
} ptx_function;

typedef struct ptx_alias {
	uint32_t name, target; /* names of functions */
} ptx_alias;

typedef struct ptx_location {
	uint32_t file, line, column;
	uint32_t inlined_at; /* a location, or PTX_NONE */
} ptx_location;

typedef struct ptx_name {
	const char *text;
	uint32_t length, hash;
	uint32_t next;               /* of the same bucket */
	uint32_t binding;            /* 1 + its place in the parser's stack, 0 for none */
	uint32_t label;              /* the newest of the function, or PTX_NONE */
	uint32_t function, variable; /* of the top level, or PTX_NONE */
} ptx_name;

typedef struct ptx_file {
	uint32_t number;
	const char *name;
	bool foreign; /* a header of the toolkit or the compiler */
} ptx_file;

/* An array that grows. */
#define PTX_ARRAY(type)                                                                            \
	struct {                                                                                   \
		type *at;                                                                          \
		uint32_t count, room;                                                              \
	}

typedef struct ptx_program ptx_program;

struct weir_ptx_kernel {
	weir_ptx_module *module;
	uint32_t function;
	ptx_program *program; /* decoded, or NULL */
};

struct weir_ptx_module {
	weir_ptx_memory *memory;
	char *text;
	size_t text_bytes;
	weir_ptx_module_info info;
	uint32_t address_bytes;
	uint32_t *buckets;
	uint32_t bucket_count;
	PTX_ARRAY(ptx_name) names;
	PTX_ARRAY(ptx_function) functions;
	PTX_ARRAY(ptx_statement) statements;
	PTX_ARRAY(ptx_operand) operands;
	PTX_ARRAY(ptx_variable) variables;
	PTX_ARRAY(ptx_label) labels;
	PTX_ARRAY(ptx_location) locations;
	PTX_ARRAY(ptx_file) files;
	PTX_ARRAY(ptx_alias) aliases;
	PTX_ARRAY(uint32_t) scopes; /* the parent of each */
	PTX_ARRAY(char *) strings;  /* generated, not part of the source */
	PTX_ARRAY(weir_ptx_kernel) kernels;
	pthread_mutex_t lock; /* of kernels[].program */
};

/* Makes room for one more and returns it, zeroed; NULL without memory. */
void *weir_ptx_push(void *array, size_t size);
#define ptx_push(array) weir_ptx_push(&(array), sizeof *(array).at)

/* PTX_NONE without memory. */
uint32_t weir_ptx_name(weir_ptx_module *module, const char *text, size_t length);
/* PTX_NONE if nothing in the module has the name. */
uint32_t weir_ptx_name_find(const weir_ptx_module *module, const char *text, size_t length);
const char *weir_ptx_name_text(weir_ptx_module *module, uint32_t name); /* ends with a 0 */
char *weir_ptx_keep(weir_ptx_module *module, const char *text, size_t length);

weir_status weir_ptx_parse(weir_ptx_module *module);
/* Where a statement is, in PTX and in the source. */
void weir_ptx_site_of(const weir_ptx_module *module, uint32_t function, uint32_t statement,
                      weir_ptx_site *site);

static inline bool ptx_has(const ptx_statement *s, ptx_modifier m)
{
	return s->modifiers[m / 64] >> (m % 64) & 1;
}

static inline void ptx_set(uint64_t *set, ptx_modifier m)
{
	set[m / 64] |= UINT64_C(1) << (m % 64);
}

#endif
