import type { EnrolmentState } from "@weft/contract/domains/devices/enums.ts";
import { deliveryOf, type NodeState } from "#domains/delivery/parts/state/delivery.ts";
import type { LinkRow } from "./link-end.ts";

/** What of a link a verdict follows from. */
export type VerdictLink = Pick<LinkRow, "enable" | "status" | "source" | "target" | "excess">;

/** The links of the chain, in causal order: what comes after a broken one is not known. */
export const chainParts = ["enrolment", "control", "config", "lines", "links"] as const;
export type ChainPart = (typeof chainParts)[number];
export type ChainTone = "ok" | "warn" | "bad" | "run" | "unknown";

/** Why a node is as it is: the first broken part decides the sentence. */
export type Cause =
  | { readonly is: "well"; readonly links: number }
  | { readonly is: "unclaimed" | "pending" | "rejected" | "quarantined" }
  | { readonly is: "offline"; readonly since: Date | null }
  /** The device does not reach the controller, yet the other end still sees its tunnels. */
  | { readonly is: "outOfContact"; readonly since: Date | null; readonly peer: string }
  /** The newest state is not in force (yet): how far it got says its own line. */
  | { readonly is: "delivery" }
  /** Objects of the state do not act on this device: their own lines say which and why. */
  | { readonly is: "findings" }
  /** The device itself was changed; all else is well. */
  | { readonly is: "drifted"; readonly steps: number }
  | { readonly is: "linesDown"; readonly names: readonly string[] }
  | { readonly is: "noLinks" }
  | {
      readonly is: "linksDown";
      readonly down: number;
      readonly links: number;
      readonly peer: string;
    };

export interface Verdict {
  readonly chain: Readonly<Record<ChainPart, ChainTone>>;
  readonly cause: Cause;
}

const unknownFrom = (first: ChainPart, tone: ChainTone): Record<ChainPart, ChainTone> => {
  const at = chainParts.indexOf(first);
  const toneAt = (part: ChainPart): ChainTone => {
    const index = chainParts.indexOf(part);
    return index < at ? "ok" : index === at ? tone : "unknown";
  };
  return {
    enrolment: toneAt("enrolment"),
    control: toneAt("control"),
    config: toneAt("config"),
    lines: toneAt("lines"),
    links: toneAt("links"),
  };
};

const linkTone = (up: number, links: number): ChainTone =>
  links === 0 ? "unknown" : up === 0 ? "bad" : up < links ? "warn" : "ok";

const hasDrifted = ({ driftSteps }: NodeState): boolean => (driftSteps ?? 0) > 0;

const configTone = (state: NodeState): ChainTone => {
  const delivery = deliveryOf(state);
  if (delivery.at === "none" || delivery.at === "hidden") return "unknown";
  if (delivery.at === "stopped" || delivery.at === "uncompiled") return "bad";
  if (delivery.at === "held") return "warn";
  if (delivery.at !== "confirmed") return "run";
  return hasDrifted(state) || state.findings.length > 0 ? "warn" : "ok";
};

const offline = (state: NodeState, links: readonly VerdictLink[], nodeId: number): Verdict => {
  const alive = links.find((link) => link.status === 1);
  const since = state.lastOnline;
  if (!alive) return { chain: unknownFrom("control", "bad"), cause: { is: "offline", since } };
  const peer = alive.source.nodeId === nodeId ? alive.target.name : alive.source.name;
  const up = links.filter((link) => link.status === 1).length;
  return {
    chain: { ...unknownFrom("control", "warn"), links: linkTone(up, links.length) },
    cause: { is: "outOfContact", since, peer },
  };
};

/** Up, and beyond a limit (contract: link-quality.ts). */
const isPoor = ({ enable, status, excess }: VerdictLink): boolean =>
  enable && status === 1 && excess !== null;

/** Links that are all up are not well while one is poor. */
const worse = (tone: ChainTone, hasPoor: boolean): ChainTone =>
  tone === "ok" && hasPoor ? "warn" : tone;

const isDown = ({ enable, status }: VerdictLink): boolean => enable && status !== 1;

const causeOnline = (state: NodeState, links: readonly VerdictLink[], total: number): Cause => {
  const delivery = deliveryOf(state);
  if (delivery.at === "stopped" || delivery.at === "uncompiled") return { is: "delivery" };
  const names = state.lines.filter((line) => !line.up).map((line) => line.interfaceName);
  if (names.length > 0) return { is: "linesDown", names };
  const down = links.filter(isDown);
  const first = down[0];
  if (first) {
    const peer = first.source.nodeId === state.id ? first.target.name : first.source.name;
    return { is: "linksDown", down: down.length, links: total, peer };
  }
  if (delivery.at !== "confirmed") return { is: "delivery" };
  if (hasDrifted(state)) return { is: "drifted", steps: state.driftSteps ?? 0 };
  if (state.findings.length > 0) return { is: "findings" };
  return total === 0 ? { is: "noLinks" } : { is: "well", links: total };
};

/**
 * Says in causal order what is wrong with a node, from what was last reported. A delivery under way
 * is named only when nothing is broken.
 * @param links a page of the node's links, those that are down first. @param total all of them.
 */
export const verdictOf = (
  state: NodeState,
  enrolment: EnrolmentState | null,
  links: readonly VerdictLink[],
  total = links.length,
): Verdict => {
  if (enrolment !== "approved") {
    const cause = { is: enrolment ?? "unclaimed" } as const;
    const tone = enrolment === null ? "unknown" : enrolment === "quarantined" ? "bad" : "warn";
    return { chain: unknownFrom("enrolment", tone), cause };
  }
  if (!state.online) return offline(state, links, state.id);
  const lines = state.lines;
  const linesUp = lines.filter((line) => line.up).length;
  const down = links.filter(isDown).length;
  return {
    chain: {
      enrolment: "ok",
      control: "ok",
      config: configTone(state),
      lines: linkTone(linesUp, lines.length),
      links: worse(linkTone(total - down, total), links.some(isPoor)),
    },
    cause: causeOnline(state, links, total),
  };
};
