/**
 * A believable past day of metrics, continued backwards from what the devices measure now: the hours
 * of the day, a little noise, an evening of loss on one link, an hour in which one device was offline,
 * devices whose links are poor since some hours, and such that are offline since then.
 */
import { setTimeout as pause } from "node:timers/promises";
import { wholeNode } from "#metrics-store/steps.ts";
import type { Bucket, MeasureKind, MeasureRow, MeasureStore } from "#metrics-store/store.ts";
import { fraction } from "./noise.ts";

const dayMs = 86_400_000;
const minuteMs = 60_000;
/** Charts of an hour show every value; those of a day only means of five minutes. */
const recentMs = 2 * 3_600_000;
const spacing = { recent: 15_000, old: minuteMs } as const;
/** Before now. */
const outage = { from: 320 * minuteMs, to: 265 * minuteMs } as const;
const loss = { from: 680 * minuteMs, to: 410 * minuteMs } as const;
/** Rows of one insert. */
const blockRows = 20_000;

export interface DayOptions {
  readonly signal: AbortSignal;
  /** Ms that the devices get for their first metrics; those without any get no past. */
  readonly patienceMs?: number;
  readonly now?: () => number;
  /** Devices whose links are poor now, and were not so many ms ago; absent: none. */
  readonly troubled?: readonly PoorDevice[];
  /** Devices that have been offline for so many ms, by id; absent: none. */
  readonly left?: ReadonlyMap<number, number>;
}

export interface PoorDevice {
  readonly nodeId: number;
  readonly forMs: number;
  /** What a round trip has taken longer since then. */
  readonly extraRttMs: number;
}

type Metrics = NonNullable<Bucket["values"]>;

interface Measured {
  readonly kind: MeasureKind;
  readonly nodeId: number;
  readonly item: string;
  readonly metrics: Metrics;
}

/** Share of the busiest hour: low at night, high at work. UTC, as the simulated devices have it. */
const rhythm = (at: number): number =>
  0.15 + 0.85 * ((Math.sin(((at % dayMs) / dayMs - 0.25) * 2 * Math.PI) + 1) / 2);

const latest = async (store: MeasureStore, nodeId: number, now: number): Promise<Measured[]> => {
  const range = { from: now - 3 * minuteMs, to: now };
  const found: Measured[] = [];
  for (const kind of ["node", "line", "link"] as const) {
    const { items } = await store.read(kind, wholeNode(nodeId), null, range);
    for (const [item, buckets] of items) {
      const metrics = buckets.findLast(({ values }) => values !== null)?.values;
      if (metrics) found.push({ kind, nodeId, item, metrics });
    }
  }
  // A link's rates are known from the second sample on.
  return found.every(({ kind, metrics }) => kind === "node" || metrics.in_rate !== null)
    ? found
    : [];
};

const round = (value: number): number => Math.round(value * 100) / 100;

/** Percent, of a link that loses packets now: at a moment of the same trouble. */
const lossThen = (loss: number | null, noise: number): number => (loss ?? 0) * (0.75 + 0.5 * noise);

/** Metrics at a moment of the past, for an item whose metrics are `now`. */
const metricsAt = (one: Measured, at: number, now: number, trouble: Trouble) => {
  const { isLossy, isTroubled, lessRttMs } = trouble;
  const noise = fraction(`${one.kind} ${one.nodeId} ${one.item} ${at}`);
  // Both ends of a link measure the same round trip.
  const shared = fraction(`${one.item} ${at}`);
  const load = (rhythm(at) / rhythm(now)) * (0.8 + 0.4 * noise);
  const scaled = (value: number | null) => (value === null ? null : Math.round(value * load));
  const { metrics } = one;
  const bad = isLossy && at > now - loss.from && at < now - loss.to;
  const normal = noise > 0.996 ? 1.5 : 0;
  const share = isTroubled ? lossThen(metrics.loss_percent, noise) : bad ? 2 + 9 * noise : normal;
  return {
    in_rate: scaled(metrics.in_rate),
    out_rate: scaled(metrics.out_rate),
    rtt_ms:
      metrics.rtt_ms &&
      round((metrics.rtt_ms - lessRttMs) * (0.95 + 0.1 * shared) + (bad ? 25 * shared : 0)),
    jitter_ms: metrics.jitter_ms && round(metrics.jitter_ms * (0.6 + 0.8 * noise) * (bad ? 6 : 1)),
    loss_percent: metrics.loss_percent === null ? null : round(share),
    cpu_percent: metrics.cpu_percent && round(Math.min(97, metrics.cpu_percent * load)),
    memory_percent: metrics.memory_percent && round(metrics.memory_percent * (0.97 + 0.06 * noise)),
  };
};

interface Trouble {
  /** It lost packets one evening. */
  readonly isLossy: boolean;
  /** It loses packets now, and did at that moment. */
  readonly isTroubled: boolean;
  /** What a round trip took less at that moment than now. */
  readonly lessRttMs: number;
}

interface PastOf {
  readonly away: boolean;
  /** Link that lost packets one evening. */
  readonly lossy: string;
  /** How its links are poor; undefined: they are not. */
  readonly poor: PoorDevice | undefined;
  /** Since when it is offline, ms since 1970; null: it is not. */
  readonly leftAt: number | null;
}

/** The past of one node, without what it measured itself. */
function* pastOf(measured: readonly Measured[], now: number, is: PastOf) {
  // Moments on a grid, so that a seed gives the same noise.
  const end = Math.floor((now - 3 * minuteMs) / minuteMs) * minuteMs;
  for (let at = end - dayMs; at < end; ) {
    const isAway = is.away && at > now - outage.from && at < now - outage.to;
    const gone = isAway || (is.leftAt !== null && at >= is.leftAt);
    const isBefore = is.poor !== undefined && at < now - is.poor.forMs;
    for (const one of gone ? [] : measured) {
      const isLink = one.kind === "link";
      const isLossy = isLink && one.item === is.lossy;
      const isTroubled = isLink && is.poor !== undefined && !isBefore;
      const lessRttMs = isLink && isBefore ? (is.poor?.extraRttMs ?? 0) : 0;
      const { kind, nodeId: node_id, item } = one;
      const row: MeasureRow = {
        kind,
        node_id,
        item,
        at,
        boot: "demonstration",
        sequence: 0,
        ...metricsAt(one, at, now, { isLossy, isTroubled, lessRttMs }),
      };
      yield row;
    }
    at += at >= end - recentMs ? spacing.recent : spacing.old;
  }
}

/** After this without one more node or link that is measured, the rest is taken for absent. */
const quietMs = 20_000;

/** Links whose quality is known. */
const linksOf = (measured: readonly Measured[]): number =>
  measured.filter(({ kind, metrics }) => kind === "link" && metrics.rtt_ms !== null).length;

/**
 * Waits until the nodes that are there have measured something, their links as well, or the patience ends: a device
 * measures its lines seconds before its links are there. One without more links than when it was read last has all of them.
 */
async function firstMetrics(
  store: MeasureStore,
  nodeIds: readonly number[],
  { signal, patienceMs = 90_000, now = Date.now }: DayOptions,
): Promise<Measured[][]> {
  const end = performance.now() + patienceMs;
  const found = new Map<number, Measured[]>();
  const whole = new Set<number>();
  let newsAt = Number.POSITIVE_INFINITY;
  for (;;) {
    for (const id of nodeIds) {
      // Forty answers of a young store take longer than the end of the process may.
      signal.throwIfAborted();
      const measured = whole.has(id) ? [] : await latest(store, id, now()).catch(() => []);
      if (measured.length === 0) continue;
      const before = found.get(id);
      const links = linksOf(measured);
      if (before && links > 0 && links === linksOf(before)) whole.add(id);
      if (!before || links > linksOf(before)) newsAt = performance.now();
      found.set(id, measured);
    }
    const isOver = performance.now() > Math.min(end, newsAt + quietMs);
    if (whole.size === nodeIds.length || isOver) return [...found.values()];
    await pause(Math.min(5_000, patienceMs), undefined, { signal });
  }
}

export interface PastDay {
  /** Rows written. */
  readonly rows: number;
  /** The device that was offline for a while, in ms since 1970; null: nothing was measured. */
  readonly away: { readonly nodeId: number; readonly from: number; readonly to: number } | null;
}

/**
 * Writes the day before the first metrics of these nodes, some ten thousand rows for each.
 * @throws when the signal ends or the store fails
 */
export async function writePastDay(
  store: MeasureStore,
  nodeIds: readonly number[],
  options: DayOptions,
): Promise<PastDay> {
  const nodes = await firstMetrics(store, nodeIds, options);
  const now = (options.now ?? Date.now)();
  // By node, not by who was seen first: the same sites have the same trouble after every start.
  const links = nodes
    .flatMap((measured) => measured.filter(({ kind }) => kind === "link"))
    .sort((a, b) => a.nodeId - b.nodeId || a.item.localeCompare(b.item));
  const lossy = links[Math.floor(links.length / 2)]?.item ?? "";
  const away = links.findLast(({ nodeId }) => options.left?.has(nodeId) !== true)?.nodeId;
  let written = 0;
  let block: MeasureRow[] = [];
  const flush = async (): Promise<void> => {
    options.signal.throwIfAborted();
    if (block.length > 0) await store.insert(block);
    written += block.length;
    block = [];
  };
  // What devices measured that were offline by then is only where their past comes from.
  await store.forget([...(options.left?.keys() ?? [])]);
  for (const measured of nodes) {
    const isOf = (id: number | undefined): boolean => measured.some(({ nodeId }) => nodeId === id);
    const poor = options.troubled?.find(({ nodeId }) => isOf(nodeId));
    const leftFor = [...(options.left ?? [])].find(([nodeId]) => isOf(nodeId))?.[1];
    const leftAt = leftFor === undefined ? null : now - leftFor;
    for (const row of pastOf(measured, now, { away: isOf(away), lossy, poor, leftAt })) {
      block.push(row);
      if (block.length >= blockRows) await flush();
    }
  }
  await flush();
  const gone = { from: now - outage.from, to: now - outage.to };
  return { rows: written, away: away === undefined ? null : { nodeId: away, ...gone } };
}
