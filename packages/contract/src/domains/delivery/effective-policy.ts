/** Everything that acts on one node, in order, with where each comes from. */
import { z } from "zod";
import { aclRule } from "#domains/policies/acl-rule.ts";
import { blacklist } from "#domains/policies/blacklist.ts";
import { policyFamilies } from "#domains/policies/policy-families.ts";
import { policyReasons } from "#domains/policies/policy-finding.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint } from "#kernel/endpoint.ts";

/**
 * Whose it is, in the order in which rules of one list are tried. `system`: the controller has it for every site.
 * `enterprise`: it is about several sites of an enterprise.
 */
export const policyOrigins = ["system", "enterprise", "node", "template"] as const;
export type PolicyOrigin = (typeof policyOrigins)[number];

/** What every site has, without a row: what no rule fits passes. */
export const systemDefault = "systemDefault";

/** What becomes of it: `acts` and `underway` (not confirmed by a device yet), or the finding about it. */
export const effectiveStates = ["acts", "underway", "fallback", "cannot", "replaced"] as const;
export type EffectiveState = (typeof effectiveStates)[number];

/** Objects of one list that are shown at most; `count` says how many there are. */
export const maxEffective = 200;

const entry = z.object({
  /** Family, level and id: unique in the answer. */
  key: z.string(),
  objectId: z.number(),
  /** What people call it. */
  name: z.string(),
  /** Place in its list from 1; null: it is tried at no place (a group, or one that is replaced). */
  place: z.number().nullable(),
  origin: z.enum(policyOrigins),
  state: z.enum(effectiveStates),
  /** Of a finding; null: it acts, or is on its way. */
  finding: z
    .object({ reason: z.enum(policyReasons), params: z.record(z.string(), z.string()) })
    .nullable(),
  /** What is set of it; of a row that it names, the name. */
  fields: z.array(z.object({ field: z.string(), value: z.unknown() })),
});
export type EffectiveEntry = z.output<typeof entry>;

const list = z.object({
  /** Family of policy objects, `xaclrules` or `blacklist`. */
  family: z.string(),
  /** Rules, of which the first that fits decides, or each that fits acts. Otherwise: what rules name. */
  isRule: z.boolean(),
  count: z.number(),
  entries: z.array(entry),
});
export type EffectiveList = z.output<typeof list>;

const namesBy = (by: "order" | "key"): string[] =>
  policyFamilies.filter(({ spec }) => spec.merge.by === by).map(({ name }) => name);

/** Lists whose objects are tried one after the other. */
export const effectiveRules: readonly string[] = [
  blacklist.name,
  aclRule.name,
  ...namesBy("order"),
];

/** Lists in the order in which they are shown: rules first, then what they name. */
export const effectiveFamilies: readonly string[] = [...effectiveRules, ...namesBy("key")];

/**
 * What the merge that configurations are made by gives for one node now: its own objects, those of the version of its
 * template that it follows, and those of enterprises. Lists without objects are left out; entries of groups are part
 * of their groups.
 */
export const effectivePolicy = endpoint({
  id: "effectivePolicy.find",
  addition:
    "operators see every rule that acts on a site, and whose it is; the specification has no call",
  method: "GET",
  path: "/customer/effectivePolicy/find",
  input: z.object({ cpeId: codec.orNull(codec.id), popId: codec.orNull(codec.id) }),
  output: z.object({
    /** The template that the node follows; null: none. */
    template: z
      .object({ templateId: z.number(), name: z.string(), version: z.number() })
      .nullable(),
    /** A device confirmed the newest configuration. */
    isConfirmed: z.boolean(),
    lists: z.array(list),
  }),
  may: "cpeConfig",
  mayInstead: { field: "popId", may: "popConfig" },
});
