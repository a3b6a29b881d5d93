/**
 * Groups active alarms by cause. Pure: alarms become facts, and the rules of the overview find the causes
 * (domains/monitoring/root-causes). What they leave over is one group for each node.
 */

import { createHash } from "node:crypto";
import type { AlarmMetric } from "@weft/contract/domains/devices/enums.ts";
import type { HealthState } from "@weft/contract/domains/devices/health.ts";
import type { AlarmLevel } from "@weft/contract/domains/notifications/enums.ts";
import type { RootCause } from "@weft/contract/domains/notifications/root-cause.ts";
import {
  type Facts,
  type Found,
  findCauses,
  type Path,
  type Trouble,
} from "#domains/notifications/root-causes/public.ts";

/** A way that an alarm is about: a line of a site, or a link of it to a POP (null: to another site). */
export interface Way {
  readonly siteId: number;
  readonly isp: string;
  /** Absent: all links over the line. */
  readonly popId?: number | null;
}

/** An active alarm. A link is attributed to the site at one end, whichever end probes it. */
export interface ActiveAlarm {
  readonly id: number;
  readonly level: AlarmLevel;
  readonly metric: AlarmMetric;
  readonly nodeId: number;
  readonly nodeKind: "cpe" | "pop";
  readonly nodeName: string;
  readonly enterpriseId: number;
  readonly enterpriseName: string;
  readonly openedAt: Date;
  readonly ways: readonly Way[];
}

/** Alarms with one cause, the most urgent first. */
export interface AlarmGroup<Alarm extends ActiveAlarm = ActiveAlarm> {
  readonly id: string;
  readonly cause: RootCause;
  readonly level: AlarmLevel;
  readonly alarms: readonly Alarm[];
  /** One of the `places` of an event (functions/10-notifications/inbox.sql): what has it too joins the group. */
  readonly snoozeKey: string;
}

/** Meaning of an alarm for the health of its node; null: none. */
const stateOf: Readonly<Record<AlarmMetric, HealthState | null>> = {
  node: "offline",
  config: "blocked",
  finding: "findings",
  deny: "findings",
  rollout: null,
  repair: null,
  line: "degraded",
  link: "degraded",
  delay: "poor",
  jitter: "poor",
  loss: "poor",
  bandwidth: null,
  cpu: null,
  mem: null,
};

const byUrgency = (a: ActiveAlarm, b: ActiveAlarm): number =>
  a.level - b.level || Number(b.openedAt) - Number(a.openedAt) || b.id - a.id;

const rankOf = ({ metric }: ActiveAlarm): number => {
  // A site before its lines, a line before its links, all of them before what is only slow.
  const order: readonly AlarmMetric[] = ["node", "line", "link", "config", "deny", "finding"];
  const place = order.indexOf(metric);
  return place === -1 ? order.length : place;
};

/** One trouble for each node: that of its first alarm, a site before line before link. */
function troublesOf(alarms: readonly ActiveAlarm[]): Trouble[] {
  return [...Map.groupBy(alarms, ({ nodeId }) => nodeId).values()].flatMap((ofNode) => {
    const [first] = ofNode
      .filter(({ metric }) => stateOf[metric] !== null)
      .toSorted((a, b) => rankOf(a) - rankOf(b));
    const state = first && stateOf[first.metric];
    if (!first || !state) return [];
    const { nodeId: id, nodeKind: kind, nodeName: name, enterpriseId, enterpriseName } = first;
    return [
      { id, kind, name, enterpriseId, enterpriseName, state, detail: {}, since: first.openedAt },
    ];
  });
}

const isOn = (path: Path, { siteId, isp, popId }: Way): boolean =>
  path.siteId === siteId && path.isp === isp && (popId === undefined || path.popId === popId);

/** Which cause each alarm has. */
class Causes {
  readonly #ofNode = new Map<number, Found>();
  readonly #ofSite = new Map<number, { readonly path: Path; readonly found: Found }[]>();

  constructor(observed: readonly Found[]) {
    for (const cause of observed) {
      for (const { id } of cause.nodes) if (!this.#ofNode.has(id)) this.#ofNode.set(id, cause);
      for (const path of cause.paths) {
        const known = this.#ofSite.get(path.siteId) ?? [];
        this.#ofSite.set(path.siteId, [...known, { path, found: cause }]);
      }
    }
  }

  of({ nodeId, metric, ways }: ActiveAlarm): Found | null {
    // Either end of a link may have the cause.
    for (const way of ways) {
      const over = this.#ofSite.get(way.siteId)?.find(({ path }) => isOn(path, way));
      if (over) return over.found;
    }
    const named = this.#ofNode.get(nodeId);
    if (named) return named;
    return metric === "node" ? (this.#ofSite.get(nodeId)?.[0]?.found ?? null) : null;
  }
}

const snoozeKeyOf = ({ kind, popId, isp, named }: RootCause, [first]: readonly ActiveAlarm[]) => {
  if (kind === "pop") return `n:${popId}`;
  if (kind === "carrier") return `c:${isp}`;
  if (kind === "node") return `n:${named[0]?.id}`;
  return `m:${first?.metric}`;
};

const idOf = ({ kind, popId, isp, state, named }: RootCause): string => {
  const what = kind === "node" ? [kind, named[0]?.id] : [kind, popId, isp, state, named[0]?.kind];
  return createHash("sha256").update(JSON.stringify(what)).digest("hex").slice(0, 16);
};

function groupOf<Alarm extends ActiveAlarm>(
  cause: RootCause,
  alarms: readonly Alarm[],
): AlarmGroup<Alarm> {
  const sorted = alarms.toSorted(byUrgency);
  const level = sorted[0]?.level ?? 4;
  const snoozeKey = snoozeKeyOf(cause, sorted);
  return { id: idOf(cause), cause, level, alarms: sorted, snoozeKey };
}

/** The cause of what the rules leave over, of one node. */
function ofNode(alarms: readonly ActiveAlarm[]): RootCause {
  const [first] = alarms.toSorted((a, b) => Number(a.openedAt) - Number(b.openedAt));
  const { nodeId = 0, nodeKind = "cpe", nodeName = "", enterpriseName = "" } = first ?? {};
  return {
    kind: "node",
    tone: "warn",
    state: null,
    detail: {},
    popId: null,
    popName: "",
    isp: "",
    sites: 1,
    enterprises: 1,
    links: 0,
    loss: null,
    since: first?.openedAt ?? null,
    named: [{ id: nodeId, kind: nodeKind, name: nodeName, enterpriseName }],
  };
}

/** The most severe first, then what concerns most nodes, then the newest. */
const byWeight = (a: AlarmGroup, b: AlarmGroup): number =>
  a.level - b.level ||
  b.cause.sites - a.cause.sites ||
  Number(b.cause.since ?? 0) - Number(a.cause.since ?? 0) ||
  a.id.localeCompare(b.id);

/** @param facts paths and extents as the alarms make them, and devices known from contact. */
export function groupAlarms<Alarm extends ActiveAlarm>(
  alarms: readonly Alarm[],
  facts: Omit<Facts, "troubles">,
): AlarmGroup<Alarm>[] {
  const observed = findCauses({ ...facts, troubles: troublesOf(alarms) });
  const causes = new Causes(observed);
  const byCause = Map.groupBy(alarms, (alarm) => causes.of(alarm));
  const left = byCause.get(null) ?? [];
  const ofRules = observed.flatMap((cause) => {
    const effects = byCause.get(cause) ?? [];
    return effects.length > 0 ? [groupOf(cause.cause, effects)] : [];
  });
  const ofNodes = [...Map.groupBy(left, ({ nodeId }) => nodeId).values()].map((alarms) =>
    groupOf(ofNode(alarms), alarms),
  );
  return [...ofRules, ...ofNodes].toSorted(byWeight);
}
