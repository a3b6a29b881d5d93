/**
 * Routes of a class: what BGP would choose if links were preferred as the class prefers them, as far as that is another
 * link than the one in use. Pure.
 */
import { networkOf } from "@weft/contract/rules/address.ts";
import { effectivePreference, type Rank } from "#drivers/paths/choice.ts";
import type { ClassLink } from "./render.ts";

/** A way to a network that a link's other end offers. */
export interface OfferedPath {
  readonly link: number;
  /** 0: it is taken only where nothing else leads there (routing/backup.ts). */
  readonly preference: number;
}

export interface MainRoute {
  readonly network: string;
  /** Number of rtnetlink(7). */
  readonly protocol: string;
  /** Null: none, or several. */
  readonly interfaceName: string | null;
}

/** Hop null: what is looked up in the next table. */
export interface ClassRoute {
  readonly network: string;
  readonly hop: { readonly gateway: string; readonly interfaceName: string } | null;
}

export interface ClassContext {
  readonly family: 4 | 6;
  /** By network. */
  readonly offered: ReadonlyMap<string, readonly OfferedPath[]>;
  readonly main: readonly MainRoute[];
  readonly links: readonly ClassLink[];
  /** Of the class, by link. */
  readonly ranks: ReadonlyMap<number, Rank>;
  /** Links that nothing is led to now. */
  readonly quiet: ReadonlySet<number>;
  /** Other traffic is about to leave the links in use: the class gets its routes beforehand. */
  readonly pins: boolean;
}

const bgpProtocol = "186";

const lengthOf = (network: string): number => Number(network.split("/")[1]);

/** The link that a class takes to a network; null: none of those that are offered. */
const preferred = (
  paths: readonly OfferedPath[],
  inUse: string,
  { links, ranks, quiet }: ClassContext,
): ClassLink | null => {
  const byId = new Map(links.map((link) => [link.id, link]));
  const whole = paths.filter(({ preference }) => preference > 0);
  const candidates = (whole.length > 0 ? whole : paths).flatMap(({ link }) => {
    const classLink = byId.get(link);
    return classLink && !quiet.has(link) ? [classLink] : [];
  });
  const worthOf = ({ id, preference }: ClassLink) =>
    effectivePreference(preference, ranks.get(id) ?? 0);
  const best = Math.max(...candidates.map(worthOf));
  const all = candidates.filter((candidate) => worthOf(candidate) === best);
  return all.find(({ interfaceName }) => interfaceName === inUse) ?? all[0] ?? null;
};

/**
 * Only networks that BGP leads over one of the links now: what is routed otherwise, or not at all, is none of
 * a class. More special routes within one of them stay as they are.
 */
export const classRoutes = (context: ClassContext): ClassRoute[] => {
  const ours = new Set(context.links.map(({ interfaceName }) => interfaceName));
  const exceptions = new Map<string, ClassRoute>();
  for (const { network, protocol, interfaceName } of context.main) {
    if (protocol !== bgpProtocol || interfaceName === null || !ours.has(interfaceName)) continue;
    const link = preferred(context.offered.get(network) ?? [], interfaceName, context);
    if (!link || (link.interfaceName === interfaceName && !context.pins)) continue;
    const hop = { gateway: link.peer[context.family], interfaceName: link.interfaceName };
    exceptions.set(network, { network, hop });
  }
  const lengths = [...new Set([...exceptions.keys()].map(lengthOf))];
  const isWithin = (network: string): boolean =>
    lengths.some(
      (length) =>
        length < lengthOf(network) &&
        exceptions.has(networkOf(`${network.split("/")[0]}/${length}`)),
    );
  const kept = context.main.flatMap(({ network }): ClassRoute[] =>
    exceptions.has(network) || !isWithin(network) ? [] : [{ network, hop: null }],
  );
  const once = new Map(kept.map((classRoute) => [classRoute.network, classRoute]));
  return [...once.values(), ...exceptions.values()];
};

interface ShownPath {
  readonly valid?: boolean;
  readonly peerId?: string;
  readonly locPrf?: number;
}

/**
 * What neighbours offer, from `show bgp … unicast json`.
 *
 * @param links by the address of the neighbour, as FRR shows it
 */
export const parseOffered = (
  text: string,
  links: ReadonlyMap<string, number>,
): Map<string, OfferedPath[]> => {
  const { routes = {} } = JSON.parse(text) as {
    routes?: Record<string, readonly ShownPath[]>;
  };
  return new Map(
    Object.entries(routes).map(([network, paths]) => [
      network,
      paths.flatMap(({ valid, peerId = "", locPrf = 100 }) => {
        const link = links.get(peerId);
        return valid && link !== undefined ? [{ link, preference: locPrf }] : [];
      }),
    ]),
  );
};
