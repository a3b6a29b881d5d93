/** What a page says while it opens that it should not: in the console, and on the wire. */
import type { Page, Request, Response } from "playwright-core";

export interface PageFaults {
  /** What was received since the last time it was asked. */
  take(): Promise<string[]>;
}

/** The stream of the live bus has no end: leaving a page breaks it off. */
const isStream = (url: string): boolean => url.includes("/live/events");

const pathOf = (url: string): string => new URL(url).pathname;

/** Why an answer is a fault; null: it is none. Files and calls have different ways to fail. */
async function faultOf(response: Response): Promise<string | null> {
  const url = response.url();
  if (isStream(url) || url.startsWith("data:")) return null;
  if (response.status() >= 400) return `${response.status()} for ${pathOf(url)}`;
  const type = response.headers()["content-type"] ?? "";
  const isCall = ["fetch", "xhr"].includes(response.request().resourceType());
  if (!isCall || !type.includes("json") || pathOf(url) === "/config.json") return null;
  // A page that is left takes its answers along.
  const body = (await response.json().catch(() => null)) as { code?: unknown; msg?: string } | null;
  const isFine = body === null || ["0", "200"].includes(String(body.code));
  return isFine ? null : `code ${body.code} for ${pathOf(url)}: ${body.msg}`;
}

/** Why a request came to nothing; null: the page was left meanwhile. */
function failureOf(request: Request): string | null {
  const reason = request.failure()?.errorText ?? "";
  return reason.includes("ERR_ABORTED") || isStream(request.url())
    ? null
    : `${reason} for ${pathOf(request.url())}`;
}

/** Listens to a page from now on. */
export function listen(page: Page): PageFaults {
  const faults: Promise<string | null>[] = [];
  const add = (fault: string | null | Promise<string | null>): void => {
    faults.push(Promise.resolve(fault));
  };
  page.on("pageerror", (error) => add(`page error: ${error.message}`));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()))
      add(`console ${message.type()}: ${message.text()}`);
  });
  page.on("requestfailed", (request) => add(failureOf(request)));
  page.on("response", (response) => add(faultOf(response)));
  return {
    async take() {
      const found = await Promise.all(faults.splice(0));
      return [...new Set(found.filter((fault) => fault !== null))];
    },
  };
}
