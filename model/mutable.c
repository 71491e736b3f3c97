/* The cases once more, over the text in which tools/mutable.c has made places for mutants. Without such
 * text, as in a build by hand, there are no places. */
#define WEIR_MODEL_RUN_ONLY
#define weir_model_run weir_model_run_text_
#include "cases.c"

#ifdef WEIR_MODEL_TEXTS
#include "weir_texts.h"

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
	for (size_t i = 0; i < TEXTS; i++)
		if (&texts[i].site == site)
			return 1;
	return 0;
}
#else
int weir_model_is_text_(const weir_model_site *site)
{
	(void)site;
	return 0;
}
#endif
