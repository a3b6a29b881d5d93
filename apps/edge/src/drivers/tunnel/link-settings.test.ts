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

test("a setting that the kernel refuses is an error, not a link without it", async () => {
  await expect(applyNewLinkSettings(device, { ...link, interfaceName: "wl9" })).rejects.toThrow(
    /wl9/,
  );
});
