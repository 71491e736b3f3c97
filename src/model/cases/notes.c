/* Empty for now */
typedef int weir_model_notes_empty_;
