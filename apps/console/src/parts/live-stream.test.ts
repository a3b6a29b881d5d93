/** Tabs with the locks and channels of Node.js, which are those of browsers. */
import { livePath } from "@weft/contract/domains/monitoring/live.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { shareStream } from "./live-stream.ts";

const userId = 7;
const name = `weft_live_${userId}`;
const poll = { timeout: 30_000, interval: 10 };
const { locks } = navigator;
const heldLocks = async () => (await locks.query()).held;
/** As a browser's, which are in another process: what is asked for is given after messages that came meanwhile. */
const farLocks = {
  request: async (...given: Parameters<LockManager["request"]>) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return locks.request(...given);
  },
};

/** Of the browser: it records what is opened, and says what the test says. */
class Stream extends EventTarget {
  readonly url: string;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  isClosed = false;
  constructor(url: string) {
    super();
    this.url = url;
    streams.push(this);
  }
  close(): void {
    this.isClosed = true;
  }
}

const streams: Stream[] = [];
const openStreams = () => streams.filter(({ isClosed }) => !isClosed);
const ends: (() => void)[] = [];

/** A tab, and what it was told. */
const openTab = () => {
  const told: string[] = [];
  const end = shareStream(userId, {
    changed: (_, id) => void told.push(`event ${id}`),
    missed: () => void told.push("missed"),
    live: (isLive) => void told.push(isLive ? "live" : "not live"),
  });
  ends.push(end);
  return { told, end };
};

/** Another tab that has the lock, of which the test says what it sends. */
const leader = async () => {
  const channel = new BroadcastChannel(name);
  const { promise, resolve } = Promise.withResolvers<void>();
  const granted = Promise.withResolvers<void>();
  const lost = navigator.locks
    .request(name, () => {
      granted.resolve();
      return promise;
    })
    .catch(() => undefined);
  await granted.promise;
  ends.push(() => {
    resolve();
    channel.close();
  });
  const say = (isLive: boolean, isHidden: boolean, last = "") =>
    channel.postMessage({ kind: "state", isLive, isHidden, last });
  return { say, lost };
};

beforeEach(() => {
  streams.length = 0;
  vi.stubGlobal("EventSource", Stream);
  vi.stubGlobal("document", Object.assign(new EventTarget(), { hidden: false, cookie: "" }));
  vi.stubGlobal("fetch", async () =>
    Response.json({ code: 0, msg: "", data: { ticket: "a-ticket" } }),
  );
});
afterEach(async () => {
  for (const end of ends.splice(0)) end();
  await expect.poll(heldLocks, poll).toEqual([]);
  vi.unstubAllGlobals();
});

test("a tab that is told several times that the stream is late takes it once", async () => {
  const other = await leader();
  vi.stubGlobal("navigator", { locks: farLocks });
  const { end } = openTab();
  for (let times = 0; times < 8; times += 1) other.say(false, true);
  await other.lost;
  await expect.poll(() => openStreams().length, poll).toBe(1);
  // Whatever else was asked for was given before this one is.
  await farLocks.request("another", {}, () => undefined);
  await expect.poll(heldLocks, poll).toHaveLength(1);
  expect(streams).toHaveLength(1);
  end();
  expect(openStreams()).toEqual([]);
});

for (const [what, given] of [
  ["gives no locks", { locks: { request: () => Promise.reject(refusal()) } }],
  ["has no locks", {}],
] as const)
  test(`where a browser ${what}, each tab has a stream of its own`, async () => {
    vi.stubGlobal("navigator", given);
    const tabs = [openTab(), openTab()];
    await expect.poll(() => streams.length, poll).toBe(2);
    expect(streams.map(({ url }) => new URL(url, "http://h").pathname)).toEqual([
      livePath,
      livePath,
    ]);
    streams[0]?.onopen?.();
    streams[1]?.onopen?.();
    expect(tabs.map(({ told }) => told)).toEqual([["live"], ["live"]]);
    for (const { end } of tabs) end();
    expect(openStreams()).toEqual([]);
  });

test("where a browser forbids what tabs share, each tab has a stream of its own", async () => {
  vi.stubGlobal(
    "BroadcastChannel",
    class {
      constructor() {
        throw refusal();
      }
    },
  );
  openTab();
  openTab();
  await expect.poll(() => streams.length, poll).toBe(2);
});

test("a tab that was not told of an event reads again what it may have missed", async () => {
  const other = await leader();
  const { told } = openTab();
  other.say(true, false, "5");
  other.say(true, false, "5");
  await expect.poll(() => told, poll).toEqual(["live", "live"]);
  other.say(true, false, "6");
  await expect.poll(() => told, poll).toEqual(["live", "live", "missed", "live"]);
});

test("a tab that loses the stream asks what it has not heard so far", async () => {
  const heard: unknown[] = [];
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }) => void heard.push(data.kind);
  ends.push(() => channel.close());
  openTab();
  await expect.poll(() => streams.length, poll).toBe(1);
  await expect.poll(() => heard, poll).toEqual(["joined"]);
  const { promise, resolve } = Promise.withResolvers<void>();
  ends.push(resolve);
  void navigator.locks.request(name, { steal: true }, () => promise);
  await expect.poll(() => heard, poll).toEqual(["joined", "joined"]);
  expect(openStreams()).toEqual([]);
});

function refusal(): DOMException {
  return new DOMException("Access to the Locks API is denied in this context.", "SecurityError");
}
