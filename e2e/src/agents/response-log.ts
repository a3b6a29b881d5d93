/** What the calls of a page answer, kept as text: a row that is never rendered has leaked all the same. */
import type { Page, Response } from "playwright-core";

export interface ResponseLog {
  /** Path of each call since it was asked last whose answer contains one of these texts. */
  callsWith(texts: readonly string[]): Promise<string[]>;
}

const isCall = (response: Response): boolean =>
  new URL(response.url()).pathname.startsWith("/customer/") &&
  (response.headers()["content-type"] ?? "").includes("json");

export function listenTo(page: Page): ResponseLog {
  let answers: Promise<{ path: string; text: string }>[] = [];
  page.on("response", (response) => {
    if (!isCall(response)) return;
    const path = new URL(response.url()).pathname;
    // A page that is left takes its answers along.
    const text = response.text().catch(() => "");
    answers.push(text.then((body) => ({ path, text: body })));
  });
  return {
    async callsWith(texts) {
      const received = await Promise.all(answers);
      answers = [];
      return received
        .filter(({ text }) => texts.some((one) => text.includes(one)))
        .map(({ path }) => path);
    },
  };
}
