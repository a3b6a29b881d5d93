/**
 * The stream of events, one for all tabs of a user. Over HTTP/1.1 a browser opens six connections to a host for all of its
 * tabs, and a stream keeps one for good: with a stream in each, the seventh tab got no answer to anything.
 */
import { type LiveEvent, liveEvent, liveTicket } from "@weft/contract/domains/monitoring/live.ts";
import { livePath } from "@weft/contract/domains/monitoring/live-stream.ts";
import { addressOf, call } from "#client/call.ts";
import { openTabChannel } from "#client/tab-channel.ts";
import { keepStream, type Received, type StreamListener } from "./live-source.ts";
import type { FromWorker, ToWorker } from "./live-worker-stream.ts";

interface Subscriber {
  changed(event: LiveEvent): void;
  /** Something may have been missed. */
  missed(): void;
  /** Whether events come. */
  live(isLive: boolean): void;
}

/** An address with a ticket of its own, of a stream that begins behind an event; "": with the next one. */
const addressAfter = async (last: string): Promise<string> => {
  const { ticket } = (await call(liveTicket, {})).data;
  return addressOf(livePath, { ticket, ...(last !== "" && { after: last }) });
};

/** How the tabs of a user share a stream. @returns ends it in this tab */
type Share = (name: string, listener: StreamListener) => () => void;

/** How the tab that has the stream is doing. */
interface LeaderState {
  readonly kind: "state";
  readonly isLive: boolean;
  /** Timers of hidden tabs run once a minute: such a one is late to try again. */
  readonly isHidden: boolean;
  /** Id of the last event; "": there was none. */
  readonly last: string;
}

/** Messages between the tabs of a user: raised whenever they change, for tabs of two versions do not understand each other. */
const messagesVersion = 2;
type TabMessage =
  | LeaderState
  /** From a tab that does not know the state yet. */
  | { readonly kind: "joined" }
  | { readonly kind: "event"; readonly data: string; readonly last: string }
  | { readonly kind: "missed" };

/** Whether a lock was stolen, or is no longer waited for: else the browser gives none at all. */
const isAborted = (error: unknown): boolean =>
  error instanceof DOMException && error.name === "AbortError";

/** Ms that the tab which has the stream has to answer one that was just looked at. */
const answerMs = 10_000;

/**
 * By a lock (Web Locks API): the tab that has it has the stream and passes on what comes; once it is closed or discarded, the
 * one that has waited longest takes over. Chromium does not freeze a tab that holds a lock; one that is frozen all the same, as on
 * a phone, does not answer, and a visible one takes its lock.
 */
const shareByLock: Share = (name, listener) => {
  const channel = openTabChannel(name);
  if (channel === null) return streamWhileVisible(name, listener);
  const post = (message: TabMessage): void => channel.postMessage(message);
  /** Ends the stream of a tab that the browser gives no locks. */
  let endOwn: (() => void) | null = null;
  let isOver = false;
  /** Of the lock that this tab waits for. */
  let waiting = new AbortController();
  /** Another tab's lock is being taken: a second one taken would be this tab's own. */
  let isTaking = false;
  /** Ends the stream and releases the lock; null: another tab has it. */
  let stopLeading: (() => void) | null = null;
  let state: LeaderState | null = null;
  /** Until the tab that has the stream says something. */
  let silence: ReturnType<typeof setTimeout> | undefined;

  const postState = (isLive: boolean): void => {
    state = { kind: "state", isLive, isHidden: document.hidden, last: state?.last ?? "" };
    post(state);
  };
  const ofStream: StreamListener = {
    changed(data, last) {
      state = { kind: "state", isLive: true, isHidden: document.hidden, last };
      post({ kind: "event", data, last });
      listener.changed(data, last);
    },
    missed() {
      post({ kind: "missed" });
      listener.missed();
    },
    live(isLive) {
      postState(isLive);
      listener.live(isLive);
    },
  };
  const lead = (): Promise<void> =>
    new Promise((release) => {
      isTaking = false;
      if (isOver) return release();
      clearTimeout(silence);
      const received = { last: state?.last ?? "", hasStarted: state !== null };
      const endStream = keepStream(ofStream, received, addressAfter);
      stopLeading = () => {
        stopLeading = null;
        endStream();
        release();
      };
    });
  const waitForLock = (): void => {
    waiting = new AbortController();
    const { signal } = waiting;
    navigator.locks.request(name, { signal }, lead).catch((error: unknown) => {
      if (!signal.aborted) onLost(error);
    });
  };
  /** Another tab took the lock, or the browser gives none. */
  const onLost = (error: unknown): void => {
    isTaking = false;
    stopLeading?.();
    if (isOver) return;
    // Asked again, it would refuse again at once.
    if (!isAborted(error)) {
      endOwn = streamWhileVisible(name, listener);
      return;
    }
    waitForLock();
    // What the other one said before this tab knew of it was ignored.
    post({ kind: "joined" });
  };
  const takeOver = (): void => {
    if (isTaking || stopLeading !== null || endOwn !== null) return;
    isTaking = true;
    waiting.abort();
    navigator.locks.request(name, { steal: true }, lead).catch(onLost);
  };
  /** A visible tab does not wait for a hidden one to try again. */
  const takeOverIfLate = (): void => {
    if (state !== null && !state.isLive && state.isHidden && !document.hidden) takeOver();
  };
  const onVisibility = (): void => {
    clearTimeout(silence);
    if (stopLeading !== null) postState(state?.isLive ?? false);
    else if (!document.hidden) {
      takeOverIfLate();
      silence = setTimeout(takeOver, answerMs);
      post({ kind: "joined" });
    }
  };
  const onMessage = ({ data }: MessageEvent<TabMessage>): void => {
    if (stopLeading !== null) {
      if (data.kind === "joined") postState(state?.isLive ?? false);
      return;
    }
    if (data.kind === "joined") return;
    clearTimeout(silence);
    if (data.kind === "event") {
      state = { kind: "state", isLive: true, isHidden: state?.isHidden ?? false, last: data.last };
      listener.changed(data.data, data.last);
    } else if (data.kind === "missed") {
      listener.missed();
    } else if (data.kind === "state") {
      // It was told of an event that this tab was not.
      if (state !== null && state.last !== data.last) listener.missed();
      state = data;
      listener.live(data.isLive);
      takeOverIfLate();
    }
  };
  channel.onmessage = onMessage;
  document.addEventListener("visibilitychange", onVisibility);
  waitForLock();
  post({ kind: "joined" });
  return () => {
    isOver = true;
    clearTimeout(silence);
    document.removeEventListener("visibilitychange", onVisibility);
    waiting.abort();
    stopLeading?.();
    endOwn?.();
    channel.close();
  };
};

/**
 * By a shared worker that has the stream, which browsers have outside of secure contexts, too. Tabs get it the addresses. A worker
 * has the script of its tabs' version: after an upgrade there are two of a name, each with its stream.
 */
const shareByWorker: Share = (name, listener) => {
  /** Ends the stream of a tab whose worker does not start: its script may be that of a version that was replaced. */
  let endOwn: (() => void) | null = null;
  let isOver = false;
  const onRefused = (): void => {
    // Its script may be asked for until after the tab has left.
    if (!isOver) endOwn ??= streamWhileVisible(name, listener);
  };
  let worker: SharedWorker;
  try {
    worker = new SharedWorker(new URL("./live-worker.ts", import.meta.url), {
      type: "module",
      name,
    });
  } catch {
    return streamWhileVisible(name, listener);
  }
  const { port } = worker;
  const post = (message: ToWorker): void => port.postMessage(message);
  const sendAddress = async (last: string): Promise<void> => {
    const address = await addressAfter(last).catch(() => null);
    post({ kind: "address", address });
  };
  worker.onerror = onRefused;
  port.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    if (data.kind === "event") listener.changed(data.data, data.id);
    else if (data.kind === "missed") listener.missed();
    else if (data.kind === "state") listener.live(data.isLive);
    else if (data.kind === "wanted") post({ kind: "ready" });
    else void sendAddress(data.last);
  };
  post({ kind: "joined" });
  return () => {
    isOver = true;
    post({ kind: "left" });
    port.onmessage = null;
    endOwn?.();
  };
};

/**
 * Where tabs share nothing, as where a browser forbids storage: a stream of its own while the tab is visible, for a window has one
 * such tab, and six windows side by side are few.
 */
const streamWhileVisible: Share = (_, listener) => {
  let received: Received = { last: "", hasStarted: false };
  let endStream: (() => void) | null = null;
  const ofStream: StreamListener = {
    ...listener,
    changed(data, last) {
      received = { last, hasStarted: true };
      listener.changed(data, last);
    },
    live(isLive) {
      if (isLive) received = { ...received, hasStarted: true };
      listener.live(isLive);
    },
  };
  const follow = (): void => {
    if (!document.hidden) endStream ??= keepStream(ofStream, received, addressAfter);
    else {
      endStream?.();
      endStream = null;
    }
  };
  document.addEventListener("visibilitychange", follow);
  follow();
  return () => {
    document.removeEventListener("visibilitychange", follow);
    endStream?.();
  };
};

/** How tabs of this browser share a stream: locks are for secure contexts only, and an address of a LAN over http:// is none. */
const shareOfBrowser = (): Share => {
  if ("locks" in navigator) return shareByLock;
  return typeof SharedWorker === "undefined" ? streamWhileVisible : shareByWorker;
};

/**
 * Subscribes this tab to the stream of its user. Of a page that goes into the back/forward cache it is ended, and of one that comes
 * back it begins anew.
 * @returns ends it
 */
export function shareStream(userId: number, subscriber: Subscriber): () => void {
  const share = shareOfBrowser();
  const listener: StreamListener = {
    ...subscriber,
    changed(data) {
      // Also from a tab of another version.
      const read = liveEvent.safeParse(JSON.parse(data));
      if (read.success) subscriber.changed(read.data);
    },
  };
  const start = (): (() => void) => share(`weft_live_${messagesVersion}_${userId}`, listener);
  let endShare: (() => void) | null = start();
  const onHide = (): void => {
    endShare?.();
    endShare = null;
  };
  const onShow = (): void => {
    if (endShare !== null) return;
    endShare = start();
    subscriber.missed();
  };
  window.addEventListener("pagehide", onHide);
  window.addEventListener("pageshow", onShow);
  return () => {
    window.removeEventListener("pagehide", onHide);
    window.removeEventListener("pageshow", onShow);
    onHide();
    subscriber.live(false);
  };
}
