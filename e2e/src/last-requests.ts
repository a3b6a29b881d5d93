/** What a page asked for last, for the report of a failed test: an answer that never came is in no picture. */
import type { Page } from "playwright-core";

const most = 30;

interface Asked {
  readonly what: string;
  readonly from: number;
  until?: number;
  answer?: string;
}

const askedBy = new WeakMap<Page, Asked[]>();

/** Records from now on; requests for files of the console are left out. */
export function recordRequests(page: Page): void {
  const kept: Asked[] = [];
  const open = new Map<object, Asked>();
  askedBy.set(page, kept);
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith("/assets/")) return;
    const asked: Asked = { what: `${request.method()} ${pathname}${search}`, from: Date.now() };
    open.set(request, asked);
    kept.push(asked);
    if (kept.length > most) kept.shift();
  });
  const ended = (request: object, answer: string): void => {
    const asked = open.get(request);
    open.delete(request);
    if (asked) Object.assign(asked, { until: Date.now(), answer });
  };
  page.on("requestfinished", (request) =>
    ended(request, String(request.existingResponse()?.status())),
  );
  page.on("requestfailed", (request) => ended(request, request.failure()?.errorText ?? "failed"));
}

/** Lines, the oldest first. */
export const lastRequestsOf = (page: Page): string[] =>
  (askedBy.get(page) ?? []).map(({ what, from, until, answer }) => {
    const took = until === undefined ? "no answer yet" : `${answer} after ${until - from} ms`;
    return `${new Date(from).toISOString()} ${what}: ${took}`;
  });
