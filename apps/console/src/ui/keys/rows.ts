/** The rows of lists as keys reach them: tables, and the cards of a narrow screen. */
import { isShown } from "#ui/overlay/focus-trail.ts";

const rowSelector = ".ant-table-row[data-row-key], .w-row-card";

/** The row that has the focus, or in which something has it; null: none. */
export const rowAt = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>(rowSelector) : null;

/** Where arrows, Space and Enter do nothing of their own, or nothing that is missed. */
const isFree = (target: Element): boolean =>
  target.matches(`${rowSelector}, a[href], button:not([aria-expanded=true]), [type=checkbox]`);

/** Nothing on the screen has been selected yet: arrows lead into its list. */
const isNowhere = (target: Element): boolean => target.matches("body, main");

const beside = (row: HTMLElement): readonly Element[] =>
  [...(row.parentElement?.children ?? [])].filter((sibling) => sibling.matches(rowSelector));

const entry = (step: 1 | -1): Element | undefined =>
  [...document.querySelectorAll(`.w-list :is(${rowSelector})`)]
    .filter(isShown)
    .at(step === 1 ? 0 : -1);

/**
 * Takes the focus one row down (1) or up (-1); from nowhere, into the list of the screen.
 * @returns false where there is no such row: the key keeps its default meaning
 */
export const moveRow = (target: EventTarget | null, step: 1 | -1): boolean => {
  if (!(target instanceof Element)) return false;
  const row = rowAt(target);
  const rows = row && isFree(target) ? beside(row) : [];
  const next = row ? rows[rows.indexOf(row) + step] : isNowhere(target) && entry(step);
  if (!(next instanceof HTMLElement)) return false;
  next.focus();
  return document.activeElement === next;
};

/** Presses the checkbox of the row; false: it has none, or Space belongs to what has the focus. */
export const selectRow = (target: EventTarget | null): boolean => {
  const row = rowAt(target);
  const isOfRow = target === row || (target instanceof Element && target.matches("a[href]"));
  const box = row?.querySelector<HTMLInputElement>(
    ".ant-table-selection-column input, .w-row-card-head input",
  );
  if (!box || !isOfRow) return false;
  box.click();
  return true;
};

/** Follows the link of the row's name; what has the focus inside of a row keeps its Enter. */
export const openRow = (target: EventTarget | null): boolean => {
  const row = rowAt(target);
  const link = row?.querySelector<HTMLElement>("a.w-name") ?? actionOf(row, "details");
  if (!link || target !== row) return false;
  link.click();
  return true;
};

const actionOf = (row: HTMLElement | null, key: string): HTMLElement | null =>
  row?.querySelector<HTMLElement>(`[data-act="${key}"]`) ?? null;

/**
 * Presses an action of the row. One that cannot be done now gets the focus instead, which shows
 * its reason.
 */
export const actOnRow = (target: EventTarget | null, key: string): boolean => {
  const action = actionOf(rowAt(target), key);
  if (!action) return false;
  if (action.ariaDisabled === "true") action.focus();
  else action.click();
  return true;
};

/** Opens or closes what lies below the row; false: nothing does. */
export const expandRow = (target: EventTarget | null): boolean => {
  const button = rowAt(target)?.querySelector<HTMLElement>(".ant-table-row-expand-icon");
  button?.click();
  return Boolean(button);
};

/** Where the row says that its logs are; null: it has none. */
export const logsOf = (target: EventTarget | null): string | null =>
  rowAt(target)?.querySelector("[data-logs]")?.getAttribute("data-logs") ?? null;
