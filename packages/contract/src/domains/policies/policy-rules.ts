/** Rules that refer to groups, and custom protocols (specification section 3). */
import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { definePolicyFamily } from "#kernel/policy-family.ts";
import { failsWith } from "#kernel/rule.ts";
import * as address from "#rules/address.ts";
import { areApplications, isBuiltIn, ownProtocolOf } from "#rules/applications.ts";
import { portOrRange } from "#rules/host.ts";
import * as number from "#rules/number.ts";
import { isUrl } from "#rules/text.ts";
import {
  dnsSwitches,
  lineGroupBits,
  natBits,
  natTypeBits,
  pipeDirections,
  ruleKinds,
  transports,
  urlAction,
  urlActions,
} from "./enums.ts";
import {
  addresses,
  bitsOf,
  byName,
  isAddresses,
  isDomain,
  named,
  ordered,
  reference,
  weekdays,
} from "./policy-fields.ts";

const all = ["list", "add", "edit", "remove", "combo"] as const;
const none = z.object({});
const rule = {
  facts: none,
  label: "name",
  isOrdered: true,
  merge: { by: "order" },
  canBeOff: true,
  verbs: all,
} as const;
const inOrder = ["sort", "name"] as const;

/** Which servers answer for which domains, over which line. */
export const dnsControl = definePolicyFamily({
  ...rule,
  name: "routerDnscontrol",
  title: ["DNS 控制", "DNS control"],
  plural: "DNS controls",
  fields: z.object({
    ...named,
    ...ordered,
    serverip: address.ipv4Host,
    serverip2: codec.orNull(address.ipv4Host),
    outlineid: reference,
    dnsgroup: reference,
    domainid: reference,
    effectivedate: weekdays,
    dnsroute: codec.code(dnsSwitches),
    returnTrip: codec.code(dnsSwitches),
  }),
  references: {
    outlineid: "routerInterfaceline",
    dnsgroup: "routerDnsgroup",
    domainid: "routerDomains",
  },
  sort: inOrder,
});

/** HTTP control. */
export const urlRule = definePolicyFamily({
  ...rule,
  name: "routerUrlrule",
  title: ["URL 规则", "URL rule"],
  plural: "URL rules",
  fields: z
    .object({
      ...named,
      ...ordered,
      urlgroupId: codec.id,
      ipgroupId: reference,
      timeId: reference,
      action: codec.code(urlActions),
      redirectUrl: codec.orNull(z.string().max(1_024).refine(isUrl, failsWith("url"))),
    })
    .refine(
      ({ action, redirectUrl }) => action !== urlAction.redirect || redirectUrl !== null,
      failsWith("required", {}, ["redirectUrl"]),
    ),
  references: {
    urlgroupId: "routerUrlgroup",
    ipgroupId: "routerIpgroup",
    timeId: "routerTimenode",
  },
  denies: ({ action }) => action === urlAction.deny,
  sort: inOrder,
});

/** Where matching traffic leaves: over lines of a group, by a next hop, or nowhere. */
export const policyRoute = definePolicyFamily({
  ...rule,
  name: "routerPolicyroute",
  title: ["策略路由", "policy route"],
  plural: "policy routes",
  fields: z
    .object({
      ...named,
      ...ordered,
      srcIpgroupId: reference,
      dstIpgroupId: reference,
      appgroupId: reference,
      timeId: reference,
      /** Refuses what fits, in place of a way out; the specification has no field for it. */
      deny: codec.flag.default(false),
      /** Bit mask of lines 1 to 4; 0: by the next hop. */
      lineGroup: bitsOf(lineGroupBits),
      natType: bitsOf(natTypeBits),
      /** With destination NAT: what the destination becomes. */
      nextHop: codec.orNull(address.ipHost),
      /** Added to the time to live of what is forwarded. */
      ttlIncrement: codec.int(0, 255),
      /** Further addresses that NAT spreads over. */
      natLbextra: codec.int(0, 255),
    })
    .refine(
      ({ deny, lineGroup, nextHop }) => deny || lineGroup > 0 || nextHop !== null,
      failsWith("required", {}, ["nextHop"]),
    )
    .refine(
      ({ deny, natType, nextHop }) =>
        deny || (natType & natBits.destination) === 0 || nextHop !== null,
      failsWith("required", {}, ["nextHop"]),
    )
    .refine(
      ({ natType }) => (natType & natBits.cone) === 0 || (natType & natBits.symmetric) === 0,
      failsWith("coneOrSymmetric", {}, ["natType"]),
    ),
  references: {
    srcIpgroupId: "routerIpgroup",
    dstIpgroupId: "routerIpgroup",
    appgroupId: "routerAppgroup",
    timeId: "routerTimenode",
  },
  denies: ({ deny }) => deny === true,
  sort: inOrder,
});

/** Guaranteed and maximum rate in kbit/s. */
export const bandwidthPipe = definePolicyFamily({
  name: "routerBandwidthpipe",
  title: ["带宽通道", "bandwidth tunnel"],
  plural: "bandwidth tunnels",
  fields: z
    .object({
      ...named,
      gbw: number.bandwidthKbps,
      maxbw: number.bandwidthKbps,
      direction: codec.code(pipeDirections),
      lineId: reference,
    })
    //
    .refine(({ gbw, maxbw }) => gbw <= maxbw, failsWith("aboveMaximum", {}, ["gbw"])),
  facts: none,
  references: { lineId: "routerInterfaceline" },
  label: "name",
  verbs: all,
  sort: ["name", "gbw", "maxbw"],
  merge: byName,
});

/** Which traffic goes through which pipe. */
export const bandwidthPolicy = definePolicyFamily({
  ...rule,
  name: "routerBwpolicy",
  title: ["带宽策略", "bandwidth policy"],
  plural: "bandwidth policies",
  fields: z.object({
    ...named,
    ...ordered,
    pipeId: codec.id,
    appgroupId: reference,
    ipgroupId: reference,
    timeId: reference,
  }),
  references: {
    pipeId: "routerBandwidthpipe",
    appgroupId: "routerAppgroup",
    ipgroupId: "routerIpgroup",
    timeId: "routerTimenode",
  },
  sort: inOrder,
});

const areBuiltIn = (ids: readonly number[]): boolean =>
  areApplications(ids) && ids.every((id) => ownProtocolOf(id) === null);

/** A protocol of one's own: by ports and address, or as a name for protocols of the catalogue. */
export const customProtocol = definePolicyFamily({
  ...rule,
  name: "routerProtocolex",
  title: ["自定义策略", "custom policy"],
  plural: "custom policies",
  fields: z.object({
    ...named,
    ...ordered,
    l7pro: codec.idList.refine(areBuiltIn, failsWith("unknown")),
    /** Entry of the catalogue under which it is listed; 0: none. */
    nPid: codec.int(0, 99_999).refine((id) => id === 0 || isBuiltIn(id), failsWith("unknown")),
    protocol: codec.oneOf(transports),
    srcPort: codec.orNull(portOrRange),
    dstPort: codec.orNull(portOrRange),
    dstIp: codec.orNull(addresses),
  }),
  sort: inOrder,
  importable: {
    verb: "importTem",
    columns: ["name", "protocol", "srcPort", "dstPort", "dstIp", "remark"],
    rest: { enable: true, sort: null, l7pro: [], nPid: 0 },
  },
});

/** A node or domain of a custom policy. */
export const customRule = definePolicyFamily({
  name: "routerRuleCustom",
  title: ["自定义规则", "custom rule"],
  plural: "custom rules",
  fields: z
    .object({ ...named, kind: codec.oneOf(ruleKinds), refId: codec.id, value: codec.text(253, 1) })
    .refine(
      ({ kind, value }) => kind !== "node" || isAddresses(value),
      failsWith("ipSet", {}, ["value"]),
    )
    .refine(
      ({ kind, value }) => kind !== "domain" || isDomain(value),
      failsWith("hostName", {}, ["value"]),
    ),
  facts: none,
  references: { refId: "routerProtocolex" },
  merge: { by: "parent", field: "refId" },
  filters: ["refId"],
  label: "name",
  lists: { node: "nodeList", domain: "domainList" },
  verbs: ["list", "add", "remove"],
  sort: ["name", "value"],
});

/** How many connections addresses may hold. */
export const connectionControl = definePolicyFamily({
  name: "routerConnlimit",
  title: ["连接数控制", "connection-number control"],
  plural: "connection-number controls",
  fields: z.object({
    name: named.name,
    enable: codec.flag,
    ipgroupId: reference,
    maxConnections: codec.int(1, 10_000_000),
    maxNewPerSecond: codec.orNull(codec.int(1, 1_000_000)),
  }),
  facts: none,
  references: { ipgroupId: "routerIpgroup" },
  label: "name",
  verbs: ["list", "add", "edit", "remove"],
  sort: ["name", "maxConnections"],
  merge: { by: "order" },
  canBeOff: true,
  denies: () => true,
});
