/* Ctrl-C. */
#ifndef WEIR_COMMAND_CLI_STOP_H
#define WEIR_COMMAND_CLI_STOP_H

/* After this call the first Ctrl-C only asks to stop; a second one ends the program. */
void weir_stop_catch(void);
int weir_stop_asked(void);
/* Not 0 when it was asked, for what looks while it runs. */
const volatile int *weir_stop_flag(void);

#endif
