/** What the calls of a page answer, kept as text: a row that is never drawn has leaked all the same. */
import type { Page, Response } from "playwright-core";

export interface Ear {
  /** Path of each call since it was asked last whose answer has one of these words. */
  whoSaid(words: readonly string[]): Promise<string[]>;
}

const isCall = (response: Response): boolean =>
  new URL(response.url()).pathname.startsWith("/customer/") &&
  (response.headers()["content-type"] ?? "").includes("json");

export function listenTo(page: Page): Ear {
  let answers: Promise<{ path: string; text: string }>[] = [];
  page.on("response", (response) => {
    if (!isCall(response)) return;
    const path = new URL(response.url()).pathname;
    // A page that is left takes its answers along.
    const text = response.text().catch(() => "");
    answers.push(text.then((said) => ({ path, text: said })));
  });
  return {
    async whoSaid(words) {
      const heard = await Promise.all(answers);
      answers = [];
      return heard
        .filter(({ text }) => words.some((word) => text.includes(word)))
        .map(({ path }) => path);
    },
  };
}
