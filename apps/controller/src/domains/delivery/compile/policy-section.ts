/** Policy objects that a device carries out, as its state has them. Pure. */
import type { AddressSet, PolicySection, PortMap } from "@weft/contract/device/v1/policy.ts";
import {
  policyAction,
  type RuleList,
  sentFamilies,
} from "@weft/contract/domains/policies/policy-actions.ts";
import {
  type PolicyFamilyName,
  policyFamily,
} from "@weft/contract/domains/policies/policy-families.ts";
import { acts } from "@weft/contract/effects.ts";
import {
  type MergedPolicy,
  mergePolicy,
  type PolicyObject,
  type PolicyRows,
  policyRowsOf,
} from "#domains/policies/merged/public.ts";
import {
  type PolicyGround,
  policyFindings,
  slotOfMapping,
} from "#domains/policies/policy-finding/public.ts";
import type { PublishedTemplate } from "#domains/templates/router-template/public.ts";

interface PolicyEnd {
  readonly node: number;
  readonly port: number;
}

/** What of a node's view decides which of its policies act. */
export interface PolicyView {
  readonly node: {
    readonly id: number;
    readonly lines: readonly { readonly slot: number }[];
    readonly sections: readonly (PolicyGround["lans"][number] & {
      readonly vlan: number | null;
    })[];
  };
  /** Links that end at it. */
  readonly links: readonly { readonly a: PolicyEnd; readonly b: PolicyEnd }[];
  /** The version of its template that the node follows; absent or null: none. */
  readonly template?: PublishedTemplate | null;
  /** Policy objects of its own; absent: none. */
  readonly policy?: PolicyRows;
  /** What its device reported that it can; absent or null: no device has reported yet. */
  readonly capabilities?: PolicyGround["capabilities"];
}

/** Objects of the node and of the version of its template that it follows. */
export const mergedPolicyOf = ({ policy = {}, template }: PolicyView): MergedPolicy =>
  mergePolicy({ node: policy, template: template ? policyRowsOf(template.content) : {} });

/** What decides which of them act. @param heldAt serial of the past configuration it is held at */
export const policyGroundOf = (
  { node, links, capabilities = null }: PolicyView,
  heldAt: number | null = null,
): PolicyGround => ({
  capabilities,
  slots: new Set(node.lines.map(({ slot }) => slot)),
  // A tagged section has an interface of its own, which the edge does not make yet.
  lans: node.sections
    .filter(({ vlan }) => (vlan ?? 0) === 0)
    .map(({ network, network6 }) => ({ network, network6 })),
  tunnelPorts: new Set(
    links.flatMap(({ a, b }) => [a, b].flatMap((end) => (end.node === node.id ? [end.port] : []))),
  ),
  heldAt,
});

/** Entries of a group, of the level that the group is of. */
const membersOf = (merged: MergedPolicy, group: PolicyObject): string[] => {
  const entries = merged.objects.get("routerIpgroupdefine") ?? [];
  const own = entries.filter(
    ({ level, values }) => level === group.level && values.ipgroupId === group.id,
  );
  return [...new Set(own.map(({ values }) => String(values.ip)))].sort();
};

const listOf = (family: PolicyFamilyName): keyof PolicySection | null => {
  const action = policyAction(family);
  return action.by === "section" ? action.list : null;
};

/** An object as an entry of its list of the section. */
const entryOf: {
  readonly [List in RuleList]: (
    merged: MergedPolicy,
    object: PolicyObject,
  ) => NonNullable<PolicySection[List]>[number];
} = {
  limits: (merged, object) => ({
    id: object.id,
    set: object.values.ipgroupId == null ? null : (merged.named(object, "ipgroupId")?.id ?? null),
    connections: Number(object.values.maxConnections),
    perSecond: object.values.maxNewPerSecond == null ? null : Number(object.values.maxNewPerSecond),
  }),
  portMaps: (merged, object) => ({
    id: object.id,
    protocol: object.values.protocol as PortMap["protocol"],
    outside: String(object.values.externalPort),
    host: String(object.values.internalIp),
    inside: String(object.values.internalPort),
    slot: slotOfMapping(merged, object),
  }),
};

/** The sets that are in use, each once. */
function setsOf(merged: MergedPolicy, used: readonly PolicyObject[]): AddressSet[] {
  const groups = new Map(
    used.flatMap((object) =>
      Object.entries(policyFamily(object.family).spec.references ?? {}).flatMap(
        ([field, family]) => {
          const isNamed = family === "routerIpgroup" && object.values[field] != null;
          const group = isNamed ? merged.named(object, field) : null;
          return group ? [[group.id, group] as const] : [];
        },
      ),
    ),
  );
  return [...groups.values()]
    .map((group) => ({ id: group.id, members: membersOf(merged, group) }))
    .sort((one, other) => one.id - other.id);
}

/**
 * What of a node's policies its device carries out; null: nothing. An object that cannot act is left out, as its
 * finding says: without its group a rule would be about everyone.
 */
export function policySectionOf(view: PolicyView): PolicySection | null {
  const ground = policyGroundOf(view);
  const { capabilities } = ground;
  // What a device can will be seen when it reports.
  if (capabilities === null) return null;
  const merged = mergedPolicyOf(view);
  const left = new Set(
    policyFindings(merged, ground)
      .filter(({ effect }) => effect === "cannot")
      .map(({ family, level, objectId }) => `${family} ${level} ${objectId}`),
  );
  const sent = (list: RuleList): PolicyObject[] =>
    sentFamilies
      .filter((family) => listOf(family) === list && acts(family, capabilities))
      .flatMap((family) => merged.objects.get(family) ?? [])
      .filter(({ family, level, id }) => !left.has(`${family} ${level} ${id}`));
  const limits = sent("limits");
  const portMaps = sent("portMaps");
  if (limits.length + portMaps.length === 0) return null;
  return {
    sets: setsOf(merged, limits),
    limits: limits.map((one) => entryOf.limits(merged, one)),
    // Absent, not empty: an edge of an earlier version refuses what it does not know.
    ...(portMaps.length > 0 && { portMaps: portMaps.map((one) => entryOf.portMaps(merged, one)) }),
  };
}
