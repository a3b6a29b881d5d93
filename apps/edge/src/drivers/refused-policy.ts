/**
 * Rules of policies without those that the machine refused (ADR 0046): what allows something, or leads it somewhere, is
 * left out, and what denies something denies more instead. Pure.
 */
import type { AclRuleState } from "@weft/contract/device/v1/acl.ts";
import type { NameRule, PolicyRoute } from "@weft/contract/device/v1/policy.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import type { LanSection } from "@weft/contract/device/v1/underlay.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import type { ObjectName, Refusal } from "./refusals.ts";

const everyPacket: AclRuleState = {
  action: "drop",
  protocol: "any",
  source: null,
  target: null,
  sourcePort: null,
  targetPort: null,
  mac: null,
};

const maxObject = 64;

/** What it matches, in the language of no tool: "tcp 10.0.0.0/8 > *:443". */
const matchText = (rule: AclRuleState): string => {
  const { protocol, source, target, sourcePort, targetPort, mac } = rule;
  const end = (address: string | null, port: string | null): string =>
    [address ?? "*", ...(port === null ? [] : [port])].join(":");
  const parts = [end(source, sourcePort), ">", end(target, targetPort)];
  return [protocol, ...parts, ...(mac === null ? [] : [mac])].join(" ");
};

/** Rules of a controller that names no objects are their own. */
const aclName = (rule: AclRuleState): ObjectName => ({
  section: "firewall",
  kind: rule.object?.family === "blacklist" ? "blacklistEntry" : "aclRule",
  object: rule.object ? `${rule.object.id}` : matchText(rule).slice(0, maxObject),
});

const ofPolicy =
  (kind: string) =>
  (id: number): ObjectName => ({ section: "policy", kind, object: `${id}` });
const ipGroupName = ofPolicy("ipGroup");
const appGroupName = ofPolicy("appGroup");
const timeGroupName = ofPolicy("timeGroup");
const limitName = ofPolicy("connectionLimit");
const portMappingName = ofPolicy("portMapping");
const policyRouteName = ofPolicy("policyRoute");
const nameRuleName = ofPolicy("urlRule");
const bandwidthPolicyName = ofPolicy("bandwidthPolicy");
const dnsControlName = (id: number): ObjectName => ({
  section: "dns",
  kind: "dnsControl",
  object: `${id}`,
});
const userGroupName = (id: number): ObjectName => ({
  section: "groups",
  kind: "userGroup",
  object: `${id}`,
});

/** A LAN as its hosts pass the device: without its rules nothing does, and what one of its networks sends neither. */
const lanRulesName = (object: string): ObjectName => ({
  section: "firewall",
  kind: "lan",
  object,
});

/** A rule that matches more. */
type Form<Rule> = (rule: Rule) => Rule;

const anyPort: Form<AclRuleState> = (rule) => ({ ...rule, sourcePort: null, targetPort: null });
const anyProtocol: Form<AclRuleState> = (rule) => ({ ...anyPort(rule), protocol: "any" });
const addresses: Form<AclRuleState> = (rule) => ({ ...anyProtocol(rule), mac: null });
const everything: Form<AclRuleState> = (rule) => ({
  ...everyPacket,
  ...(rule.object && { object: rule.object }),
});

/** The form in which a denial stops all that passes. */
export const everyForm = 99;

/** The form of what a search leaves out of the rules for the moment: it must not stop anything, or what passes would not be examined. */
export const absentForm = -1;

/** Bits by which the prefix of a network that stays inside is shortened: the forms in which it is tried. */
const shorter = [1, 2, 4, 8, 16, 32, 64] as const;
/** The widest networks that are kept inside: a wider one counts as a default (spaces.ts). */
const widest = { v4: 8, v6: 7 } as const;

/** The network around it that is kept inside in its place; null: there is none. @param form bits */
export const widerNetwork = (network: string, form: number): string | null => {
  const [address = "", length = ""] = networkOf(network).split("/");
  const bits = shorter.find((candidate) => candidate === form);
  return bits === undefined ? null : networkOf(`${address}/${Number(length) - bits}`);
};

/** Forms of a network of a space, narrowest first. */
export const networkForms = (network: string): readonly number[] => {
  const [address = "", length = ""] = networkOf(network).split("/");
  const minLength = address.includes(":") ? widest.v6 : widest.v4;
  return [...shorter.filter((bits) => Number(length) - bits >= minLength), everyForm];
};

/** What a rule that denies becomes, in the order in which these are tried. The last one is never refused. */
const aclForms: readonly Form<AclRuleState>[] = [
  anyPort,
  anyProtocol,
  (rule) => ({ ...rule, mac: null }),
  (rule) => ({ ...rule, target: null }),
  (rule) => ({ ...rule, source: null }),
  addresses,
  (rule) => ({ ...addresses(rule), target: null }),
  (rule) => ({ ...addresses(rule), source: null }),
  everything,
];

/** Likewise of policy routes; the form behind them denies all that passes. */
const routeForms: readonly Form<PolicyRoute>[] = [
  (route) => ({ ...route, app: null }),
  (route) => ({ ...route, time: null }),
  (route) => ({ ...route, targets: null }),
  (route) => ({ ...route, sources: null }),
  (route) => ({ ...route, app: null, time: null, targets: null }),
  (route) => ({ ...route, app: null, time: null, sources: null }),
  (route) => ({ ...route, app: null, time: null, targets: null, sources: null }),
];

/** Likewise of rules that deny names. */
const nameForms: readonly Form<NameRule>[] = [
  (rule) => ({ ...rule, time: null }),
  (rule) => ({ ...rule, sources: null }),
  (rule) => ({ ...rule, time: null, sources: null }),
];

const isSame = (one: object, other: object): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Forms, by number, that match more than the rules, but not all: those are the last. */
const formsOf = <Rule extends object>(
  forms: readonly Form<Rule>[],
  rules: readonly Rule[],
  isAll: (rule: Rule) => boolean = () => false,
): number[] =>
  forms.flatMap((form, at) => {
    const changed = rules.map(form);
    const isBroader = changed.some((rule, place) => !isSame(rule, rules[place] ?? {}));
    return isBroader && !changed.some(isAll) ? [at] : [];
  });

/** An object that the machine may refuse. */
export interface Candidate {
  readonly about: ObjectName;
  /** Of one that denies: in which forms it may act instead, in the order in which they are to be tried. Empty: it is left out. */
  readonly forms: readonly number[];
}

export const leftOut = (about: ObjectName): Candidate => ({ about, forms: [] });

/** Rules of the ACL by object; what a list of them denies is denied in one form. */
const aclCandidates = (acl: readonly AclRuleState[]): Candidate[] => {
  const byObject = new Map<string, AclRuleState[]>();
  for (const rule of acl) {
    const { kind, object } = aclName(rule);
    const key = `${kind} ${object} ${rule.action}`;
    byObject.set(key, [...(byObject.get(key) ?? []), rule]);
  }
  return [...byObject.values()].flatMap((rules) => {
    const [first] = rules;
    if (!first) return [];
    if (first.action === "accept") return [leftOut(aclName(first))];
    const isAll = (rule: AclRuleState): boolean => isSame(rule, everything(rule));
    return [{ about: aclName(first), forms: [...formsOf(aclForms, rules, isAll), everyForm] }];
  });
};

/** What of the rules of the device the machine may refuse; groups before the rules that name them. */
export const policyCandidates = ({
  underlay,
  policy,
  firewall,
  groups,
  dns,
}: DesiredState): Candidate[] => {
  const {
    sets,
    limits,
    applications = [],
    times = [],
    portMaps = [],
  } = policy ?? {
    sets: [],
    limits: [],
  };
  const { routes = [], nameRules = [], bandwidths = [] } = policy ?? {};
  const idsOf = (items: readonly { readonly id: number }[], name: (id: number) => ObjectName) =>
    items.map(({ id }) => leftOut(name(id)));
  return [
    // Several sections of one interface are one object; it is decided before its networks.
    ...[...new Set(underlay.lans.map(({ interfaceName }) => interfaceName))].map((name) =>
      leftOut(lanRulesName(name)),
    ),
    ...[...new Set(underlay.lans.flatMap(({ networks = [] }) => networks))].map((network) =>
      leftOut(lanRulesName(network)),
    ),
    ...idsOf(sets, ipGroupName),
    ...idsOf(applications, appGroupName),
    ...idsOf(times, timeGroupName),
    ...idsOf(groups?.groups ?? [], userGroupName),
    ...idsOf(dns?.controls ?? [], dnsControlName),
    ...idsOf(limits, limitName),
    ...idsOf(portMaps, portMappingName),
    ...idsOf(bandwidths, bandwidthPolicyName),
    ...routes.map((route) => ({
      about: policyRouteName(route.id),
      forms: route.deny ? [...formsOf(routeForms, [route]), everyForm] : [],
    })),
    ...nameRules.map((rule) => ({
      about: nameRuleName(rule.id),
      forms: rule.denies ? [...formsOf(nameForms, [rule]), everyForm] : [],
    })),
    ...aclCandidates(firewall.acl ?? []),
  ];
};

export interface RefusalLookup {
  /** Undefined: it is not refused at the moment. */
  find(name: ObjectName): Refusal | undefined;
  /** Each object is reported once. */
  report(name: ObjectName, reason: string, params: Readonly<Record<string, string>>): void;
}

/** A rule that acts in another form than it is saved in: what it has there of a group, of any value. */
type Grouped = Partial<
  Record<"sources" | "targets" | "app" | "time" | "set" | "hosts", number | null | undefined>
>;
const groupNames = {
  sources: ipGroupName,
  targets: ipGroupName,
  set: ipGroupName,
  hosts: ipGroupName,
  app: appGroupName,
  time: timeGroupName,
} as const;
const groupFields = Object.keys(groupNames) as (keyof typeof groupNames)[];

/** Fields by which a rule names groups that are refused, and why the first of them is. */
const lostGroups = (rule: Grouped, { find }: RefusalLookup) => {
  const lost = groupFields.flatMap((field) => {
    const refusal = rule[field] == null ? undefined : find(groupNames[field](rule[field]));
    return refusal ? [{ field, why: refusal.why }] : [];
  });
  return { fields: lost.map(({ field }) => field), why: lost[0]?.why ?? "" };
};

/** Without its groups a rule would be about everyone. */
const isLeftOut = (rule: Grouped, name: ObjectName, lookup: RefusalLookup): boolean => {
  const refusal = lookup.find(name);
  const lost = lostGroups(rule, lookup);
  if (!refusal && lost.fields.length === 0) return false;
  lookup.report(name, "refused", { why: refusal?.why ?? lost.why });
  return true;
};

/** Fields that match anything in place of what was saved. */
const widened = (before: object, after: object): string =>
  Object.keys(before)
    .filter((field) => !isSame([Reflect.get(before, field)], [Reflect.get(after, field)]))
    .map((field) => `${field}: *`)
    .join(", ");

export const everythingText = "*";

/** @returns what is denied in its place; null: all that passes */
const broaden = <Rule extends Grouped & object>(
  rule: Rule,
  name: ObjectName,
  forms: readonly Form<Rule>[],
  lookup: RefusalLookup,
): Rule | null => {
  const refusal = lookup.find(name);
  const lost = lostGroups(rule, lookup);
  if (!refusal && lost.fields.length === 0) return rule;
  const formed = refusal ? (forms[refusal.form ?? everyForm]?.(rule) ?? null) : rule;
  const broader = formed && {
    ...formed,
    ...Object.fromEntries(lost.fields.map((field) => [field, null])),
  };
  const denies = broader === null ? everythingText : widened(rule, broader);
  lookup.report(name, "refusedBroader", { why: refusal?.why ?? lost.why, denies });
  return broader;
};

const aclWithout = (
  acl: readonly AclRuleState[],
  { find, report }: RefusalLookup,
): AclRuleState[] =>
  acl.flatMap((rule) => {
    const name = aclName(rule);
    const refusal = find(name);
    if (!refusal) return [rule];
    if (rule.action === "accept") {
      report(name, "refused", { why: refusal.why });
      return [];
    }
    const broader = (aclForms[refusal.form ?? everyForm] ?? everything)(rule);
    report(name, "refusedBroader", { why: refusal.why, denies: matchText(broader) });
    return [broader];
  });

const isRefused = (name: ObjectName, { find, report }: RefusalLookup): boolean => {
  const refusal = find(name);
  if (refusal) report(name, "refused", { why: refusal.why });
  return refusal !== undefined;
};

/** A LAN section whose interface has no rules: the machine refused them. */
export type KeptLan = LanSection & { readonly isWithoutRules?: true };

/** A LAN section as far as its rules are not refused: its hosts keep their gateway, and nothing of what is left out passes. */
export const lanWithout = (lan: LanSection, lookup: RefusalLookup): KeptLan => {
  if (isRefused(lanRulesName(lan.interfaceName), lookup)) {
    const { central: _, translated: _translated, ...rest } = lan;
    return { ...rest, networks: [], direct: false, forward: false, isWithoutRules: true };
  }
  const networks = lan.networks?.filter((network) => !isRefused(lanRulesName(network), lookup));
  return { ...lan, ...(networks && { networks }) };
};

/** What of a state the rules of the device are made of. */
type Ruled = Pick<DesiredState, "policy" | "firewall" | "groups" | "dns">;

/** The rules of a state without what is refused of them. @param isShut nothing may pass, whatever they say */
export const rulesWithout = (
  state: DesiredState,
  lookup: RefusalLookup,
  isShut: boolean,
): Ruled => {
  const { policy, firewall, groups, dns } = state;
  let isAllDenied = isShut;
  const denied = <Rule>(broader: Rule | null): Rule[] => {
    if (broader !== null) return [broader];
    isAllDenied = true;
    return [];
  };
  const isOut = (name: ObjectName): boolean => isRefused(name, lookup);
  const limited = policy && {
    ...policy,
    limits: policy.limits.filter((limit) => !isLeftOut(limit, limitName(limit.id), lookup)),
    ...(policy.portMaps && {
      portMaps: policy.portMaps.filter(({ id }) => !isOut(portMappingName(id))),
    }),
    ...(policy.routes && {
      routes: policy.routes.flatMap((route): PolicyRoute[] => {
        const name = policyRouteName(route.id);
        if (route.deny) return denied(broaden(route, name, routeForms, lookup));
        return isLeftOut(route, name, lookup) ? [] : [route];
      }),
    }),
    ...(policy.nameRules && {
      nameRules: policy.nameRules.flatMap((rule): NameRule[] => {
        const name = nameRuleName(rule.id);
        if (rule.denies) return denied(broaden(rule, name, nameForms, lookup));
        return isLeftOut(rule, name, lookup) ? [] : [rule];
      }),
    }),
    ...(policy.bandwidths && {
      bandwidths: policy.bandwidths.filter(
        (rule) => !isLeftOut(rule, bandwidthPolicyName(rule.id), lookup),
      ),
    }),
    sets: policy.sets.filter(({ id }) => !isOut(ipGroupName(id))),
    ...(policy.applications && {
      applications: policy.applications.filter(({ id }) => !isOut(appGroupName(id))),
    }),
    ...(policy.times && { times: policy.times.filter(({ id }) => !isOut(timeGroupName(id))) }),
  };
  const acl = firewall.acl && aclWithout(firewall.acl, lookup);
  const ruled = isAllDenied ? [everyPacket, ...(acl ?? [])] : acl;
  return {
    firewall: { ...firewall, ...(ruled && { acl: ruled }) },
    ...(limited && { policy: limited }),
    // Networks of a group that is left out are apart from the site: nothing passes to them or from them.
    ...(groups && {
      groups: { ...groups, groups: groups.groups.filter(({ id }) => !isOut(userGroupName(id))) },
    }),
    ...(dns && {
      dns: {
        ...dns,
        ...(dns.controls && {
          controls: dns.controls.filter(({ id }) => !isOut(dnsControlName(id))),
        }),
      },
    }),
  };
};
