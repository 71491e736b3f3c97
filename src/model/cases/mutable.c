#include "model/cases/mutable.h"

#include <string.h>

#include "model/engine.h"

static int change_at(const weir_model_texts *texts, uint32_t place)
{
	const weir_model_engine *e = weir_model_engine_;
	const weir_model_site *site = &texts->places[place].site;

	if (!e)
		return 0; /* called for sizes before the explorer runs */
	if (e->setting.reached)
		e->setting.reached(e->setting.reached_context, site, NULL);
	return e->setting.mutant_site == site ? texts->places[place].delta : 0;
}

int weir_text_(uint32_t place)
{
	return change_at(&weir_model_texts_, place);
}

int weir_hook_(uint32_t place)
{
	return change_at(&weir_model_diagnosed_, place);
}

static int is_in(const weir_model_texts *texts, const weir_model_site *site)
{
	uintptr_t at = (uintptr_t)site;

	return at >= (uintptr_t)texts->places && at < (uintptr_t)(texts->places + texts->count);
}

int weir_model_is_text_(const weir_model_site *site)
{
	return is_in(&weir_model_texts_, site) || is_in(&weir_model_diagnosed_, site);
}

const weir_model_site *weir_model_text_at_(size_t index)
{
	return index < weir_model_texts_.count ? &weir_model_texts_.places[index].site : NULL;
}

int weir_model_is_call_(const weir_model_site *site)
{
	return strcmp(site->operation, "call") == 0;
}

int weir_model_run_text_(const weir_model_case *c, const weir_model_options *options,
                         weir_model_outcome *outcome)
{
	return weir_model_run_over_(weir_model_texts_.primitives, c, options, outcome);
}
