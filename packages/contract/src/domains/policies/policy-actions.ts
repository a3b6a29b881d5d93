/**
 * How devices carry out each family of policy objects. A family that is not listed does not compile. Compile,
 * findings, the edge's capabilities and the hints of forms and lists follow from here.
 */
import type { StateLimit } from "#contract/device/v1/limits.ts";
import type { PolicySection } from "#contract/device/v1/policy.ts";
import { type PolicyFamilyName, policyFamilies } from "./policy-families.ts";

/** Objects of a family that a device gets in its section `policy`, if it reports the capability. */
interface InSection {
  readonly by: "section";
  /** List of the section that has an entry for each object; groups and their entries are its sets. */
  readonly list: keyof PolicySection;
  /** How many objects a device takes, the first ones in their order; null: those that others name. */
  readonly max: StateLimit | null;
  /** The field without whose group an object is about the hosts of the LANs; null: there is none. */
  readonly hostsWithout: string | null;
}

/**
 * `part`: names a part of the device that it has anyway, and asks for nothing. `none`: no edge carries it
 * out yet, and each object has a finding that says so.
 */
export type PolicyAction = InSection | { readonly by: "part" } | { readonly by: "none" };

const none = { by: "none" } as const;
const sets = { by: "section", list: "sets", max: null, hostsWithout: null } as const;

const actions = {
  // The ports that every template has from the start.
  routerInterface: { by: "part" },
  routerInterfaceline: none,
  routerTimenode: none,
  routerIpgroup: sets,
  routerIpgroupdefine: sets,
  routerDnsgroup: none,
  routerDomains: none,
  routerUrlgroup: none,
  routerUrl: none,
  routerProtocolex: none,
  routerRuleCustom: none,
  routerAppgroup: none,
  routerDnscontrol: none,
  routerUrlrule: none,
  routerPolicyroute: none,
  routerBandwidthpipe: none,
  routerBwpolicy: none,
  routerConnlimit: {
    ...{ by: "section", list: "limits" },
    ...{ max: "connectionLimits", hostsWithout: "ipgroupId" },
  },
  routerBgp: none,
  routerOspf: none,
  routerPortmapping: { by: "section", list: "portMaps", max: "portMappings", hostsWithout: null },
} as const satisfies Readonly<Record<PolicyFamilyName, PolicyAction>>;

type Actions = typeof actions;
/** Families that devices get in their section `policy`. */
export type SentFamily = {
  [Name in PolicyFamilyName]: Actions[Name] extends { readonly by: "section" } ? Name : never;
}[PolicyFamilyName];
/** Those whose objects are rules. */
export type RuleFamily = {
  [Name in SentFamily]: Actions[Name]["list"] extends RuleList ? Name : never;
}[SentFamily];
/** Lists of the section with an entry for each object of a family. */
export type RuleList = Exclude<keyof PolicySection, "sets">;

export const policyAction = (family: PolicyFamilyName): PolicyAction => actions[family];

const isSent = (name: PolicyFamilyName): name is SentFamily => actions[name].by === "section";

export const sentFamilies: readonly SentFamily[] = policyFamilies
  .map(({ name }) => name)
  .filter(isSent);

const isRule = (name: SentFamily): name is RuleFamily => actions[name].list !== "sets";

export const ruleFamilies: readonly RuleFamily[] = sentFamilies.filter(isRule);

/** What a device reports that carries a family out. */
export const policyCapability = (family: PolicyFamilyName): string => `policy.${family}`;
