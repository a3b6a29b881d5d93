import { rm, writeFile } from "node:fs/promises";
import { markMask, markText } from "@weft/contract/device/v1/mark.ts";
import type { Device } from "#drivers/device.ts";
import type { Driver, Machine } from "#drivers/driver.ts";
import { succeeds } from "#drivers/exec.ts";
import { ensureNetns } from "#drivers/netns.ts";
import { evaluatedBy, inGeneration, maxGeneration } from "./acl.ts";
import { HitMeter } from "./hits.ts";
import { loadedFile, observeFirewall, readListing, readLoaded } from "./observe.ts";
import {
  type FirewallPart,
  type FirewallStep,
  type FoundRules,
  pickFirewall,
  planFirewall,
} from "./plan.ts";
import { table } from "./render.ts";
import type { ForeignSource } from "./sources.ts";

type Stray = "chain" | "set" | "counter";
/** A chain refers to sets and counters: it goes first. */
const strayKinds: readonly Stray[] = ["chain", "set", "counter"];

/** What our table has and the text does not: emptied by it, but not gone. */
const strays = (listing: string | null, text: string): string[] => {
  const entries = JSON.parse(listing ?? "[]") as Partial<Record<Stray, { name: string }>>[];
  return strayKinds.flatMap((kind) =>
    entries.flatMap(({ [kind]: found }) =>
      found && !text.includes(`${kind} ${found.name} `)
        ? [`delete ${kind} inet ${table} ${found.name}`]
        : [],
    ),
  );
};

/**
 * The generation in which rules are loaded: another one when they decide differently. A flow that rests may
 * bear a number of long ago. Before the numbers begin again, no flow counts as evaluated; it keeps its number,
 * by which the limits know that it is none that begins.
 */
const generationOf = async (device: Device, netns: string | null, text: string) => {
  const loaded = await readLoaded(device, netns);
  const before = loaded?.generation ?? 0;
  const isSame = loaded !== null && evaluatedBy(loaded.text) === evaluatedBy(text);
  if (netns !== null || (isSame && before > 0)) return before;
  const generation = (before % maxGeneration) + 1;
  const none = `0x0/${markText(markMask("evaluated"))}`;
  if (generation === 1)
    // It fails where there is no flow.
    for (const family of ["ipv4", "ipv6"])
      await succeeds(device.run, ["conntrack", "-U", "-f", family, "-m", none]);
  return generation;
};

/** Loads the rules and writes down what the kernel makes of them. */
const load = async (device: Device, netns: string | null, text: string): Promise<void> => {
  const generation = await generationOf(device, netns, text);
  await device.run(["nft", "-f", "-"], { netns, input: inGeneration(text, generation) });
  const loaded = await readListing(device.run, netns);
  const stray = strays(loaded, text);
  const deletions = stray.map((one) => `${one}\n`).join("");
  if (stray.length > 0) await device.run(["nft", "-f", "-"], { netns, input: deletions });
  const listing = stray.length > 0 ? await readListing(device.run, netns) : loaded;
  await writeFile(loadedFile(device, netns), JSON.stringify({ text, listing, generation }));
};

const run = async (device: Device, step: FirewallStep): Promise<void> => {
  if (step.kind === "drop") {
    await device.run(["nft", "-f", "-"], {
      input: `add table inet ${table}\ndelete table inet ${table}\n`,
    });
    await rm(loadedFile(device, null), { force: true });
    return;
  }
  const { netns, text } = step;
  // The rules of a space are in place before its first link.
  if (netns !== null) await ensureNetns(device.run, netns);
  await load(device, netns, text);
};

export interface Firewall extends Driver<FirewallPart, readonly FoundRules[], FirewallStep> {
  readonly reports: Pick<Machine, "foreignSources" | "hits">;
}

/** Which packets pass (dataplane section 4). */
export const createFirewall = (device: Device): Firewall => {
  let foreign: readonly ForeignSource[] = [];
  const meter = new HitMeter(device);
  return {
    ...driverOf(device, (found) => {
      foreign = found;
    }),
    reports: { foreignSources: () => foreign, hits: (max) => meter.take(max) },
  };
};

const driverOf = (
  device: Device,
  foreign: (found: readonly ForeignSource[]) => void,
): Driver<FirewallPart, readonly FoundRules[], FirewallStep> => ({
  name: "firewall",
  pick: (state) => pickFirewall(state, device.manageFrom),
  validate: async (part) => {
    const check = ["nft", "-c", "-f", "-"] as const;
    // In a namespace that ends with the check, where one can be made: the rules of this device cannot
    // colour the answer there.
    const isApart = part.length > 0 && (await succeeds(device.run, ["unshare", "--net", "true"]));
    for (const text of new Set(part.map((rules) => rules.text)))
      await device.run(isApart ? ["unshare", "--net", ...check] : check, { input: text });
  },
  observe: (part) => observeFirewall(device, part, foreign),
  plan: planFirewall,
  run: (step) => run(device, step),
});
