import type { LiveEvent } from "@weft/contract/domains/monitoring/live.ts";
import { useEffect, useState, useSyncExternalStore } from "react";
import { useSessionState } from "#client/session-state.ts";
import { isLivePaused } from "#client/use-auto-refresh.ts";
import { useRendered } from "#client/use-rendered.ts";
import { useInvalidate } from "#feedback/use-action.ts";
import { shareStream } from "./live-stream.ts";

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

/** While a user is logged in, what changed is refetched immediately. */
export function useLiveEvents(): void {
  const invalidate = useInvalidate();
  const isDue = useRendered();
  const userId = useSessionState()?.userId;
  useEffect(() => {
    if (!isDue || userId === undefined) return;
    const refreshes = gather((...resources) => {
      if (!isLivePaused()) invalidate(...resources);
    });
    const end = shareStream(userId, {
      changed: ({ kind }) => refreshes.add(concerned[kind]),
      missed: () => refreshes.add([...new Set(Object.values(concerned).flat())]),
      live: setLive,
    });
    return () => {
      refreshes.end();
      end();
    };
  }, [invalidate, isDue, userId]);
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
