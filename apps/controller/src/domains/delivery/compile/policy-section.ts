/** Policy objects that a device carries out, as its state has them. Pure. */
import type {
  AddressSet,
  BandwidthTunnel,
  PolicySection,
  PortMapping,
  TimeGroup,
} from "@weft/contract/device/v1/policy.ts";
import { xModeOf } from "@weft/contract/domains/devices/enums.ts";
import { defaultParams } from "@weft/contract/domains/enterprises/param-config.ts";
import { pipeDirection } from "@weft/contract/domains/policies/enums.ts";
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
import { asnOf } from "#domains/overlay/link/public.ts";
import {
  addressesOf,
  deniableHosts,
  type MergedPolicy,
  type PolicyObject,
  servicesOf,
} from "#domains/policies/merged/public.ts";
import {
  deniesHosts,
  filledLine,
  isDenial,
  type PolicyContext,
  pathOf,
  policyFindings,
  rangeOfLan,
  slotOfLine,
  slotsOf,
  translationOf,
} from "#domains/policies/policy-finding/public.ts";
import type { ViewSite } from "./device-settings.ts";
import type { SealPassword } from "./neighbor-password.ts";
import { mergedPolicyOf, type PolicySources } from "./node-policy.ts";
import { type ClassedView, classedOf } from "./paths-section.ts";
import { ratesOf } from "./shaping-section.ts";
import { behindLansOf } from "./site-prefixes.ts";
import { cardsOf, withVlanInterfaces } from "./vlan-interfaces.ts";

interface PolicyEnd {
  readonly node: number;
  readonly port: number;
}

/** What of a node's view decides which of its policies act. */
export interface PolicyView extends PolicySources {
  readonly node: {
    readonly id: number;
    readonly kind?: "cpe" | "pop";
    readonly lines: NonNullable<PolicyContext["lines"]>;
    readonly bandwidth?: number | null;
    readonly xMode?: number;
    readonly sections: readonly (PolicyContext["lans"][number] & {
      readonly vlan: number | null;
      readonly interfaceName?: string;
      /** Absent: they stay outside of the space. */
      readonly enableForward?: boolean;
    })[];
    readonly routes?: Parameters<typeof behindLansOf>[0]["routes"];
    readonly notices?: readonly string[];
    readonly announced?: readonly string[] | null;
  };
  /** Links that end at it. */
  readonly links: readonly {
    readonly a: PolicyEnd;
    readonly b: PolicyEnd;
    readonly spaceId?: number;
  }[];
  /** Settings of its site that decide with them. */
  readonly site?: Pick<ViewSite, "givesAddresses">;
  /** IANA name of the zone that its time groups are in; absent: the one that every enterprise begins with. */
  readonly timeZone?: string;
  /** Absent: passwords are not sent. */
  readonly sealPassword?: SealPassword;
  /** What its device reported that it can; absent or null: no device has reported yet. */
  readonly capabilities?: PolicyContext["capabilities"];
  /** Classes of traffic by space; absent: not known. */
  readonly classes?: ClassedView["classes"];
  /** Its place in a standby group; absent: it is in none. */
  readonly standby?: PolicyContext["standby"];
}

/** Networks that it is connected to. A section with a tag is of a device that makes no interfaces of VLANs. */
const connectedOf = (
  { lines, sections }: PolicyView["node"],
  cardOf: (interfaceName: string) => string,
): NonNullable<PolicyContext["connected"]> =>
  [
    ...lines.map(({ interfaceName, ip = null }) => ({ interfaceName, networks: [ip] })),
    ...sections
      .filter(({ vlan }) => (vlan ?? 0) === 0)
      .map((section) => ({ ...section, networks: [section.network, section.network6] })),
  ].flatMap(({ interfaceName, networks }) =>
    networks.flatMap((network) =>
      interfaceName === undefined || network === null
        ? []
        : [{ interfaceName, card: cardOf(interfaceName), network }],
    ),
  );

/** What decides about routers in its LANs. A CPE is in one space. */
const siteOf = ({
  node,
  links,
  template,
  sealPassword,
}: PolicyView): NonNullable<PolicyContext["site"]> => {
  const sections = node.sections.map((section) => ({ enableForward: false, ...section }));
  const spaceId = links.flatMap((link) => link.spaceId ?? [])[0];
  return {
    lans: sections.flatMap(({ vlan, enableForward, interfaceName, network }) =>
      (vlan ?? 0) === 0 && enableForward && interfaceName !== undefined
        ? [{ interfaceName, network }]
        : [],
    ),
    spaceAsn: node.kind === "pop" || spaceId === undefined ? null : asnOf(spaceId),
    password: ({ level, values }) => {
      const templateId = level === "template" ? (template?.templateId ?? null) : null;
      const owner = { template_id: templateId, node_id: templateId === null ? node.id : null };
      return sealPassword?.(String(values.password), owner) ?? null;
    },
    declared: behindLansOf({ routes: [], ...node, sections }),
  };
};

/** Its WAN links, with the rates that interface lines give those that have none. */
export function filledLines<View extends PolicyView>(view: View): View["node"]["lines"] {
  const merged = mergedPolicyOf(view);
  return view.node.lines.map((line) => filledLine(merged, line));
}

/** Addresses that interface lines let a LAN of it give hosts; null: none of them does. */
export function setRangeOf(given: PolicyView) {
  const view = withVlanInterfaces(given);
  const merged = mergedPolicyOf(view);
  const lans = view.node.sections.filter(({ vlan }) => (vlan ?? 0) === 0);
  return (lan: Parameters<typeof rangeOfLan>[1]) => rangeOfLan(merged, lan, lans);
}

/** What decides which of them act. @param heldAt serial of the past configuration it is held at */
export const policyContextOf = (given: PolicyView, heldAt: number | null = null): PolicyContext => {
  const view = withVlanInterfaces(given);
  const { node, links, capabilities = null } = view;
  const cardOf = cardsOf(view);
  return {
    capabilities,
    site: siteOf(view),
    slots: new Set(node.lines.map(({ slot }) => slot)),
    wanCards: node.lines.flatMap(({ interfaceName }) =>
      interfaceName === undefined ? [] : cardOf(interfaceName),
    ),
    connected: connectedOf(node, cardOf),
    lines: node.lines,
    ...classedOf(view),
    ...(view.standby && { standby: view.standby }),
    ...(view.site && { givesAddresses: view.site.givesAddresses ?? false }),
    rates: ratesOf({ node: { ...node, lines: filledLines(view) } }),
    isBypass: (node.xMode ?? xModeOf.gateway) !== xModeOf.gateway,
    lans: node.sections
      .filter(({ vlan }) => (vlan ?? 0) === 0)
      .map(({ interfaceName, vlanInterface, network, network6, ...section }) => ({
        ...(interfaceName !== undefined && { interfaceName }),
        ...(vlanInterface && { vlanInterface }),
        network,
        network6,
        ownAddress: section.ownAddress ?? null,
        range: section.range ?? null,
      })),
    tunnelPorts: new Set(
      links.flatMap(({ a, b }) =>
        [a, b].flatMap((end) => (end.node === node.id ? [end.port] : [])),
      ),
    ),
    heldAt,
  };
};

const listOf = (family: PolicyFamilyName): keyof PolicySection | null => {
  const action = policyAction(family);
  return action.by === "section" ? action.list : null;
};

/** Id of the object that a field names; null: none. */
const idOf = (merged: MergedPolicy, object: PolicyObject, field: string): number | null =>
  object.values[field] == null ? null : (merged.named(object, field)?.id ?? null);

/** Where flows of a policy route go. */
const wayOut = (object: PolicyObject, context: PolicyContext) =>
  isDenial(object.values)
    ? { slots: [], nat: false, deny: true as const }
    : {
        slots: slotsOf(Number(object.values.lineGroup)),
        ...translationOf(Number(object.values.natType)),
        ...pathOf(object, context),
      };

/** An object as an entry of its list of the section. */
const entryOf: {
  readonly [List in RuleList]: (
    merged: MergedPolicy,
    object: PolicyObject,
    context: PolicyContext,
  ) => NonNullable<PolicySection[List]>[number];
} = {
  limits: (merged, object) => ({
    id: object.id,
    set: idOf(merged, object, "ipgroupId"),
    connections: Number(object.values.maxConnections),
    perSecond: object.values.maxNewPerSecond == null ? null : Number(object.values.maxNewPerSecond),
  }),
  routes: (merged, object, context) => ({
    id: object.id,
    sources: idOf(merged, object, "srcIpgroupId"),
    targets: idOf(merged, object, "dstIpgroupId"),
    time: idOf(merged, object, "timeId"),
    ...wayOut(object, context),
    // Absent, not null: an edge of an earlier version refuses what it does not know.
    ...(object.values.appgroupId != null && { app: idOf(merged, object, "appgroupId") }),
  }),
  bandwidths: (merged, object) => ({
    id: object.id,
    tunnel: idOf(merged, object, "pipeId") ?? 0,
    hosts: idOf(merged, object, "ipgroupId"),
    app: idOf(merged, object, "appgroupId"),
    time: idOf(merged, object, "timeId"),
  }),
  nameRules: (merged, object) => ({
    id: object.id,
    names: [...deniableHosts(merged, object)],
    sources: idOf(merged, object, "ipgroupId"),
    time: idOf(merged, object, "timeId"),
    denies: deniesHosts(object),
  }),
  portMaps: (merged, object) => ({
    id: object.id,
    protocol: object.values.protocol as PortMapping["protocol"],
    outside: String(object.values.externalPort),
    host: String(object.values.internalIp),
    inside: String(object.values.internalPort),
    slot: slotOfLine(merged, object),
  }),
};

const tunnelOf = (merged: MergedPolicy, object: PolicyObject): BandwidthTunnel => {
  const direction = Number(object.values.direction);
  return {
    id: object.id,
    guaranteed: Number(object.values.gbw),
    most: Number(object.values.maxbw),
    up: direction !== pipeDirection.down,
    down: direction !== pipeDirection.up,
    slot: slotOfLine(merged, object),
  };
};

/** The sets that are in use. */
const setsOf = (merged: MergedPolicy, used: readonly PolicyObject[]): AddressSet[] =>
  namedBy(merged, used, "routerIpgroup").map((group) => ({
    id: group.id,
    members: addressesOf(merged, group),
  }));

/** Rows that objects name by a field of this family, each once, in the order of their ids. */
function namedBy(
  merged: MergedPolicy,
  objects: readonly PolicyObject[],
  wanted: PolicyFamilyName,
): PolicyObject[] {
  const found = objects.flatMap((object) =>
    Object.entries(policyFamily(object.family).spec.references ?? {}).flatMap(([field, family]) => {
      const isNamed = family === wanted && object.values[field] != null;
      const named = isNamed ? merged.named(object, field) : null;
      return named ? [[named.id, named] as const] : [];
    }),
  );
  return [...new Map(found).values()].sort((one, other) => one.id - other.id);
}

const timeGroupOf = ({ id, values }: PolicyObject): TimeGroup => ({
  id,
  weekdays: [...(values.weekdays as readonly number[])],
  start: String(values.startTime),
  end: String(values.endTime),
});

/** Objects of a family that the device can carry out, in their order; the findings say why the others cannot act. */
export function actingObjects(
  merged: MergedPolicy,
  context: PolicyContext,
): (family: string) => readonly PolicyObject[] {
  const refused = new Set(
    policyFindings(merged, context)
      .filter(({ effect }) => effect === "cannot")
      .map(({ family, level, objectId }) => `${family} ${level} ${objectId}`),
  );
  return (family) =>
    context.capabilities !== null && acts(family, context.capabilities)
      ? (merged.objects.get(family) ?? []).filter(
          ({ level, id }) => !refused.has(`${family} ${level} ${id}`),
        )
      : [];
}

/**
 * What of a node's policies its device carries out; null: nothing. An object that cannot act is left out, as its
 * finding says: without its group a rule would be about everyone.
 */
export function policySectionOf(view: PolicyView): PolicySection | null {
  const context = policyContextOf(view);
  const { capabilities } = context;
  // What a device can will be seen when it reports.
  if (capabilities === null) return null;
  const merged = mergedPolicyOf(view);
  const acting = actingObjects(merged, context);
  const sent = (list: RuleList): PolicyObject[] =>
    sentFamilies.filter((family) => listOf(family) === list).flatMap(acting);
  const limits = sent("limits");
  const portMaps = sent("portMaps");
  const routes = sent("routes");
  const bandwidths = sent("bandwidths");
  const nameRules = sent("nameRules");
  const all = [...limits, ...routes, ...bandwidths, ...portMaps, ...nameRules];
  const applications = namedBy(merged, all, "routerAppgroup").map((group) => ({
    id: group.id,
    services: servicesOf(merged, group),
  }));
  const times = namedBy(merged, all, "routerTimenode").map(timeGroupOf);
  if (all.length === 0) return null;
  return {
    sets: setsOf(merged, all),
    limits: limits.map((limit) => entryOf.limits(merged, limit, context)),
    // Absent, not empty: an edge of an earlier version refuses what it does not know.
    ...(portMaps.length > 0 && {
      portMaps: portMaps.map((portMapping) => entryOf.portMaps(merged, portMapping, context)),
    }),
    ...(routes.length > 0 && {
      routes: routes.map((route) => entryOf.routes(merged, route, context)),
    }),
    ...(nameRules.length > 0 && {
      nameRules: nameRules.map((rule) => entryOf.nameRules(merged, rule, context)),
    }),
    ...(bandwidths.length > 0 && {
      tunnels: namedBy(merged, bandwidths, "routerBandwidthpipe").map((policyObject) =>
        tunnelOf(merged, policyObject),
      ),
      bandwidths: bandwidths.map((bandwidth) => entryOf.bandwidths(merged, bandwidth, context)),
    }),
    ...(applications.length > 0 && { applications }),
    ...(times.length > 0 && { times, timeZone: view.timeZone ?? defaultParams.timezone }),
  };
}
