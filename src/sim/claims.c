#define _GNU_SOURCE
#include "sim/sim.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "sim/paper.h"

enum {
	ID,
	GPU,
	PRIMITIVE,
	CHECK,
	LEFT,
	RIGHT,
	OVER,
	BLOCKS,
	INITIAL,
	LOW,
	HIGH,
	WHERE,
	NOTE,
	COLUMNS
};

static const char *const columns[COLUMNS] = {"id",    "gpu",   "primitive", "check",   "left",
                                             "right", "over",  "blocks",    "initial", "low",
                                             "high",  "where", "note"};

/* The columns that a check needs in its row; the others must be empty. */
typedef struct rule {
	const char *name;
	weir_claim_check check;
	int right;  /* 0: none; 1: optional; 2: required */
	int over;   /* required */
	int bounds; /* at least one of them; for a flat curve, the upper one */
} rule;

static const rule rules[] = {
    {"best", WEIR_CLAIM_BEST, 0, 0, 0},     {"ratio", WEIR_CLAIM_RATIO, 2, 0, 1},
    {"always", WEIR_CLAIM_ALWAYS, 1, 0, 0}, {"flat", WEIR_CLAIM_FLAT, 0, 1, 1},
    {"peak", WEIR_CLAIM_PEAK, 0, 0, 0},     {"crosses", WEIR_CLAIM_CROSSES, 2, 0, 0},
    {"grows", WEIR_CLAIM_GROWS, 0, 1, 1},   {"gains", WEIR_CLAIM_GAINS, 0, 0, 0},
};

/* A row of the file, split into its columns. */
typedef struct row {
	const char *path;
	unsigned line;
	char *fields[COLUMNS];
} row;

static weir_status bad(const row *at, int column, const char *what)
{
	return weir_fail(WEIR_BAD_ARGUMENT, "%s:%u: column %s: %s: '%s'", at->path, at->line,
	                 columns[column], what, at->fields[column]);
}

/* The last field takes the rest, including commas. */
static weir_status split(row *at, char *line)
{
	int count = 0;

	for (;;) {
		at->fields[count++] = line;
		char *comma = count < COLUMNS ? strchr(line, ',') : NULL;
		if (!comma)
			break;
		*comma = '\0';
		line = comma + 1;
	}
	if (count == COLUMNS)
		return WEIR_OK;
	return weir_fail(WEIR_BAD_ARGUMENT, "%s:%u: no column %s: %d columns, not %d", at->path,
	                 at->line, columns[count], count, COLUMNS);
}

static weir_status copy(const row *at, int column, char *to, size_t room)
{
	const char *text = at->fields[column];

	if (strlen(text) >= room)
		return bad(at, column, "too long");
	memcpy(to, text, strlen(text) + 1);
	return WEIR_OK;
}

static weir_status name(const row *at, int column, char *to, size_t room)
{
	return *at->fields[column] ? copy(at, column, to, room) : bad(at, column, "empty");
}

/* 0 if it is empty. */
static weir_status number(const row *at, int column, double *value)
{
	const char *text = at->fields[column];
	char *end;

	*value = 0;
	if (*text == '\0')
		return WEIR_OK;
	*value = strtod(text, &end);
	if (end == text || *end != '\0' || !isfinite(*value) || *value <= 0)
		return bad(at, column, "not a number above 0");
	return WEIR_OK;
}

static weir_status count(const row *at, int column, uint32_t *value)
{
	double read;
	weir_status status = number(at, column, &read);

	if (status == WEIR_OK && (read != floor(read) || read > 1e6))
		status = bad(at, column, "not a count");
	*value = status == WEIR_OK ? (uint32_t)read : 0;
	return status;
}

static weir_status kind(const row *at, int column, const weir_claim *claim, uint32_t *found)
{
	*found = weir_paper_kind(claim->primitive, at->fields[column]);
	return *found ? WEIR_OK : bad(at, column, "the paper has no such kind of this primitive");
}

static weir_status primitive(const row *at, enum weir_primitive *found)
{
	static const enum weir_primitive all[] = {WEIR_PRIMITIVE_BARRIER, WEIR_PRIMITIVE_MUTEX,
	                                          WEIR_PRIMITIVE_SEMAPHORE};

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		if (strcmp(at->fields[PRIMITIVE], weir_primitive_name(all[i])) == 0) {
			*found = all[i];
			return WEIR_OK;
		}
	return bad(at, PRIMITIVE, "neither barrier, mutex nor semaphore");
}

static weir_status find_rule(const row *at, const rule **found)
{
	for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
		if (strcmp(at->fields[CHECK], rules[i].name) == 0) {
			*found = &rules[i];
			return WEIR_OK;
		}
	return bad(at, CHECK, "neither best, ratio, always, flat, peak, crosses, grows nor gains");
}

static weir_status over(const row *at, const rule *of, weir_claim *claim)
{
	const char *text = at->fields[OVER];

	if (!of->over)
		return *text ? bad(at, OVER, "not of this check") : WEIR_OK;
	if (strcmp(text, "initial") == 0)
		claim->over = WEIR_OVER_INITIAL;
	else if (strcmp(text, "blocks") == 0 && claim->check == WEIR_CLAIM_FLAT)
		claim->over = WEIR_OVER_BLOCKS;
	else
		return bad(at, OVER,
		           claim->check == WEIR_CLAIM_FLAT ? "neither blocks nor initial"
		                                           : "not initial");
	if (claim->over == WEIR_OVER_INITIAL && claim->primitive != WEIR_PRIMITIVE_SEMAPHORE)
		return bad(at, OVER, "only a semaphore has an initial value");
	return WEIR_OK;
}

static weir_status bounds(const row *at, const rule *of, weir_claim *claim)
{
	weir_status status = number(at, LOW, &claim->low);

	if (status == WEIR_OK)
		status = number(at, HIGH, &claim->high);
	if (status != WEIR_OK)
		return status;
	if (!of->bounds && claim->low > 0)
		return bad(at, LOW, "not of this check");
	if (!of->bounds && claim->high > 0)
		return bad(at, HIGH, "not of this check");
	if (claim->check == WEIR_CLAIM_FLAT ? claim->high <= 0
	                                    : of->bounds && claim->low <= 0 && claim->high <= 0)
		return bad(at, HIGH, "no bound");
	if (claim->high > 0 && claim->high < claim->low)
		return bad(at, HIGH, "below low");
	return WEIR_OK;
}

/* Where a claim is made: at which number of blocks, and with which initial value. */
static weir_status scale(const row *at, weir_claim *claim)
{
	int needs_initial =
	    claim->primitive == WEIR_PRIMITIVE_SEMAPHORE && claim->over != WEIR_OVER_INITIAL;
	weir_status status = count(at, BLOCKS, &claim->blocks);

	if (status == WEIR_OK && claim->blocks == 0)
		status = bad(at, BLOCKS, "empty");
	if (status == WEIR_OK)
		status = count(at, INITIAL, &claim->initial);
	if (status == WEIR_OK && needs_initial && claim->initial == 0)
		status = bad(at, INITIAL, "a semaphore needs one");
	if (status == WEIR_OK && !needs_initial && claim->initial > 0)
		status = bad(at, INITIAL, "not of this claim");
	return status;
}

/* The kind's own name, regardless of the paper's name for it. */
static const char *name_of(const weir_claim *claim, uint32_t kind)
{
	return weir_kind_find(claim->primitive, kind)->name;
}

/* States the claim in words; the numbers are in `paper`. */
static int write_text(weir_claim *claim)
{
	const char *left = name_of(claim, claim->left);
	const char *right = claim->right ? name_of(claim, claim->right) : "all others";
	char *text = claim->text;
	size_t room = sizeof claim->text;

	switch (claim->check) {
	case WEIR_CLAIM_RATIO:
		return snprintf(text, room, "%s / %s at %u", left, right, claim->blocks);
	case WEIR_CLAIM_ALWAYS:
		return snprintf(text, room, "%s / %s at 2 to %u", left, right, claim->blocks);
	case WEIR_CLAIM_FLAT:
		if (claim->over == WEIR_OVER_BLOCKS)
			return snprintf(text, room, "%s, highest / lowest at 1 to %u", left,
			                claim->blocks);
		return snprintf(text, room, "%s, highest / lowest of initial values at %u", left,
		                claim->blocks);
	case WEIR_CLAIM_PEAK:
		return snprintf(text, room, "%s, blocks of the highest", left);
	case WEIR_CLAIM_CROSSES:
		return snprintf(text, room, "%s / %s at 2 to 8, then %u", left, right,
		                claim->blocks);
	case WEIR_CLAIM_GROWS:
		return snprintf(text, room, "%s, initial value 120 / 1 at %u", left, claim->blocks);
	case WEIR_CLAIM_GAINS:
		return snprintf(text, room, "%s with / without backoff at %u", left, claim->blocks);
	default:
		return snprintf(text, room, "best %s at %u", weir_primitive_name(claim->primitive),
		                claim->blocks);
	}
}

static void write_paper(weir_claim *claim)
{
	char *text = claim->paper;
	size_t room = sizeof claim->paper;

	if (claim->check == WEIR_CLAIM_BEST)
		snprintf(text, room, "%s", name_of(claim, claim->left));
	else if (claim->check == WEIR_CLAIM_ALWAYS || claim->check == WEIR_CLAIM_GAINS)
		snprintf(text, room, "above 1");
	else if (claim->check == WEIR_CLAIM_CROSSES)
		snprintf(text, room, "above 1, then below");
	else if (claim->check == WEIR_CLAIM_PEAK)
		snprintf(text, room, "about %u", claim->blocks);
	else if (claim->low <= 0)
		snprintf(text, room, "at most %g", claim->high);
	else if (claim->high <= 0)
		snprintf(text, room, "at least %g", claim->low);
	else if (claim->low < claim->high)
		snprintf(text, room, "%g to %g", claim->low, claim->high);
	else
		snprintf(text, room, "%g", claim->low);
}

static void describe(weir_claim *claim)
{
	int used = write_text(claim);

	if (claim->initial)
		snprintf(claim->text + used, sizeof claim->text - (size_t)used,
		         ", initial value %u", claim->initial);
	write_paper(claim);
}

static weir_status parse(row *at, char *line, weir_claim *claim)
{
	const rule *of = NULL;
	weir_status status = split(at, line);

	memset(claim, 0, sizeof *claim);
	if (status == WEIR_OK)
		status = name(at, ID, claim->id, sizeof claim->id);
	if (status == WEIR_OK)
		status = name(at, GPU, claim->gpu, sizeof claim->gpu);
	if (status == WEIR_OK)
		status = primitive(at, &claim->primitive);
	if (status == WEIR_OK)
		status = find_rule(at, &of);
	if (status != WEIR_OK)
		return status;
	claim->check = of->check;
	status = kind(at, LEFT, claim, &claim->left);
	if (status == WEIR_OK && of->right == 0 && *at->fields[RIGHT])
		status = bad(at, RIGHT, "not of this check");
	if (status == WEIR_OK && (of->right == 2 || *at->fields[RIGHT]))
		status = kind(at, RIGHT, claim, &claim->right);
	if (status == WEIR_OK)
		status = over(at, of, claim);
	if (status == WEIR_OK)
		status = scale(at, claim);
	if (status == WEIR_OK)
		status = bounds(at, of, claim);
	if (status == WEIR_OK)
		status = copy(at, WHERE, claim->where, sizeof claim->where);
	if (status == WEIR_OK)
		status = copy(at, NOTE, claim->note, sizeof claim->note);
	if (status == WEIR_OK)
		describe(claim);
	claim->fitted = weir_paper_fitted(claim->id);
	return status;
}

static weir_status check_header(row *at, char *line)
{
	weir_status status = split(at, line);

	for (int i = 0; i < COLUMNS && status == WEIR_OK; i++)
		if (strcmp(at->fields[i], columns[i]) != 0)
			status = bad(at, i, "another title");
	return status;
}

static weir_status take(row *at, char *line, weir_claim **claims, size_t *used)
{
	weir_claim *more;

	if ((*used & (*used - 1)) == 0) {
		more = realloc(*claims, (*used ? 2 * *used : 1) * sizeof **claims);
		if (!more)
			return weir_fail(WEIR_NO_MEMORY, "no memory for the claims");
		*claims = more;
	}
	weir_claim *claim = &(*claims)[*used];
	weir_status status = parse(at, line, claim);
	for (size_t i = 0; i < *used && status == WEIR_OK; i++)
		if (strcmp((*claims)[i].id, claim->id) == 0)
			status = bad(at, ID, "twice");
	*used += status == WEIR_OK;
	return status;
}

static weir_status read_lines(FILE *file, row *at, weir_claim **claims, size_t *used)
{
	char *line = NULL;
	size_t room = 0;
	int begun = 0;
	weir_status status = WEIR_OK;

	while (status == WEIR_OK && getline(&line, &room, file) >= 0) {
		at->line++;
		line[strcspn(line, "\r\n")] = '\0';
		if (line[0] == '#' || line[0] == '\0')
			continue;
		if (begun)
			status = take(at, line, claims, used);
		else
			status = check_header(at, line);
		begun = 1;
	}
	if (status == WEIR_OK && *used == 0)
		status = weir_fail(WEIR_BAD_ARGUMENT, "%s:%u: no claims", at->path, at->line);
	free(line);
	return status;
}

weir_status weir_claims_parse(FILE *file, const char *name, weir_claim **claims, size_t *count)
{
	row at = {.path = name};

	*claims = NULL;
	*count = 0;
	weir_status status = read_lines(file, &at, claims, count);
	if (status != WEIR_OK) {
		free(*claims);
		*claims = NULL;
	}
	return status;
}

weir_status weir_claims_read(const char *path, weir_claim **claims, size_t *count)
{
	FILE *file = fopen(path, "re");

	*claims = NULL;
	*count = 0;
	if (!file)
		return weir_fail(WEIR_BAD_ARGUMENT, "%s: %s", path, strerror(errno));
	weir_status status = weir_claims_parse(file, path, claims, count);
	(void)fclose(file);
	return status;
}
