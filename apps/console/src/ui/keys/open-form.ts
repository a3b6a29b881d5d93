import { isShown } from "#ui/overlay/focus-trail.ts";
import { openDialogs } from "./place.ts";

/** Submit buttons of forms; the confirm button of a removal is not one. */
const formSelector = "form.w-form";
const saverSelector = "button[type=submit]:not(.ant-btn-dangerous)";

const formIn = (root: ParentNode | null): HTMLFormElement | null => {
  const forms = [...(root?.querySelectorAll<HTMLFormElement>(formSelector) ?? [])].filter(isShown);
  // If two forms are open side by side, it is not clear which one is meant.
  return forms.length === 1 ? (forms[0] ?? null) : null;
};

const openForm = (target: Element): HTMLFormElement | null => {
  const dialogs = openDialogs();
  const own = target.closest("form");
  if (own) return own.matches(formSelector) ? own : null;
  if (dialogs.length === 0) return formIn(document.querySelector("main"));
  return formIn(target.closest("[role=dialog]") ?? dialogs.at(-1) ?? null);
};

/**
 * Submits the form that has the focus, or the only one that is open, with its own button: a button that
 * is loading or disabled is not pressed.
 * @returns false if there is no such form
 */
export const saveOpenForm = (target: EventTarget | null): boolean => {
  const form = target instanceof Element ? openForm(target) : null;
  const button = [...document.querySelectorAll<HTMLButtonElement>(saverSelector)].find(
    (one) => one.form === form,
  );
  if (!form || !button) return false;
  if (!button.disabled) button.click();
  return true;
};
