import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { waitUntil } from "#drivers/daemon.ts";
import type { Device } from "#drivers/device.ts";
import type { Driver } from "#drivers/driver.ts";
import { reasonOf } from "#edge/log.ts";
import {
  aliveDaemons,
  deadDaemons,
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

/** Runs `vtysh -f` on a text; FRR's own message for each line that it refuses are in the error. */
const loadConfig = async (device: Device, text: string): Promise<void> => {
  if (text.trim() === "") return;
  const file = join(device.runDir, "frr-change.conf");
  await writeFile(file, text, { mode: 0o600 });
  await device.run(["vtysh", "--vty_socket", frrDir(device), "-f", file], { timeoutMs: 60_000 });
};

const checkConfig = async (device: Device, part: RoutingPart): Promise<void> => {
  if (!isWanted(part)) return;
  if (frrPrograms() === null) throw new Error("FRR is not installed");
  const file = join(device.runDir, "frr-check.conf");
  await writeFile(file, configText(renderRouting(part)), { mode: 0o600 });
  try {
    await device.run(["vtysh", "-C", "-f", file], { timeoutMs: 60_000 });
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

const restore = async (device: Device, route: Route): Promise<void> => {
  const { netns, prefix, protocol } = route;
  const tail = ["proto", protocol, "metric", metric, ...hopArgs(route)];
  await device.run(["ip", family(prefix), "route", "replace", prefix, ...tail], { netns });
};

const purge = async (device: Device, { netns, prefix, protocol }: Route): Promise<void> => {
  await device.run(["ip", family(prefix), "route", "del", prefix, "proto", protocol], { netns });
};

const vrfsOf = async (device: Device) => parseVrfs(await vtysh(device, ["show vrf"]));

/** zebra looks for new namespaces once a second. */
const awaitVrfs = async (device: Device, wanted: readonly string[]): Promise<void> => {
  if (wanted.length === 0) return;
  const known = async () => {
    const vrfs = await vrfsOf(device);
    return wanted.every((netns) => vrfs.get(netns) === true);
  };
  await waitUntil(`FRR serves ${wanted.join(", ")}`, known, 5_000, 50);
};

const forget = async (device: Device, netns: string): Promise<void> => {
  await waitUntil(
    `FRR releases ${netns}`,
    async () => !(await vrfsOf(device)).get(netns),
    5_000,
    50,
  );
  if ((await vrfsOf(device)).has(netns))
    await vtysh(device, ["configure terminal", `no vrf ${netns}`]);
};

const runStep = async (device: Device, step: RoutingStep): Promise<void> => {
  switch (step.kind) {
    case "start":
      return startFrr(device, step.spaces);
    case "stop":
      return stopFrr(device);
    case "configure":
      await awaitVrfs(device, step.vrfs);
      return loadConfig(device, step.text);
    case "withdraw":
      return loadConfig(device, step.text);
    case "restore":
      return restore(device, step.route);
    case "purge":
      return purge(device, step.route);
    case "forget":
      return forget(device, step.netns);
  }
};

const partFile = (device: Device): string => join(device.runDir, "routing.json");

const readPart = async (device: Device): Promise<RoutingPart | null> => {
  try {
    return JSON.parse(await readFile(partFile(device), "utf8")) as RoutingPart;
  } catch {
    return null;
  }
};

/** Gives restarted daemons the configuration that was last applied. */
const revive = async (device: Device): Promise<void> => {
  const part = await readPart(device);
  if (!part) return;
  for (let round = 0; round < 2; round += 1) {
    const steps = planRouting(part, await observeRouting(device, part));
    for (const step of steps.sort((a, b) => a.phase - b.phase)) await runStep(device, step);
  }
};

/** FRR: static routes, BGP and BFD (dataplane section 3). */
export const createRouting = (device: Device): Routing => {
  let failed = 0;
  return {
    name: "routing",
    pick: pickRouting,
    validate: (part) => checkConfig(device, part),
    observe: (part) => observeRouting(device, part),
    plan: planRouting,
    run: async (step, part) => {
      await writeFile(partFile(device), JSON.stringify(part), { mode: 0o600 });
      await runStep(device, step);
    },
    tend: async () => {
      if (!wasStarted(device) || aliveDaemons(device).length === 4) {
        failed = 0;
        return;
      }
      failed += 1;
      const tries = failed - 1;
      if ((tries & (tries - 1)) !== 0) return;
      const died = deadDaemons(device);
      device.log.warn({ died }, "part of FRR died");
      const note = () => {
        for (const name of died) device.repairs.add("routing", name);
      };
      await revive(device).then(note, (error: unknown) =>
        device.log.error({ why: reasonOf(error) }, "FRR could not be restarted"),
      );
    },
  };
};
