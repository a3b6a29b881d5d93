/** Faults of a page while it opens: messages on the browser's console, and failed requests. */
import type { Page, Request, Response } from "playwright-core";

export interface PageFaults {
  /** Faults since the last call. */
  take(): Promise<string[]>;
}

/** The event stream of live updates never ends: leaving the page aborts it. */
const isStream = (url: string): boolean => url.includes("/live/events");

const pathOf = (url: string): string => new URL(url).pathname;

/** Why a response is a fault; null: it is not. Files and calls fail in different ways. */
async function faultOf(response: Response): Promise<string | null> {
  const url = response.url();
  if (isStream(url) || url.startsWith("data:")) return null;
  if (response.status() >= 400) return `${response.status()} for ${pathOf(url)}`;
  const type = response.headers()["content-type"] ?? "";
  const isCall = ["fetch", "xhr"].includes(response.request().resourceType());
  if (!isCall || !type.includes("json") || pathOf(url) === "/config.json") return null;
  // Leaving a page aborts its responses.
  const body = (await response.json().catch(() => null)) as { code?: unknown; msg?: string } | null;
  const isFine = body === null || ["0", "200"].includes(String(body.code));
  return isFine ? null : `code ${body.code} for ${pathOf(url)}: ${body.msg}`;
}

/** Why a request failed; null: the page was left in the meantime. */
function failureOf(request: Request): string | null {
  const reason = request.failure()?.errorText ?? "";
  return reason.includes("ERR_ABORTED") || isStream(request.url())
    ? null
    : `${reason} for ${pathOf(request.url())}`;
}

/** Monitors a page from now on. */
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
