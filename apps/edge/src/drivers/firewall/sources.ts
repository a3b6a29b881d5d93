/** Who may send from where: sources by interface, as nft matches them. Pure. */
import { familyOf } from "#drivers/address.ts";
import { outermost } from "#drivers/prefixes.ts";

export const families = [4, 6] as const;
type Family = (typeof families)[number];

const inFamily = (networks: readonly string[], family: Family): string[] =>
  outermost(networks.filter((network) => familyOf(network) === family));

/** "ip saddr { 10.1.1.0/24 }" for each family that there are networks of; null: any address. */
export const addressMatches = (
  networks: readonly string[] | null,
  field: "saddr" | "daddr",
): string[] =>
  networks === null
    ? [""]
    : families.flatMap((family) => {
        const here = inFamily(networks, family);
        return here.length === 0
          ? []
          : [`${family === 4 ? "ip" : "ip6"} ${field} { ${here.join(", ")} } `];
      });

/** An interface and the networks that may send by it; null: any. */
export interface Source {
  readonly interfaceName: string;
  readonly networks: readonly string[] | null;
}

/** Several entries of an interface as one: each of them may. */
const byInterface = (sources: readonly Source[]): Source[] => {
  const merged = new Map<string, readonly string[] | null>();
  for (const { interfaceName, networks } of sources) {
    const before = merged.get(interfaceName);
    merged.set(
      interfaceName,
      networks === null || before === null ? null : [...(before ?? []), ...networks],
    );
  }
  return [...merged].map(([interfaceName, networks]) => ({ interfaceName, networks }));
};

/** A set of ours as nft declares it. */
export interface NamedSet {
  readonly name: string;
  readonly type: string;
  /** The declaration with its elements. */
  readonly text: string;
}

export const namedSet = (name: string, type: string, elements: readonly string[]): NamedSet => {
  const filled = elements.length > 0 ? ` elements = { ${elements.join(", ")} }` : "";
  return { name, type, text: `set ${name} { ${type}${filled} }` };
};

/** Sets and the chain that drop what comes with a source that its interface may not have. */
export interface SourceCheck {
  /** Interfaces that are checked. */
  readonly interfaceNames: readonly string[];
  /** Accept what is right of each interface by a look-up of its own, where there are few of them. */
  readonly shortcuts: readonly string[];
  /** To be declared before the rules. */
  readonly sets: readonly NamedSet[];
  readonly rules: readonly string[];
}

/** Packets that came by an interface lately with a source that none of its hosts has. */
export interface ForeignSource {
  readonly interfaceName: string;
  readonly packets: number;
}

/** Interfaces that something foreign came by lately, with how much of it: elements go by themselves. */
export const foreignSet = "d_foreign";
/** The chain that ends what has a foreign source. */
export const foreignChain = "c_foreign";

/** Filled by the kernel: made once, and kept over a load of rules. */
export const foreignSets: readonly NamedSet[] = [
  namedSet(foreignSet, "type ifname; size 32768; flags dynamic,timeout; timeout 10m;", []),
];

/** In two rules: an element that finds no room would end the first one. */
export const foreignRules: readonly string[] = [
  `update @${foreignSet} { iifname counter }`,
  "drop",
];

const setName = (kind: string, family: Family): string => `s_${kind}${family}`;

const anything: Readonly<Record<Family, string>> = { 4: "0.0.0.0/0", 6: "::/0" };
/** What hosts send before they have an address, and to their neighbours. */
const always: Readonly<Record<Family, string>> = {
  4: "ip saddr != 0.0.0.0",
  6: "ip6 saddr != { ::, fe80::/10 }",
};

const none: SourceCheck = { interfaceNames: [], shortcuts: [], sets: [], rules: [] };

/** A look-up of interface and address together costs a packet more than twenty plain rules (measured). */
const maxShortcuts = 8;

const shortcutsOf = (sources: readonly Source[]): string[] =>
  sources.length > maxShortcuts
    ? []
    : sources.flatMap(({ interfaceName, networks }) =>
        addressMatches(networks, "saddr").map(
          (match) => `iifname "${interfaceName}" ${match}accept`,
        ),
      );

/**
 * Source validation (RFC 3704) of the interfaces that a pattern names. One lookup per packet however
 * many interfaces there are.
 * @param kind names sets and counter: "lan", "link"
 * @param match what distinguishes these interfaces from others: `iifname "wl*"`
 */
export const checkSources = (
  kind: "lan" | "link",
  match: string,
  sources: readonly Source[],
): SourceCheck => {
  if (sources.length === 0) return none;
  const merged = byInterface(sources);
  const of = (family: Family) => {
    const elements = merged.flatMap(({ interfaceName, networks }) =>
      (networks === null ? [anything[family]] : inFamily(networks, family)).map(
        (network) => `"${interfaceName}" . ${network}`,
      ),
    );
    const type = `type ifname . ipv${family}_addr; flags interval;`;
    return namedSet(setName(kind, family), type, elements);
  };
  const keyword = (family: Family) => (family === 4 ? "ip" : "ip6");
  return {
    interfaceNames: merged.map(({ interfaceName }) => interfaceName),
    shortcuts: shortcutsOf(merged),
    sets: families.map(of),
    rules: families.map(
      (family) =>
        `${match} ${always[family]} iifname . ${keyword(family)} saddr != @${setName(kind, family)} counter name "h_source_${kind}" goto ${foreignChain}`,
    ),
  };
};
