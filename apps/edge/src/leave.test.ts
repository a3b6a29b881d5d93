import { mkdirSync, readdirSync, watch, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { tempFolder, until } from "../test/real-device.ts";
import { cpeState } from "../test/states.ts";
import { systemClock, systemRandom } from "./clock.ts";
import { serveStatus } from "./control.ts";
import { leave } from "./leave.ts";
import { type SimulatedMachine, simulatedMachine } from "./simulate/machine.ts";
import { planAll, runAll } from "./state/machine-run.ts";
import { openFolder } from "./store/disk.ts";
import { openStore } from "./store/edge-store.ts";

const ends: (() => unknown)[] = [];
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end();
});

const applied = (machine: SimulatedMachine): number =>
  machine.drivers.reduce((sum, one) => sum + one.applied.size, 0);

/** A device that is enrolled and runs a state. */
const device = async () => {
  const { folder, remove } = tempFolder();
  ends.push(remove);
  const data = path.join(folder, "data");
  const run = path.join(folder, "run");
  mkdirSync(run);
  writeFileSync(path.join(run, "frr.json"), "{}");
  const store = await openStore(await openFolder(data));
  await store.makeIdentity(systemRandom);
  mkdirSync(path.join(data, "dhcp"));
  const machine = simulatedMachine(systemClock, "leaves");
  await runAll(await planAll(machine, cpeState()));
  expect(applied(machine)).toBeGreaterThan(3);
  const options = { folder: data, runFolders: [run], makeMachine: () => machine };
  return { folder, data, machine, options };
};

test("nothing of the edge is left on the machine or on its disk", async () => {
  const { folder, data, machine, options } = await device();
  expect(await leave(options)).toBe(null);
  expect(applied(machine)).toBe(0);
  expect(readdirSync(data)).toEqual([]);
  expect(readdirSync(folder)).toEqual(["data"]);
});

test("what cannot be removed is named, and nothing is deleted until it can be", async () => {
  const { data, machine, options } = await device();
  const tunnels = machine.drivers.find(({ name }) => name === "tunnel");
  const run = tunnels?.run;
  Object.assign(tunnels ?? {}, { run: () => Promise.reject(new Error("device busy")) });
  expect(await leave(options)).toMatch(/tunnel: .*device busy/);
  expect(readdirSync(data)).toContain("identity.json");
  Object.assign(tunnels ?? {}, { run });
  expect(await leave(options)).toBe(null);
  expect(readdirSync(data)).toEqual([]);
});

test("whatever would set everything up again is removed first, and the enrolment last", async () => {
  const { data, options } = await device();
  const names = ["confirmed", "journal", "epoch", "enrolment", "claim", "outcome", "section.1"];
  for (const name of names) writeFileSync(path.join(data, `${name}.json`), "{}");
  const gone: string[] = [];
  const watcher = watch(data, (event, name) => {
    if (event === "rename" && name?.endsWith(".json")) gone.push(name.replace(".json", ""));
  });
  ends.push(() => watcher.close());
  expect(await leave(options)).toBe(null);
  await until(async () => gone.includes("identity") && gone.includes("section.1"), "all events");
  const last = gone.filter((name, at) => gone.lastIndexOf(name) === at);
  expect(last.slice(0, 2).sort()).toEqual(["confirmed", "journal"]);
  expect(last.slice(-3)).toEqual(["enrolment", "epoch", "identity"]);
});

test("while an edge runs, nothing is changed", async () => {
  const { data, machine, options } = await device();
  const server = await serveStatus(data, () => ({ node: 7 }));
  ends.push(() => server.close());
  await expect(leave(options)).rejects.toThrow(/another edge runs/);
  expect(applied(machine)).toBeGreaterThan(3);
  expect(readdirSync(data)).toContain("identity.json");
});
