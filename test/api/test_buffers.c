/* Buffers: the data written is read back, and nothing outside them is changed. */
#include "api.h"

#include <string.h>

static void bad_arguments(void **state)
{
	weir_buffer buffer = {0}, none = {0};
	char bytes[8] = {0};

	(void)state;
	api_fails(weir_buffer_create(api_device, 0, &buffer), WEIR_BAD_ARGUMENT);
	api_fails(weir_buffer_create(api_device, 4, NULL), WEIR_BAD_ARGUMENT);
	assert_int_not_equal(weir_buffer_create(api_device, SIZE_MAX, &buffer), WEIR_OK);
	api_fails(weir_buffer_create(api_device, SIZE_MAX / 2, &buffer), WEIR_NO_MEMORY);
	assert_null(buffer.native);
	api_fails(weir_buffer_destroy(api_device, NULL), WEIR_BAD_ARGUMENT);
	api_fails(weir_buffer_destroy(api_device, &none), WEIR_NOT_FOUND);
	api_fails(weir_buffer_write(api_device, none, 0, bytes, 4), WEIR_NOT_FOUND);
	api_fails(weir_buffer_read(api_device, none, 0, bytes, 4), WEIR_NOT_FOUND);

	api_ok(weir_buffer_create(api_device, 8, &buffer));
	api_fails(weir_buffer_write(api_device, buffer, 0, NULL, 4), WEIR_BAD_ARGUMENT);
	api_fails(weir_buffer_read(api_device, buffer, 0, NULL, 4), WEIR_BAD_ARGUMENT);
	api_ok(weir_buffer_destroy(api_device, &buffer));
}

static void ranges(void **state)
{
	static const struct {
		size_t offset, bytes;
		int inside;
	} rows[] = {{0, 8, 1}, {4, 4, 1},        {7, 1, 1},        {8, 0, 1},
	            {0, 0, 1}, {0, 9, 0},        {4, 5, 0},        {8, 1, 0},
	            {9, 0, 0}, {SIZE_MAX, 2, 0}, {1, SIZE_MAX, 0}, {SIZE_MAX, SIZE_MAX, 0}};
	weir_buffer buffer;
	char bytes[8] = {0};

	(void)state;
	api_ok(weir_buffer_create(api_device, 8, &buffer));
	/* The size that counts is the one given at creation. */
	buffer.bytes = 1000;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		if (rows[i].inside) {
			api_ok(weir_buffer_write(api_device, buffer, rows[i].offset, bytes,
			                         rows[i].bytes));
			api_ok(weir_buffer_read(api_device, buffer, rows[i].offset, bytes,
			                        rows[i].bytes));
			continue;
		}
		api_fails(
		    weir_buffer_write(api_device, buffer, rows[i].offset, bytes, rows[i].bytes),
		    WEIR_BAD_ARGUMENT);
		api_fails(
		    weir_buffer_read(api_device, buffer, rows[i].offset, bytes, rows[i].bytes),
		    WEIR_BAD_ARGUMENT);
	}
	api_ok(weir_buffer_destroy(api_device, &buffer));
}

static void zeroed_then_written_then_read(void **state)
{
	unsigned char bytes[1000], zeros[1000] = {0};
	weir_buffer buffer;

	(void)state;
	for (int round = 0; round < 3; round++) { /* includes memory that was used before */
		api_ok(weir_buffer_create(api_device, sizeof bytes, &buffer));
		assert_int_equal(buffer.bytes, sizeof bytes);
		memset(bytes, 0x5a, sizeof bytes);
		api_ok(weir_buffer_read(api_device, buffer, 0, bytes, sizeof bytes));
		assert_memory_equal(bytes, zeros, sizeof bytes);
		memset(bytes, 0xa5, sizeof bytes);
		api_ok(weir_buffer_write(api_device, buffer, 0, bytes, sizeof bytes));
		api_ok(weir_buffer_write(api_device, buffer, 13, "middle", 6));
		memset(bytes, 0, sizeof bytes);
		api_ok(weir_buffer_read(api_device, buffer, 12, bytes, 8));
		assert_memory_equal(bytes, "\xa5middle\xa5", 8);
		api_ok(weir_buffer_destroy(api_device, &buffer));
		assert_null(buffer.native);
	}
}

static void destroyed_twice(void **state)
{
	weir_buffer buffer, copy;
	char bytes[4];

	(void)state;
	api_ok(weir_buffer_create(api_device, 4, &buffer));
	copy = buffer;
	api_ok(weir_buffer_destroy(api_device, &buffer));
	api_fails(weir_buffer_destroy(api_device, &buffer), WEIR_NOT_FOUND);
	api_fails(weir_buffer_destroy(api_device, &copy), WEIR_NOT_FOUND);
	api_fails(weir_buffer_read(api_device, copy, 0, bytes, 4), WEIR_NOT_FOUND);
}

static void on_the_wrong_device(void **state)
{
	weir_device *other;
	weir_buffer buffer;
	char bytes[4] = "";

	(void)state;
	api_ok(weir_device_open(api_device_name(), &other));
	api_ok(weir_buffer_create(api_device, 4, &buffer));
	api_fails(weir_buffer_write(other, buffer, 0, bytes, 4), WEIR_NOT_FOUND);
	api_fails(weir_buffer_read(other, buffer, 0, bytes, 4), WEIR_NOT_FOUND);
	api_fails(weir_buffer_destroy(other, &buffer), WEIR_NOT_FOUND);
	api_ok(weir_buffer_destroy(api_device, &buffer));
	api_ok(weir_device_close(other));
}

/* A buffer is not an object, even if the address is right. */
static void of_the_wrong_sort(void **state)
{
	weir_mutex mutex;
	weir_buffer buffer;

	(void)state;
	api_ok(
	    weir_mutex_create(api_device, &(weir_mutex_options){.kind = WEIR_MUTEX_SPIN}, &mutex));
	buffer.native = mutex.words;
	buffer.bytes = 4;
	api_fails(weir_buffer_destroy(api_device, &buffer), WEIR_NOT_FOUND);
	api_ok(weir_mutex_destroy(api_device, &mutex));
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(bad_arguments),
	    cmocka_unit_test(ranges),
	    cmocka_unit_test(zeroed_then_written_then_read),
	    cmocka_unit_test(destroyed_twice),
	    cmocka_unit_test(on_the_wrong_device),
	    cmocka_unit_test(of_the_wrong_sort),
	};
	return api_main(argc, argv, tests);
}
