/** Keeps the tables of classes as their choice of links is. */

import {
  classTable,
  specialClass,
  type TrafficClass,
} from "@weft/contract/device/v1/path-classes.ts";
import { prefixText } from "@weft/contract/rules/address.ts";
import { canonicalAddress, canonicalCidr } from "#drivers/address.ts";
import { type Device, ownProtocol } from "#drivers/device.ts";
import { ipJson } from "#drivers/ip-json.ts";
import { listNetns } from "#drivers/netns.ts";
import type { Rank } from "#drivers/paths/choice.ts";
import type { ClassRanks } from "#drivers/paths/class-choice.ts";
import { classPreference } from "#drivers/paths/special-links.ts";
import { vtysh } from "#drivers/routing/daemons.ts";
import { type ClassLink, type ClassSpace, isClassTable } from "./render.ts";
import { type ClassRoute, classRoutes, type MainRoute, parseOffered } from "./routes.ts";

/** How classes choose now. */
export interface ClassWays {
  readonly ranks: ClassRanks;
  /** Of traffic without a class. */
  readonly plain: ReadonlyMap<number, Rank>;
  /** Links that nothing is led to now. */
  readonly quiet: ReadonlySet<number>;
  /** Other traffic does not go by what is in use for long: classes that stay there need routes beforehand. */
  readonly pins: boolean;
}

type Family = 4 | 6;
const families = [4, 6] as const;

interface KernelRoute {
  readonly dst: string;
  readonly dev?: string;
  readonly gateway?: string;
  readonly protocol?: string;
  readonly table?: string;
  readonly type?: string;
}

/** Routes of one namespace and family by table and network. */
type Applied = Map<string, { readonly table: number; readonly route: ClassRoute }>;

const keyOf = (table: number, { network }: ClassRoute): string => `${table} ${network}`;
const textOf = ({ hop }: ClassRoute): string =>
  hop ? `${canonicalAddress(hop.gateway)} ${hop.interfaceName}` : "";

const cidrOf = (dst: string, family: Family): string => {
  if (dst === "default") return family === 4 ? "0.0.0.0/0" : "::/0";
  return canonicalCidr(prefixText(dst));
};

/** The links of a space as a class prefers them. */
const linksFor = (name: TrafficClass, { links, special }: ClassSpace): readonly ClassLink[] => {
  const lines = new Set(special);
  return links.map((link) => ({ ...link, preference: classPreference(name, link, lines) }));
};

/** Whether a class may prefer the links of a space otherwise than other traffic does. */
const differs = (
  name: TrafficClass,
  { links, special }: ClassSpace,
  ranks: ReadonlyMap<number, Rank> | undefined,
  plain: ReadonlyMap<number, Rank>,
): boolean =>
  (name === specialClass && special.length > 0) ||
  links.some(({ id }) => (ranks?.get(id) ?? 0) !== (plain.get(id) ?? 0));

/** Changes of one namespace and family, as lines of `ip -batch`: what is kept first, and removed last. */
const changes = (wanted: Applied, applied: Applied): string[] => {
  const added = [...wanted].filter(([key, { route }]) => {
    const before = applied.get(key);
    return before === undefined || textOf(before.route) !== textOf(route);
  });
  const removed = [...applied].filter(([key]) => !wanted.has(key));
  const isKept = ([, { route }]: (typeof added)[number]) => route.hop === null;
  const additionOf = ([, { table, route }]: (typeof added)[number]): string[] => {
    const tail = `table ${table} proto ${ownProtocol}`;
    const { network, hop } = route;
    return hop
      ? [`route replace ${network} via ${hop.gateway} dev ${hop.interfaceName} onlink ${tail}`]
      : [`route replace throw ${network} ${tail}`];
  };
  const del = ([, { table, route }]: (typeof removed)[number]): string =>
    `route del ${route.hop ? "" : "throw "}${route.network} table ${table} proto ${ownProtocol}`;
  return [
    ...added.filter(isKept).flatMap(additionOf),
    ...added.filter((item) => !isKept(item)).flatMap(additionOf),
    ...removed.filter((item) => !isKept(item)).map(del),
    ...removed.filter(isKept).map(del),
  ];
};

export class ClassRouter {
  readonly #device: Device;
  readonly #applied = new Map<string, Applied>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(device: Device) {
    this.#device = device;
  }

  /** Some traffic of a class goes by a table of its own there. */
  isActive(netns: string | null): boolean {
    return families.some((family) => (this.#applied.get(placeOf(netns, family))?.size ?? 0) > 0);
  }

  /** Gives the tables of a space the routes that the choice asks for. Throws with what a tool says; it may be called again. */
  sync(space: ClassSpace, ways: ClassWays): Promise<void> {
    return this.#inTurn(() => this.#syncSpace(space, ways));
  }

  /** Takes all routes by these links out, without reading what else there is. */
  drop(links: ReadonlySet<string>): Promise<void> {
    const leads = ({ hop }: ClassRoute) => hop !== null && links.has(hop.interfaceName);
    const isThere = [...this.#applied.values()].some((applied) =>
      [...applied.values()].some(({ route }) => leads(route)),
    );
    if (!isThere) return Promise.resolve();
    return this.#inTurn(async () => {
      // A copy: a change puts its place in anew, at the end.
      for (const [place, applied] of [...this.#applied]) {
        const rest = new Map([...applied].filter(([, { route }]) => !leads(route)));
        await this.#change(place, rest, applied);
      }
    });
  }

  /** Nothing of a class is in the way of what routing decides. */
  clear(netns: string | null): Promise<void> {
    return this.#inTurn(async () => {
      for (const family of families) {
        const place = placeOf(netns, family);
        await this.#change(place, new Map(), await this.#read(netns, family));
        this.#applied.delete(place);
      }
    });
  }

  async clearAll(): Promise<void> {
    const places = new Set([...this.#applied.keys()].map((place) => netnsOf(place)));
    for (const netns of places) await this.clear(netns);
  }

  #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = this.#last.then(work, work);
    this.#last = done.catch(() => {});
    return done;
  }

  async #syncSpace(space: ClassSpace, ways: ClassWays): Promise<void> {
    const { netns, classes, links } = space;
    if (netns !== null && !listNetns().includes(netns)) return;
    const apart = classes.filter((name) => differs(name, space, ways.ranks.get(name), ways.plain));
    const offers = apart.length > 0 ? await this.#offered(netns, links) : null;
    for (const family of families) {
      const place = placeOf(netns, family);
      if (!offers && this.#applied.get(place)?.size === 0) continue;
      // A link whose interface was down, or made again, lost the routes that it had.
      const applied = await this.#read(netns, family);
      const wanted: Applied = new Map();
      if (offers) {
        const main = await this.#main(netns, family);
        const { quiet, pins } = ways;
        const context = { family, offered: offers[family], main, quiet, pins };
        for (const name of apart) {
          const choice = { links: linksFor(name, space), ranks: ways.ranks.get(name) ?? new Map() };
          for (const route of classRoutes({ ...context, ...choice }))
            wanted.set(keyOf(classTable(name), route), { table: classTable(name), route });
        }
      }
      await this.#change(place, wanted, applied);
    }
  }

  async #change(place: string, wanted: Applied, applied: Applied): Promise<void> {
    const lines = changes(wanted, applied);
    // Until it is done, what is there is not known.
    this.#applied.delete(place);
    if (lines.length > 0)
      await this.#device.run(["ip", `-${familyOf(place)}`, "-force", "-batch", "-"], {
        netns: netnsOf(place),
        input: `${lines.join("\n")}\n`,
      });
    this.#applied.set(place, wanted);
  }

  /** What the tables have. */
  async #read(netns: string | null, family: Family): Promise<Applied> {
    const query = ["-N", `-${family}`, "route", "show", "table", "all", "proto", ownProtocol];
    const rows = await ipJson<KernelRoute>(this.#device.run, query, netns);
    return new Map(
      rows
        .filter(({ table = "" }) => isClassTable(table))
        .map(({ dst, dev, gateway, table }) => {
          const hop = gateway && dev ? { gateway, interfaceName: dev } : null;
          const route: ClassRoute = { network: cidrOf(dst, family), hop };
          return [keyOf(Number(table), route), { table: Number(table), route }];
        }),
    );
  }

  async #main(netns: string | null, family: Family): Promise<MainRoute[]> {
    const rows = await ipJson<KernelRoute>(this.#device.run, ["-N", `-${family}`, "route"], netns);
    return rows.map(({ dst, dev = null, protocol = "" }) => ({
      network: cidrOf(dst, family),
      protocol,
      interfaceName: dev,
    }));
  }

  async #offered(netns: string | null, links: readonly ClassLink[]) {
    const vrf = netns === null ? "" : `vrf ${netns} `;
    const byPeer = new Map(links.map(({ id, peer }) => [canonicalAddress(peer[4]), id]));
    const [four, six] = await Promise.all(
      ["ipv4", "ipv6"].map((name) =>
        vtysh(this.#device, [`show bgp ${vrf}${name} unicast json`]).then((text) =>
          parseOffered(text, byPeer),
        ),
      ),
    );
    return { 4: four ?? new Map(), 6: six ?? new Map() } as const;
  }
}

const placeOf = (netns: string | null, family: Family): string => `${family} ${netns ?? ""}`;
const netnsOf = (place: string): string | null => place.slice(2) || null;
const familyOf = (place: string): string => place.slice(0, 1);
