/* Ctrl-C. */
#ifndef WEIR_COMMAND_CLI_STOP_H
#define WEIR_COMMAND_CLI_STOP_H

/* After this call the first Ctrl-C only asks to stop; a second one ends the program. */
void weir_stop_catch(void);
int weir_stop_asked(void);

#endif
