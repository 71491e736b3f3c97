/* Shared by the problems: random numbers and comparisons. */
#include "forms/problems/problem.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

uint32_t real_random(uint32_t *random)
{
	return *random = *random * 1664525u + 1013904223u;
}

uint32_t real_random_below(uint32_t *random, uint32_t limit)
{
	return (uint32_t)((uint64_t)real_random(random) * limit >> 32);
}

float real_random_part(uint32_t *random)
{
	return (float)(real_random(random) >> 8) * (1.0f / 8388608.0f) - 1.0f;
}

int real_wrong(real_why *why, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(why->text, sizeof why->text, format, arguments);
	va_end(arguments);
	return 1;
}

size_t real_first_word(const uint32_t *expected, const uint32_t *got, size_t count)
{
	size_t i = 0;

	while (i < count && expected[i] == got[i])
		i++;
	return i;
}

size_t real_first_float(const float *expected, const float *got, size_t count, float tolerance)
{
	size_t i = 0;

	while (i < count && fabsf(got[i] - expected[i]) <= tolerance) /* false for NaN */
		i++;
	return i;
}

float real_largest(const float *elements, size_t count)
{
	float largest = 0;

	for (size_t i = 0; i < count; i++)
		largest = fmaxf(largest, fabsf(elements[i]));
	return largest;
}
