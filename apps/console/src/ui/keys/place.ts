/** Where a key was pressed, read from the page. */
import { isShown } from "#ui/overlay/focus-trail.ts";

/** Fields that take characters; checkboxes and buttons do not. */
const typingSelector = [
  "input:not([type=checkbox], [type=radio], [type=button], [type=submit])",
  "textarea",
  "select",
  "[contenteditable=true]",
  "[role=combobox]",
  "[role=listbox]",
].join();

export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(typingSelector) !== null;

/** Drawers and dialogs that are open. A popover is none: the screen around it is in use. */
export const openDialogs = (): readonly Element[] =>
  [...document.querySelectorAll("[role=dialog], dialog[open]")].filter(isShown);
