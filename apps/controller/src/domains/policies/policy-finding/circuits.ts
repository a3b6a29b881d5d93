/** Circuits that end at a node and do not act there as they were asked for. Pure. */
import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import { circuitsCapability, guaranteedShare } from "@weft/contract/device/v1/shaping.ts";
import { circuit } from "@weft/contract/domains/overlay/circuit.ts";
import type { PolicyFinding } from "./findings.ts";
import { specialLineVerdict } from "./special-line-verdict.ts";
import { cannot, type PolicyContext, type Verdict } from "./verdict.ts";

interface NodeCircuit {
  readonly id: number;
  readonly name: string;
  readonly peer: number;
  readonly peerKind: "cpe" | "pop";
  readonly guaranteed: number | null;
  readonly spaceId: number | null;
  readonly networks: readonly string[];
  /** Sold as a special line (1, 2); absent or 0: as a common one. */
  readonly quality?: number;
}

/** What of a node decides about its circuits. */
export interface CircuitContext extends Pick<PolicyContext, "capabilities" | "classedSpaces"> {
  readonly kind: "cpe" | "pop";
  /** kbit/s towards its WAN links; null: not known. */
  readonly rate: number | null;
  /** Bandwidth tunnels in its state, and what they are guaranteed together, kbit/s. */
  readonly tunnels: number;
  readonly tunnelGuarantee: number;
  /** Links by which a circuit may leave. */
  readonly linksOf: (
    circuit: Pick<NodeCircuit, "peer" | "peerKind" | "spaceId">,
  ) => readonly number[];
  /** Whether a link leads straight to the other end of a circuit; absent: not known. */
  readonly isDirect?: (circuit: Pick<NodeCircuit, "peer" | "spaceId">) => boolean;
}

const reads = ({ capabilities }: CircuitContext): boolean =>
  capabilities?.some(({ name, can }) => can && name === circuitsCapability) ?? false;

/** How many circuits a device has room for beside its bandwidth tunnels. */
const roomBeside = (tunnels: number): number =>
  Math.min(stateLimits.circuits, Math.floor(stateLimits.circuitClasses / (tunnels + 1)));

/** Of a POP no rate of a space is known: what is guaranteed there is what the maximum leaves. */
const guaranteeVerdict = (
  { guaranteed }: NodeCircuit,
  all: readonly NodeCircuit[],
  { kind, rate, tunnelGuarantee }: CircuitContext,
): Verdict | null => {
  if (guaranteed === null) return null;
  if (kind === "pop" || rate === null)
    return { effect: "fallback", reason: "noLineRate", params: {} };
  const max = Math.floor(rate * guaranteedShare);
  const sum = all.reduce(
    (total, nodeCircuit) => total + (nodeCircuit.guaranteed ?? 0),
    tunnelGuarantee,
  );
  return sum > max
    ? { effect: "fallback", reason: "guaranteesAbove", params: { most: String(max) } }
    : null;
};

/** What real-time traffic takes of it first are the links straight to its other end. */
function qualityVerdict(circuit: NodeCircuit, context: CircuitContext): Verdict | null {
  if ((circuit.quality ?? 0) === 0 || circuit.spaceId === null) return null;
  const isDirect = context.isDirect?.(circuit) ?? true;
  return isDirect
    ? specialLineVerdict(context, circuit.spaceId)
    : { ...cannot("noDirectLink"), effect: "fallback" };
}

/** @param acting those that come first */
function obstacleTo(
  nodeCircuit: NodeCircuit,
  acting: readonly NodeCircuit[],
  context: CircuitContext,
): Verdict | null {
  if (context.capabilities !== null && !reads(context)) return cannot("notCarriedOut");
  if (nodeCircuit.spaceId === null) return cannot("noCommonSpace");
  if (context.linksOf(nodeCircuit).length === 0) return cannot("noCircuitLink");
  if (nodeCircuit.peerKind === "cpe" && nodeCircuit.networks.length === 0)
    return cannot("noNetworks");
  const twin = acting.find(({ peer }) => peer === nodeCircuit.peer);
  if (twin) return cannot("sameEnds", { name: twin.name });
  const max = roomBeside(context.tunnels);
  return acting.length >= max ? cannot("tooMany", { most: String(max) }) : null;
}

/** What becomes of each circuit at this node, in their order; null: it is applied as configured. */
export function circuitVerdicts<Circuit extends NodeCircuit>(
  circuits: readonly Circuit[],
  context: CircuitContext,
): ReadonlyMap<Circuit, Verdict | null> {
  const verdicts = new Map<Circuit, Verdict | null>();
  const acting: Circuit[] = [];
  for (const circuit of circuits) {
    const obstacle = obstacleTo(circuit, acting, context);
    if (obstacle === null) acting.push(circuit);
    verdicts.set(circuit, obstacle);
  }
  for (const circuit of acting)
    verdicts.set(
      circuit,
      guaranteeVerdict(circuit, acting, context) ?? qualityVerdict(circuit, context),
    );
  return verdicts;
}

/** What of them does not act; those that do have no entry. @param context read only when there is a circuit */
export const circuitFindings = (
  circuits: readonly NodeCircuit[],
  context: () => CircuitContext,
): PolicyFinding[] =>
  circuits.length === 0
    ? []
    : [...circuitVerdicts(circuits, context())].flatMap(([{ id, name }, verdict]) =>
        verdict
          ? [
              {
                family: circuit.name,
                level: "enterprise",
                objectId: id,
                name,
                denies: false,
                ...verdict,
              },
            ]
          : [],
      );
