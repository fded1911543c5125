// Short messages that come and go: "Copied". One at a time; a new one replaces the old.

let message = $state('');
/** The dialog that is open, if one is: then nothing else is lit, or heard. */
let dialog = $state.raw<Element | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;

export const toasted = {
  get message() {
    return message;
  },
  get dialog() {
    return dialog;
  },
};

export function toast(words: string) {
  message = words;
  dialog = document.querySelector('dialog[open]');
  clearTimeout(timer);
  timer = setTimeout(() => (message = ''), 3500);
}

/** Copies to the clipboard and says so. */
export async function copy(text: string, said = 'Copied') {
  try {
    await navigator.clipboard.writeText(text);
    toast(said);
    return true;
  } catch {
    toast('The browser did not allow copying');
    return false;
  }
}
