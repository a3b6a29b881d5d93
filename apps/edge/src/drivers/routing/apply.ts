import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Box } from "#drivers/box.ts";
import { waitUntil } from "#drivers/daemon.ts";
import type { Driver } from "#drivers/driver.ts";
import { reasonOf } from "#edge/log.ts";
import {
  aliveDaemons,
  frrDir,
  frrPrograms,
  startFrr,
  stopFrr,
  vtysh,
  wasStarted,
} from "./daemons.ts";
import { observeRouting } from "./observe.ts";
import { isWanted, pickRouting, planRouting, type RoutingFound, type RoutingStep } from "./plan.ts";
import { configText, type RoutingPart, renderRouting } from "./render.ts";
import { parseVrfs, type Route } from "./running.ts";

export interface Routing extends Driver<RoutingPart, RoutingFound, RoutingStep> {
  /** Starts again what died of FRR and gives it its configuration back. */
  tend(): Promise<void>;
}

/** Runs `vtysh -f` on a text; FRR's own words for each line that it refuses are in the error. */
const loadConfig = async (box: Box, text: string): Promise<void> => {
  if (text.trim() === "") return;
  const file = join(box.runDir, "frr-change.conf");
  await writeFile(file, text, { mode: 0o600 });
  await box.run(["vtysh", "--vty_socket", frrDir(box), "-f", file], { timeoutMs: 60_000 });
};

const checkConfig = async (box: Box, part: RoutingPart): Promise<void> => {
  if (!isWanted(part)) return;
  if (frrPrograms() === null) throw new Error("FRR is not installed");
  const file = join(box.runDir, "frr-check.conf");
  await writeFile(file, configText(renderRouting(part)), { mode: 0o600 });
  try {
    await box.run(["vtysh", "-C", "-f", file], { timeoutMs: 60_000 });
  } finally {
    await rm(file, { force: true });
  }
};

/** What zebra would install; its own deletion finds the route by prefix, protocol and metric. */
const metric = "20";

const hopArgs = (route: Route): string[] => {
  const hops = route.hops.map((hop) => {
    const [gateway = "", dev = ""] = hop.split(" ");
    return ["via", gateway, "dev", dev, "onlink"];
  });
  const [only, ...more] = hops;
  return more.length === 0 ? (only ?? []) : hops.flatMap((hop) => ["nexthop", ...hop]);
};

const family = (prefix: string): string => (prefix.includes(":") ? "-6" : "-4");

const restore = async (box: Box, route: Route): Promise<void> => {
  const { netns, prefix, protocol } = route;
  const tail = ["proto", protocol, "metric", metric, ...hopArgs(route)];
  await box.run(["ip", family(prefix), "route", "replace", prefix, ...tail], { netns });
};

const purge = async (box: Box, { netns, prefix, protocol }: Route): Promise<void> => {
  await box.run(["ip", family(prefix), "route", "del", prefix, "proto", protocol], { netns });
};

const vrfsOf = async (box: Box) => parseVrfs(await vtysh(box, ["show vrf"]));

/** zebra looks for new namespaces once a second. */
const awaitVrfs = async (box: Box, wanted: readonly string[]): Promise<void> => {
  if (wanted.length === 0) return;
  const known = async () => {
    const vrfs = await vrfsOf(box);
    return wanted.every((netns) => vrfs.get(netns) === true);
  };
  await waitUntil(`FRR serves ${wanted.join(", ")}`, known, 5_000, 50);
};

const forget = async (box: Box, netns: string): Promise<void> => {
  await waitUntil(
    `FRR lets go of ${netns}`,
    async () => !(await vrfsOf(box)).get(netns),
    5_000,
    50,
  );
  if ((await vrfsOf(box)).has(netns)) await vtysh(box, ["configure terminal", `no vrf ${netns}`]);
};

const runStep = async (box: Box, step: RoutingStep): Promise<void> => {
  switch (step.kind) {
    case "start":
      return startFrr(box, step.spaces);
    case "stop":
      return stopFrr(box);
    case "configure":
      await awaitVrfs(box, step.vrfs);
      return loadConfig(box, step.text);
    case "withdraw":
      return loadConfig(box, step.text);
    case "restore":
      return restore(box, step.route);
    case "purge":
      return purge(box, step.route);
    case "forget":
      return forget(box, step.netns);
  }
};

const partFile = (box: Box): string => join(box.runDir, "routing.json");

const readPart = async (box: Box): Promise<RoutingPart | null> => {
  try {
    return JSON.parse(await readFile(partFile(box), "utf8")) as RoutingPart;
  } catch {
    return null;
  }
};

/** Brings daemons that were started again to the configuration that was last applied. */
const revive = async (box: Box): Promise<void> => {
  const part = await readPart(box);
  if (!part) return;
  for (let round = 0; round < 2; round += 1) {
    const steps = planRouting(part, await observeRouting(box, part));
    for (const step of steps.sort((a, b) => a.phase - b.phase)) await runStep(box, step);
  }
};

/** FRR: static routes, BGP and BFD (dataplane section 3). */
export const createRouting = (box: Box): Routing => {
  let failed = 0;
  return {
    name: "routing",
    pick: pickRouting,
    validate: (part) => checkConfig(box, part),
    observe: (part) => observeRouting(box, part),
    plan: planRouting,
    run: async (step, part) => {
      await writeFile(partFile(box), JSON.stringify(part), { mode: 0o600 });
      await runStep(box, step);
    },
    tend: async () => {
      if (!wasStarted(box) || aliveDaemons(box).length === 4) {
        failed = 0;
        return;
      }
      failed += 1;
      const tries = failed - 1;
      if ((tries & (tries - 1)) !== 0) return;
      box.log.warn({ alive: aliveDaemons(box) }, "part of FRR died");
      await revive(box).catch((error: unknown) =>
        box.log.error({ why: reasonOf(error) }, "FRR cannot be set up again"),
      );
    },
  };
};
