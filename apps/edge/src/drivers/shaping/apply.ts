import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { firstInner, treeMajor } from "@weft/contract/device/v1/shaping.ts";
import { failedLines } from "#drivers/batch.ts";
import type { Device } from "#drivers/device.ts";
import type { Driver } from "#drivers/driver.ts";
import { CommandFailed, type Run } from "#drivers/exec.ts";
import { listNetns } from "#drivers/netns.ts";
import { type ObjectName, ObjectsRefused } from "#drivers/refusals.ts";
import { reasonOf } from "#edge/log.ts";
import { type FoundDevice, type FoundQueues, readQueues } from "./observe.ts";
import {
  pickShaping,
  planShaping,
  type ShapedPlace,
  type ShapingFound,
  type ShapingPart,
  type ShapingStep,
  type WantedShaping,
} from "./plan.ts";
import { type Queues, type Redirect, redirectLine } from "./render.ts";

const loadedFile = ({ runDir }: Device): string => join(runDir, "shaping.json");

const readLoaded = async (device: Device): Promise<ShapingFound["loaded"]> => {
  try {
    return JSON.parse(await readFile(loadedFile(device), "utf8")) as ShapingFound["loaded"];
  } catch {
    return null;
  }
};

/** Places that were shaped when something was set last. */
const placesOf = (loaded: ShapingFound["loaded"]): (string | null)[] => {
  const part = JSON.parse(loaded?.part ?? "[]") as ShapingPart | object;
  return Array.isArray(part) ? part.map(({ netns }: ShapedPlace) => netns) : [];
};

const keep = (device: Device, part: ShapingPart, listing: string): Promise<void> =>
  writeFile(loadedFile(device), JSON.stringify({ part: JSON.stringify(part), listing }));

const runIn =
  ({ run }: Device, netns: string | null): Run =>
  (argv, options) =>
    run(argv, { ...options, netns });

const empty = (netns: string | null): ShapedPlace => ({
  netns,
  trees: [],
  lines: [],
  redirects: [],
});

/** What is wanted in the main namespace and in each of those that are there and have or had something. */
const placesToSee = (part: ShapingPart, loaded: ShapingFound["loaded"]): ShapedPlace[] => {
  const there = new Set(listNetns());
  const all = new Set([null, ...part.map(({ netns }) => netns), ...placesOf(loaded)]);
  return [...all]
    .filter((netns) => netns === null || there.has(netns))
    .map((netns) => part.find((shapedPlace) => shapedPlace.netns === netns) ?? empty(netns));
};

const wantedDevices = ({ trees, lines, redirects }: ShapedPlace): string[] => [
  ...new Set([...trees, ...lines, ...redirects].map(({ device }) => device)),
];

const read = async (device: Device, places: readonly ShapedPlace[]): Promise<FoundQueues[]> => {
  const observed: FoundQueues[] = [];
  for (const place of places)
    observed.push(await readQueues(runIn(device, place.netns), wantedDevices(place)));
  return observed;
};

/** Of all places; the place alone where there is but one, as earlier versions kept it. */
const listingOf = (places: readonly ShapedPlace[], observed: readonly FoundQueues[]): string =>
  observed.map(({ listing }, at) => [places[at]?.netns ?? "", listing].join("\n")).join("\n\n");

/** Classes that are there and not wanted, leaves first: what waits in them is lost. */
const strays = ({ device, ids }: Queues, observed: FoundDevice | undefined): string[] =>
  (observed?.classes ?? [])
    .filter((id) => !ids.includes(id))
    .map((id) => `class delete dev ${device} classid ${id}`);

const minorOf = (id: string): number => Number.parseInt(id.split(":")[1] ?? "", 16);
const inner = (ids: readonly string[]): string =>
  ids
    .filter((id) => minorOf(id) >= firstInner)
    .sort()
    .join();

/** tc(8) moves no class from one to another: a tree with other classes of tunnels in circuits is made again. */
const isRegrouped = ({ ids }: Queues, { classes }: FoundDevice): boolean =>
  inner(ids) !== inner(classes);

/** What fails is of these objects, by what the tool says of it; without any the step fails. */
const refusedAs =
  (about: readonly ObjectName[]) =>
  (error: unknown): never => {
    if (!(error instanceof CommandFailed) || about.length === 0) throw error;
    throw new ObjectsRefused(about.map((name) => ({ about: name, why: error.text })));
  };

/** Runs lines of `tc -batch`, also those after one that is refused. @param abouts by line, whose it is */
const runBatch = async (
  run: Run,
  lines: readonly string[],
  abouts: readonly (readonly ObjectName[])[],
): Promise<void> => {
  if (lines.length === 0) return;
  const input = lines.map((line) => `${line}\n`).join("");
  await run(["tc", "-force", "-batch", "-"], { input }).catch((error: unknown) => {
    const refused = failedLines(error).flatMap(({ line, why }) =>
      (abouts[line] ?? []).map((about) => ({ about, why })),
    );
    // A class without its parent is refused for that alone, or is a root.
    const each = new Map(
      refused.toReversed().map((refusal) => [JSON.stringify(refusal.about), refusal]),
    );
    throw each.size > 0 ? new ObjectsRefused([...each.values()]) : error;
  });
};

/** Makes or changes the queues of a device; packets go on meanwhile. */
const setQueues = async (run: Run, queues: Queues, observed: FoundDevice | undefined) => {
  const { device: name, handle, root, batch } = queues;
  const isOurs = observed?.root === `htb ${handle}`;
  const isMade = isOurs && !isRegrouped(queues, observed);
  if (isOurs && !isMade) await run(["tc", "qdisc", "del", "dev", name, "root"]);
  if (!isMade)
    await run([
      "tc",
      "qdisc",
      "replace",
      "dev",
      name,
      "root",
      "handle",
      handle,
      ...root.split(" "),
    ]).catch(refusedAs(queues.about));
  await runBatch(run, [...batch, ...(isMade ? strays(queues, observed) : [])], queues.abouts);
};

const isEmpty = async (run: Run, name: string, way: "ingress" | "egress") =>
  (await run(["tc", "filter", "show", "dev", name, way])).trim() === "";

/** Other programs may have filters there too. */
const endRedirect = async (run: Run, name: string): Promise<void> => {
  await run(["tc", "filter", "del", "dev", name, "egress", "prio", "1"]);
  if ((await isEmpty(run, name, "egress")) && (await isEmpty(run, name, "ingress")))
    await run(["tc", "qdisc", "del", "dev", name, "clsact"]);
};

/** Takes away what is ours and not wanted; a tree goes after the last packet that is sent into it. */
const removeOthers = async (
  run: Run,
  place: ShapedPlace,
  observed: readonly FoundDevice[],
): Promise<void> => {
  const redirected = new Set(place.redirects.map(({ device }) => device));
  const shaped = new Set([...place.trees, ...place.lines].map(({ device }) => device));
  for (const { name, redirects } of observed)
    if (redirects && !redirected.has(name)) await endRedirect(run, name);
  for (const { name, root } of observed)
    if (root === `htb ${treeMajor.line}:` && !shaped.has(name))
      await run(["tc", "qdisc", "del", "dev", name, "root"]);
  for (const { name, isTree } of observed)
    if (isTree && !shaped.has(name)) await run(["ip", "link", "del", name]);
};

/** @param devices that are there, as they were before */
const setPlace = async (run: Run, place: ShapedPlace, devices: readonly FoundDevice[]) => {
  const of = (name: string) => devices.find((device) => device.name === name);
  for (const { device: name, about } of place.trees) {
    if (!of(name)) await run(["ip", "link", "add", name, "type", "ifb"]).catch(refusedAs(about));
    await run(["ip", "link", "set", name, "up"]).catch(refusedAs(about));
  }
  for (const tree of place.trees) await setQueues(run, tree, of(tree.device));
  // A device that is not there yet is looked for again by the watch.
  for (const line of place.lines) if (of(line.device)) await setQueues(run, line, of(line.device));
  // One program for all of them: a POP may have many links.
  const runAll = (redirects: readonly Redirect[], lineOf: (redirect: Redirect) => string) =>
    runBatch(
      run,
      redirects.map(lineOf),
      redirects.map(({ about }) => about),
    );
  const redirects = place.redirects.filter(({ device: name }) => of(name));
  // By themselves: where the place is another program's, the kernel takes a filter for what leaves as one for what arrives.
  await runAll(
    redirects.filter(({ device: name }) => of(name)?.hasEgress !== true),
    ({ device: name }) => `qdisc add dev ${name} clsact`,
  );
  await runAll(redirects, redirectLine);
  await removeOthers(run, place, devices);
};

const shape = async (device: Device, part: ShapingPart): Promise<void> => {
  const places = placesToSee(part, await readLoaded(device));
  const before = await read(device, places);
  // What is there without a note of it would not be looked for.
  await keep(device, [...part, ...places.filter((place) => !part.includes(place))], "");
  for (const [at, place] of places.entries())
    await setPlace(runIn(device, place.netns), place, before[at]?.devices ?? []);
  const now = placesToSee(part, null);
  await keep(device, part, listingOf(now, await read(device, now)));
};

const end = async (device: Device): Promise<void> => {
  for (const place of placesToSee([], await readLoaded(device))) {
    const run = runIn(device, place.netns);
    await removeOthers(run, place, (await readQueues(run, [])).devices);
  }
  await rm(loadedFile(device), { force: true });
};

export interface Shaping extends Driver<WantedShaping, ShapingFound, ShapingStep> {
  /** Ends circuits whose end has come. */
  tend(): Promise<void>;
}

/** Ends what has an end without a controller. @param last what was wanted last */
const createEnds = (device: Device, last: () => WantedShaping | null): (() => Promise<void>) => {
  let lookedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const wanted = last();
    const now = device.now();
    const isDue = wanted?.ends.some((at) => at > lookedAt && at <= now) ?? false;
    lookedAt = now;
    const loaded = isDue && wanted ? await readLoaded(device) : null;
    // Otherwise it belongs to a state that is being applied at the moment.
    if (!wanted || loaded === null || loaded.part === JSON.stringify(wanted.at(now))) return;
    await run(device, wanted).then(
      () => device.log.info({}, "a circuit has ended"),
      (error: unknown) => device.log.error({ why: reasonOf(error) }, "a circuit was not ended"),
    );
  };
};

const run = (device: Device, wanted: WantedShaping): Promise<void> => {
  const part = wanted.at(device.now());
  return part.length === 0 ? end(device) : shape(device, part);
};

/** Rates of the device, of its WAN links, of bandwidth tunnels and of circuits. @param isFair the kernel has fq_codel */
export const createShaping = (device: Device, isFair: () => boolean): Shaping => {
  let last: WantedShaping | null = null;
  return {
    name: "shaping",
    pick: (state) => pickShaping(state, isFair()),
    validate: async () => {},
    observe: async (wanted) => {
      last = wanted;
      const now = device.now();
      const part = wanted.at(now);
      const loaded = await readLoaded(device);
      // Most devices shape nothing: their checks start no program for it.
      if (part.length === 0 && !loaded) return { loaded, listing: "", isThere: false, now };
      const places = placesToSee(part, loaded);
      const observed = await read(device, places);
      const isThere = observed.some((observed) => observed.isThere) || loaded !== null;
      return { loaded, listing: listingOf(places, observed), isThere, now };
    },
    plan: planShaping,
    run: (step, wanted) => (step.kind === "end" ? end(device) : run(device, wanted)),
    tend: createEnds(device, () => last),
  };
};
