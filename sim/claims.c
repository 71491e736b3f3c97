#define _GNU_SOURCE
#include "claims.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/status.h"

enum {
	ID,
	GPU,
	PRIMITIVE,
	KIND,
	LEFT,
	RIGHT,
	BLOCKS,
	INITIAL,
	LOW,
	HIGH,
	WHERE,
	FIELDS
};

static const char header[] = "id,gpu,primitive,kind,left,right,blocks,initial_value,low,high,where";

typedef struct place {
	const char *path;
	unsigned line;
} place;

static weir_status bad(const place *at, const char *what, const char *value)
{
	return weir_fail(WEIR_BAD_ARGUMENT, "%s:%u: %s: '%s'", at->path, at->line, what, value);
}

/* The last field takes the rest, commas too. */
static int split(char *line, char *fields[FIELDS])
{
	int count = 0;

	while (count < FIELDS - 1) {
		char *comma = strchr(line, ',');
		fields[count++] = line;
		if (!comma)
			return count;
		*comma = '\0';
		line = comma + 1;
	}
	fields[count++] = line;
	return count;
}

static weir_status number(const place *at, const char *text, double *value)
{
	char *end;

	*value = 0;
	if (*text == '\0')
		return WEIR_OK;
	*value = strtod(text, &end);
	if (end == text || *end != '\0' || !isfinite(*value) || *value < 0)
		return bad(at, "not a number", text);
	return WEIR_OK;
}

static weir_status count(const place *at, const char *text, uint32_t *value)
{
	double read;
	weir_status status = number(at, text, &read);

	if (status == WEIR_OK && (read != floor(read) || read > 1e6))
		status = bad(at, "not a count", text);
	*value = status == WEIR_OK ? (uint32_t)read : 0;
	return status;
}

static weir_status kind_of(const place *at, const weir_claim *claim, const char *name,
                           uint32_t *value)
{
	const weir_kind *kind = weir_kind_named(claim->primitive, name);

	if (!kind)
		return bad(at, "no such kind of this primitive", name);
	*value = kind->value;
	return WEIR_OK;
}

/* An order is in words: its first one is a kind, and the rest one of these. */
static weir_status order(const place *at, const char *text, weir_claim *claim)
{
	char left[32];
	char right[32] = "";
	int end = 0;

	if (sscanf(text, "%31s rises to about %u blocks then falls%n", left, &claim->blocks,
	           &end) == 2 &&
	    end)
		claim->kind = WEIR_CLAIM_PEAK;
	else if (sscanf(text, "%31s ahead of %31s at few blocks and behind at full scale%n", left,
	                right, &end) == 2 &&
	         end)
		claim->kind = WEIR_CLAIM_CROSS;
	else if (sscanf(text, "%31s no faster than %31s for initial values above 1%n", left, right,
	                &end) == 2 &&
	         end)
		claim->kind = WEIR_CLAIM_NO_FASTER;
	else if (sscanf(text, "%31s throughput grows almost linearly with the initial value%n",
	                left, &end) == 1 &&
	         end)
		claim->kind = WEIR_CLAIM_LINEAR;
	else
		return bad(at, "not an order that can be judged", text);
	weir_status status = kind_of(at, claim, left, &claim->left);
	if (status == WEIR_OK && *right)
		status = kind_of(at, claim, right, &claim->right);
	return status;
}

static weir_status ratio(const place *at, char *fields[FIELDS], weir_claim *claim)
{
	weir_status status = kind_of(at, claim, fields[LEFT], &claim->left);

	claim->kind = WEIR_CLAIM_RATIO;
	if (status == WEIR_OK)
		status = kind_of(at, claim, fields[RIGHT], &claim->right);
	if (status == WEIR_OK && claim->low <= 0)
		status = bad(at, "a ratio needs a low above 0", fields[LOW]);
	if (status == WEIR_OK && claim->high > 0 && claim->high < claim->low)
		status = bad(at, "high is below low", fields[HIGH]);
	if (claim->high > claim->low)
		snprintf(claim->text, sizeof claim->text, "%s is %g to %g times %s", fields[LEFT],
		         claim->low, claim->high, fields[RIGHT]);
	else
		snprintf(claim->text, sizeof claim->text, "%s is %s%g times %s", fields[LEFT],
		         claim->high > 0 ? "" : "more than ", claim->low, fields[RIGHT]);
	return status;
}

static weir_status meaning(const place *at, char *fields[FIELDS], weir_claim *claim)
{
	if (strcmp(fields[KIND], "ratio") == 0)
		return ratio(at, fields, claim);
	if (strcmp(fields[KIND], "order") == 0) {
		snprintf(claim->text, sizeof claim->text, "%s", fields[LEFT]);
		return order(at, fields[LEFT], claim);
	}
	if (strcmp(fields[KIND], "best") != 0)
		return bad(at, "neither best, ratio nor order", fields[KIND]);
	claim->kind = WEIR_CLAIM_BEST;
	snprintf(claim->text, sizeof claim->text, "%s is the best", fields[LEFT]);
	return kind_of(at, claim, fields[LEFT], &claim->left);
}

static weir_status primitive_of(const place *at, const char *name, enum weir_primitive *primitive)
{
	static const enum weir_primitive all[] = {WEIR_PRIMITIVE_BARRIER, WEIR_PRIMITIVE_MUTEX,
	                                          WEIR_PRIMITIVE_SEMAPHORE};

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		if (strcmp(name, weir_primitive_name(all[i])) == 0) {
			*primitive = all[i];
			return WEIR_OK;
		}
	return bad(at, "neither barrier, mutex nor semaphore", name);
}

static weir_status parse(const place *at, char *line, weir_claim *claim)
{
	char *fields[FIELDS];
	weir_status status;

	memset(claim, 0, sizeof *claim);
	if (split(line, fields) != FIELDS)
		return bad(at, "too few fields", line);
	if (strlen(fields[ID]) >= sizeof claim->id || !*fields[ID])
		return bad(at, "not an id", fields[ID]);
	if (strlen(fields[GPU]) >= sizeof claim->gpu || !*fields[GPU])
		return bad(at, "not a profile", fields[GPU]);
	memcpy(claim->id, fields[ID], strlen(fields[ID]));
	memcpy(claim->gpu, fields[GPU], strlen(fields[GPU]));
	status = primitive_of(at, fields[PRIMITIVE], &claim->primitive);
	if (status == WEIR_OK)
		status = count(at, fields[BLOCKS], &claim->blocks);
	if (status == WEIR_OK)
		status = count(at, fields[INITIAL], &claim->initial);
	if (status == WEIR_OK)
		status = number(at, fields[LOW], &claim->low);
	if (status == WEIR_OK)
		status = number(at, fields[HIGH], &claim->high);
	if (status == WEIR_OK)
		status = meaning(at, fields, claim);
	if (status == WEIR_OK && claim->primitive == WEIR_PRIMITIVE_SEMAPHORE &&
	    claim->kind != WEIR_CLAIM_LINEAR && claim->initial == 0)
		status = bad(at, "a semaphore needs an initial value", fields[INITIAL]);
	return status;
}

static weir_status take(const place *at, char *line, weir_claim **claims, size_t *used)
{
	weir_claim *more;

	if ((*used & (*used - 1)) == 0) {
		more = realloc(*claims, (*used ? 2 * *used : 1) * sizeof **claims);
		if (!more)
			return weir_fail(WEIR_NO_MEMORY, "no memory for the claims");
		*claims = more;
	}
	return parse(at, line, &(*claims)[(*used)++]);
}

static weir_status read_lines(FILE *file, place *at, weir_claim **claims, size_t *used)
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
		else if (strcmp(line, header) != 0)
			status = bad(at, "not the columns of a claims file", line);
		begun = 1;
	}
	if (status == WEIR_OK && *used == 0)
		status = weir_fail(WEIR_BAD_ARGUMENT, "%s:%u: no claims", at->path, at->line);
	free(line);
	return status;
}

weir_status weir_claims_parse(FILE *file, const char *name, weir_claim **claims, size_t *count)
{
	place at = {name, 0};

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
