import { rename, rm, writeFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { activeTimes } from "@weft/contract/device/v1/active-times.ts";
import { markMask, markText, markValue } from "@weft/contract/device/v1/mark.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import type { Device } from "#drivers/device.ts";
import type { Driver, Machine } from "#drivers/driver.ts";
import { CommandFailed, succeeds } from "#drivers/exec.ts";
import { ensureNetns, listNetns } from "#drivers/netns.ts";
import { ObjectsRefused } from "#drivers/refusals.ts";
import { generationAfter, inGeneration } from "./acl.ts";
import { runningAt, whileRunning } from "./circuits.ts";
import { createFlowTable } from "./flow-table.ts";
import { HitMeter } from "./hits.ts";
import { endMovedFlows, followLines } from "./line-states.ts";
import { filterTextOf } from "./name-filters.ts";
import {
  type Dropped,
  loadedFile,
  observeFirewall,
  readListing,
  readLoaded,
  rulesMs,
} from "./observe.ts";
import {
  type FirewallPart,
  type FirewallStep,
  type FoundRules,
  pickFirewall,
  planFirewall,
  type RuleSet,
} from "./plan.ts";
import { candidatesIn, findRefused, leaveOut } from "./refused.ts";
import { table } from "./render.ts";
import { whileActive } from "./times.ts";

type Stray = "chain" | "set" | "map" | "counter";
/** A chain refers to sets, maps and counters: it goes first. */
const strayKinds: readonly Stray[] = ["chain", "set", "map", "counter"];

/** What our table has and the text does not: emptied by it, but not gone. */
const strays = (listing: string | null, text: string): string[] => {
  const entries = JSON.parse(listing ?? "[]") as Partial<Record<Stray, { name: string }>>[];
  // Thousands of them in megabytes of text: a search for each would hold the whole program up for seconds.
  const declared = new Set(
    Array.from(
      text.matchAll(/\b(chain|set|map|counter) (\w+) \{/g),
      ([, kind, name]) => `${kind} ${name}`,
    ),
  );
  return strayKinds.flatMap((kind) =>
    entries.flatMap(({ [kind]: found }) =>
      found && !declared.has(`${kind} ${found.name}`)
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

/** What is loaded, whole or not at all: it is read again after any end of the edge. */
const keepLoaded = async (device: Device, netns: string | null, kept: object): Promise<void> => {
  const file = loadedFile(device, netns);
  await writeFile(`${file}.new`, JSON.stringify(kept));
  await rename(`${file}.new`, file);
};

interface FirewallContext {
  readonly device: Device;
  /** Tables of the WAN links that lead nowhere although they are plugged. */
  readonly left: () => ReadonlySet<string>;
}

/**
 * Ends flows of plain DNS where it has changed who answers them: those that exist would keep the resolver that they were
 * translated to, or none. Hosts ask again.
 */
const askAgain = async (
  { run }: Device,
  before: { readonly text: string; readonly active?: readonly number[] } | null,
  now: { readonly text: string; readonly active: readonly number[] },
): Promise<void> => {
  const filters = [before?.text ?? "", now.text].map(filterTextOf);
  const isSame =
    filters[0] === filters[1] && isDeepStrictEqual(before?.active ?? [], [...now.active]);
  if (isSame || filters.every((text) => text === "")) return;
  // It fails where there is none.
  for (const family of ["ipv4", "ipv6"])
    for (const protocol of ["udp", "tcp"])
      await succeeds(run, ["conntrack", "-D", "-f", family, "-p", protocol, "--dport", "53"]);
};

/** Loads the rules and writes down what the kernel makes of them. */
const load = async (
  { device, left }: FirewallContext,
  rules: RuleSet,
  isDamaged: boolean,
): Promise<void> => {
  const { netns, text, times = null, ends = [] } = rules;
  const running = runningAt(ends, device.now());
  const active = times ? activeTimes(times.groups, device.now(), times.zone) : [];
  const before = netns === null ? await readLoaded(device, null) : null;
  const generation = netns === null ? generationAfter(before, { text, active }, isDamaged) : 0;
  if (generation !== (before?.generation ?? 0)) await freeGeneration(device, generation);
  // An edge that ends between here and the end of the load must not take the generation for a free one: without a
  // listing the rules count as changed by others.
  if (netns === null)
    await keepLoaded(device, netns, { text: "", ...before, listing: "", generation });
  const input = [
    inGeneration(text, generation),
    whileActive(active, table),
    whileRunning(running, table),
  ].join("");
  await device.run(["nft", "-f", "-"], { netns, input, timeoutMs: rulesMs });
  const loaded = await readListing(device.run, netns);
  const stray = strays(loaded, text);
  const deletions = stray.map((line) => `${line}\n`).join("");
  if (stray.length > 0)
    await device.run(["nft", "-f", "-"], { netns, input: deletions, timeoutMs: rulesMs });
  const listing = stray.length > 0 ? await readListing(device.run, netns) : loaded;
  await keepLoaded(device, netns, {
    text,
    listing,
    generation,
    times,
    active,
    ...(ends.length > 0 && { ends, running }),
  });
  if (netns !== null) return;
  await askAgain(device, before, { text, active });
  await endMovedFlows(device, before?.text ?? "", text);
  await followLines(device, text, left());
};

/**
 * Loads the rules of a namespace again when other time groups are active, or other circuits run, than at their last load.
 * @returns when the next circuit ends, ms since 1970; infinite: none does
 */
const reloadWhenScheduleChanged = async (
  context: FirewallContext,
  netns: string | null,
): Promise<number> => {
  const { device } = context;
  const loaded = await readLoaded(device, netns);
  const { text = "", times = null, active = [], ends = [], running = [] } = loaded ?? {};
  const at = device.now();
  const next = Math.min(...ends.map(({ until }) => until).filter((until) => until > at));
  const now = {
    active: times ? activeTimes(times.groups, at, times.zone) : [],
    running: runningAt(ends, at),
  };
  if (isDeepStrictEqual({ active, running }, now)) return next;
  await load(context, { netns, text, times, ends }, false);
  device.log.info(now, "other time groups are active, or other circuits run");
  return next;
};

/** Groups begin and end with minutes of any zone; a jump of the clock is another minute, too. */
const createScheduleWatch = (context: FirewallContext): (() => Promise<void>) => {
  const { device } = context;
  let last: number | null = null;
  let next = Number.POSITIVE_INFINITY;
  return async () => {
    const now = device.now();
    const minute = Math.floor(now / 60_000);
    if (minute === last && now < next) return;
    const all = [];
    for (const netns of [null, ...listNetns()])
      all.push(await reloadWhenScheduleChanged(context, netns));
    next = Math.min(...all);
    last = minute;
  };
};

/** The rules that are wanted, and the state that they are of; null: none. */
export interface WantedRules {
  readonly rules: FirewallPart;
  readonly state: DesiredState | null;
}

/** What nft says about a machine that has no room at the moment, and not about the rules. */
const noRoom = /Cannot allocate memory|No buffer space|Too many open files|Resource temporarily/;

/** Why nft or the kernel refuses rules, as it reports it; null: the machine is at fault. */
const refusalIn = (error: unknown): string | null => {
  const isAnswer = error instanceof CommandFailed && error.status === 1;
  if (!isAnswer || noRoom.test(error.message)) return null;
  return error.text.replace(/^\S+: Error: /, "");
};

type Check = (text: string) => Promise<void>;

/**
 * Runs what takes the rules of a namespace as they are.
 * @param check throws for rules that are not taken
 * @throws ObjectsRefused where they are refused for some objects of the state
 */
const takeRules = async (
  { device }: FirewallContext,
  { state }: WantedRules,
  netns: string | null,
  take: () => Promise<void>,
  check: Check,
): Promise<void> => {
  try {
    await take();
  } catch (error) {
    if (state === null || refusalIn(error) === null) throw error;
    const textOf = (left: DesiredState): string =>
      pickFirewall(left, device.manageFrom).find((rules) => rules.netns === netns)?.text ?? "";
    const refused = await findRefused(candidatesIn(state, netns), async (out) => {
      try {
        await check(textOf(leaveOut(state, out)));
        return null;
      } catch (failure) {
        const why = refusalIn(failure);
        if (why === null) throw failure;
        return why;
      }
    });
    throw refused === null ? error : new ObjectsRefused(refused);
  }
};

const run = async (
  context: FirewallContext,
  step: FirewallStep,
  wanted: WantedRules,
): Promise<void> => {
  const { device } = context;
  if (step.kind === "drop") {
    await device.run(["nft", "-f", "-"], {
      input: `add table inet ${table}\ndelete table inet ${table}\n`,
    });
    await rm(loadedFile(device, null), { force: true });
    return;
  }
  // The rules of a space are in place before its first link.
  if (step.netns !== null) await ensureNetns(device.run, step.netns);
  const check: Check = async (input) => {
    await device.run(["nft", "-c", "-f", "-"], {
      netns: step.netns,
      input,
      timeoutMs: rulesMs,
    });
  };
  const take = () => load(context, step, step.isDamaged);
  await takeRules(context, wanted, step.netns, take, check);
};

export interface Firewall extends Driver<WantedRules, readonly FoundRules[], FirewallStep> {
  readonly reports: Pick<Machine, "foreignSources" | "smallDrops" | "flowTable" | "hits">;
  /** Switches rules whose time begins or ends. */
  tend(): Promise<void>;
  /** Ends flows that are kept on a WAN link which is gone. */
  linesChanged(): Promise<void>;
}

/** Which packets pass (dataplane section 4). */
export const createFirewall = (
  device: Device,
  left: FirewallContext["left"] = () => new Set(),
): Firewall => {
  const context = { device, left };
  let dropped: Dropped = { foreign: [], small: [] };
  const meter = new HitMeter(device);
  return {
    ...driverOf(context, (all) => {
      dropped = all;
    }),
    tend: createScheduleWatch(context),
    linesChanged: async () => {
      const loaded = await readLoaded(device, null);
      if (loaded) await followLines(device, loaded.text, left());
    },
    reports: {
      foreignSources: () => dropped.foreign,
      smallDrops: () => dropped.small,
      flowTable: createFlowTable(),
      hits: (max) => meter.take(max),
    },
  };
};

const driverOf = (
  context: FirewallContext,
  dropped: (all: Dropped) => void,
): Driver<WantedRules, readonly FoundRules[], FirewallStep> => ({
  name: "firewall",
  pick: (state) => ({ rules: pickFirewall(state, context.device.manageFrom), state }),
  validate: async (wanted) => {
    const { rules } = wanted;
    for (const { times } of rules)
      if (times) activeTimes(times.groups, context.device.now(), times.zone);
    const nft = ["nft", "-c", "-f", "-"] as const;
    // In a namespace that ends with the check, where one can be made: the rules of this device cannot
    // colour the answer there.
    const isApart =
      rules.length > 0 && (await succeeds(context.device.run, ["unshare", "--net", "true"]));
    const check: Check = async (input) => {
      const argv = isApart ? (["unshare", "--net", ...nft] as const) : nft;
      await context.device.run(argv, { input, timeoutMs: rulesMs });
    };
    const different = new Map(rules.map(({ netns, text }) => [text, netns]));
    for (const [text, netns] of different)
      await takeRules(context, wanted, netns, () => check(text), check);
  },
  observe: ({ rules }) => observeFirewall(context.device, rules, dropped),
  plan: ({ rules }, observed) => planFirewall(rules, observed),
  run: (step, wanted) => run(context, step, wanted),
});
