import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { expect, test } from "vitest";
import { type ObjectName, ObjectsRefused } from "#drivers/refusals.ts";
import { linkName, routeName, spaceName } from "#drivers/without-refused.ts";
import { publish } from "../../test/gateway.ts";
import { cpeState, lanSection } from "../../test/states.ts";
import { World } from "../../test/world.ts";

test("a LAN without its interface is left out and reported; it acts once the interface is there", async () => {
  const world = new World();
  world.healsDrift = false;
  const interfaces = new Map([["wan1", []]]);
  Object.assign(world.machine, { interfaces: async () => interfaces });
  world.gateway.desired = publish(cpeState(), { epoch: 1, serial: 1 });
  await world.start();
  await world.pass(10);
  expect(world.gateway.confirmed).toHaveLength(1);
  const reported = () =>
    world.gateway.of("outcome").map(({ serial, findings }) => [serial, findings]);
  const missing = { section: "underlay", kind: "lan", object: "lan1", reason: "noInterface" };
  // The next hop of the route is on that LAN.
  const unused = { section: "static", kind: "route", object: "10.9.0.0/16", reason: "noNextHop" };
  expect(reported()).toEqual([
    [
      1,
      [
        { ...missing, params: {} },
        { ...unused, params: { nextHop: "10.1.7.254" } },
      ],
    ],
  ]);
  expect(Object.keys(world.applied().underlay ?? {})).toEqual(["line wan1"]);
  expect(Object.keys(world.applied().routing ?? {})).toContain("route 10.9.0.0/16 10.1.7.254");
  await world.pass(60);
  expect(world.gateway.of("heartbeat").at(-1)?.drift?.steps).toBe(0);
  expect(reported()).toHaveLength(1);
  interfaces.set("lan1", []);
  await world.pass(20);
  expect(Object.keys(world.applied().underlay ?? {})).toContain("lan lan1.0");
  expect(reported().slice(1)).toEqual([[1, []]]);
});

test("a controller of an earlier version gets no findings, and the next one gets those of the state that runs", async () => {
  const world = new World();
  Object.assign(world.machine, { interfaces: async () => new Map([["wan1", []]]) });
  world.gateway.desired = publish(cpeState(), { epoch: 1, serial: 1 });
  world.gateway.accepts = false;
  await world.start();
  await world.pass(60);
  expect(world.gateway.confirmed).toHaveLength(1);
  const outcomes = () => world.gateway.of("outcome");
  expect(outcomes()).toEqual([
    { type: "outcome", epoch: 1, serial: 1, outcome: "applied", reason: null },
  ]);
  world.gateway.accepts = true;
  world.gateway.drop();
  await world.pass(60);
  expect(outcomes()).toHaveLength(2);
  expect(outcomes().at(-1)?.findings).toMatchObject([{ object: "lan1" }, { kind: "route" }]);
});

test("what only the apply shows is reported with its outcome", async () => {
  const world = new World();
  const isApplied = () => Object.keys(world.applied()).length > 0;
  const resolverFailure = () => (isApplied() ? "its port is taken" : null);
  Object.assign(world.machine, { resolverFailure });
  const dns = { answers: [], servers: [], denied: [], ranges: [] };
  world.gateway.desired = publish({ ...cpeState(), dns }, { epoch: 1, serial: 1 });
  await world.start();
  await world.pass(10);
  const [outcome] = world.gateway.of("outcome");
  expect(outcome?.findings).toEqual([
    {
      section: "dns",
      kind: "resolver",
      object: "dnsmasq",
      reason: "noResolver",
      params: { why: "its port is taken" },
    },
  ]);
});

const reported = (world: World) =>
  world.gateway
    .of("outcome")
    .map(({ serial, outcome, findings = [] }) => [
      serial,
      outcome,
      findings.map(({ kind, object, reason }) => `${kind} ${object}: ${reason}`),
    ]);

/** A state with another gateway of the line, and one more LAN. */
const edited = (gateway: string) => {
  const state = cpeState({ gateway });
  const lan9 = lanSection("lan9", ["10.1.9.1/24"]);
  return { ...state, underlay: { ...state.underlay, lans: [...state.underlay.lans, lan9] } };
};

test("what the machine refuses is left out and reported, and the rest acts; it is tried again with the next state", async () => {
  const world = new World();
  let refused = "lan lan1";
  world.beforeStep = ({ summary }) => {
    if (summary.startsWith(`set ${refused}`)) throw new Error("ip: not here");
  };
  world.gateway.desired = publish(cpeState(), { epoch: 1, serial: 1 });
  await world.start();
  await world.pass(10);
  const left = (reason: string) => ["lan lan1: refused", `route 10.9.0.0/16: ${reason}`];
  expect(reported(world)).toEqual([[1, "applied", left("noNextHop")]]);
  expect(Object.keys(world.applied().underlay ?? {})).toEqual(["line wan1"]);
  await world.pass(30);
  expect(world.gateway.of("heartbeat").at(-1)?.drift?.steps).toBe(0);
  // A later state is not held up either.
  world.gateway.want(publish(edited("100.64.1.1"), { epoch: 1, serial: 2 }));
  await world.pass(10);
  expect(reported(world).at(-1)).toEqual([2, "applied", left("noNextHop")]);
  expect(Object.keys(world.applied().underlay ?? {}).sort()).toEqual(["lan lan9.0", "line wan1"]);
  refused = "nothing";
  world.gateway.want(publish(cpeState(), { epoch: 1, serial: 3 }));
  await world.pass(10);
  expect(reported(world).at(-1)).toEqual([3, "applied", []]);
});

test("a WAN link that is refused stays as it was, and its state acts; without any before, the state fails", async () => {
  const world = new World();
  const isRefused = (text: string | undefined) => text?.includes('100.64.1.2"') ?? false;
  const wrong = edited("100.64.1.2");
  const drivers = world.machine.drivers.map((driver) => ({
    ...driver,
    run: async (...[step, part]: Parameters<typeof driver.run>) => {
      if (step.key === "line wan1" && isRefused(part.get(step.key))) throw new Error("invalid");
      return driver.run(step, part);
    },
  }));
  Object.assign(world.machine, { drivers });
  world.gateway.desired = publish(wrong, { epoch: 1, serial: 1 });
  await world.start();
  await world.pass(10);
  expect(reported(world)).toEqual([[1, "failed", []]]);
  world.gateway.want(publish(cpeState(), { epoch: 1, serial: 2 }));
  await world.pass(10);
  world.gateway.want(publish(wrong, { epoch: 1, serial: 3 }));
  await world.pass(10);
  expect(reported(world).slice(1)).toEqual([
    [2, "applied", []],
    [3, "applied", ["line wan1: refusedKept"]],
  ]);
  expect(world.applied().underlay?.["line wan1"]).toContain("100.64.1.1");
  expect(Object.keys(world.applied().underlay ?? {})).toContain("lan lan9.0");
});

const first = cpeState({ links: 2 });
const [wl1, wl2] = first.tunnels.flatMap(({ links }) => links.map((link) => linkName(3, link)));
/** The same with another AS, so that its space is set anew. */
const second: DesiredState = {
  ...first,
  routings: first.routings.map((routing) => ({ ...routing, asn: 65_004 })),
  underlay: edited("100.64.1.1").underlay,
};
const withRefused = async (refused: () => readonly (ObjectName | undefined)[]) => {
  const world = new World();
  const of = (about: ObjectName | undefined) => (about ? [{ about, why: "no" }] : []);
  world.beforeStep = ({ driver, summary }) => {
    const objects = driver === "routing" && summary === "set space 3" ? refused() : [];
    if (objects.length > 0) throw new ObjectsRefused(objects.flatMap(of));
  };
  world.gateway.desired = publish(first, { epoch: 1, serial: 1 });
  await world.start();
  await world.pass(10);
  return world;
};

test("of a step for many objects those that the machine refuses are left out, and the rest acts", async () => {
  let refused: (ObjectName | undefined)[] = [];
  // Without them the step is for others, and is done.
  const world = await withRefused(() => refused.splice(0));
  expect(reported(world)).toEqual([[1, "applied", []]]);
  refused = [wl2, routeName("10.9.0.0/16")];
  world.gateway.want(publish(second, { epoch: 1, serial: 2 }));
  await world.pass(10);
  expect(reported(world).at(-1)).toEqual([
    2,
    "applied",
    ["link wl2: refused", "route 10.9.0.0/16: refused"],
  ]);
  expect(Object.keys(world.applied().tunnel ?? {})).toEqual(["link wl1"]);
  expect(Object.keys(world.applied().routing ?? {})).toEqual(["space 3"]);
  expect(Object.keys(world.applied().underlay ?? {})).toContain("lan lan9.0");
  await world.pass(30);
  expect(world.gateway.of("heartbeat").at(-1)?.drift?.steps).toBe(0);
  world.gateway.want(publish(first, { epoch: 1, serial: 3 }));
  await world.pass(10);
  expect(reported(world).at(-1)).toEqual([3, "applied", []]);
  expect(Object.keys(world.applied().tunnel ?? {})).toHaveLength(2);
});

test.each<[string, readonly (ObjectName | undefined)[]]>([
  ["both of its links", [wl1, wl2]],
  ["its only space", [spaceName(3)]],
])("a state of which the machine refuses %s is taken back", async (_what, objects) => {
  let refused: readonly (ObjectName | undefined)[] = [];
  const world = await withRefused(() => refused);
  refused = objects;
  world.gateway.want(publish(second, { epoch: 1, serial: 2 }));
  await world.pass(5);
  refused = [];
  await world.pass(20);
  expect(reported(world)).toContainEqual([2, "failed", []]);
  expect(Object.keys(world.applied().tunnel ?? {})).toHaveLength(2);
  expect(Object.keys(world.applied().underlay ?? {})).not.toContain("lan lan9.0");
});

test("what a check refuses before anything is touched is left out in the same way", async () => {
  const world = new World();
  const drivers = world.machine.drivers.map((driver) => ({
    ...driver,
    validate: async (part: Parameters<typeof driver.validate>[0]) => {
      if (driver.name === "routing" && [...part.keys()].some((key) => key.startsWith("route ")))
        throw new ObjectsRefused([{ about: routeName("10.9.0.0/16"), why: "Unknown command" }]);
    },
  }));
  Object.assign(world.machine, { drivers });
  world.gateway.desired = publish(first, { epoch: 1, serial: 1 });
  await world.start();
  await world.pass(10);
  expect(reported(world)).toEqual([[1, "applied", ["route 10.9.0.0/16: refused"]]]);
  expect(Object.keys(world.applied().routing ?? {})).toEqual(["space 3"]);
});

test("what is refused again when it is tried again keeps its finding all the while", async () => {
  const world = new World();
  world.beforeStep = ({ summary }) => {
    if (summary.startsWith("set lan lan1")) throw new Error("ip: not here");
  };
  world.gateway.desired = publish(cpeState(), { epoch: 1, serial: 1 });
  await world.start();
  await world.pass(10);
  expect(reported(world)).toHaveLength(1);
  await world.pass(600);
  expect(reported(world)).toHaveLength(1);
});
