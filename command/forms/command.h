/* weir bench kernels. */
#ifndef WEIR_COMMAND_FORMS_COMMAND_H
#define WEIR_COMMAND_FORMS_COMMAND_H

/* Gets the arguments from "kernels" on, and the whole command line as it was typed. */
int weir_bench_kernels(int argc, char **argv, const char *command_line);

#endif
