/** What becomes of every field that the console saves about the network (docs/fields.md). */
import fs from "node:fs";
import { byteRecordsCapability } from "@weft/contract/device/v1/additions.ts";
import { dnsCapabilities } from "@weft/contract/device/v1/dns.ts";
import { flowRecordsCapability } from "@weft/contract/device/v1/flow-records.ts";
import { groupsCapability } from "@weft/contract/device/v1/groups.ts";
import { specialLinksCapability } from "@weft/contract/device/v1/path-classes.ts";
import { segmentsCapability } from "@weft/contract/device/v1/segments.ts";
import { shapingCapability } from "@weft/contract/device/v1/shaping.ts";
import { standbyCapability } from "@weft/contract/device/v1/standby.ts";
import {
  lanPrefixCapability,
  vlanCapability,
  wanIpv6Capability,
} from "@weft/contract/device/v1/underlay.ts";
import { policyFamilies } from "@weft/contract/domains/policies/policy-families.ts";
import { allEffects } from "@weft/contract/effects.ts";
import { inRoot } from "./repository.ts";

const drivers = "apps/edge/src/drivers";
const resolver = `${drivers}/dns/resolver.test.ts`;
const controls = `${drivers}/dns/controls.test.ts`;
const filters = `${drivers}/dns/filters.test.ts`;
const shaping = `${drivers}/shaping/shaping.test.ts`;
const groups = `${drivers}/firewall/groups.test.ts`;
const segments = `${drivers}/segment/segment.test.ts`;
const acceleration = `${drivers}/acceleration/acceleration.test.ts`;
const limits = `${drivers}/firewall/limits.test.ts`;

/**
 * Where packets of its own show what devices apply of a resource, from the root of the repository. Which resources
 * devices apply something of is declared in `effects.ts`; one without such a test has none in the table.
 */
const proofs: Readonly<Record<string, string>> = {
  pop: "e2e/lab/overlay.test.ts",
  cpe: "e2e/lab/site-life.test.ts",
  line: `${drivers}/line-edits.test.ts`,
  lansection: `${drivers}/central.test.ts`,
  staticroute: "e2e/lab/overlay.test.ts",
  netSpace: "e2e/lab/tenants.test.ts",
  popStrategy: "e2e/lab/pop-move.test.ts",
  xwanCircuit: `${drivers}/shaping/circuits.test.ts`,
  cug: groups,
  segmentRoute: segments,
  "saasGroup.domain": acceleration,
  "saasGroup.ip": acceleration,
  "saasGroup.app": acceleration,
  xwanSpeed: acceleration,
  xwanSpeedDefine: acceleration,
  ipgroup: "e2e/lab/enterprise-groups.test.ts",
  urlgroup: "e2e/lab/enterprise-groups.test.ts",
  xaclrules: `${drivers}/firewall/flows.test.ts`,
  blacklist: `${drivers}/firewall/hits.test.ts`,
  dnsmasq: resolver,
  dhcpReservation: resolver,
  routerInterface: `${drivers}/underlay/cards.test.ts`,
  routerInterfaceline: resolver,
  routerIpgroup: limits,
  routerIpgroupdefine: limits,
  routerConnlimit: limits,
  routerTimenode: `${drivers}/firewall/time-groups.test.ts`,
  routerPolicyroute: `${drivers}/firewall/policy-routes.test.ts`,
  routerProtocolex: shaping,
  routerRuleCustom: shaping,
  routerAppgroup: shaping,
  routerBandwidthpipe: shaping,
  routerBwpolicy: shaping,
  routerBgp: `${drivers}/routing/site.test.ts`,
  routerOspf: `${drivers}/routing/ospf.test.ts`,
  routerDnsgroup: controls,
  routerDomains: controls,
  routerDnscontrol: controls,
  routerUrlgroup: filters,
  routerUrl: filters,
  routerUrlrule: filters,
  routerPortmapping: `${drivers}/firewall/port-mapping.test.ts`,
};

const row = (...cells: string[]): string => `| ${cells.join(" | ")} |`;

/** Tests of capabilities that fields of several resources wait for. */
const byCapability: ReadonlyMap<string, string> = new Map([
  ...Object.values(dnsCapabilities).map((name) => [name, resolver] as const),
  [dnsCapabilities.hosts, filters],
  [shapingCapability, shaping],
  [groupsCapability, groups],
  [segmentsCapability, segments],
  [lanPrefixCapability, `${drivers}/underlay/delegation.test.ts`],
  [wanIpv6Capability, `${drivers}/underlay/ipv6.test.ts`],
  [vlanCapability, `${drivers}/underlay/vlan.test.ts`],
  [standbyCapability, `${drivers}/standby/standby.test.ts`],
  [byteRecordsCapability, "apps/edge/src/state/byte-records.test.ts"],
  [flowRecordsCapability, `${drivers}/flows/flows.test.ts`],
  [specialLinksCapability, `${drivers}/classes/class-moves.test.ts`],
]);

/** Applied by devices: the effect `state`, or what they report a capability for. */
const isApplied = (effect: string): boolean =>
  effect === "state" || effect.startsWith("policy.") || byCapability.has(effect);

function effectText(effect: string): string {
  if (effect === "state") return "devices apply it";
  if (effect === "controller") return "the controller uses it";
  if (effect === "label") return "text for readers";
  if (effect === "kept") return "saved only: the specification states neither meaning nor unit";
  if (isApplied(effect)) return `devices with \`${effect}\` apply it`;
  return `saved only: waits for \`${effect}\``;
}

const ofFamilies: ReadonlyMap<string, readonly string[]> = new Map(
  policyFamilies.map(({ name, spec }) => [name, Object.keys(spec.fields.shape)]),
);

function proofOf(resource: string, effect: string): string {
  if (!isApplied(effect)) return "";
  const file = byCapability.get(effect) ?? proofs[resource];
  if (file === undefined) return "";
  if (!fs.existsSync(inRoot(file)))
    throw new Error(`${file}, which proves ${resource}, is missing`);
  return `\`${file}\``;
}

/** A subject of `effects.ts`: its resource, whose name may have a dot, and its field. */
const partsOf = (subject: string): readonly [resource: string, field: string] => {
  const ownDot = subject.startsWith("saasGroup.") ? "saasGroup.".length : 0;
  const dot = subject.indexOf(".", ownDot);
  return dot === -1 ? [subject, ""] : [subject.slice(0, dot), subject.slice(dot + 1)];
};

/** The page, with its last line ended. */
export function fieldPage(): string {
  const subjects = [...allEffects].map(
    ([subject, effect]) => [...partsOf(subject), effect] as const,
  );
  const resources = new Set(subjects.map(([resource]) => resource));
  const unknown = Object.keys(proofs).filter((resource) => !resources.has(resource));
  if (unknown.length > 0) throw new Error(`effects.ts has no ${unknown.join(", ")}`);
  const groups = Map.groupBy(subjects, ([resource, , effect]) => `${resource} ${effect}`);
  const rows = [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const [resource, , effect] = first;
    const named = group.flatMap(([, field]) => (field === "" ? [] : [field]));
    const own = new Set(subjects.flatMap(([of, field]) => (of === resource ? [field] : [])));
    const others = (ofFamilies.get(resource) ?? []).filter((one) => !own.has(one));
    const fields = named.length > 0 ? named : others;
    const text =
      fields.length > 0 ? fields.map((field) => `\`${field}\``).join(", ") : "all fields";
    return row(`\`${resource}\``, text, effectText(effect), proofOf(resource, effect));
  });
  return [
    "# Fields",
    "",
    "What becomes of every field that the console saves about the network. Made by `npm run tables` from",
    "`packages/contract/src/effects.ts`; `npm run check` fails when it is not up to date. Forms and lists mark what is",
    "saved only. `apps/controller/test/effects.test.ts` changes each field and compares the states that are compiled.",
    "The last column is a test with packets of the resource; not every field of it has packets of its own.",
    "",
    row("resource", "fields", "effect", "packets"),
    row("---", "---", "---", "---"),
    ...rows,
    "",
  ].join("\n");
}
