import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Daemons } from "#drivers/daemon.ts";
import type { Device } from "#drivers/device.ts";
import { type Argv, createRun, type RunOptions } from "#drivers/exec.ts";
import { Repairs } from "#drivers/repairs.ts";
import { applyLinkSettings, applyNewLinkSettings } from "./link-settings.ts";
import type { PlacedLink } from "./render.ts";

const netns = `wt-dress-${process.pid}`;
const link: PlacedLink = {
  id: 1,
  interfaceName: "wl1",
  listenPort: 51_001,
  slot: 1,
  mtu: 1_380,
  probe: true,
  netns,
  address4: "10.255.1.1/31",
  address6: "fd57:ff:1::1/127",
  peerAddress4: "10.255.1.0",
  peerAddress6: "fd57:ff:1::",
  peerKey: "",
  endpoint: null,
};

let folder: string;
let started: Argv[];
let device: Device;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "weft-dress-"));
  started = [];
  const real = createRun();
  const run = (argv: Argv, options?: RunOptions) => {
    started.push(argv);
    return real(argv, options);
  };
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  device = {
    run,
    log,
    daemons: new Daemons(folder),
    repairs: new Repairs(),
    dataDir: folder,
    runDir: folder,
    controllers: [],
    manageFrom: [],
    tunnelPrivateKey: "",
    siteTz: null,
    now: Date.now,
  };
  execFileSync("ip", ["netns", "add", netns]);
  execFileSync("ip", ["-n", netns, "link", "add", "wl1", "type", "veth", "peer", "name", "far"]);
});

afterEach(() => {
  execFileSync("ip", ["netns", "del", netns]);
  rmSync(folder, { recursive: true, force: true });
});

const shown = () =>
  execFileSync("ip", ["-n", netns, "-o", "addr", "show", "dev", "wl1"]).toString();

test("a new interface gets all that it needs from one program, and nothing is left to compare", async () => {
  await applyNewLinkSettings(device, link);
  expect(started).toHaveLength(1);
  expect(shown()).toMatch(/10\.255\.1\.1\/31/);
  expect(shown()).toMatch(/fd57:ff:1::1\/127/);
  expect(shown()).not.toMatch(/fe80/);
  started.length = 0;
  await applyLinkSettings(device, link);
  const batches = started.filter((argv) => argv.includes("-batch"));
  expect(batches).toEqual([]);
});

/** IPv6 of the namespace's interfaces: those to come (default), all of them, or one by its name. */
const isOff = (place: string): string => {
  const setting = `net.ipv6.conf.${place}.disable_ipv6`;
  return execFileSync("ip", ["netns", "exec", netns, "sysctl", "-n", setting]).toString().trim();
};

const turnOff = (...places: readonly string[]): void => {
  const settings = places.map((place) => `net.ipv6.conf.${place}.disable_ipv6=1`);
  execFileSync("ip", ["netns", "exec", netns, "sysctl", "-q", "-w", ...settings]);
};

test.each([
  ["new", applyNewLinkSettings],
  ["there", applyLinkSettings],
])("an interface that is %s has IPv6 where it is off for all others", async (_what, apply) => {
  turnOff("all", "default", "wl1", "far");
  await apply(device, link);
  expect(shown()).toMatch(/10\.255\.1\.1\/31/);
  expect(shown()).toMatch(/fd57:ff:1::1\/127/);
  expect(shown()).not.toMatch(/fe80/);
  expect(["wl1", "all", "default", "far"].map(isOff)).toEqual(["0", "1", "1", "1"]);
});

test("an interface gets IPv6 again when its MTU is large enough for it, where new ones have none", async () => {
  await applyNewLinkSettings(device, { ...link, mtu: 1_200 });
  expect(shown()).not.toMatch(/fd57/);
  turnOff("default");
  await applyLinkSettings(device, link);
  expect(shown()).toMatch(/fd57:ff:1::1\/127/);
});

test("a setting that the kernel refuses is an error, not a link without it", async () => {
  await expect(applyNewLinkSettings(device, { ...link, interfaceName: "wl9" })).rejects.toThrow(
    /wl9/,
  );
});
