/** Services of application groups: of the catalogue by their ports, and an owner's own ones. Pure. */
import type { AppService } from "@weft/contract/device/v1/policy.ts";
import { applications, ownProtocolOf } from "@weft/contract/rules/applications.ts";
import { entriesIn } from "./group-entries.ts";
import type { MergedPolicy, PolicyObject } from "./merged-policy.ts";

const service = (given: Partial<AppService>): AppService => ({
  protocol: "any",
  port: null,
  sourcePort: null,
  target: null,
  ...given,
});

/** Of an entry of the catalogue, or of all below a heading. */
const ofCatalogue = (wanted: number): AppService[] =>
  applications
    .filter(({ id, pId }) => id === wanted || pId === wanted)
    .flatMap(({ ports }) => ports)
    .map((text) => {
      const [protocol, port = null] = text.split("/");
      return service({ protocol: protocol as AppService["protocol"], port });
    });

const textOf = (value: unknown): string | null => (value == null ? null : String(value));

/** Addresses that the owner added to a protocol. */
const nodesOf = (merged: MergedPolicy, policyObject: PolicyObject): string[] =>
  entriesIn(merged, policyObject, { family: "routerRuleCustom", field: "refId" })
    .filter(({ values }) => values.kind === "node")
    .map(({ values }) => String(values.value));

/** A protocol of the owner's: its ports and addresses, and what of the catalogue it stands for. */
function ofOwn(merged: MergedPolicy, policyObject: PolicyObject): AppService[] {
  const { protocol, srcPort, dstPort, dstIp, l7pro } = policyObject.values;
  const base = service({
    protocol: protocol as AppService["protocol"],
    port: textOf(dstPort),
    sourcePort: textOf(srcPort),
    target: textOf(dstIp),
  });
  const named = (l7pro as readonly number[]).flatMap(ofCatalogue);
  const targets = nodesOf(merged, policyObject).map((target) => ({ ...base, target }));
  const isLimited = [base.port, base.sourcePort, base.target].some((part) => part !== null);
  // A name for entries of the catalogue alone is not about all flows.
  const isName = !isLimited && named.length + targets.length > 0;
  return [...(isName ? [] : [base]), ...targets, ...named];
}

/** Each once; none: nothing of the group is a service. */
export function servicesOf(merged: MergedPolicy, group: PolicyObject): AppService[] {
  const objects = (merged.objects.get("routerProtocolex") ?? []).filter(
    ({ level }) => level === group.level,
  );
  const all = (group.values.l7ids as readonly number[]).flatMap((id) => {
    const ownId = ownProtocolOf(id);
    return ownId === null
      ? ofCatalogue(id)
      : objects
          .filter((policyObject) => policyObject.id === ownId)
          .flatMap((policyObject) => ofOwn(merged, policyObject));
  });
  return [...new Map(all.map((service) => [JSON.stringify(service), service])).values()];
}
