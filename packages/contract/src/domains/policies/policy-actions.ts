/**
 * How devices carry out each family of policy objects. A family that is not listed does not compile. Compile,
 * findings, the edge's capabilities and the hints of forms and lists follow from here.
 */
import type { DnsSection } from "#contract/device/v1/dns.ts";
import type { StateLimit } from "#contract/device/v1/limits.ts";
import type { PolicySection } from "#contract/device/v1/policy.ts";
import type { SiteSection } from "#contract/device/v1/site.ts";
import { type PolicyFamilyName, policyFamilies } from "./policy-families.ts";

/** Objects of a family that a device gets in its section `policy`, if it reports the capability. */
interface InSection {
  readonly by: "section";
  /** List of the section that has an entry for each object; groups and their entries are its sets and times. */
  readonly list: Exclude<keyof PolicySection, "timeZone">;
  /** How many objects a device takes, the first ones in their order; null: those that others name. */
  readonly max: StateLimit | null;
  /** The field without whose group an object is about the hosts of the LANs; null: there is none. */
  readonly hostsWithout: string | null;
}

/** Objects of a family that a device gets in its section `site`, if it reports the capability. */
interface InSite {
  readonly by: "site";
  readonly list: Exclude<keyof SiteSection, "sent">;
  readonly max: StateLimit;
}

/** Objects of a family that a device gets in its section `dns`, if it reports the capability. */
interface InDns {
  readonly by: "dns";
  /** List of the section with an entry for each object; null: they are names of those. */
  readonly list: Extract<keyof DnsSection, "controls"> | null;
  readonly max: StateLimit | null;
}

/** Objects of a family that a device gets in its section `underlay`, if it reports the capability. */
interface InUnderlay {
  readonly by: "underlay";
  readonly list: "cards";
}

/** `fill`: it fills what lines and LANs of a node leave open, in sections that devices get anyway. */
export type PolicyAction = InSection | InSite | InDns | InUnderlay | { readonly by: "fill" };

const services = { by: "section", list: "applications", max: null, hostsWithout: null } as const;
const names = { by: "dns", list: null, max: null } as const;
const sets = { by: "section", list: "sets", max: null, hostsWithout: null } as const;

const actions = {
  routerInterface: { by: "underlay", list: "cards" },
  routerInterfaceline: { by: "fill" },
  routerTimenode: { by: "section", list: "times", max: "timeGroups", hostsWithout: null },
  routerIpgroup: sets,
  routerIpgroupdefine: sets,
  routerDnsgroup: names,
  routerDomains: names,
  routerUrlgroup: names,
  routerUrl: names,
  routerProtocolex: services,
  routerRuleCustom: services,
  routerAppgroup: { ...services, max: "applicationGroups" },
  routerDnscontrol: { by: "dns", list: "controls", max: "dnsControls" },
  routerUrlrule: {
    by: "section",
    list: "nameRules",
    max: "nameRules",
    hostsWithout: "ipgroupId",
  },
  routerPolicyroute: {
    by: "section",
    list: "routes",
    max: "policyRoutes",
    hostsWithout: "srcIpgroupId",
  },
  routerBandwidthpipe: {
    by: "section",
    list: "tunnels",
    max: "bandwidthTunnels",
    hostsWithout: null,
  },
  routerBwpolicy: {
    by: "section",
    list: "bandwidths",
    max: "bandwidthPolicies",
    hostsWithout: "ipgroupId",
  },
  routerConnlimit: {
    by: "section",
    list: "limits",
    max: "connectionLimits",
    hostsWithout: "ipgroupId",
  },
  routerBgp: { by: "site", list: "neighbors", max: "siteNeighbors" },
  routerOspf: { by: "site", list: "interfaces", max: "siteInterfaces" },
  routerPortmapping: { by: "section", list: "portMaps", max: "portMappings", hostsWithout: null },
} as const satisfies Readonly<Record<PolicyFamilyName, PolicyAction>>;

type Actions = typeof actions;
type FamilyBy<By extends PolicyAction["by"]> = {
  [Name in PolicyFamilyName]: Actions[Name] extends { readonly by: By } ? Name : never;
}[PolicyFamilyName];
/** Families that devices get in their section `policy`. */
export type SentFamily = FamilyBy<"section">;
/** Those whose objects are rules. */
export type RuleFamily = {
  [Name in SentFamily]: Actions[Name]["list"] extends RuleList ? Name : never;
}[SentFamily];
/** Lists of the section with an entry for each object of a family. */
export type RuleList = Exclude<keyof PolicySection, NamedList | "timeZone">;
/** Lists with an entry for each object of a family that a rule names. */
const namedLists = ["sets", "times", "tunnels", "applications"] as const;
type NamedList = (typeof namedLists)[number];

/** Families that devices get in their section `site`. */
export type SiteFamily = FamilyBy<"site">;

/** Families that fill what lines and LANs leave open. */
export type FillFamily = FamilyBy<"fill">;

/** Families that devices get in their section `underlay`. */
export type UnderlayFamily = FamilyBy<"underlay">;

/** Families that devices get in their section `dns`. */
export type DnsFamily = FamilyBy<"dns">;
/** Those whose objects are rules. */
export type DnsRuleFamily = {
  [Name in DnsFamily]: Actions[Name]["list"] extends null ? never : Name;
}[DnsFamily];

export const policyAction = (family: PolicyFamilyName): PolicyAction => actions[family];

const isSent = (name: PolicyFamilyName): name is SentFamily => actions[name].by === "section";

export const sentFamilies: readonly SentFamily[] = policyFamilies
  .map(({ name }) => name)
  .filter(isSent);

const isOfSite = (name: PolicyFamilyName): name is SiteFamily => actions[name].by === "site";

export const siteFamilies: readonly SiteFamily[] = policyFamilies
  .map(({ name }) => name)
  .filter(isOfSite);

const isOfUnderlay = (name: PolicyFamilyName): name is UnderlayFamily =>
  actions[name].by === "underlay";

export const underlayFamilies: readonly UnderlayFamily[] = policyFamilies
  .map(({ name }) => name)
  .filter(isOfUnderlay);

const isOfDns = (name: PolicyFamilyName): name is DnsFamily => actions[name].by === "dns";

export const dnsFamilies: readonly DnsFamily[] = policyFamilies
  .map(({ name }) => name)
  .filter(isOfDns);

export const dnsRuleFamilies: readonly DnsRuleFamily[] = dnsFamilies.filter(
  (name): name is DnsRuleFamily => actions[name].list !== null,
);

const isRule = (name: SentFamily): name is RuleFamily =>
  !(namedLists as readonly string[]).includes(actions[name].list);

export const ruleFamilies: readonly RuleFamily[] = sentFamilies.filter(isRule);

/** What a device reports that carries a family out. */
export const policyCapability = (family: PolicyFamilyName): string => `policy.${family}`;
