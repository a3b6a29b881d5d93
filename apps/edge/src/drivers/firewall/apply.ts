import { rm, writeFile } from "node:fs/promises";
import { markMask, markText, markValue } from "@weft/contract/device/v1/mark.ts";
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

/** One run of conntrack(8) 1.4.7 changes 256 flows and then fails: it leaves the kernel's answers unread. */
const updateRuns = 20;

/**
 * Takes what rested since the last use of a generation for evaluated no longer. The flows keep the number, by
 * which the limits know that they are none that begin; those beyond what the runs can change are forgotten.
 */
const freeGeneration = async ({ run }: Device, generation: number): Promise<void> => {
  const evaluated = markMask("evaluated");
  const value = markText(markValue("generation", generation) + evaluated);
  const stale = ["-m", `${value}/${markText(markMask("generation") + evaluated)}`];
  const none = ["-m", `0x0/${markText(evaluated)}`];
  for (const family of ["ipv4", "ipv6"]) {
    const of = ["-f", family] as const;
    const isLeft = async () => (await run(["conntrack", "-L", ...of, ...stale])).trim() !== "";
    for (let left = updateRuns; left > 0 && (await isLeft()); left -= 1)
      await succeeds(run, ["conntrack", "-U", ...of, ...none]);
    // It fails where there is none.
    await succeeds(run, ["conntrack", "-D", ...of, ...stale]);
  }
};

/** The generation in which rules are loaded: another one when they decide differently. */
const generationOf = async (device: Device, netns: string | null, text: string) => {
  const loaded = await readLoaded(device, netns);
  const before = loaded?.generation ?? 0;
  const isSame = loaded !== null && evaluatedBy(loaded.text) === evaluatedBy(text);
  if (netns !== null || (isSame && before > 0)) return before;
  const generation = (before % maxGeneration) + 1;
  await freeGeneration(device, generation);
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
