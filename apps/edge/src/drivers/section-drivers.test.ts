import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  declarationOf,
  type SectionKind,
  sectionKinds,
} from "@weft/contract/device/v1/sections.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import pino from "pino";
import { afterAll, expect, test } from "vitest";
import { cpeState } from "../../test/states.ts";
import { createMachine } from "./machine.ts";
import { sectionDrivers } from "./section-drivers.ts";

const folder = mkdtempSync(join(tmpdir(), "weft-drivers-"));
afterAll(() => rmSync(folder, { recursive: true }));

const plain = cpeState();
/** A state with every section: a driver reads some only beside others. */
const state: DesiredState = {
  ...plain,
  system: { restartAt: null },
  clients: [
    {
      spaceId: 3,
      netns: "weft-s3",
      interfaceName: "wm3",
      listenPort: 51_999,
      slot: 1,
      mtu: 1_400,
      address: "10.200.0.1/24",
      peers: [],
    },
  ],
  policy: { sets: [], limits: [] },
  shaping: {
    up: 10_000,
    down: 10_000,
    lines: [{ slot: 1, up: 10_000 }],
    circuits: [],
  },
  site: { neighbors: [], interfaces: [], sent: [] },
  groups: { rate: null, groups: [{ id: 1, rate: 1_000, networks: ["10.1.8.0/24"] }] },
  paths: { limits: { loss: 2, rtt: 250, jitter: 50 }, returnAfter: 60 },
  segments: [{ spaceId: 3, netns: null, routes: [] }],
  accelerations: [{ spaceId: 3, netns: null, sources: [], groups: [], exit: null }],
  standby: {
    group: 1,
    role: "active",
    priority: 100,
    lans: [{ interfaceName: "lan1", own: "10.1.7.2/24", gateways: ["10.1.7.1/24"] }],
  },
};

const kindOf = new Map(
  sectionKinds.map((kind) => [declarationOf(kind).list ?? kind, kind] as const),
);

/** Kinds of the sections that a driver looks at to find its part. */
function readBy(pick: (state: DesiredState) => unknown): SectionKind[] {
  const read = new Set<string>();
  const watched = new Proxy(state, {
    get: (target, key, receiver) => {
      read.add(String(key));
      return Reflect.get(target, key, receiver);
    },
  });
  pick(watched);
  return [...read].flatMap((key) => kindOf.get(key) ?? []);
}

const { drivers } = createMachine({
  dataDir: join(folder, "data"),
  runDir: join(folder, "run"),
  log: pino({ level: "silent" }),
  controllers: [],
  tunnelPrivateKey: Buffer.alloc(32, 1).toString("base64"),
});
const named = Object.entries(sectionDrivers).flatMap(([kind, names]) =>
  names.flatMap((name) => (name === "edge" ? [] : [[kind as SectionKind, name] as const])),
);

test("there is a state with every section", () => {
  expect([...kindOf.keys()].filter((key) => !(key in state))).toEqual([]);
});

test.each(named)("the section %s is read by the driver %s, which carries it out", (kind, name) => {
  const driver = drivers.find((driver) => driver.name === name);
  expect(readBy((wanted) => driver?.pick(wanted))).toContain(kind);
});
