import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Device } from "#drivers/device.ts";
import type { Run } from "#drivers/exec.ts";
import { listNetns } from "#drivers/netns.ts";
import type { FirewallPart, FoundRules } from "./plan.ts";
import { isOwnSet, table } from "./render.ts";
import { type SmallDrops, smallSet } from "./small-packets.ts";
import { type ForeignSource, foreignSet } from "./sources.ts";

/** ms for nft to take all rules, or to list them: tens of thousands take half a minute on a small device. */
export const rulesMs = 60_000;

const volatile = new Set(["handle", "packets", "bytes"]);

interface Entry {
  readonly metainfo?: unknown;
  readonly set?: { readonly name: string; readonly elem?: readonly unknown[] };
  readonly map?: { readonly name: string; readonly elem?: readonly unknown[] };
}

interface Counted {
  readonly elem?: { readonly val?: unknown; readonly counter?: { readonly packets: number } };
}

/** Packets by interface, as the kernel counts them in a set of ours. */
const countsIn = (entries: readonly Entry[], name: string): ForeignSource[] =>
  entries
    .flatMap(({ set }) => (set?.name === name ? (set.elem ?? []) : []))
    .flatMap((element) => {
      const { val, counter } = (element as Counted).elem ?? {};
      return typeof val === "string" && counter
        ? [{ interfaceName: val, packets: counter.packets }]
        : [];
    });

/** Elements of our sets as one digest: there may be thousands. Those of others come and go. */
const digested = ({ set, map, ...entry }: Entry): object => {
  // The kernel fills them.
  if (map) return { map: { ...map, elem: undefined } };
  if (!set) return entry;
  const { elem = [], ...rest } = set;
  if (!isOwnSet(set.name)) return { set: rest };
  const hash = createHash("sha256");
  for (const text of elem.map((element) => JSON.stringify(element)).sort())
    hash.update(`${text}\n`);
  return { set: { ...rest, elem: hash.digest("hex") } };
};

interface Listed {
  /** The kernel's own listing of our table, without handles and counters. */
  readonly listing: string;
  readonly foreign: readonly ForeignSource[];
  readonly small: readonly ForeignSource[];
}

/** What the firewall dropped lately, by the interface that it came by. */
export interface Dropped {
  readonly foreign: readonly ForeignSource[];
  readonly small: readonly SmallDrops[];
}

const readTable = async (run: Run, netns: string | null): Promise<Listed | null> => {
  try {
    const list = ["nft", "-j", "list", "table", "inet", table] as const;
    const text = await run(list, { netns, timeoutMs: rulesMs });
    const { nftables } = JSON.parse(text) as { nftables: Entry[] };
    const entries = nftables.filter(({ metainfo }) => metainfo === undefined);
    const listing = JSON.stringify(entries.map(digested), (key, value: unknown) =>
      volatile.has(key) ? undefined : value,
    );
    return {
      listing,
      foreign: countsIn(entries, foreignSet),
      small: countsIn(entries, smallSet),
    };
  } catch (error) {
    if (error instanceof Error && error.message.includes("No such file or directory")) return null;
    throw error;
  }
};

/** The kernel's own listing of our table, without handles and counters; null: there is none. */
export const readListing = async (run: Run, netns: string | null): Promise<string | null> =>
  (await readTable(run, netns))?.listing ?? null;

/** Where the rules last loaded are kept; a reboot empties it together with the kernel's tables. */
export const loadedFile = (device: Device, netns: string | null): string =>
  join(device.runDir, `rules-${netns ?? "main"}.json`);

/** What was loaded last; null: not known. */
export const readLoaded = async (
  device: Device,
  netns: string | null,
): Promise<FoundRules["loaded"]> => {
  try {
    return JSON.parse(await readFile(loadedFile(device, netns), "utf8")) as FoundRules["loaded"];
  } catch {
    return null;
  }
};

/** @param dropped gets what was dropped lately, of all namespaces together */
export const observeFirewall = async (
  device: Device,
  part: FirewallPart,
  dropped: (all: Dropped) => void,
): Promise<FoundRules[]> => {
  const there = new Set(listNetns());
  const wanted = part.flatMap(({ netns }) => (netns !== null && there.has(netns) ? [netns] : []));
  const observed: FoundRules[] = [];
  const strangers: ForeignSource[] = [];
  const small: SmallDrops[] = [];
  for (const netns of [null, ...wanted]) {
    const loaded = await readLoaded(device, netns);
    const listed = await readTable(device.run, netns);
    observed.push({ netns, loaded, listing: listed?.listing ?? null });
    strangers.push(...(listed?.foreign ?? []));
    for (const { interfaceName, packets } of listed?.small ?? [])
      small.push({ netns: netns ?? "", interfaceName: interfaceName || null, packets });
  }
  dropped({ foreign: strangers, small });
  return observed;
};
