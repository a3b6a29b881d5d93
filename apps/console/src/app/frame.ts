/**
 * What is in place of the console while its code is on its way. Plain elements and no React: the page itself shows them
 * before its first script is there (early.ts).
 */

import { formatMessage, type Message } from "@weft/contract/kernel/message.ts";
import type { MenuPath } from "@weft/contract/menu.ts";
import { entrance } from "#client/entrance.ts";
import { headStyles, keptDisplay, layoutStyles } from "#client/kept-display.ts";
import { keptLanguage } from "#client/kept-language.ts";
import { browserStores, createTokenStore } from "#client/token.ts";
import { isVisitTab } from "#client/visit.ts";

/** In place of what is on its way. */
export const loading: Message = ["正在加载…", "Loading…"];

const filling: MenuPath = "/screen";

/** Whether there may be a session. */
export const hasToken = (): boolean => createTokenStore(browserStores()).read() !== null;

/** Whether the shell is what an address most likely shows: not before a session, and not around a screen that fills the window. */
const showsShell = (pathname: string): boolean =>
  hasToken() &&
  !isVisitTab() &&
  pathname !== filling &&
  pathname !== entrance.forget &&
  !pathname.startsWith("/exception/");

const part = (tag: "div" | "i" | "p", name: string, ...parts: Element[]): HTMLElement => {
  const element = document.createElement(tag);
  element.className = name;
  element.append(...parts);
  return element;
};

const bars = (name: string, count: number): HTMLElement => {
  const all = part("div", name, ...Array.from({ length: count }, () => part("i", "")));
  all.setAttribute("aria-hidden", "true");
  return all;
};

/** The line at the top while something is on its way: as long as it is since the page was opened, whatever is put in its place. */
const progress = (text: string): HTMLElement => {
  const line = part("div", "w-progress");
  line.setAttribute("role", "progressbar");
  line.setAttribute("aria-label", text);
  line.dataset.on = "";
  line.style.setProperty("--w-progress-delay", `${-Math.round(performance.now())}ms`);
  return line;
};

/** In place of the shell: its parts where they will be, in the colours that the person chose; how wide the window is, CSS knows. */
const frame = (text: string): HTMLElement => {
  const { collapse, darkMode, headStyle, layoutStyle, showTabs, sideStyle } = keptDisplay();
  const kind = layoutStyles[layoutStyle] ?? "side";
  const all = part("div", "w-frame", progress(text));
  all.dataset.layout = kind;
  all.setAttribute("aria-busy", "true");
  if (kind !== "top") {
    const isDark = sideStyle === 1 || darkMode;
    const name = isDark ? "w-frame-side w-side-dark" : "w-frame-side";
    const side = part("div", name, bars("w-frame-menu", 8));
    if (collapse) side.dataset.folded = "";
    all.append(side);
  }
  const header = part("div", "w-frame-header");
  const head = headStyles[headStyle];
  if (head !== undefined && !(darkMode && headStyle === 0)) header.dataset.head = head;
  all.append(header);
  if (showTabs) all.append(part("div", "w-frame-tabs"));
  const title = part("p", "w-frame-title");
  title.textContent = text;
  all.append(
    part("div", "w-frame-content", title, part("div", "w-card w-loading", bars("w-bars", 10))),
  );
  return all;
};

/** The frame of the shell, else the line at the top alone. */
export const startingParts = (): HTMLElement => {
  const text = formatMessage(loading, keptLanguage());
  return showsShell(location.pathname) ? frame(text) : progress(text);
};
