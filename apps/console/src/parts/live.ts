import {
  type LiveEvent,
  liveEvent,
  liveEventName,
  livePath,
  liveReset,
  liveTicket,
} from "@weft/contract/domains/monitoring/live.ts";
import { useEffect, useState, useSyncExternalStore } from "react";
import { addressOf, call } from "#client/call.ts";
import { isLivePaused } from "#client/use-auto-refresh.ts";
import { useRendered } from "#client/use-rendered.ts";
import { useInvalidate } from "#feedback/use-action.ts";

/** What of the screen each kind of event concerns: resources by the names of their calls. */
export const concerned: Readonly<Record<LiveEvent["kind"], readonly string[]>> = {
  link: ["link", "netSpace", "nodeState"],
  line: ["line", "nodeState", "cpe", "pop"],
  node: ["cpe", "pop", "nodeState", "link"],
  state: ["nodeState", "task", "cpe", "pop"],
  alarm: ["alarmEvent", "alarmStrategy"],
  repair: ["nodeState"],
  health: ["cpe", "pop", "nodeHealth", "nodeState"],
};

/** Minimum ms between two refreshes of the same resource: a whole fleet may change state at the same time. */
const minSpacingMs = 1_000;
/** Ms until a lost stream is tried again; twice as long after each failure. */
const firstWait = 1_000;
const maxWait = 60_000;

/**
 * Refreshes each resource immediately, and then no more often than the spacing: what comes in between is
 * gathered. One that changes often does not keep the others waiting.
 * @param refresh is called with resources
 */
export function gather(
  refresh: (...resources: readonly string[]) => void,
  spacing: number = minSpacingMs,
): { add(resources: readonly string[]): void; end(): void } {
  /** Resource -> until when it is not refreshed; true: again then. */
  const resting = new Map<string, { timer: ReturnType<typeof setTimeout>; isDue: boolean }>();
  const fire = (resources: readonly string[]): void => {
    for (const resource of resources) {
      const timer = setTimeout(() => {
        const isDue = resting.get(resource)?.isDue ?? false;
        resting.delete(resource);
        if (isDue) fire([resource]);
      }, spacing);
      resting.set(resource, { timer, isDue: false });
    }
    refresh(...resources);
  };
  return {
    add(resources) {
      const idle = resources.filter((resource) => !resting.has(resource));
      for (const resource of resources) {
        const rest = resting.get(resource);
        if (rest) rest.isDue = true;
      }
      if (idle.length > 0) fire(idle);
    },
    end() {
      for (const { timer } of resting.values()) clearTimeout(timer);
    },
  };
}

let isLive = false;
const watchers = new Set<() => void>();
const setLive = (now: boolean): void => {
  if (isLive === now) return;
  isLive = now;
  for (const notify of watchers) notify();
};
const watch = (notify: () => void): (() => void) => {
  watchers.add(notify);
  return () => watchers.delete(notify);
};

/** Whether events come; false: screens ask every so often, as they do beside the events anyway. */
const useIsLive = (): boolean => useSyncExternalStore(watch, () => isLive);

interface Subscriber {
  changed(event: LiveEvent): void;
  /** Something may have been missed. */
  missed(): void;
}

/** Keeps one stream open until it is ended; each gets a ticket of its own. */
function keepStream(subscriber: Subscriber): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wait = firstWait;
  let last = "";
  let isOver = false;
  let hasStarted = false;
  const again = (): void => {
    source?.close();
    source = null;
    setLive(false);
    if (isOver) return;
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
      setLive(true);
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
      if (read.success) subscriber.changed(read.data);
    });
  };
  void open();
  return () => {
    isOver = true;
    clearTimeout(timer);
    source?.close();
    setLive(false);
  };
}

/** One stream per tab, while a user is logged in: what changed is refetched immediately. */
export function useLiveEvents(): void {
  const invalidate = useInvalidate();
  const isDue = useRendered();
  useEffect(() => {
    if (!isDue) return;
    const refreshes = gather((...resources) => {
      if (!isLivePaused()) invalidate(...resources);
    });
    const end = keepStream({
      changed: ({ kind }) => refreshes.add(concerned[kind]),
      missed: () => refreshes.add([...new Set(Object.values(concerned).flat())]),
    });
    return () => {
      refreshes.end();
      end();
    };
  }, [invalidate, isDue]);
}

/** Ms that a stream may be away before it is shown: a reload of the controller takes less. */
const graceMs = 5_000;

/** True once events have been missing for a while. */
export function useIsStale(): boolean {
  const live = useIsLive();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (live) return setLate(false);
    const timer = setTimeout(() => setLate(true), graceMs);
    return () => clearTimeout(timer);
  }, [live]);
  return isLate;
}
