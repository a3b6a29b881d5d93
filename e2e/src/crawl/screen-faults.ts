/** What can be wrong with a page that anybody would see, found out without knowing the page. */
import { formatMessage, type Language } from "@weft/contract/kernel/message.ts";
import { documentTitle } from "@weft/contract/title.ts";
import type { Page } from "playwright-core";
import { shiftsOf } from "./shifts.ts";

/** How far content may move by itself while a page opens (goals of the console: half of "good"). */
const maxShift = 0.05;

/**
 * First parts of text keys, as the message files have them: what begins with one of them, a dot and
 * a lower-case part is a key without a translation.
 */
const key = /(?:^|[\s(（“"])((?:enum|field|rule|act|list|page|shell)\.[A-Za-z][\w.]*)/;

/** What a page shows, as far as it is checked. */
interface Seen {
  readonly title: string;
  readonly heads: readonly string[];
  readonly text: string;
  /** px that the page can be scrolled to the side. */
  readonly sideways: number;
  /** Labels of controls that are clipped, lie over each other or out of the window. */
  readonly crowded: readonly string[];
  /** Parts that say that they failed. */
  readonly failed: readonly string[];
}

/** Runs in the page. */
function read(): Seen {
  const root = document.documentElement;
  const isSeen = (one: Element): boolean => {
    const box = one.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && getComputedStyle(one).visibility !== "hidden";
  };
  const name = (one: Element): string =>
    (one.getAttribute("aria-label") ?? one.textContent ?? one.className).trim().slice(0, 40);
  const bars = ".w-page-head, .w-filters, .w-batch, .w-header";
  const crowded: string[] = [];
  for (const bar of document.querySelectorAll(bars)) {
    const parts = [...bar.querySelectorAll("button, input, .ant-select, h1, a.w-button")].filter(
      (one) => isSeen(one) && !one.parentElement?.closest(".ant-select, .ant-input-affix-wrapper"),
    );
    for (const [at, one] of parts.entries()) {
      const box = one.getBoundingClientRect();
      if (box.right > innerWidth + 1 || box.left < -1)
        crowded.push(`out of the window: ${name(one)}`);
      if (one.tagName === "BUTTON" && one.scrollWidth > one.clientWidth + 1)
        crowded.push(`cut: ${name(one)}`);
      for (const other of parts.slice(at + 1)) {
        if (one.contains(other) || other.contains(one)) continue;
        const next = other.getBoundingClientRect();
        const across = Math.min(box.right, next.right) - Math.max(box.left, next.left);
        const down = Math.min(box.bottom, next.bottom) - Math.max(box.top, next.top);
        if (across > 2 && down > 2) crowded.push(`${name(one)} over ${name(other)}`);
      }
    }
  }
  const texts = new Set<string>();
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) texts.add(nodes.currentNode.textContent ?? "");
  return {
    title: document.title,
    heads: [...document.querySelectorAll("h1")].filter(isSeen).map((one) => one.textContent ?? ""),
    text: [...texts].join("\n"),
    sideways: root.scrollWidth - root.clientWidth,
    crowded,
    failed: [...document.querySelectorAll('.w-empty[role="alert"]')].map(
      (one) => one.textContent ?? "",
    ),
  };
}

/** How the page is read, and whether it is the one that is empty by specification. */
interface Expected {
  readonly language: Language;
  readonly isBlank: boolean;
}

/**
 * Section 2.2: the same on every screen (B-2.2-27), in the reader's language; on the page of one site, POP or link its
 * name, which the page shows, comes before it, so that tabs of the browser differ.
 */
const isTitled = (
  { title, text }: { readonly title: string; readonly text: string },
  common: string,
): boolean => {
  const after = ` · ${common}`;
  const isNamed = title.endsWith(after) && text.split("\n").includes(title.slice(0, -after.length));
  return title === common || isNamed;
};

/** Faults of the page that is open, one a line. */
export async function faultsOf(page: Page, { language, isBlank }: Expected): Promise<string[]> {
  const [seen, { sum, moved }] = await Promise.all([page.evaluate(read), shiftsOf(page)]);
  const raw = key.exec(seen.text)?.[1];
  return [
    ...(isTitled(seen, formatMessage(documentTitle, language)) ? [] : [`document: ${seen.title}`]),
    ...(seen.heads.length === (isBlank ? 0 : 1) ? [] : [`headings: ${seen.heads.join(" | ")}`]),
    ...(raw ? [`untranslated: ${raw}`] : []),
    ...(seen.sideways > 0 ? [`scrolls ${seen.sideways} px to the side`] : []),
    ...seen.crowded,
    ...seen.failed.map((request) => `failed: ${request}`),
    ...(sum > maxShift
      ? [`moves by ${sum.toFixed(3)}: ${[...new Set(moved)].slice(0, 6).join(", ")}`]
      : []),
  ];
}
