/**
 * The stream of events, one for all tabs of a user. Over HTTP/1.1 a browser opens six connections to a host for all of its
 * tabs, and a stream keeps one for good: with a stream in each, the seventh tab got no answer to anything.
 */
import {
  type LiveEvent,
  liveEvent,
  liveEventName,
  livePath,
  liveReset,
  liveTicket,
} from "@weft/contract/domains/monitoring/live.ts";
import { addressOf, call } from "#client/call.ts";
import { openTabChannel } from "#client/tab-channel.ts";

/** Ms until a lost stream is tried again; twice as long after each failure. */
const firstWait = 1_000;
const maxWait = 60_000;

interface Subscriber {
  /** @param id of the event in the stream */
  changed(event: LiveEvent, id: string): void;
  /** Something may have been missed. */
  missed(): void;
  /** Whether events come. */
  live(isLive: boolean): void;
}

/** What was received before, here or by the tab that had the stream. */
interface Received {
  /** Id of the last event; "": there was none. */
  readonly last: string;
  /** False: whatever is on screen is newer than the stream. */
  readonly hasStarted: boolean;
}

/** Keeps one stream open until it is ended; each connection gets a ticket of its own. */
function keepStream(subscriber: Subscriber, received: Received): () => void {
  let { last, hasStarted } = received;
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wait = firstWait;
  let isOver = false;
  const again = (): void => {
    source?.close();
    source = null;
    if (isOver) return;
    subscriber.live(false);
    timer = setTimeout(() => void open(), wait);
    wait = Math.min(2 * wait, maxWait);
  };
  const open = async (): Promise<void> => {
    try {
      const { ticket } = (await call(liveTicket, {})).data;
      if (isOver) return;
      const after = last === "" ? {} : { after: last };
      source = new EventSource(addressOf(livePath, { ticket, ...after }));
    } catch {
      return again();
    }
    source.onopen = () => {
      wait = firstWait;
      subscriber.live(true);
      // Without an event before it, it is not known what came meanwhile.
      if (hasStarted && last === "") subscriber.missed();
      hasStarted = true;
    };
    // The browser would try the used ticket again.
    source.onerror = again;
    source.addEventListener(liveReset, () => subscriber.missed());
    source.addEventListener(liveEventName, ({ data, lastEventId }: MessageEvent<string>) => {
      last = lastEventId;
      const read = liveEvent.safeParse(JSON.parse(data));
      if (read.success) subscriber.changed(read.data, last);
    });
  };
  void open();
  return () => {
    isOver = true;
    clearTimeout(timer);
    source?.close();
  };
}

/** How the tab that has the stream is doing. */
interface LeaderState {
  readonly kind: "state";
  readonly isLive: boolean;
  /** Timers of hidden tabs run once a minute: such a one is late to try again. */
  readonly isHidden: boolean;
  /** Id of the last event; "": there was none. */
  readonly last: string;
}

/** Messages between the tabs of a user. */
type TabMessage =
  | LeaderState
  /** From a tab that does not know the state yet. */
  | { readonly kind: "joined" }
  | { readonly kind: "event"; readonly event: LiveEvent; readonly last: string }
  | { readonly kind: "missed" };

/** Whether a lock was stolen, or is no longer waited for: else the browser gives none at all. */
const isAborted = (error: unknown): boolean =>
  error instanceof DOMException && error.name === "AbortError";

/**
 * Subscribes this tab to the stream of its user. The tab that has the lock (Web Locks API) has the stream and passes on
 * what comes; once it is closed or discarded, the one that has waited longest takes over. Where a browser has no locks,
 * which is outside of secure contexts, or gives none, as where it forbids storage, each tab has a stream of its own.
 * @returns ends it
 */
export function shareStream(userId: number, subscriber: Subscriber): () => void {
  const name = `weft_live_${userId}`;
  const channel = openTabChannel(name);
  const post = (message: TabMessage): void => channel?.postMessage(message);
  let isOver = false;
  /** Of the lock that this tab waits for. */
  let waiting = new AbortController();
  /** Another tab's lock is being taken: a second one taken would be this tab's own. */
  let isTaking = false;
  /** Ends the stream and releases the lock; null: another tab has it. */
  let stopLeading: (() => void) | null = null;
  let state: LeaderState | null = null;

  const postState = (isLive: boolean): void => {
    state = { kind: "state", isLive, isHidden: document.hidden, last: state?.last ?? "" };
    post(state);
  };
  const ofStream: Subscriber = {
    changed(event, last) {
      state = { kind: "state", isLive: true, isHidden: document.hidden, last };
      post({ kind: "event", event, last });
      subscriber.changed(event, last);
    },
    missed() {
      post({ kind: "missed" });
      subscriber.missed();
    },
    live(isLive) {
      postState(isLive);
      subscriber.live(isLive);
    },
  };
  const lead = (): Promise<void> =>
    new Promise((release) => {
      isTaking = false;
      if (isOver) return release();
      const endStream = keepStream(ofStream, {
        last: state?.last ?? "",
        hasStarted: state !== null,
      });
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
    if (!isAborted(error)) return void lead();
    waitForLock();
    // What the other one said before this tab knew of it was ignored.
    post({ kind: "joined" });
  };
  /** A visible tab does not wait for a hidden one to try again. */
  const takeOverIfLate = (): void => {
    const isLate = state !== null && !state.isLive && state.isHidden && !document.hidden;
    if (!isLate || isTaking || stopLeading !== null) return;
    isTaking = true;
    waiting.abort();
    navigator.locks.request(name, { steal: true }, lead).catch(onLost);
  };
  const onVisibility = (): void => {
    if (stopLeading !== null) postState(state?.isLive ?? false);
    else takeOverIfLate();
  };
  const onMessage = ({ data }: MessageEvent<TabMessage>): void => {
    if (stopLeading !== null) {
      if (data.kind === "joined") postState(state?.isLive ?? false);
      return;
    }
    if (data.kind === "event") {
      state = { kind: "state", isLive: true, isHidden: state?.isHidden ?? false, last: data.last };
      subscriber.changed(data.event, data.last);
    } else if (data.kind === "missed") {
      subscriber.missed();
    } else if (data.kind === "state") {
      // It was told of an event that this tab was not.
      if (state !== null && state.last !== data.last) subscriber.missed();
      state = data;
      subscriber.live(data.isLive);
      takeOverIfLate();
    }
  };
  if (channel !== null) channel.onmessage = onMessage;
  document.addEventListener("visibilitychange", onVisibility);
  if (channel !== null && "locks" in navigator) waitForLock();
  else void lead();
  post({ kind: "joined" });
  return () => {
    isOver = true;
    document.removeEventListener("visibilitychange", onVisibility);
    waiting.abort();
    stopLeading?.();
    channel?.close();
    subscriber.live(false);
  };
}
