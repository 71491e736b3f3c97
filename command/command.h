/* The subcommands of weir. Each gets the arguments from its own name on and gives the exit status
 * of the program. */
#ifndef WEIR_COMMAND_H
#define WEIR_COMMAND_H

int weir_command_devices(int argc, char **argv);
int weir_command_probe(int argc, char **argv);
int weir_command_classify(int argc, char **argv);
int weir_command_bench(int argc, char **argv);
int weir_command_tune(int argc, char **argv);
int weir_command_profile(int argc, char **argv);
int weir_command_crew(int argc, char **argv);
int weir_command_doctor(int argc, char **argv);
int weir_command_report(int argc, char **argv);
int weir_command_verify(int argc, char **argv);
int weir_command_predict(int argc, char **argv);

#endif
