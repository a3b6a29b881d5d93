/** Tabs with the locks, channels and ports of Node.js, which are those of browsers. */
import {
  liveEventName,
  liveHeartbeat,
  livePath,
} from "@weft/contract/domains/monitoring/live-stream.ts";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { shareStream } from "./live-stream.ts";
import { shareOverPorts } from "./live-worker-stream.ts";

const userId = 7;
const name = `weft_live_2_${userId}`;
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
    changed: ({ nodeId }) => void told.push(`event of ${nodeId}`),
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
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("fetch", async () =>
    Response.json({ code: 0, msg: "", data: { ticket: "a-ticket" } }),
  );
});
afterEach(async () => {
  for (const end of ends.splice(0)) end();
  await expect.poll(heldLocks, poll).toEqual([]);
  vi.unstubAllGlobals();
});

test("a tab that is notified several times that the stream is late takes it over once", async () => {
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
  test(`where a browser ${what} and no workers, each tab has a stream of its own`, async () => {
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

/** The browser's document is shown or hidden, and says so. */
const show = (isShown: boolean): void => {
  Object.assign(document, { hidden: !isShown });
  document.dispatchEvent(new Event("visibilitychange"));
};

test("a tab with a stream of its own has it while it is visible, and goes on behind the last event", async () => {
  vi.stubGlobal("navigator", {});
  const { told } = openTab();
  await expect.poll(() => streams.length, poll).toBe(1);
  streams[0]?.onopen?.();
  streams[0]?.dispatchEvent(transition(3, "5"));
  show(false);
  expect(openStreams()).toEqual([]);
  show(true);
  await expect.poll(() => streams.length, poll).toBe(2);
  expect(afterOf(streams[1])).toBe("5");
  streams[1]?.onopen?.();
  expect(told).toEqual(["live", "event of 3", "live"]);
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

test("a stream whose heartbeats stop is opened again behind the last event", async () => {
  vi.stubGlobal("navigator", {});
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { told } = openTab();
  await expect.poll(() => streams.length, poll).toBe(1);
  const [stream] = streams;
  stream?.onopen?.();
  stream?.dispatchEvent(transition(3, "5"));
  for (let beats = 0; beats < 10; beats += 1) {
    stream?.dispatchEvent(new MessageEvent(liveHeartbeat, { data: "{}" }));
    vi.advanceTimersByTime(15_000);
  }
  expect(told).toEqual(["live", "event of 3"]);
  vi.advanceTimersByTime(60_000);
  expect(told).toEqual(["live", "event of 3", "not live"]);
  vi.advanceTimersByTime(1_000);
  vi.useRealTimers();
  await expect.poll(() => openStreams().length, poll).toBe(1);
  expect(afterOf(openStreams()[0])).toBe("5");
});

for (const [what, isOpened] of [
  ["opens and then says nothing", true],
  ["is not answered", false],
] as const)
  test(`a stream that ${what} is opened again`, async () => {
    vi.stubGlobal("navigator", {});
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    openTab();
    await expect.poll(() => streams.length, poll).toBe(1);
    if (isOpened) streams[0]?.onopen?.();
    vi.advanceTimersByTime(60_000);
    expect(openStreams()).toEqual([]);
    vi.advanceTimersByTime(1_000);
    vi.useRealTimers();
    await expect.poll(() => openStreams().length, poll).toBe(1);
  });

test("a tab that was not notified of an event reloads what it may have missed", async () => {
  const other = await leader();
  const { told } = openTab();
  other.say(true, false, "5");
  other.say(true, false, "5");
  await expect.poll(() => told, poll).toEqual(["live", "live"]);
  other.say(true, false, "6");
  await expect.poll(() => told, poll).toEqual(["live", "live", "missed", "live"]);
});

test("a tab that loses the stream requests the events that it has not received", async () => {
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

test("a visible tab takes the stream of one that does not answer", async () => {
  await leader();
  openTab();
  // It waits for the lock, and the other one never says anything, as one that is frozen.
  await expect.poll(async () => (await locks.query()).pending, poll).toHaveLength(1);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  show(true);
  vi.runOnlyPendingTimers();
  vi.useRealTimers();
  await expect.poll(() => openStreams().length, poll).toBe(1);
});

test("a page that comes back from the back/forward cache has its stream again, and reads what it missed", async () => {
  const { told } = openTab();
  await expect.poll(() => openStreams().length, poll).toBe(1);
  window.dispatchEvent(new Event("pagehide"));
  expect(openStreams()).toEqual([]);
  await expect.poll(heldLocks, poll).toEqual([]);
  window.dispatchEvent(new Event("pageshow"));
  await expect.poll(() => openStreams().length, poll).toBe(1);
  expect(told).toEqual(["missed"]);
});

describe("without locks, as outside of secure contexts, the tabs of a user share a worker", () => {
  /** One for each name, which the tabs have one after the other. */
  let workers: Map<string, ReturnType<typeof shareOverPorts>>;
  /** Of the tabs, in the order of their opening. */
  let tabPorts: MessagePort[];
  beforeEach(() => {
    workers = new Map();
    tabPorts = [];
    vi.stubGlobal("navigator", {});
    vi.stubGlobal(
      "SharedWorker",
      class extends EventTarget {
        readonly port: MessagePort;
        constructor(_: URL, { name: workerName }: { name: string }) {
          super();
          const connect = workers.get(workerName) ?? shareOverPorts();
          workers.set(workerName, connect);
          const { port1, port2 } = new MessageChannel();
          connect(port1 as unknown as MessagePort);
          this.port = port2 as unknown as MessagePort;
          tabPorts.push(this.port);
        }
      },
    );
  });
  const told = (tabs: readonly ReturnType<typeof openTab>[]) => tabs.map((tab) => tab.told);

  test("that has one stream, and passes on what comes", async () => {
    const tabs = [openTab(), openTab(), openTab()];
    await expect.poll(() => streams.length, poll).toBe(1);
    streams[0]?.onopen?.();
    streams[0]?.dispatchEvent(transition(3, "5"));
    for (const tab of tabs) await expect.poll(() => tab.told.at(-1), poll).toBe("event of 3");
    expect(streams).toHaveLength(1);
  });

  test("that goes on behind the last event with an address of a tab that answers", async () => {
    const tabs = [openTab(), openTab()];
    await expect.poll(() => streams.length, poll).toBe(1);
    streams[0]?.onopen?.();
    streams[0]?.dispatchEvent(transition(3, "5"));
    for (const tab of tabs) await expect.poll(() => tab.told.at(-1), poll).toBe("event of 3");
    // The first one is frozen: it hears nothing, and says nothing.
    const [frozen] = tabPorts;
    if (frozen) frozen.onmessage = null;
    streams[0]?.onerror?.();
    await expect.poll(() => tabs[1]?.told.at(-1), poll).toBe("not live");
    await expect.poll(() => streams.length, poll).toBe(2);
    expect(afterOf(streams[1])).toBe("5");
    streams[1]?.onopen?.();
    await expect.poll(() => tabs[1]?.told.at(-1), poll).toBe("live");
    expect(tabs[0]?.told.at(-1)).toBe("event of 3");
  });

  test("that is done with the last one, and begins again with the next", async () => {
    const tabs = [openTab(), openTab()];
    await expect.poll(() => streams.length, poll).toBe(1);
    streams[0]?.onopen?.();
    for (const tab of tabs) await expect.poll(() => tab.told.at(-1), poll).toBe("live");
    // It logs out, or is closed.
    tabs[0]?.end();
    const next = openTab();
    await expect.poll(() => next.told.at(-1), poll).toBe("live");
    expect(openStreams()).toHaveLength(1);
    tabs[1]?.end();
    next.end();
    await expect.poll(openStreams, poll).toEqual([]);
    openTab();
    await expect.poll(() => openStreams().length, poll).toBe(1);
    expect(streams).toHaveLength(2);
    expect(told(tabs).map((texts) => texts.at(-1))).toEqual(["not live", "not live"]);
  });

  test("whose script is gone, as after an upgrade, and have streams of their own then", async () => {
    const refused: Promise<void>[] = [];
    vi.stubGlobal(
      "SharedWorker",
      class {
        onerror: (() => void) | null = null;
        readonly port = { postMessage: () => undefined };
        constructor() {
          refused.push(Promise.resolve().then(() => this.onerror?.()));
        }
      },
    );
    const { end } = openTab();
    await expect.poll(() => openStreams().length, poll).toBe(1);
    end();
    expect(openStreams()).toEqual([]);
    // Of a user who logged out before the browser found it gone nothing is asked for.
    const asked = vi.fn(fetch);
    vi.stubGlobal("fetch", asked);
    openTab().end();
    await refused.at(-1);
    expect(refused).toHaveLength(2);
    expect(asked).not.toHaveBeenCalled();
  });
});

function transition(nodeId: number, lastEventId: string): MessageEvent<string> {
  const event = { kind: "node", nodeId, linkId: null, name: null, up: true, at: 0 };
  return new MessageEvent(liveEventName, { data: JSON.stringify(event), lastEventId });
}

function afterOf(stream: Stream | undefined): string | null {
  return new URL(stream?.url ?? "", "http://h").searchParams.get("after");
}

function refusal(): DOMException {
  return new DOMException("Access to the Locks API is denied in this context.", "SecurityError");
}
