/**
 * Where the focus has been, so that it can return there. The library's drawers and dialogs give it
 * back once they have faded, to what had it when they opened: to nothing when that was a part of the
 * overlay before them, to nothing when they are taken away while open, and out of the hands of the
 * overlay that followed them. Here every stop is written down as it happens, whatever caused it.
 */

/** One element that had the focus, and enough to find its place once it is gone. */
interface Stop {
  readonly element: HTMLElement;
  /** What it was in, nearest first, below the page or the document. */
  readonly above: readonly Element[];
  /** True: part of a screen; it may be gone because another screen is shown. */
  readonly isOfPage: boolean;
  readonly row: RowPlace | null;
}

/** An action of a row: the row's key and place, and what the action is called. */
interface RowPlace {
  readonly key: string;
  readonly index: number;
  readonly label: string;
}

/** On an overlay that is about to go: nothing in it takes the focus any more. */
export const leavingClass = "w-leaving";

/** Stops that are remembered; more than overlays ever stand upon each other. */
const trailLength = 32;
const rowSelector = "[data-row-key]";
const controlSelector =
  "a[href], button, input, select, textarea, [contenteditable=true], [tabindex]";

let trail: readonly Stop[] = [];
/** The element that has the focus, unless it was taken away on purpose. */
let owner: HTMLElement | null = null;
/** Drawers and dialogs that are open. */
let overlays = 0;

/** In sight, and not part of an overlay that is about to go. */
export const isShown = (element: Element): boolean =>
  element.isConnected && element.checkVisibility() && !element.closest(`.${leavingClass}`);

const isUsable = (element: Element): boolean =>
  isShown(element) && !element.matches(":disabled") && !element.closest("[inert]");

const rowsBeside = (row: Element): readonly Element[] =>
  [...(row.parentElement?.children ?? [])].filter((sibling) => sibling.matches(rowSelector));

const labelOf = (element: Element): string =>
  element.getAttribute("aria-label") ?? element.textContent ?? "";

const rowPlaceOf = (element: Element): RowPlace | null => {
  const row = element.closest(rowSelector);
  if (!row) return null;
  const key = row.getAttribute("data-row-key") ?? "";
  return { key, index: rowsBeside(row).indexOf(row), label: labelOf(element) };
};

const stopAt = (element: HTMLElement): Stop => {
  const page = element.closest(".w-page");
  const above: Element[] = [];
  for (
    let parentElement = element.parentElement;
    parentElement && parentElement !== page;
    parentElement = parentElement.parentElement
  ) {
    if (parentElement === document.body) break;
    above.push(parentElement);
  }
  return { element, above, isOfPage: page !== null, row: rowPlaceOf(element) };
};

/** Controls that Tab stops at, in its order. */
export const controlsIn = (root: Element): readonly HTMLElement[] =>
  [...root.querySelectorAll<HTMLElement>(controlSelector)].filter(
    (element) => element.tabIndex >= 0 && isUsable(element),
  );

/** The same action of the same row after a rerender, or of the row that moved into its place. */
const twinIn = (home: Element, { key, index, label }: RowPlace): HTMLElement | undefined => {
  const rows = [...home.querySelectorAll(rowSelector)].filter(isShown);
  const same = rows.find((row) => row.getAttribute("data-row-key") === key);
  const row = same ?? rows[Math.min(index, rows.length - 1)];
  const controls = row ? controlsIn(row) : [];
  return controls.find((control) => labelOf(control) === label) ?? controls[0];
};

/** Where the next row of a list is looked for, once it has none left; other controls may stand before it. */
const searchIn = (home: Element): HTMLElement | undefined =>
  controlsIn(home).find((control) => control.matches("[data-search]"));

/** Where the focus goes for a stop: to itself, or to what is in its place. */
const placeOf = ({ element, above, isOfPage, row }: Stop): HTMLElement | null => {
  if (isUsable(element)) return element;
  for (const home of above.filter(isShown)) {
    const ofList = row && (twinIn(home, row) ?? searchIn(home));
    const target = ofList ?? controlsIn(home)[0];
    if (target) return target;
  }
  return isOfPage ? document.querySelector<HTMLElement>("main") : null;
};

const isLost = (): boolean => {
  const now = document.activeElement;
  return now === null || now === document.body || !isShown(now);
};

/**
 * Gives the focus back to where it was last, or to what is there now. Does nothing where
 * something in sight has it.
 */
const returnFocus = (): void => {
  if (!isLost()) return;
  for (const stop of trail.toReversed()) {
    const place = placeOf(stop);
    place?.focus({ preventScroll: true });
    if (place && document.activeElement === place) return;
  }
  document.querySelector<HTMLElement>("main")?.focus({ preventScroll: true });
};

/**
 * A drawer or dialog has opened.
 * @returns to be called when it closes or is taken away: gives the focus back
 */
export const enterOverlay = (): (() => void) => {
  overlays += 1;
  return () => {
    overlays -= 1;
    returnFocus();
  };
};

/** Tab leads round through the page, from where the library fetches it back. */
const isPassing = (target: Element): boolean => overlays > 0 && target.closest(".w-shell") !== null;

const onFocusIn = ({ target }: FocusEvent): void => {
  if (!(target instanceof HTMLElement)) return;
  // The library takes the focus in once more when a dialog closes before it stood still.
  if (target.closest(`.${leavingClass}`)) {
    returnFocus();
    return;
  }
  if (isPassing(target)) return;
  owner = target;
  trail = [...trail.filter(({ element }) => element !== target), stopAt(target)].slice(
    -trailLength,
  );
};

/** A press beside everything takes the focus away on purpose; to be hidden or removed does not. */
const onFocusOut = ({ target, relatedTarget }: FocusEvent): void => {
  if (relatedTarget !== null) return;
  queueMicrotask(() => {
    if (target !== owner || !owner?.isConnected) return;
    const isHidden = !isShown(owner);
    owner = null;
    if (isHidden) returnFocus();
  });
};

/**
 * Writes down where the focus is, and puts it back when the element that has it is taken away: a
 * row that was removed, a step of a dialog that gave way to the next.
 * @returns ends it
 */
export const keepFocus = (): (() => void) => {
  const observer = new MutationObserver(() => {
    if (owner && !owner.isConnected) {
      owner = null;
      returnFocus();
    }
  });
  addEventListener("focusin", onFocusIn);
  addEventListener("focusout", onFocusOut);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    removeEventListener("focusin", onFocusIn);
    removeEventListener("focusout", onFocusOut);
    observer.disconnect();
    trail = [];
    owner = null;
  };
};
