/** DNS controls as lines of dnsmasq(8): servers by name, and sets of the firewall that answers are put into. Pure. */
import type { DnsControl, DnsSection } from "@weft/contract/device/v1/dns.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { addressOf, isWithin } from "@weft/contract/rules/address.ts";
import { familyOf } from "#drivers/address.ts";
import type { LearnedNames } from "#drivers/exits.ts";
import { type LearnedBy, learnedIn, nftsetOf, otherAnswers } from "#drivers/learned-sets.ts";
import type { Lease } from "#drivers/underlay/render.ts";
import type { ProbedServer } from "./health.ts";
import { decide, decidesElse, withParents } from "./names.ts";

/** What of a state the lines of its controls depend on. */
export interface ControlPart {
  readonly dns: DnsSection;
  readonly lines: readonly {
    readonly slot: number;
    readonly interfaceName: string;
    /** With its length; null: by DHCP. */
    readonly ip: string | null;
  }[];
  /** Networks of the LANs and of the space: a server there is not asked by a WAN link. */
  readonly inner: readonly string[];
  /** How servers are asked that no link is named for: "@10.1.7.1", or "". */
  readonly sources: Readonly<Record<string, string>>;
  /** Names whose answers acceleration groups are about. */
  readonly learned: readonly LearnedNames[];
}

type Leases = Readonly<Record<string, Lease>>;

/** A server of a control, the way that it is asked. */
interface Candidate extends ProbedServer {
  /** As dnsmasq has it. */
  readonly text: string;
}

export const partOf = (
  dns: DnsSection,
  { underlay }: DesiredState,
  inner: readonly string[],
  sourceFor: (server: string) => string,
  learned: readonly LearnedNames[],
): ControlPart => ({
  dns,
  learned,
  inner,
  lines: underlay.lines.map(({ slot, interfaceName, ip }) => ({ slot, interfaceName, ip })),
  sources: Object.fromEntries(
    (dns.controls ?? []).flatMap(({ servers }) =>
      servers.map((server) => [server, sourceFor(server)]),
    ),
  ),
});

/** By its WAN link first; without it, or while nothing answers there, as routing leads. */
const candidatesOf = (
  { servers, slot }: DnsControl,
  { lines, inner, sources }: ControlPart,
  leases: Leases,
): Candidate[] => {
  const line = lines.find((line) => line.slot === slot);
  const lineAddress = line && (line.ip ?? leases[line.interfaceName]?.address);
  const source = lineAddress === undefined ? null : addressOf(lineAddress);
  const bound = servers.flatMap((address) =>
    line && source !== null && !inner.some((network) => isWithin(network, address))
      ? {
          address,
          text: `${address}@${line.interfaceName}`,
          source: familyOf(source) === familyOf(address) ? source : null,
        }
      : [],
  );
  const routed = servers.map((address) => {
    const from = sources[address] ?? "";
    return { address, text: `${address}${from}`, source: from === "" ? null : from.slice(1) };
  });
  return [...bound, ...routed];
};

/** The first that answers; of several dead ones the first. */
const usedOf = (all: readonly Candidate[], isUp: (text: string) => boolean): string =>
  (all.find(({ text }) => isUp(text)) ?? all[0])?.text ?? "";

/** Servers that are to be watched: those before the one that is used, and that one itself. */
export const watchedOf = (
  controls: readonly DnsControl[],
  part: ControlPart,
  leases: Leases,
  isUp: (text: string) => boolean,
): Map<string, ProbedServer> =>
  new Map(
    controls.flatMap((control) => {
      const all = candidatesOf(control, part, leases);
      const used = all.findIndex(({ text }) => isUp(text));
      const upTo = used < 0 ? all.length : used + 1;
      return all.length < 2
        ? []
        : all.slice(0, upTo).map((candidate) => [candidate.text, candidate] as const);
    }),
  );

/** Lines of the file of servers. @param controls of today */
export const controlledServers = (
  controls: readonly DnsControl[],
  part: ControlPart,
  leases: Leases,
  isUp: (text: string) => boolean,
): { readonly named: string[]; readonly all: string | null } => {
  const texts = new Map(
    controls.map(
      (control) => [control, usedOf(candidatesOf(control, part, leases), isUp)] as const,
    ),
  );
  const of = (control: DnsControl | null, name: string): string[] =>
    control ? [`server=/${name}/${texts.get(control)}`] : [];
  const rest = decidesElse(controls);
  return {
    named: decide(controls, part.dns).flatMap(({ name, itself, below }) =>
      itself === below ? of(itself, name) : [...of(itself, name), ...of(below, `*.${name}`)],
    ),
    all: rest ? `server=${texts.get(rest)}` : null,
  };
};

/** Of the closest name at or above it; undefined: of none. */
const closest = <Value>(all: ReadonlyMap<string, Value>, name: string): Value | undefined => {
  const match = withParents(name).find((text) => all.has(text));
  return match === undefined ? undefined : all.get(match);
};

/** Whose set each name is learned for by controls; none of them leads anything: nothing is. */
const controlSets = (controls: readonly DnsControl[], dns: DnsSection) =>
  new Map<string, LearnedBy>(
    controls.some(({ routes }) => routes)
      ? [
          ...dns.servers.map(({ domain }) => [domain, otherAnswers] as const),
          ...decide(controls, dns).map(({ name, itself, below }) => {
            const control = below ?? itself;
            return [name, control?.routes ? control.id : otherAnswers] as const;
          }),
        ]
      : [],
  );

/** The first group that has a name. dnsmasq puts what is below a name into its sets as well. */
const groupSets = (learned: readonly LearnedNames[]) => {
  const byName = new Map<string, LearnedBy>();
  for (const { by, names } of learned)
    for (const name of names.map((name) => name.replace(/^\*\./, "")))
      if (!byName.has(name)) byName.set(name, by);
  return byName;
};

/**
 * Sets that answers are put into, one line a name: of two only the first would count, and the most specific name
 * counts alone. @param controls of today
 */
export const renderSets = (
  controls: readonly DnsControl[],
  { dns, learned }: Pick<ControlPart, "dns" | "learned">,
): string => {
  const [byControl, byGroup] = [controlSets(controls, dns), groupSets(learned)];
  const rest = decidesElse(controls);
  const all: LearnedBy | undefined = rest?.routes ? rest.id : undefined;
  const lineOf = (name: string, sets: readonly (LearnedBy | undefined)[]): string => {
    const known = sets.flatMap((set) => set ?? []);
    return known.length === 0 ? "" : `nftset=/${name}/${nftsetOf(known)}\n`;
  };
  return [
    ...[...new Set([...byControl.keys(), ...byGroup.keys()])]
      .sort()
      .map((name) => lineOf(name, [closest(byControl, name) ?? all, closest(byGroup, name)])),
    lineOf("#", [all]),
  ].join("");
};

/** Whose names are others in the second text: what was learned for them is to be forgotten. */
export const changedSets = (before: string, after: string): LearnedBy[] => {
  const nameOf = (line: string): string => line.split("/")[1] ?? "";
  const linesOf = (text: string): ReadonlyMap<LearnedBy, string> => {
    const all = text
      .split("\n")
      .flatMap((line) => learnedIn(line).map((by) => [by, nameOf(line)] as const));
    const byId = Map.groupBy(all, ([id]) => id);
    return new Map([...byId].map(([id, lines]) => [id, lines.map(([, line]) => line).join("\n")]));
  };
  const [old, now] = [linesOf(before), linesOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])].filter(
    (id) => id !== otherAnswers && old.get(id) !== now.get(id),
  );
};
