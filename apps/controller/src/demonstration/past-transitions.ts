/**
 * When devices, lines and links of the demonstration were up in the days before it started: mostly,
 * with a few outages that differ by name and stay the same at every start.
 */
import { fraction } from "./noise.ts";

const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;
/** A strip shows seven days at most; the eighth says what was before. */
export const pastMs = 8 * dayMs;
/** Planned outages lie in whole days, and end well before the start. */
const quietMs = 6 * hourMs;
/** A link that goes down with its line or device is noticed this much later. */
const missedMs = 6_000;

export interface PastNode {
  readonly id: number;
  readonly kind: "cpe" | "pop";
  readonly name: string;
  readonly lines: readonly PastLine[];
}

interface PastLine {
  readonly slot: number;
  readonly interfaceName: string;
  /** As it is now. */
  readonly up: boolean;
}

export interface PastLink {
  readonly id: number;
  readonly ends: readonly { readonly nodeId: number; readonly slot: number }[];
  readonly up: boolean;
}

/** A time without; `to` null: it lasts. Milliseconds since 1970. */
export interface Outage {
  readonly nodeId: number;
  /** Of a line; null: the device was offline. */
  readonly line: PastLine | null;
  readonly from: number;
  readonly to: number | null;
}

export interface Transition {
  readonly kind: "node" | "line" | "link";
  readonly nodeId: number;
  readonly linkId: number | null;
  readonly name: string | null;
  readonly up: boolean;
  readonly at: number;
}

export interface Past {
  readonly transitions: readonly Transition[];
  readonly outages: readonly Outage[];
}

export interface PastOptions {
  readonly now: number;
  /** A device that was offline lately, according to its metrics. */
  readonly away: { readonly nodeId: number; readonly from: number; readonly to: number } | null;
  /** Since when devices are offline for good, by id; absent: none is. */
  readonly left?: ReadonlyMap<number, number>;
}

type Gap = Pick<Outage, "from" | "to">;

/** A gap somewhere in the past week, `max` minutes at most; null: this one had none. */
function gapOf(name: string, share: number, max: number, now: number): Gap | null {
  if (fraction(`had ${name}`) >= share) return null;
  const from = now - quietMs - fraction(`when ${name}`) * (7 * dayMs - quietMs);
  return { from, to: from + (1 + fraction(`how long ${name}`) * (max - 1)) * minuteMs };
}

const gapsOfNode = ({ id, kind, name }: PastNode, { now, away, left }: PastOptions): Gap[] => {
  const leftAt = left?.get(id);
  if (leftAt !== undefined) return [{ from: leftAt, to: null }];
  if (away?.nodeId === id) return [away];
  // POPs are in data centres.
  const gap = kind === "pop" ? null : gapOf(name, 0.35, 35, now);
  return gap ? [gap] : [];
};

/** Since when a line is down for good, ms since 1970. */
export const lineFellAt = (nodeName: string, interfaceName: string, now: number): number =>
  now - (3 + 6 * fraction(`down ${nodeName} ${interfaceName}`)) * hourMs;

function gapsOfLine(node: PastNode, line: PastLine, now: number): Gap[] {
  const name = `${node.name} ${line.interfaceName}`;
  if (!line.up) return [{ from: lineFellAt(node.name, line.interfaceName, now), to: null }];
  const gap = node.kind === "pop" ? null : gapOf(name, 0.3, 80, now);
  return gap ? [gap] : [];
}

/** Down at each gap and up after it, from the beginning on; gaps that touch are one. */
function transitionsWithin(gaps: readonly Gap[], now: number): { up: boolean; at: number }[] {
  const transitions = [{ up: true, at: now - pastMs }];
  let until: number | null = null;
  for (const { from, to } of [...gaps].sort((one, other) => one.from - other.from)) {
    if (until === Number.POSITIVE_INFINITY) break;
    if (until !== null && from <= until) transitions.pop();
    else transitions.push({ up: false, at: from });
    until = Math.max(until ?? 0, to ?? Number.POSITIVE_INFINITY);
    if (until !== Number.POSITIVE_INFINITY) transitions.push({ up: true, at: until });
  }
  return transitions;
}

/** The past of devices and links as they are now. */
export function pastTransitions(
  nodes: readonly PastNode[],
  links: readonly PastLink[],
  options: PastOptions,
): Past {
  const { now } = options;
  const outages = nodes.flatMap((node): Outage[] => [
    ...gapsOfNode(node, options).map((gap) => ({ nodeId: node.id, line: null, ...gap })),
    // Of one that is offline nothing is known of its lines.
    ...(options.left?.has(node.id) ? [] : node.lines).flatMap((line) =>
      gapsOfLine(node, line, now).map((gap) => ({ nodeId: node.id, line, ...gap })),
    ),
  ]);
  const transitionsOf = (gaps: readonly Gap[], what: Omit<Transition, "up" | "at">) =>
    transitionsWithin(gaps, now).map((transition) => ({ ...what, ...transition }));
  const ofNodes = nodes.flatMap(({ id: nodeId, lines }) => {
    const own = outages.filter((outage) => outage.nodeId === nodeId);
    const none = { nodeId, linkId: null };
    return [
      ...transitionsOf(
        own.filter(({ line }) => line === null),
        { ...none, kind: "node", name: null },
      ),
      ...lines.flatMap((line) =>
        transitionsOf(
          own.filter((outage) => outage.line === line),
          { ...none, kind: "line", name: line.interfaceName },
        ),
      ),
    ];
  });
  const ofLinks = links.flatMap(({ id, ends, up }) => {
    const gaps = outages
      .filter(({ nodeId, line }) =>
        ends.some((end) => end.nodeId === nodeId && (line === null || line.slot === end.slot)),
      )
      .map(({ from, to }) => ({
        from: from + missedMs,
        // One that is up by now came back somehow.
        to: to === null ? (up ? now - quietMs / 2 : null) : to + missedMs,
      }));
    const [first] = ends;
    if (!first) return [];
    return transitionsOf(gaps, { kind: "link", nodeId: first.nodeId, linkId: id, name: null });
  });
  return { transitions: [...ofNodes, ...ofLinks], outages };
}
