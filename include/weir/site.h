/* How an operation takes part in a diagnosis (WEIR_DIAGNOSE). It is written once, in PRIMITIVE/api.h,
 * bounded.h or team.h. Without a diagnosis all of this is empty, and leaves no trace in the code.
 *
 *   WEIR_SITE_                the last parameter: the call site of the operation.
 *   WEIR_AT_                  the last argument: an operation that is made of another one passes its own
 *                             call site on.
 *   WEIR_NOTED_(statement);   a hook: what a diagnosis notes there, by the functions of
 *                             diagnosis/operation.h, and of diagnosis/PRIMITIVE.h where these do not
 *                             suffice. `site` is the call site.
 *   WEIR_CHECK_(MUTEX, m, result);        precedes an operation of a primitive with kinds.
 *   WEIR_CHECK_ONLY_(MUTEX, m, result);   the same for an operation that other blocks wait for: an unlock,
 *                             a post or a barrier. A kernel with several kinds checks that where it
 *                             dispatches.
 *   WEIR_CHECK_ALL_(BARRIER, b, result);  the same where nothing is dispatched.
 *   WEIR_CHECK_ABORT_(m, result);         precedes an operation that an aborted block leaves out, where
 *                             its threads cannot end. WEIR_CHECK_ does that, too.
 *   WEIR_REFUSE_(m, fault, value, result);   the kernel cannot do what it was asked for (WEIR_FAULT_*).
 *   WEIR_REFUSE_KIND_(MUTEX, m, kind)   an expression: the same for a kind that it lacks, in a dispatch
 *                             (WEIR_DISPATCH_OR_), after which there is nothing to leave out.
 *
 * A check or a refusal ends the launch (weir_end_launch). In a diagnosis it is first reported with the
 * call site. Where a thread cannot end, the operation is then left out: it returns `result`, which is
 * WEIR_NO_RESULT_ in a function that returns nothing.
 *
 *   WEIR_FN weir_status weir_mutex_try_lock(weir_mutex m WEIR_SITE_)
 *   {
 *           weir_status result;
 *           WEIR_NOTED_(weir_notes n = weir_notes_open_(m.words, m.config.id, site));
 *
 *           WEIR_CHECK_(MUTEX, m, WEIR_ABORTED);
 *           result = weir_mutex_trylock_of_(m, WEIR_KIND_(MUTEX, m.config));
 *           WEIR_NOTED_(if (result == WEIR_OK) weir_note_enters_(n); weir_area_leave_());
 *           return result;
 *   }
 *
 *   WEIR_FN void weir_mutex_block_lock(weir_mutex m WEIR_SITE_)
 *   {
 *           if (weir_thread_id() == 0)
 *                   weir_mutex_lock(m WEIR_AT_);
 *           weir_block_sync();
 *   }
 *
 * Users call both without a site. Each has a row in weir/diagnose.h, which comes after all of weir's
 * headers: #define weir_mutex_try_lock(...) weir_mutex_try_lock(__VA_ARGS__, WEIR_HERE_). A macro is not
 * expanded in itself, and (weir_mutex_try_lock)(m, site) passes any site.
 *
 * PRIMITIVE/api.h includes diagnosis/PRIMITIVE.h under #ifdef WEIR_DIAGNOSE, after what both need: a
 * header that is first included under the #ifdef is missing without a diagnosis (tools/flatten).
 */
#ifndef WEIR_MACHINE_H
#include "weir/machine.h" /* includes this file */
#endif

#ifndef WEIR_SITE_H
#define WEIR_SITE_H

#define WEIR_NO_RESULT_

#ifdef WEIR_DIAGNOSE

/* As weir/diagnosis/area.h packs it. */
typedef uint64_t weir_site;

#define WEIR_SITE_ , weir_site site
#define WEIR_AT_ , site
#define WEIR_NOTED_(...) __VA_ARGS__

#include "weir/diagnosis/operation.h"

WEIR_FN weir_site weir_site_at(WEIR_LITERAL const char *file, uint32_t line)
{
	return WEIR_SITE_OF((size_t)file, line);
}

#define WEIR_HERE_ weir_site_at(__FILE__, __LINE__)

#define WEIR_REFUSE_(object, fault, value, result)                                                 \
	do {                                                                                       \
		weir_note_fault_((object).words, (object).config.id, site, fault, value);          \
		return result;                                                                     \
	} while (0)
#define WEIR_REFUSE_KIND_(PRIMITIVE, object, kind)                                                 \
	weir_note_fault_((object).words, (object).config.id, site, WEIR_FAULT_##PRIMITIVE, kind)
#define WEIR_CHECK_ABORT_(object, result)                                                          \
	do {                                                                                       \
		if (!WEIR_HAS_THREAD_END && weir_notes_left_out_(weir_notes_open_(                 \
						(object).words, (object).config.id, site)))        \
			return result;                                                             \
	} while (0)
#define WEIR_CHECK_(PRIMITIVE, object, result)                                                     \
	do {                                                                                       \
		WEIR_CHECK_ABORT_(object, result);                                                 \
		if (WEIR_FAULTY_(PRIMITIVE, object, site))                                         \
			return result;                                                             \
	} while (0)
#define WEIR_CHECK_ONLY_(PRIMITIVE, object, result)                                                \
	do {                                                                                       \
		if (WEIR_IS_FIXED_(PRIMITIVE) && WEIR_FAULTY_(PRIMITIVE, object, site))            \
			return result;                                                             \
	} while (0)

/* A kernel with several kinds goes on: PoCL 3.1 makes wrong code of one more branch around a block sync. */
#define WEIR_CHECK_ALL_(PRIMITIVE, object, result)                                                 \
	do {                                                                                       \
		if (WEIR_FAULTY_(PRIMITIVE, object, site) && WEIR_IS_FIXED_(PRIMITIVE))            \
			return result;                                                             \
	} while (0)

#else

#define WEIR_SITE_
#define WEIR_AT_
#define WEIR_NOTED_(...)
#define WEIR_REFUSE_(object, fault, value, result) weir_end_launch(fault, value)
#define WEIR_REFUSE_KIND_(PRIMITIVE, object, kind) weir_end_launch(WEIR_FAULT_##PRIMITIVE, kind)
#define WEIR_CHECK_ABORT_(object, result) ((void)0)
#define WEIR_CHECK_(PRIMITIVE, object, result) WEIR_CHECK_FIXED_(PRIMITIVE, (object).config)
#define WEIR_CHECK_ONLY_(PRIMITIVE, object, result) WEIR_CHECK_(PRIMITIVE, object, result)
#define WEIR_CHECK_ALL_(PRIMITIVE, object, result) WEIR_CHECK_KIND_(PRIMITIVE, (object).config)

#endif

#endif
