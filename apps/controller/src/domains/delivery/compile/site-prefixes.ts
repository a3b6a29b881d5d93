/** Networks that a site brings into its space. Pure. */
import { isReserved, networkOf, parsePrefix } from "@weft/contract/rules/address.ts";

interface Section {
  readonly network: string;
  readonly network6: string | null;
  readonly enableForward: boolean;
}

interface Site {
  readonly sections: readonly Section[];
  readonly routes: readonly {
    readonly destination: string;
    readonly enabled: boolean;
    readonly announce: boolean;
  }[];
  readonly notices?: readonly string[];
  readonly announced?: readonly string[] | null;
}

const compareText = (text: string, other: string): number =>
  text < other ? -1 : text > other ? 1 : 0;
export const sorted = (texts: Iterable<string>): string[] => [...new Set(texts)].sort(compareText);

const networksOf = ({ network, network6 }: Section): string[] => [
  network,
  ...(network6 ? [network6] : []),
];

/**
 * All of them: those of a past state that it is held at, or those of its rows. Those that no site may have are in rows
 * of before that rule only: they would take the addresses inside tunnels along.
 */
export const prefixesOf = (site: Site): string[] =>
  allOf(site).filter((network) => !isReserved(network));

function allOf(site: Site): string[] {
  if (site.announced) return sorted(site.announced);
  const carried = site.sections.filter(({ enableForward }) => enableForward);
  const routed = site.routes.filter(({ enabled, announce }) => enabled && announce);
  const { notices = [] } = site;
  return sorted(
    [
      ...carried.flatMap(networksOf),
      ...routed.map(({ destination }) => destination),
      ...notices,
    ].map(networkOf),
  );
}

/** Those that a router in one of its LANs may bring (IPv4), as the device finds them in its state. */
export function behindLansOf(site: Site): string[] {
  const own = new Set(site.sections.flatMap(networksOf).map(networkOf));
  return prefixesOf(site).filter((network) => {
    const prefix = parsePrefix(network);
    return prefix?.family === 4 && prefix.length > 0 && !own.has(network);
  });
}
