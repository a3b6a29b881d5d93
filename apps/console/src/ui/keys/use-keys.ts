import { useEffect, useEffectEvent } from "react";
import { isShown } from "#ui/overlay/focus-trail.ts";
import { areKeysOn } from "./key-switch.ts";
import { type Key, type KeyId, keyTable } from "./key-table.ts";
import { isSingle, keyOf, leads } from "./press.ts";
import { actOnRow, expandRow, logsOf, moveRow, openRow, rowAt, selectRow } from "./rows.ts";

/** Fields that take characters; checkboxes and buttons do not. */
const typingSelector = [
  "input:not([type=checkbox], [type=radio], [type=button], [type=submit])",
  "textarea",
  "select",
  "[contenteditable=true]",
  "[role=combobox]",
  "[role=listbox]",
].join();

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(typingSelector) !== null;

/** Drawers and dialogs that are open. A popover is none: the screen around it is in use. */
const openDialogs = (): readonly Element[] =>
  [...document.querySelectorAll("[role=dialog], dialog[open]")].filter(isShown);

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
  const closestForm = target.closest("form");
  if (closestForm) return closestForm.matches(formSelector) ? closestForm : null;
  if (dialogs.length === 0) return formIn(document.querySelector("main"));
  return formIn(target.closest("[role=dialog]") ?? dialogs.at(-1) ?? null);
};

/**
 * Submits the form that has the focus, or the only one that is open, with its own button: a button that
 * is loading or disabled is not pressed.
 * @returns false if there is no such form
 */
const saveOpenForm = (target: EventTarget | null): boolean => {
  const form = target instanceof Element ? openForm(target) : null;
  const button = [...document.querySelectorAll<HTMLButtonElement>(saverSelector)].find(
    (candidate) => candidate.form === form,
  );
  if (!form || !button) return false;
  if (!button.disabled) button.click();
  return true;
};

/** What the frame does; each answers false where it does nothing: the browser's own use stays. */
export interface FrameKeys {
  /** Goes to the page of a key. */
  go(pressed: string): boolean;
  /** Goes to a path. */
  goTo(path: string): void;
  refresh(): void;
  help(): void;
}

type Act = (target: EventTarget | null, event: KeyboardEvent) => boolean;

const search = (): boolean => {
  const field = document.querySelector<HTMLInputElement>("[data-search]");
  field?.focus();
  return field !== null;
};

const done = (act: () => void): boolean => {
  act();
  return true;
};

const actsOf = (frame: FrameKeys): Partial<Record<KeyId, Act>> => ({
  search,
  refresh: () => done(frame.refresh),
  help: () => done(frame.help),
  move: (target, { key }) => {
    // Without the switch they act where a row has the focus, and only there.
    if (!areKeysOn() && !rowAt(target)) return false;
    return moveRow(target, key === "ArrowDown" ? 1 : -1);
  },
  next: (target) => moveRow(target, 1),
  previous: (target) => moveRow(target, -1),
  acknowledge: (target) => actOnRow(target, "handle"),
  snooze: (target) => actOnRow(target, "snooze"),
  own: (target) => actOnRow(target, "own"),
  select: selectRow,
  open: openRow,
  edit: (target) => actOnRow(target, "edit") || expandRow(target),
  logs: (target) => {
    const path = logsOf(target);
    if (path === null) return actOnRow(target, "log");
    return done(() => frame.goTo(path));
  },
  save: saveOpenForm,
});

/** Keys that go on while they are held down. */
const moving: ReadonlySet<KeyId> = new Set(["move", "next", "previous"]);

const isMeant = (id: KeyId, target: EventTarget | null): boolean => {
  const { where } = keyTable[id] as Key;
  if (isSingle(id) && !areKeysOn()) return false;
  return where === "anywhere" || (!isTyping(target) && openDialogs().length === 0);
};

/** Listens to the keys of the table, once for the whole console. */
export const useKeys = (frame: FrameKeys): void => {
  const press = useEffectEvent((event: KeyboardEvent, led: string | null): boolean => {
    const { target } = event;
    if (led !== null) {
      const isOn = areKeysOn() && !isTyping(target) && openDialogs().length === 0;
      return isOn && led !== "" && frame.go(led);
    }
    const id = keyOf(event);
    // A key that is held down moves on over the rows, and does everything else once.
    if (id === null || (event.repeat && !moving.has(id)) || !isMeant(id, target)) return false;
    return actsOf(frame)[id]?.(target, event) ?? false;
  });
  useEffect(() => {
    const lead = leads();
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return;
      if (press(event, isTyping(event.target) ? null : lead(event, event.timeStamp))) {
        event.preventDefault();
      }
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
};
