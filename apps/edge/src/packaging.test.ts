/** The systemd unit as it is packed: what it lets the edge do is enough, and little more. */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type NetnsEdge, pings } from "../test/netns/host.ts";
import {
  cpeState,
  createWorld,
  makeSites,
  newKey,
  popState,
  type World,
} from "../test/netns/world.ts";
import { waitUntil } from "./drivers/daemon.ts";
import type { Argv } from "./drivers/exec.ts";

const packed = (name: string): string => new URL(`../packaging/${name}`, import.meta.url).pathname;
const [unit, dropIn] = [packed("weft-edge.service"), packed("pop.conf")];

/** Values of a setting, which add up over its lines. */
const valuesOf = (setting: string): string[] =>
  readFileSync(unit, "utf8")
    .split("\n")
    .flatMap((line) => (line.startsWith(`${setting}=`) ? line.slice(setting.length + 1) : []))
    .flatMap((values) => values.split(" "));

/** As systemd starts the edge, as far as a test without systemd can: its capabilities. */
const confined = (): Argv => {
  const names = valuesOf("CapabilityBoundingSet").map((one) => one.slice("CAP_".length));
  const bounds = ["-all", ...names.map((name) => `+${name.toLowerCase()}`)].join(",");
  const isFinal = valuesOf("NoNewPrivileges").includes("yes");
  return ["setpriv", `--bounding-set=${bounds}`, ...(isFinal ? ["--no-new-privs"] : [])];
};

const sites = makeSites();
const [one, two] = sites;
const popKey = newKey();
const served = { interfaceName: "lan0", address: "10.0.0.1/24" };
const states: readonly DesiredState[] = [
  cpeState(one, popKey, [1]),
  {
    ...cpeState(two, popKey, [1, 2]),
    dns: {
      answers: [{ domain: "erp.example", address: "10.0.0.20" }],
      servers: [],
      denied: [],
      ranges: [{ ...served, first: "10.0.0.128", last: "10.0.0.254" }],
    },
  },
];
const hub = popState(
  [
    { site: one, slots: [1] },
    { site: two, slots: [1, 2] },
  ],
  popKey,
);

describe("the capabilities of the unit", { timeout: 60_000 }, () => {
  let world: World;
  let edges: NetnsEdge[];

  beforeAll(async () => {
    world = await createWorld(sites);
    const { pop, cpes } = world;
    edges = [
      await pop.edge(popKey, [], confined()),
      await cpes[0].edge(one.key, [], confined()),
      await cpes[1].edge(two.key, [], confined()),
    ];
  }, 60_000);

  afterAll(async () => {
    await world?.remove();
  }, 30_000);

  it("are all that the edge has", () => {
    const names = valuesOf("CapabilityBoundingSet");
    expect(names.length).toBeGreaterThan(5);
    const [tool, ...args] = confined();
    const dump = spawnSync(tool, [...args, "setpriv", "--dump"], { encoding: "utf8" });
    expect(dump.stderr).toBe("");
    const bounds = /^Capability bounding set: (.*)$/m.exec(dump.stdout)?.[1]?.split(",") ?? [];
    expect(bounds.map((name) => `CAP_${name.toUpperCase()}`).sort()).toEqual(names.sort());
  });

  it("are enough for a POP with namespaces, tunnels, DHCP, FRR, a resolver and rules, and for taking all away", async () => {
    await Promise.all([hub, ...states].map((state, at) => edges[at]?.apply(state)));
    const [host] = world.hosts;
    for (const address of ["10.0.0.100", "fd57:1:2::100"])
      await waitUntil(`${address} by the space`, () => pings(host, address, 1), 30_000);
    // Names and addresses of a LAN, by a program that gives up its rights.
    expect(await edges[2]?.findings(states[1] ?? null)).toEqual([]);
    expect(await world.cpes[1].run(["pidof", "dnsmasq"])).not.toBe("");
    // Routing daemons that died are started again under the same bounds.
    await world.cpes[0].run(["sh", "-c", "kill -9 $(pidof bgpd)"]);
    const isBack = async () =>
      (await world.cpes[0].run(["pidof", "bgpd"]).catch(() => "")) !== "" &&
      (await pings(host, "10.0.0.100", 1));
    await waitUntil("bgpd", isBack, 30_000);
    for (const edge of edges) {
      await edge.apply(null);
      expect(await edge.plan(null)).toEqual([]);
    }
    expect(await world.pop.run(["ip", "netns", "list"])).toBe("");
  });
});

/** How much systemd finds open in a unit, from 0 to 10, and the list of it. */
const exposure = (file: string) => {
  const argv = ["security", "--offline=yes", "--no-pager", file];
  const { stdout, stderr } = spawnSync("systemd-analyze", argv, { encoding: "utf8" });
  const level = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1];
  expect(level, stderr).toBeDefined();
  return { level: Number(level), list: stdout };
};

describe.skipIf(spawnSync("systemd-analyze", ["--version"]).status !== 0)("the sandbox", () => {
  it("of the unit leaves no more open than FRR and tunnels need: 9.6 of 10 without any", () => {
    const { level, list } = exposure(unit);
    expect(level, list).toBeLessThanOrEqual(5);
  });

  it("of a POP has its namespaces and mounts in addition, and nothing else", () => {
    const folder = mkdtempSync(join(tmpdir(), "weft-unit-"));
    const both = join(folder, "weft-edge.service");
    mkdirSync(`${both}.d`);
    copyFileSync(unit, both);
    copyFileSync(dropIn, join(`${both}.d`, "pop.conf"));
    const open = (list: string) => list.split("\n").filter((line) => line.startsWith("✗"));
    const nameOf = (line: string) => line.split(/\s+/)[1];
    const names = (list: string) => open(list).map(nameOf);
    const before = new Set(names(exposure(unit).list));
    const more = names(exposure(both).list).filter((name) => !before.has(name));
    rmSync(folder, { recursive: true });
    expect(more.sort()).toEqual([
      "RestrictNamespaces=~mnt",
      "RestrictNamespaces=~net",
      "SystemCallFilter=~@mount",
    ]);
  });
});
