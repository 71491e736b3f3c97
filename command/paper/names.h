/* What the paper calls the kinds. */
#ifndef WEIR_COMMAND_PAPER_NAMES_H
#define WEIR_COMMAND_PAPER_NAMES_H

#include <stdint.h>
#include <stdio.h>

#include "weir/kind.h"

/* HTML: a kind's name, and the paper's where it is another one: "ticket (FA)". */
void weir_paper_put_kind(FILE *page, enum weir_primitive primitive, uint32_t kind);

/* HTML: a table of the kinds that the paper describes, with both names. */
void weir_paper_names_write(FILE *page);

#endif
