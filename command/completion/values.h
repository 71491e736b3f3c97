/* The values that an option can have, for completion. */
#ifndef WEIR_COMMAND_COMPLETION_VALUES_H
#define WEIR_COMMAND_COMPLETION_VALUES_H

/* What is on the command line before the word that is completed. */
typedef struct weir_typed {
	const char *subcommand; /* "bench", or "bench kernels" */
	const char *operand;    /* the first one, or NULL */
	const char *primitive;  /* the value of --primitive, or NULL */
} weir_typed;

typedef void (*weir_offer)(const char *word, void *context);

/* How a value goes on. */
typedef enum weir_value_form {
	WEIR_VALUE_UNKNOWN, /* there is no such option here: a mistake in the table */
	WEIR_VALUE_ANY,     /* a number, or a list of numbers: nothing to offer */
	WEIR_VALUE_ONE,
	WEIR_VALUE_LIST, /* words with commas between them */
	WEIR_VALUE_FILE, /* a file; also the words that were offered, if any */
} weir_value_form;

/* Offers each value of an option. */
weir_value_form weir_offer_values(const weir_typed *typed, const char *option, weir_offer offer,
                                  void *context);
/* Offers each first operand of the subcommand. */
void weir_offer_operands(const weir_typed *typed, weir_offer offer, void *context);

#endif
