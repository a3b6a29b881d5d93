import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { canonicalCidr } from "#drivers/address.ts";
import { type Device, ownProtocol } from "#drivers/device.ts";
import type { Driver } from "#drivers/driver.ts";
import { CommandFailed, succeeds } from "#drivers/exec.ts";
import { ipJson } from "#drivers/ip-json.ts";
import { ensureNetns, listNetns } from "#drivers/netns.ts";
import { type ObjectName, ObjectsRefused } from "#drivers/refusals.ts";
import type { CutSegments } from "./findings.ts";
import { type FoundPlace, planSegments, type SegmentPart, type SegmentStep } from "./plan.ts";
import { isSegmentRule, type KeptRoute, placesOf, type SegmentRule } from "./render.ts";
import { createSegmentWatch } from "./watch.ts";

export interface Segments extends Driver<SegmentPart, readonly FoundPlace[], SegmentStep> {
  tend(): Promise<void>;
  /** Segment routes that do not act at the moment, by id. */
  cutSegments(): CutSegments;
  /** Calls back when they are others than before, until the returned is called. */
  watchSegments(changed: () => void): () => void;
}

interface RuleRow {
  readonly priority: number;
  readonly src: string;
  readonly srclen?: number;
  readonly dst?: string;
  readonly dstlen?: number;
  readonly iif?: string;
  readonly table?: string;
  readonly protocol?: string;
}

interface RouteRow {
  readonly dst: string;
  readonly table?: string;
}

const families = [4, 6] as const;

/** Places that may have something of this driver, since the device started. */
const placesFile = ({ runDir }: Device): string => join(runDir, "segments.json");

const readPlaces = async (device: Device): Promise<(string | null)[]> => {
  try {
    return JSON.parse(await readFile(placesFile(device), "utf8")) as (string | null)[];
  } catch {
    return [];
  }
};

const writePlaces = async (device: Device, places: readonly (string | null)[]): Promise<void> =>
  places.length === 0
    ? rm(placesFile(device), { force: true })
    : writeFile(placesFile(device), JSON.stringify(places));

const notePlace = async (device: Device, netns: string | null): Promise<void> => {
  const known = await readPlaces(device);
  if (!known.includes(netns)) await writePlaces(device, [...known, netns]);
};

const cidrOf = (family: 4 | 6, address: string, length: number | undefined): string =>
  canonicalCidr(`${address}/${length ?? (family === 4 ? 32 : 128)}`);

const ruleOf = (family: 4 | 6, row: RuleRow): SegmentRule => {
  const { src, srclen, dst, dstlen, iif, table } = row;
  const parts = [
    ...(src === "all" ? [] : [`from ${cidrOf(family, src, srclen)}`]),
    ...(dst ? [`to ${cidrOf(family, dst, dstlen)}`] : []),
    ...(iif ? [`iif ${iif}`] : []),
    `lookup ${table === "254" ? "main" : table}`,
  ];
  return { family, priority: row.priority, text: parts.join(" ") };
};

const keptOf = (family: 4 | 6, { dst, table = "main" }: RouteRow): KeptRoute => {
  const [address = "", length] = dst.split("/");
  return { family, table, network: cidrOf(family, address, length ? Number(length) : undefined) };
};

const readPlace = async ({ run }: Device, netns: string | null): Promise<FoundPlace> => {
  const rules: SegmentRule[] = [];
  const kept: KeptRoute[] = [];
  for (const family of families) {
    const rows = await ipJson<RuleRow>(run, ["-N", `-${family}`, "rule"], netns);
    rules.push(
      ...rows
        .filter((row) => row.protocol === ownProtocol && isSegmentRule(row.priority))
        .map((row) => ruleOf(family, row)),
    );
    const query = ["route", "show", "table", "all", "proto", ownProtocol, "type", "throw"];
    const routes = await ipJson<RouteRow>(run, ["-N", `-${family}`, ...query], netns);
    kept.push(...routes.map((row) => keptOf(family, row)));
  }
  return { netns, rules, kept };
};

const observe = async (device: Device, part: SegmentPart): Promise<FoundPlace[]> => {
  const noted = await readPlaces(device);
  // Most devices have none: their checks start no program for it.
  const places = new Set([...part.map(({ netns }) => netns), ...noted]);
  const there = new Set<string | null>([null, ...(places.size > 0 ? listNetns() : [])]);
  const observed = await Promise.all(
    [...places].filter((netns) => there.has(netns)).map((netns) => readPlace(device, netns)),
  );
  const used = observed.filter(({ rules, kept }) => rules.length + kept.length > 0);
  const left = noted.filter((netns) => used.some((observedPlace) => observedPlace.netns === netns));
  if (left.length < noted.length) await writePlaces(device, left);
  return observed;
};

const ruleArgv = (verb: "add" | "del", { family, priority, text }: SegmentRule) =>
  [
    ...(["ip", `-${family}`, "rule", verb, "priority", `${priority}`] as const),
    ...text.split(" "),
    "protocol",
    ownProtocol,
  ] as const;

const routeArgv = (verb: "replace" | "del", { family, network, table }: KeptRoute) =>
  [
    ...(["ip", `-${family}`, "route", verb, "throw", network] as const),
    "table",
    table,
    "proto",
    ownProtocol,
  ] as const;

/** A rule or route that the kernel refuses takes its segment routes out; elsewhere they are withdrawn as when a hop is gone. */
const asRefused =
  (about: readonly ObjectName[] = []) =>
  (error: unknown): never => {
    if (!(error instanceof CommandFailed) || about.length === 0) throw error;
    throw new ObjectsRefused(about.map((name) => ({ about: name, why: error.text })));
  };

const runStep = async (device: Device, step: SegmentStep): Promise<void> => {
  const { netns } = step;
  switch (step.kind) {
    case "keep":
      await device
        .run(routeArgv("replace", step.route), { netns })
        .catch(asRefused(step.route.about));
      return;
    case "unkeep":
      await succeeds(device.run, routeArgv("del", step.route), { netns });
      return;
    case "add-rule":
      // A rule may exist twice, so one that is there is removed first.
      await succeeds(device.run, ruleArgv("del", step.rule), { netns });
      await device.run(ruleArgv("add", step.rule), { netns }).catch(asRefused(step.rule.about));
      return;
    case "del-rule":
      await succeeds(device.run, ruleArgv("del", step.rule), { netns });
  }
};

/** Segment routes: rules here, routes by FRR, and whether they act (docs/adr/0026-segment-routes.md). */
export const createSegments = (device: Device): Segments => {
  const watch = createSegmentWatch(device.run);
  return {
    name: "segment",
    pick: placesOf,
    validate: async () => {},
    observe: (part) => {
      watch.follow(part);
      return observe(device, part);
    },
    plan: planSegments,
    run: async (step) => {
      if (step.kind === "add-rule" || step.kind === "keep") {
        if (step.netns !== null) await ensureNetns(device.run, step.netns);
        await notePlace(device, step.netns);
      }
      await runStep(device, step);
    },
    tend: () => watch.tend(),
    cutSegments: () => watch.last,
    watchSegments: (changed) => watch.watch(changed),
  };
};
