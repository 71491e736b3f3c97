/* Shared by the tests of diagnosis: expectations of reports, of correct kernels, of kernels that hang
 * and of kernels that end themselves. */
#ifndef API_REPORTS_H
#define API_REPORTS_H

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "api.h"

#define WORDS(...)                                                                                 \
	(const char *const[])                                                                      \
	{                                                                                          \
		__VA_ARGS__, NULL                                                                  \
	}

/* Each test has its own device, so that its reports do not show mistakes of an earlier test. */
static void renew_device(void)
{
	void *unused = NULL;

	api_teardown(&unused);
	api_setup(&unused);
	api_clear_data();
}

/* The report has `findings` findings and contains these words. */
static void expect(uint32_t findings, const char *words)
{
	weir_diagnosis report;

	api_ok(weir_device_diagnose(api_device, &report));
	if (report.findings != findings || !strstr(report.text, words))
		print_error("expected %u findings with '%s':\n%s\n", findings, words, report.text);
	assert_int_equal(report.findings, findings);
	assert_non_null(strstr(report.text, words));
	weir_diagnosis_destroy(&report);
}

static void expect_nothing(void)
{
	expect(0, "nothing looks wrong");
}

/* Launches a kernel that hangs, polls until the report has all of the words and its JSON has `json`, and
 * ends it. Returns how many blocks wait. */
static uint32_t hang_in(const weir_launch *launch, const char *const *words, const char *json)
{
	weir_diagnosis report = {0};
	uint32_t waiting;
	size_t found = 0;
	int has_json = 0;

	api_ok(weir_kernel_launch(api_device, launch));
	for (int i = 0; i < 6000 && (words[found] || !has_json); i++) {
		nanosleep(&(struct timespec){0, 10000000}, NULL);
		weir_diagnosis_destroy(&report);
		api_ok(weir_device_diagnose(api_device, &report));
		for (found = 0; words[found] && strstr(report.text, words[found]);)
			found++;
		has_json = strstr(report.json, json) != NULL;
	}
	if (words[found])
		print_error("no '%s' in: %s\n", words[found], report.text);
	assert_null(words[found]);
	if (!has_json)
		print_error("no '%s' in: %s\n", json, report.json);
	assert_true(has_json);
	assert_int_equal(report.findings, 1);
	waiting = report.waiting;
	weir_diagnosis_destroy(&report);
	api_ok(weir_device_abort(api_device));
	api_fails(weir_device_wait(api_device, API_DEADLINE_NS, NULL), WEIR_ABORTED);
	return waiting;
}

/* The launch ends itself. */
static void end_in(const weir_launch *launch, const char *words)
{
	api_ok(weir_kernel_launch(api_device, launch));
	api_fails(weir_device_wait(api_device, API_DEADLINE_NS, NULL), WEIR_LAUNCH_FAILED);
	assert_non_null(strstr(weir_error_text(), words));
}

#endif
