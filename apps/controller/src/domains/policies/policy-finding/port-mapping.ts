/** Which port mappings of a node cannot act: their line, their host, or their ports are not there to be had. Pure. */
import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import { isWithin } from "@weft/contract/rules/address.ts";
import { movedPorts, portsOf } from "@weft/contract/rules/ports.ts";
import type { MergedPolicy, PolicyObject } from "#domains/policies/merged/public.ts";
import { cannot, type PolicyContext, type Verdict } from "./verdict.ts";
import { lineVerdict, slotOfLine } from "./wan-lines.ts";

const family = "routerPortmapping";

const touch = <T>(one: T | null, other: T | null, all: T | null): boolean =>
  one === all || other === all || one === other;

/** Two mappings want the same port of the same line. */
const collide = (
  merged: MergedPolicy,
  policyObject: PolicyObject,
  other: PolicyObject,
): boolean => {
  const [first, last] = portsOf(String(policyObject.values.externalPort));
  const [start, end] = portsOf(String(other.values.externalPort));
  return (
    first <= end &&
    start <= last &&
    touch(String(policyObject.values.protocol), String(other.values.protocol), "both") &&
    touch(slotOfLine(merged, policyObject), slotOfLine(merged, other), null)
  );
};

/** The first port of the device's own tunnels that a mapping would take from them. */
const ofTunnels = ({ values }: PolicyObject, { tunnelPorts }: PolicyContext): number | null => {
  if (values.protocol === "tcp") return null;
  const [first, last] = portsOf(String(values.externalPort));
  return [...tunnelPorts].sort((a, b) => a - b).find((at) => at >= first && at <= last) ?? null;
};

/** What keeps a mapping from acting, others aside. */
function ownVerdict(
  merged: MergedPolicy,
  object: PolicyObject,
  context: PolicyContext,
): Verdict | null {
  const { externalPort, internalIp, internalPort } = object.values;
  if (context.isBypass) return cannot("bypass");
  const ofLine = lineVerdict(merged, object, context);
  if (ofLine) return ofLine;
  const host = String(internalIp);
  if (context.lans.length === 0) return cannot("noLan");
  if (!context.lans.some(({ network }) => isWithin(network, host)))
    return cannot("notInLan", { host });
  const port = ofTunnels(object, context);
  if (port !== null) return cannot("portsOfTunnels", { port: String(port) });
  const max = stateLimits.movedPorts;
  return movedPorts(String(externalPort), String(internalPort)) > max
    ? cannot("movedPorts", { most: String(max) })
    : null;
}

/** Of the mappings of a node that cannot act, why. Of those that want the same port the first one has it. */
export function portMappingVerdicts(
  merged: MergedPolicy,
  context: PolicyContext,
): ReadonlyMap<PolicyObject, Verdict> {
  const verdicts = new Map<PolicyObject, Verdict>();
  const acting: PolicyObject[] = [];
  for (const object of merged.objects.get(family) ?? []) {
    const other = acting.find((policyObject) => collide(merged, policyObject, object));
    const taken = other && cannot("portsTaken", { name: String(other.values.externalPort) });
    const verdict = ownVerdict(merged, object, context) ?? taken;
    if (verdict) verdicts.set(object, verdict);
    else if (acting.length < stateLimits.portMappings) acting.push(object);
  }
  return verdicts;
}
