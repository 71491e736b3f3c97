/* A library that has none of the functions that a driver or loader of its name should have. */
extern const int weir_test_empty_library;
const int weir_test_empty_library = 1;
