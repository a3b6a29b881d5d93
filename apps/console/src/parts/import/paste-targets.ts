/** Lists whose rows are one value each: many of them can be pasted as lines. */
import { blacklist } from "@weft/contract/domains/policies/blacklist.ts";
import { policyFamilies } from "@weft/contract/domains/policies/policy-families.ts";
import type { PolicyFamily } from "@weft/contract/kernel/policy-family.ts";
import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import { checkWire, type RuleIssue } from "@weft/contract/kernel/rule.ts";
import { parseAddress, parsePrefix } from "@weft/contract/rules/address.ts";
import { isMac } from "@weft/contract/rules/text.ts";
import type { z } from "zod";
import { type PasteResource, pasteFields } from "./paste-fields.ts";

/** The kind of a blacklist entry, by how it is written. */
export function typeOf(value: string): "ip" | "mac" | "url" | "domain" {
  if (parseAddress(value) !== null || parsePrefix(value) !== null) return "ip";
  // What is written like an address is meant as one.
  if (/^[\d./]+$/.test(value)) return "ip";
  if (isMac(value)) return "mac";
  return /^https?:\/\//i.test(value) ? "url" : "domain";
}

const schemaOf = (name: PasteResource): z.ZodType =>
  name === "blacklist" ? blacklist.draft : familyOf(name).manage.resource.draft;

const familyOf = (name: string): PolicyFamily => {
  const family = policyFamilies.find((policyFamily) => policyFamily.name === name);
  if (!family) throw new Error(`${name} is no family of policy objects`);
  return family as unknown as PolicyFamily;
};

/** The group that entries of a list are in; null: they are in none. */
export function groupOf(name: PasteResource, isManage: boolean): AnyResource | null {
  if (name === "blacklist") return null;
  const { field } = pasteFields[name];
  const parent = Object.values(familyOf(name).spec.references ?? {})[0];
  if (parent === undefined) throw new Error(`${name}.${field} has no group`);
  const family = familyOf(parent);
  return (isManage ? family.manage : family.template).resource;
}

/** The contract's rule of a value in a list; null: it obeys it. */
export function checkOf(name: PasteResource): (value: string) => RuleIssue | null {
  const schema = schemaOf(name);
  const { field } = pasteFields[name];
  return (value) => {
    const type = name === "blacklist" ? { type: typeOf(value) } : {};
    const checked = checkWire(schema, { ...pasteFields[name].rest, ...type, [field]: value });
    if (checked.ok) return null;
    return checked.issues.find(({ path }) => path === field) ?? null;
  };
}
