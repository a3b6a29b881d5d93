/** Layout of the forms of policy objects, and which fields apply to the current selection. */
import { accessType, natBits, urlAction } from "@weft/contract/domains/policies/enums.ts";
import type { PolicyFamily } from "@weft/contract/kernel/policy-family.ts";
import type { z } from "zod";
import { isNullable } from "#kernel/form/field-schema.ts";
import type { policyMessages } from "./messages.ts";

type Draft = Readonly<Record<string, unknown>>;

/** Fields under a title; fields without a group come first. */
export interface FieldsTogether {
  readonly title: keyof typeof policyMessages;
  readonly fields: readonly string[];
}

const match = "policy.group.match";
const path = "policy.group.path";

const groups: Readonly<Record<string, readonly FieldsTogether[]>> = {
  routerInterfaceline: [
    {
      title: "policy.group.address",
      fields: ["accessType", "ip", "mask", "gateway", "pppoeUser", "pppoePassword"],
    },
    { title: "policy.group.dhcp", fields: ["dhcpStart", "dhcpEnd"] },
    { title: "policy.group.layer2", fields: ["vlan", "mtu"] },
    { title: "policy.group.quality", fields: ["upBandwidth", "downBandwidth", "lineQuality"] },
    { title: "policy.group.standby", fields: ["hotStandbyGroup", "hotStandbyPriority"] },
  ],
  routerDnscontrol: [
    { title: match, fields: ["dnsgroup", "domainid", "effectivedate"] },
    { title: path, fields: ["serverip", "serverip2", "outlineid", "dnsroute", "returnTrip"] },
  ],
  routerUrlrule: [
    { title: match, fields: ["urlgroupId", "ipgroupId", "timeId"] },
    { title: "policy.group.action", fields: ["action", "redirectUrl"] },
  ],
  routerPolicyroute: [
    { title: match, fields: ["srcIpgroupId", "dstIpgroupId", "appgroupId", "timeId"] },
    {
      title: path,
      fields: ["deny", "lineGroup", "nextHop", "natType", "natLbextra", "ttlIncrement"],
    },
  ],
  routerBwpolicy: [{ title: match, fields: ["appgroupId", "ipgroupId", "timeId"] }],
  routerProtocolex: [
    { title: match, fields: ["protocol", "srcPort", "dstPort", "dstIp"] },
    { title: "policy.group.catalogue", fields: ["nPid", "l7pro"] },
  ],
  routerOspf: [{ title: "policy.group.timers", fields: ["helloInterval", "deadInterval"] }],
};

const isFixed = (draft: Draft): boolean => draft.accessType === accessType.fixed;
const isPppoe = (draft: Draft): boolean => draft.accessType === accessType.pppoe;
const isWan = (draft: Draft): boolean => draft.kind === "wan";
const isLan = (draft: Draft): boolean => draft.kind === "lan";
/** A policy route that has a way out. */
const isPassed = (draft: Draft): boolean => draft.deny !== true;
const hasPorts = (draft: Draft): boolean => draft.protocol === "tcp" || draft.protocol === "udp";

/** Family -> field -> whether it applies, given the other fields; fields that are not listed always apply. */
const conditions: Readonly<Record<string, Readonly<Record<string, (draft: Draft) => boolean>>>> = {
  routerInterfaceline: {
    accessposition: isWan,
    ip: isFixed,
    mask: isFixed,
    gateway: (draft) => isFixed(draft) && isWan(draft),
    pppoeUser: isPppoe,
    pppoePassword: isPppoe,
    dhcpStart: (draft) => isLan(draft) && isFixed(draft),
    dhcpEnd: (draft) => isLan(draft) && isFixed(draft),
    upBandwidth: isWan,
    downBandwidth: isWan,
    lineQuality: isWan,
    hotStandbyGroup: (draft) => isLan(draft) && isFixed(draft),
    hotStandbyPriority: (draft) => isLan(draft) && isFixed(draft) && draft.hotStandbyGroup !== null,
  },
  routerDnscontrol: {
    returnTrip: ({ outlineid }) => outlineid !== null,
    dnsroute: ({ outlineid }) => outlineid !== null,
  },
  routerUrlrule: { redirectUrl: ({ action }) => action === urlAction.redirect },
  routerPolicyroute: {
    lineGroup: isPassed,
    natType: isPassed,
    ttlIncrement: isPassed,
    nextHop: (draft) =>
      isPassed(draft) &&
      (draft.lineGroup === 0 || (Number(draft.natType) & natBits.destination) !== 0),
    natLbextra: (draft) => isPassed(draft) && draft.natType !== 0,
  },
  routerProtocolex: { srcPort: hasPorts, dstPort: hasPorts },
};

/** Initial values of a new object; fields that are not listed start empty. */
const starts: Readonly<Record<string, unknown>> = {
  enable: true,
  deny: false,
  ttlIncrement: 0,
  natLbextra: 0,
  natType: 0,
  lineGroup: 0,
  flags: 0,
  action: 0,
  direction: 0,
  dnsroute: 0,
  returnTrip: 0,
  nPid: 0,
  l7pro: [],
  l7ids: [],
  effectivedate: [],
  weekdays: [1, 2, 3, 4, 5],
  protocol: "tcp",
  lineQuality: 0,
  accessType: 0,
  allowOnlyHost: true,
};

/** For a new LAN interface line: it has an address. */
export const startsOfKind = (kind: string | undefined): Draft =>
  kind === undefined ? {} : { kind, ...(kind === "lan" && { accessType: accessType.fixed }) };

/** The value of a field that is not set. */
export const startOf = ({ spec }: PolicyFamily, field: string): unknown =>
  starts[field] ?? (isNullable(spec.fields.shape[field] as z.ZodType) ? null : "");

/** Fields of the form, outside of groups and in them; the remark comes last. */
export const formPlan = ({ name, spec }: PolicyFamily) => {
  const together = groups[name] ?? [];
  const taken = new Set(["kind", "remark", ...together.flatMap(({ fields }) => fields)]);
  return {
    first: Object.keys(spec.fields.shape).filter((field) => !taken.has(field)),
    together,
    last: "remark" in spec.fields.shape ? ["remark"] : [],
  };
};

export const applies = ({ name }: PolicyFamily, field: string, draft: Draft): boolean =>
  conditions[name]?.[field]?.(draft) ?? true;

/** True for a field that depends on other fields; the kind of a row does not. */
export const isDependent = ({ name }: PolicyFamily, field: string): boolean => {
  const condition = conditions[name]?.[field];
  return condition !== undefined && condition !== isWan;
};

/** The draft without fields that do not apply: these are as empty as in a new object. */
export const onlyApplying = (family: PolicyFamily, draft: Draft): Draft =>
  Object.fromEntries(
    Object.entries(draft).map(([field, value]) => [
      field,
      applies(family, field, draft) ? value : startOf(family, field),
    ]),
  );

/** Family -> fields that must be filled where they apply: refinements of the contract, which a field's schema does not show. */
const needed: Readonly<Record<string, readonly string[]>> = {
  routerInterfaceline: ["accessposition", "ip", "mask", "pppoeUser"],
  routerUrlrule: ["redirectUrl"],
  routerPolicyroute: ["nextHop"],
};

/** True for a field that may be empty only where it does not apply. */
export const isNeeded = ({ name }: PolicyFamily, field: string): boolean =>
  needed[name]?.includes(field) ?? false;
