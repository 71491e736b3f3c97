/* The cases: small programs around one object, with the properties that must hold in every
 * execution.
 *
 * A primitive has a file here, which defines its weir_model_primitive, and a row in
 * WEIR_MODEL_PRIMITIVES. Its kinds come from the rows in its kinds.h, and its cases from the rows
 * of `shapes` in its file.
 */
#ifndef WEIR_MODEL_CASES_H
#define WEIR_MODEL_CASES_H

#include <stddef.h>
#include <stdint.h>

#include "model/model.h"
#include "weir/device.h"

#include "model/notes.h"

/* The primitives, in the order in which the cases are listed. */
#define WEIR_MODEL_PRIMITIVES(X)                                                                   \
	X(mutex)                                                                                   \
	X(semaphore)                                                                               \
	X(barrier)                                                                                 \
	X(group)                                                                                   \
	X(event)                                                                                   \
	X(queue)                                                                                   \
	X(dispenser)                                                                               \
	X(tasks)                                                                                   \
	X(condition)                                                                               \
	X(rwlock)                                                                                  \
	X(once)                                                                                    \
	X(combiner)                                                                                \
	X(crew)                                                                                    \
	X(remote)

/* The primitives that have cases with diagnosis. `notes` has only such cases: they test what all
 * hooks share. */
#define WEIR_MODEL_DIAGNOSED(X)                                                                    \
	X(mutex)                                                                                   \
	X(semaphore)                                                                               \
	X(barrier)                                                                                 \
	X(group)                                                                                   \
	X(queue)                                                                                   \
	X(dispenser)                                                                               \
	X(tasks)                                                                                   \
	X(condition)                                                                               \
	X(rwlock)                                                                                  \
	X(once)                                                                                    \
	X(event)                                                                                   \
	X(combiner)                                                                                \
	X(crew)                                                                                    \
	X(remote)                                                                                  \
	X(notes)

/* The flags that synchronize the blocks of a case begin here, after every object. */
#define WEIR_MODEL_FLAGS 112

/* One kind of a primitive. */
typedef struct weir_model_adapter {
	const char *primitive;
	const char *kind;
	uint32_t value; /* of the enumerator */
	int fair;       /* this and the next two: as in weir/rows.h */
	int queue;
	int shape;
	uint32_t (*words)(weir_any_config config);
	/* Makes the first state; NULL: all words are zero. */
	void (*start)(weir_word *words, weir_any_config config, uint32_t value, uint32_t past);
	void (*enter)(weir_word *words, weir_any_config config); /* lock, wait; pass the barrier */
	void (*leave)(weir_word *words, weir_any_config config); /* unlock, post */
} weir_model_adapter;

/* The sizes of one case in the list: the case without its primitive and kind. */
typedef struct weir_model_shape {
	weir_model_case c;
	int larger; /* only the full verification runs it */
} weir_model_shape;

/* Lists of shapes use these words in their rows. */
#define SMALL 0
#define LARGER 1
#define SIZE(b, t, r) .blocks = (b), .threads = (t), .rounds = (r)
#define WRAP 0xfffffffeu /* a `past` that makes the counters wrap during the case */

typedef struct weir_model_primitive weir_model_primitive;

/* One case while it runs. */
typedef struct weir_model_case_run {
	weir_model_case c;
	const weir_model_primitive *primitive;
	const weir_model_adapter *adapter;
	int is_shipped; /* the adapter is one of weir's kinds, not published code */
	weir_any_config config;
	uint32_t size;        /* words of all objects of the case */
	uint32_t first_block; /* the number of the first block */
	weir_word *words;
	/* State that the threads would keep in plain memory: the explorer checks that accesses to
	 * it are ordered. The primitive sets its size; each execution starts with zeros. */
	void *state;
	int ever_late; /* a deadline passed, in any execution */
} weir_model_case_run;

#define WEIR_MODEL_FORM(form) (1u << WEIR_MODEL_##form)
/* The forms that every primitive has. */
#define WEIR_MODEL_COMMON_FORMS                                                                    \
	(WEIR_MODEL_FORM(SINGLE) | WEIR_MODEL_FORM(COLLECTIVE) | WEIR_MODEL_FORM(GIVE_UP) |        \
	 WEIR_MODEL_FORM(MADE))

struct weir_model_primitive {
	const char *name;
	const weir_model_adapter *kinds;
	size_t kind_count;
	uint32_t forms;           /* WEIR_MODEL_FORM of each form besides the common ones */
	uint32_t late_forms;      /* forms in which some execution must reach a deadline */
	int has_members;          /* a case may set `room`, `askers` and `over` */
	uint32_t unaborted_forms; /* forms that have no case with an abort */
	int starts_anywhere; /* the first state does not depend on the old values of the words */
	uint32_t bits;       /* the default for kinds with a shape, in cases that set none */
	size_t state_bytes;
	weir_model_case published; /* the size for published code */
	const weir_model_shape *shapes;
	size_t shape_count;
	/* The shape at that index of the kind's list, or NULL after the last; NULL: all kinds use
	 * the list `shapes`. */
	const weir_model_shape *(*shape_at)(const weir_model_adapter *adapter, size_t i);
	/* Whether the kind runs that shape; NULL: it runs all shapes. */
	int (*has_shape)(const weir_model_adapter *adapter, const weir_model_shape *shape);
	/* Why the case cannot run, or NULL. */
	const char *(*refuse)(const weir_model_case_run *r);
	/* Sets the members of the config other than the kind, and the size if it differs from that
	 * of one object; NULL: nothing to set. */
	void (*configure)(weir_model_case_run *r);
	/* In a case with the form MADE: sets the config to that of the handle that a kernel makes
	 * itself, and returns the number of words that this takes. Each thread calls it before the
	 * body. The first call passes no words and only asks for their number. NULL: kernels do not
	 * make such objects. */
	uint32_t (*make)(weir_model_case_run *r);
	/* Makes the objects before each execution; NULL: the adapter starts the only object. */
	void (*start)(const weir_model_case_run *r);
	void (*body)(weir_model_case_run *r); /* run by each thread */
	/* Checks at the end of an execution; NULL: none. */
	void (*complete)(const weir_model_case_run *r);
	/* With diagnosis: */
	const char *file; /* the source file that calls the operations */
	/* The index in `kinds` of the kind whose cases test the mutants of the hooks, or
	 * WEIR_MODEL_NO_KIND. */
	uint32_t hooks_kind;
	uint32_t waits_in; /* the operations that it waits in: a bit for each WEIR_OPERATION_* */
	uint32_t unnoted_forms; /* forms whose objects leave no notes */
	int has_orders;         /* in the form MISUSE a block holds several locks at once */
	/* The count in the notes of a block at the end of an execution; NULL: 0. */
	uint32_t (*noted)(const weir_model_case_run *r, uint32_t block);
	/* How many calls of the case are misuse that does not end the launch; NULL: none. */
	uint32_t (*misuses)(const weir_model_case_run *r);
	/* The misuses of the form MISUSE in order, by WEIR_MISUSE_*, terminated by 0; NULL: only
	 * faults. */
	const uint32_t *misuse_kinds;
	const uint64_t *misuse_values; /* WEIR_MODEL_SITE: a call site of the case */
	int explores_notes;            /* accesses to shared notes are steps of the search
	                                * (model/notes.h) */
	int shares_sides;              /* threads of a block take turns on one side of a queue */
	/* Forms in which several threads of a block make notes at once. */
	uint32_t chatty_forms;
	/* Whether a wait of the case, for a block that is about to arrive, belongs to no operation
	 * in the notes; NULL: no wait does. */
	int (*waits_unsaid)(const weir_model_case_run *r);
};

/* A primitive's file is compiled three times: over the library's code, over the code with places
 * for mutants, and with diagnosis. This is the name of the weir_model_primitive that it defines. */
#ifdef WEIR_DIAGNOSE
#define WEIR_MODEL_PRIMITIVE(name) weir_model_##name##_diagnosed_
#elif defined(WEIR_MODEL_TEXTS)
#define WEIR_MODEL_PRIMITIVE(name) weir_model_##name##_texts_
#else
#define WEIR_MODEL_PRIMITIVE(name) weir_model_##name##_cases_
#endif

/* The members that are derived from the names in a primitive's file. */
#define WEIR_MODEL_NAMES(primitive)                                                                \
	.name = #primitive, .kinds = kinds, .kind_count = sizeof kinds / sizeof kinds[0],          \
	.shapes = shapes, .shape_count = sizeof shapes / sizeof shapes[0],                         \
	.state_bytes = sizeof(primitive##_state), .body = body, .file = __FILE__

#define WEIR_MODEL_DECLARE_(name)                                                                  \
	extern const weir_model_primitive weir_model_##name##_cases_;                              \
	extern const weir_model_primitive weir_model_##name##_texts_;
WEIR_MODEL_PRIMITIVES(WEIR_MODEL_DECLARE_)
#undef WEIR_MODEL_DECLARE_
#define WEIR_MODEL_DECLARE_(name) extern const weir_model_primitive weir_model_##name##_diagnosed_;
WEIR_MODEL_DIAGNOSED(WEIR_MODEL_DECLARE_)
#undef WEIR_MODEL_DECLARE_

#define WEIR_MODEL_SITE UINT64_MAX
#define WEIR_MODEL_NO_KIND UINT32_MAX

/* An operation in weir_model_primitive.waits_in. */
#define WEIR_MODEL_WAITS(operation) (1u << WEIR_OPERATION_##operation)

/* Whether the mutants of the hooks run with the cases of that kind. */
int weir_model_has_hooks_(const char *primitive, const char *kind);

/* The primitives over the library's code, terminated by NULL. */
extern const weir_model_primitive *const weir_model_primitives_[];

/* Finds the primitive and the kind of `r->c` by name, among these primitives and the published
 * code; stores NULL if there is none. */
void weir_model_find_(weir_model_case_run *r, const weir_model_primitive *const *primitives);
/* Sets the config and the size of the case. */
void weir_model_configure_(weir_model_case_run *r);
/* Makes the objects of the case, before each execution. */
void weir_model_start_(weir_model_case_run *r);

/* weir_model_run with these primitives. */
int weir_model_run_over_(const weir_model_primitive *const *primitives, const weir_model_case *c,
                         const weir_model_options *options, weir_model_outcome *outcome);

#endif
