import { alarmEventSummary } from "@weft/contract/domains/notifications/alarm-event.ts";
import type { AlarmLevel } from "@weft/contract/domains/notifications/enums.ts";
import { useMemo } from "react";
import { paths } from "#client/paths.ts";
import { useSession } from "#client/session.tsx";
import { useCall } from "#client/use-call.ts";
import { useRendered } from "#client/use-rendered.ts";
import type { MenuCounts } from "./menu-items.tsx";
import { nodeAt } from "./menu-tree.ts";

export interface AlarmCounts {
  /** Active alarms that no one has acknowledged. */
  readonly waiting: number;
  /** Of those by severity, the most severe first; severities without any are left out. */
  readonly levels: readonly { readonly level: AlarmLevel; readonly waiting: number }[];
}

/** What waits in the list of alarms; null: not known, or the menus of this user have no such list. */
export function useAlarmCounts(): AlarmCounts | null {
  const { menus } = useSession();
  const isOffered = nodeAt(menus, paths.alarms()) !== null;
  const isDue = useRendered() && isOffered;
  const { data } = useCall(alarmEventSummary, isDue ? {} : null);
  return useMemo(() => {
    if (!data) return null;
    const levels = data.filter(({ waiting }) => waiting > 0);
    return { waiting: levels.reduce((sum, { waiting }) => sum + waiting, 0), levels };
  }, [data]);
}

/** Counts beside entries of the menu, by path. */
export function useMenuCounts(): MenuCounts {
  const waiting = useAlarmCounts()?.waiting ?? 0;
  return useMemo(() => new Map([[paths.alarms(), waiting]]), [waiting]);
}
