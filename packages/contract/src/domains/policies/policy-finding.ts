/**
 * What becomes of policy objects on a node: an object acts unless a finding says otherwise.
 */
import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { endpoint, pagedEndpoint } from "#kernel/endpoint.ts";
import type { Message } from "#kernel/message.ts";
import { aclRule } from "./acl-rule.ts";
import { blacklist } from "./blacklist.ts";
import { policyFamilies } from "./policy-families.ts";

/**
 * `fallback`: it acts, and not quite as it was asked for. `cannot`: it does not act. `replaced`: the
 * node's own object of the same key replaces it.
 */
export const policyEffects = ["fallback", "cannot", "replaced"] as const;
export type PolicyEffect = (typeof policyEffects)[number];

export const policyReasons = [
  /** No edge of this version carries the family out, or this device does not. */
  "notCarriedOut",
  /** The device is held at a past configuration: `serial`. */
  "held",
  /** The node has an object of its own of the same key. */
  "replaced",
  /** It names an object that is off: `field`. */
  "offReference",
  /** The group that it names has no entries, so that nothing ever fits: `field`. */
  "emptyGroup",
  /** The node has no line in this slot: `slot`. */
  "noLine",
  /** An ACL rule of a node whose ACL is switched off. */
  "aclOff",
  /** It is about the hosts of the node's LANs, and there are none. */
  "noLan",
  /** It denies `only` one family of addresses, and hosts may have those of the `other`. */
  "oneFamily",
  /** It names a line that is no WAN link: `field`. */
  "notWan",
  /** The host that it leads to is in no LAN of the node: `host`. */
  "notInLan",
  /** Its ports at the line are those of another object, which comes first: `name`. */
  "portsTaken",
  /** Its ports at the line are those of the device's own tunnels: `port`. */
  "portsOfTunnels",
  /** It moves more ports to other numbers than a device does: `most`. */
  "movedPorts",
  /** The device takes no more objects of this kind: `most`. */
  "tooMany",
] as const;
export type PolicyReason = (typeof policyReasons)[number];

/** Whose object it is: the node's own, its template's, or one of the enterprise for several nodes. */
export const policyFindingLevels = ["node", "template", "enterprise"] as const;
export type PolicyFindingLevel = (typeof policyFindingLevels)[number];

const titles: ReadonlyMap<string, Message> = new Map([
  ...policyFamilies.map(({ name, spec }) => [name, spec.title] as const),
  ...[aclRule, blacklist].map(({ name, title }) => [name, title] as const),
]);

/** What an object of a finding is called; one of a later version is called by its key. */
export const policyTitle = (family: string): Message => titles.get(family) ?? [family, family];

const families = z.string().refine((name) => policyFamilies.some((one) => one.name === name));
const params = z.record(z.string(), z.string());
const reason = z.object({ reason: z.string(), params });

/** Nodes that an object is meant for, by what becomes of it there. */
const summary = z.object({
  id: z.number(),
  /** All that it was sent to, or will be. */
  nodes: z.number(),
  /** The device confirmed a state that it is in. */
  acts: z.number(),
  fallback: z.number(),
  cannot: z.number(),
  replaced: z.number(),
  /** Being compiled or on the way. */
  underway: z.number(),
  /** Why it does not act as asked for, the most frequent first. */
  reasons: z.array(reason.extend({ nodes: z.number() })),
});
export type PolicySummary = z.output<typeof summary>;

const asked = { family: families, ids: codec.someIds };

/** Objects of a template on the CPEs that follow it. */
export const templateSummary = endpoint({
  id: "policyFinding.summary",
  addition: "what is saved acts or reports why not; the specification has no call for it",
  method: "GET",
  path: "/customer/policyFinding/summary",
  input: z.object({ templateId: codec.id, ...asked }),
  output: z.array(summary),
  may: "routerTemplateView",
});

/**
 * Capabilities that devices of a template's CPEs reported, each that at least one of them has; of a template
 * without devices those of all CPEs that the caller sees. What none of them can is saved only.
 */
export const templateCapabilities = endpoint({
  id: "policyFinding.capabilities",
  addition:
    "forms and lists say whether a device carries out what is saved; the specification has no call for it",
  method: "GET",
  path: "/customer/policyFinding/capabilities",
  input: z.object({ templateId: codec.id }),
  output: z.array(z.string()),
  may: "routerTemplateView",
});

const owner = { cpeId: codec.orNull(codec.id), popId: codec.orNull(codec.id) };

/** A node's own objects. */
export const nodeSummary = endpoint({
  id: "policyFinding.manage.summary",
  addition: "what is saved acts or reports why not; the specification has no call for it",
  method: "GET",
  path: "/customer/policyFinding/manage/summary",
  input: z.object({ ...owner, ...asked }),
  output: z.array(summary),
  may: "cpeConfig",
  mayInstead: { field: "popId", may: "popConfig" },
});

/** ACL rules, on their device. */
export const aclSummary = endpoint({
  id: "xaclrules.summary",
  addition: "what is saved acts or reports why not; the specification has no call for it",
  method: "GET",
  path: "/customer/xaclrules/summary",
  input: z.object({ ids: codec.someIds }),
  output: z.array(summary),
  may: aclRule.may.list,
});

/** Entries of the blacklist, on the CPEs that they are about and that the caller sees. */
export const blacklistSummary = endpoint({
  id: "blacklist.summary",
  addition: "what is saved acts or reports why not; the specification has no call for it",
  method: "GET",
  path: "/customer/blacklist/summary",
  input: z.object({ ids: codec.someIds }),
  output: z.array(summary),
  may: blacklist.may.list,
});

/** Every object of a node, of its own and of its template, that does not act as asked for. */
export const nodeFindings = pagedEndpoint({
  id: "policyFinding.manage.list",
  addition: "what is saved acts or reports why not; the specification has no call for it",
  method: "GET",
  path: "/customer/policyFinding/manage/list",
  input: z.object({
    ...owner,
    page: codec.int(1, 1_000_000).default(1),
    limit: codec.int(1, 1_000).default(10),
  }),
  output: reason.extend({
    /** Family, level and id of the object. */
    id: z.string(),
    family: z.string(),
    objectId: z.number(),
    /** What people call the object. */
    name: z.string(),
    level: z.enum(policyFindingLevels),
    effect: z.enum(policyEffects),
    createTime: codec.instant,
  }),
  may: "cpeConfig",
  mayInstead: { field: "popId", may: "popConfig" },
});
