#include "model/cases/mutable.h"

#include <stddef.h>
#include <string.h>

#include "model/cases/cases.h"
#include "model/engine.h"

#ifdef WEIR_MODEL_TEXTS
#include "weir_texts.h"

#define ROW_(name) &weir_model_##name##_texts_,
static const weir_model_primitive *const primitives[] = {WEIR_MODEL_PRIMITIVES(ROW_) NULL};
#undef ROW_

#define TEXTS (sizeof texts / sizeof texts[0])

int weir_text_(uint32_t place)
{
	const weir_model_engine *e = weir_model_engine_;
	const weir_model_site *site = &texts[place].site;

	if (!e)
		return 0; /* sizes are asked for before the explorer runs */
	if (e->setting.reached)
		e->setting.reached(e->setting.reached_context, site, NULL);
	return e->setting.mutant_site == site ? texts[place].delta : 0;
}

int weir_model_is_text_(const weir_model_site *site)
{
	uintptr_t at = (uintptr_t)site;

	return at >= (uintptr_t)&texts[0] && at < (uintptr_t)&texts[TEXTS];
}

const weir_model_site *weir_model_text_at_(size_t index)
{
	return index < TEXTS ? &texts[index].site : NULL;
}
#else
static const weir_model_primitive *const *const primitives = weir_model_primitives_;

int weir_model_is_text_(const weir_model_site *site)
{
	(void)site;
	return 0;
}

const weir_model_site *weir_model_text_at_(size_t index)
{
	(void)index;
	return NULL;
}
#endif

int weir_model_is_call_(const weir_model_site *site)
{
	return strcmp(site->operation, "call") == 0;
}

int weir_model_run_text_(const weir_model_case *c, const weir_model_options *options,
                         weir_model_outcome *outcome)
{
	return weir_model_run_over_(primitives, c, options, outcome);
}
