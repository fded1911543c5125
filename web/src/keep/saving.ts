// Whoever wants to save calls this; the dialog that does it is loaded with the list of programs (Keep.svelte).

export const saving = { save: () => {} };
