#include "ptx/table.h"

const struct ptx_type_row weir_ptx_types[PTX_TYPES + 1] = {
#define WEIR_ROW_(name, text, bits, class) [PTX_##name] = {text, (uint8_t)(bits), class},
    WEIR_PTX_TYPES(WEIR_ROW_)
#undef WEIR_ROW_
	[PTX_NO_TYPE] = {"", 0, 0},
};

const struct ptx_instruction_row weir_ptx_instructions[PTX_OPCODES + 1] = {
#define WEIR_ROW_(name, decoder, types, modifiers, heading)                                        \
	[PTX_OP_##name] = {#name, types, modifiers, #heading},
    WEIR_PTX_INSTRUCTIONS(WEIR_ROW_)
#undef WEIR_ROW_
	[PTX_UNKNOWN] = {"", "", "", ""},
};

const char *const weir_ptx_modifiers[PTX_MODIFIERS] = {
#define WEIR_ROW_(name, text) text,
    WEIR_PTX_MODIFIERS(WEIR_ROW_)
#undef WEIR_ROW_
};

const struct ptx_special_row weir_ptx_specials[PTX_SPECIALS] = {
#define WEIR_ROW_(name, text, components) {text, components},
    WEIR_PTX_SPECIALS(WEIR_ROW_)
#undef WEIR_ROW_
};
