/** What a page asked for last, for the report of a failed test: an answer that never came is in no picture. */
import type { Page } from "playwright-core";

const most = 30;

interface RequestRecord {
  readonly what: string;
  readonly from: number;
  until?: number;
  answer?: string;
}

const askedBy = new WeakMap<Page, RequestRecord[]>();

/** Records from now on; requests for files of the console are left out. */
export function recordRequests(page: Page): void {
  const kept: RequestRecord[] = [];
  const open = new Map<object, RequestRecord>();
  askedBy.set(page, kept);
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith("/assets/")) return;
    const record: RequestRecord = {
      what: `${request.method()} ${pathname}${search}`,
      from: Date.now(),
    };
    open.set(request, record);
    kept.push(record);
    if (kept.length > most) kept.shift();
  });
  const ended = (request: object, answer: string): void => {
    const record = open.get(request);
    open.delete(request);
    if (record) Object.assign(record, { until: Date.now(), answer });
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
