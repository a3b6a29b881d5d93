import { expect, test } from "vitest";
import { digestOf } from "#store/record.ts";
import { publish } from "../../test/gateway.ts";
import { cpeState, nothingApplied } from "../../test/states.ts";
import { World } from "../../test/world.ts";

const first = publish(cpeState(), { epoch: 1, serial: 1 });
const second = publish(cpeState({ links: 2 }), { epoch: 1, serial: 2 });
const third = publish(cpeState({ links: 3 }), { epoch: 1, serial: 3 });

const outcomes = (world: World) =>
  world.gateway.of("outcome").map(({ serial, outcome }) => `${serial} ${outcome}`);

/** A device that runs the first state, confirmed. */
const running = async (): Promise<World> => {
  const world = new World();
  world.gateway.desired = first;
  await world.start();
  await world.pass(10);
  expect(world.edge?.status).toMatchObject({ connected: true, running: { epoch: 1, serial: 1 } });
  return world;
};

test("a state is fetched, applied, and confirmed on a new connection", async () => {
  const world = await running();
  expect(world.gateway.confirmed).toEqual([{ epoch: 1, serial: 1 }]);
  expect(world.network.posts).toEqual(["/edge/v1/confirm"]);
  expect(outcomes(world)).toEqual(["1 applied"]);
  expect(world.gateway.of("need")[0]?.sections.length).toBe(8);
  expect(Object.keys(world.applied().tunnel ?? {})).toEqual(["link wl1"]);
  await world.pass(20);
  expect(world.gateway.of("report").at(-1)?.running).toMatchObject({ serial: 1 });
  expect(world.gateway.of("heartbeat").at(-1)?.running).toMatchObject({ serial: 1 });
  expect(world.gateway.of("measures").at(-1)?.links[0]).toMatchObject({ id: 1, up: true });
});

test("links that stay as they are are sent every 20 s, and every 5 s to a controller that reads no more", async () => {
  const count = async (accepts: boolean): Promise<number> => {
    const world = new World();
    const stays = {
      id: 1,
      up: true,
      rttMs: 20,
      jitterMs: 1,
      lossPercent: 0,
      inRate: 0,
      outRate: 0,
    };
    Object.assign(world.machine, { measures: async () => [stays] });
    world.gateway.accepts = accepts;
    world.gateway.desired = first;
    await world.start();
    await world.pass(10);
    const before = world.gateway.of("measures").length;
    await world.pass(120);
    const sent = world.gateway.of("measures").slice(before);
    expect(sent.every(({ standMs }) => standMs === (accepts ? 30_000 : undefined))).toBe(true);
    return sent.length;
  };
  expect(await count(true)).toBe(6);
  expect(await count(false)).toBe(24);
});

test("requests only the sections that the device lacks", async () => {
  const world = await running();
  world.gateway.want(second);
  await world.pass(5);
  // Firewall (one more port), routing (one more neighbour) and the new link's bucket.
  expect(world.gateway.of("need")[1]?.sections.length).toBe(3);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 2 });
});

test("without a commit confirmation the device rolls back after 60 seconds and reports it when contact returns", async () => {
  const world = await running();
  const before = world.applied();
  // The new gateway address takes the device off the network as soon as it is applied.
  world.beforeStep = () => {
    world.network.isCut = true;
  };
  world.gateway.want(publish(cpeState({ gateway: "100.64.1.9" }), { epoch: 1, serial: 2 }));
  await world.pass(2);
  const lost = world.applied();
  expect(lost).not.toEqual(before);
  await world.pass(55);
  expect(world.applied()).toEqual(lost);
  await world.pass(8);
  expect(world.applied()).toEqual(before);
  expect(world.edge?.status).toMatchObject({ running: { serial: 1 }, busy: false });
  world.network.isCut = false;
  await world.pass(120);
  const reported = world.gateway.of("outcome").at(-1);
  expect(reported).toMatchObject({ serial: 2, outcome: "reverted", unreachable: true });
  expect(reported?.reason).toMatch(/could not be reached.*no answer in time/);
  expect(world.disk.names()).not.toContain("outcome.json");
  expect(world.disk.names()).not.toContain("journal.json");
});

test("an outcome stays on the disk until the gateway has shown that it got it", async () => {
  const world = await running();
  world.beforeStep = () => {
    world.network.isCut = true;
  };
  world.gateway.want(second);
  await world.pass(65);
  expect(world.disk.names()).toContain("outcome.json");
  world.kill();
  world.beforeStep = () => {};
  await world.start();
  await world.pass(30);
  expect(world.disk.names()).toContain("outcome.json");
  world.network.isCut = false;
  await world.pass(70);
  expect(outcomes(world)).toContain("2 reverted");
  expect(world.disk.names()).not.toContain("outcome.json");
});

test("the wall clock is nothing to the deadline, and a commit confirmation in its last second counts", async () => {
  const world = await running();
  world.network.refusesNew = true;
  world.gateway.want(second);
  await world.pass(55);
  world.network.refusesNew = false;
  await world.pass(8);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 2 });
  expect(outcomes(world)).toEqual(["1 applied", "2 applied"]);
});

test("a failed apply is rolled back immediately", async () => {
  const world = await running();
  const before = world.applied();
  world.beforeStep = (step) => {
    if (step.summary === "set link wl2") throw new Error("Address already in use");
  };
  world.gateway.want(second);
  await world.pass(3);
  expect(world.applied()).toEqual(before);
  const reported = world.gateway.of("outcome").at(-1);
  expect(reported).toMatchObject({ serial: 2, outcome: "failed" });
  expect(reported?.reason).toBe("tunnel: set link wl2: Address already in use");
  expect(world.gateway.confirmed.map(({ serial }) => serial)).toEqual([1]);
});

test("what is undone while the other steps run is done once more", async () => {
  const world = await running();
  const tunnel = world.machine.drivers.find(({ name }) => name === "tunnel");
  world.beforeStep = (step) => {
    // The link is removed again right after it came.
    if (step.driver === "routing") tunnel?.applied.delete("link wl2");
  };
  world.gateway.want(second);
  await world.pass(20);
  expect(tunnel?.applied.has("link wl2")).toBe(true);
  expect(outcomes(world)).toEqual(["1 applied", "2 applied"]);
});

test("an apply that did not take effect, twice, has failed", async () => {
  const world = await running();
  const before = world.applied();
  const applied = world.machine.drivers.find(({ name }) => name === "tunnel")?.applied;
  let attempts = 0;
  world.beforeStep = (step) => {
    // A kernel that takes a step and does nothing.
    if (step.summary !== "set link wl2" || !applied) return;
    attempts += 1;
    const set = applied.set.bind(applied);
    applied.set = (key, value) => (key === "link wl2" ? applied : set(key, value));
  };
  world.gateway.want(second);
  await world.pass(26);
  expect(attempts).toBe(2);
  expect(world.applied()).toEqual(before);
  expect(world.gateway.of("outcome").at(-1)?.reason).toMatch(/^did not take effect, 1 steps/);
});

test("no way to the controller begins at an address of a LAN", async () => {
  const world = await running();
  const lan = {
    interfaceName: "lan1",
    addressing: "static" as const,
    address: "10.1.7.1/24",
    up: true,
  };
  const { lines } = world.machine;
  Object.assign(world.machine, { lines: async () => [...(await lines()), lan] });
  world.kill();
  await world.start();
  world.network.isCut = true;
  await world.pass(120);
  const tried = world.log.flatMap(({ text, fields }) =>
    text === "no connection to the controller"
      ? [(fields as { source: string | null }).source]
      : [],
  );
  expect(new Set(tried)).toEqual(new Set([null, "100.64.1.2"]));
});

test("what comes right a moment after the last step has taken effect", async () => {
  const world = await running();
  const { clock } = world.clock.process();
  const tunnel = world.machine.drivers.find(({ name }) => name === "tunnel");
  world.beforeStep = (step) => {
    // As a daemon that died in the middle and is set up again, or BGP that has to settle.
    if (step.driver !== "routing") return;
    const link = tunnel?.applied.get("link wl2") ?? "";
    tunnel?.applied.delete("link wl2");
    clock.setTimeout(() => tunnel?.applied.set("link wl2", link), 4_000);
  };
  world.gateway.want(second);
  await world.pass(10);
  expect(outcomes(world)).toEqual(["1 applied", "2 applied"]);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 2 });
});

test("of the heads that come while one is unconfirmed only the newest is applied afterwards", async () => {
  const world = await running();
  world.network.refusesNew = true;
  world.gateway.want(second);
  await world.pass(5);
  const fourth = publish(cpeState({ links: 4 }), { epoch: 1, serial: 4 });
  world.gateway.want(third);
  world.gateway.want(fourth);
  world.gateway.want(third);
  world.gateway.desired = fourth;
  await world.pass(10);
  expect(Object.keys(world.applied().tunnel ?? {}).length).toBe(2);
  world.network.refusesNew = false;
  await world.pass(10);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 4 });
  expect(outcomes(world)).toEqual(["1 applied", "2 applied", "4 applied"]);
});

test("a reverted state that is sent again immediately is not applied, but answered", async () => {
  const world = await running();
  world.network.refusesNew = true;
  world.tunnelsAnswer = false;
  world.gateway.want(second);
  await world.pass(62);
  world.network.refusesNew = false;
  expect(outcomes(world)).toEqual(["1 applied", "2 applied", "2 reverted"]);
  world.gateway.want(second);
  await world.pass(5);
  expect(outcomes(world).slice(3)).toEqual(["2 reverted"]);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 1 });
  await world.pass(60);
  world.gateway.want(second);
  await world.pass(5);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 2 });
});

test("sections that do not match their hash are refused, and nothing is touched", async () => {
  const world = await running();
  const before = world.applied();
  world.gateway.spoilSections = true;
  world.gateway.want(second);
  await world.pass(5);
  const reported = world.gateway.of("outcome").at(-1);
  expect(reported).toMatchObject({ serial: 2, outcome: "refused" });
  expect(reported?.reason).toMatch(/does not match its hash/);
  expect(world.applied()).toEqual(before);
});

test("a document for another node, and one that breaks its schema, are refused", async () => {
  const world = await running();
  world.gateway.want(publish(cpeState({ node: 8 }), { epoch: 1, serial: 2 }));
  await world.pass(5);
  expect(world.gateway.of("outcome").at(-1)?.reason).toBe("the document is for node 8");
  const state = cpeState();
  const broken = { ...state, node: { ...state.node, hostname: "a; reboot" } };
  world.gateway.want(publish(broken, { epoch: 1, serial: 3 }));
  await world.pass(5);
  expect(world.gateway.of("outcome").at(-1)).toMatchObject({ serial: 3, outcome: "refused" });
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 1 });
});

test("a state of a later version is refused with a reason, and the one before goes on to deny", async () => {
  const world = await running();
  const acting = world.applied();
  const sent = world.gateway.of("report").length;
  const later = publish(cpeState(), { epoch: 1, serial: 2 });
  const content = { zone: 7 };
  const sections = { ...later.head.sections, "zone.7": digestOf(content) };
  const contents = new Map([...later.contents, [digestOf(content), content]]);
  world.gateway.want({ head: { ...later.head, sections }, contents });
  await world.pass(5);
  expect(world.gateway.of("outcome").at(-1)).toMatchObject({
    serial: 2,
    outcome: "refused",
    reason: "unknown section zone.7",
  });
  const state = cpeState();
  const lans = state.underlay.lans.map((lan) => ({ ...lan, zone: 7 }));
  const wider = { ...state, underlay: { ...state.underlay, lans } };
  world.gateway.want(publish(wider, { epoch: 1, serial: 3 }));
  await world.pass(5);
  expect(world.gateway.of("outcome").at(-1)).toMatchObject({ serial: 3, outcome: "refused" });
  expect(world.gateway.of("outcome").at(-1)?.reason).toContain("zone");
  expect(world.applied()).toEqual(acting);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 1 });
  // On one and the same connection: a new one begins with a report.
  expect(world.gateway.of("report")).toHaveLength(sent);
});

test("a state that needs what the machine lacks is refused with a reason, and nothing is touched", async () => {
  const world = new World();
  world.findings = [{ name: "frr", can: false, reason: "vtysh is not there" }];
  world.gateway.desired = first;
  await world.start();
  await world.pass(10);
  expect(world.gateway.of("outcome").at(-1)).toMatchObject({
    serial: 1,
    outcome: "refused",
    reason: "this machine lacks: routing needs frr (frr: vtysh is not there)",
  });
  expect(world.applied()).toEqual(nothingApplied);
  expect(world.steps).toBe(0);
  // The console shows it beside the state.
  expect(world.gateway.of("report").at(-1)?.capabilities).toEqual(
    expect.arrayContaining([...world.findings]),
  );
});

test("a controller that refuses to confirm was reached: no retry is due", async () => {
  const world = await running();
  world.gateway.refuseConfirm = "notYours";
  world.gateway.want(second);
  await world.pass(62);
  const reported = world.gateway.of("outcome").at(-1);
  expect(reported).toMatchObject({ outcome: "reverted" });
  expect(reported?.unreachable).toBeUndefined();
});

test("a plan that touches no path is confirmed on the open connection", async () => {
  const world = await running();
  world.network.refusesNew = true;
  world.gateway.want(publish(cpeState(), { epoch: 1, serial: 2 }));
  await world.pass(2);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 2 });
  expect(world.network.posts.length).toBe(1);
  expect(world.gateway.of("confirm").length).toBe(1);
});

test("a forged commit confirmation on the open connection does not count either", async () => {
  const world = await running();
  world.gateway.forgeConfirmed = true;
  world.gateway.want(publish(cpeState(), { epoch: 1, serial: 2 }));
  await world.pass(3);
  expect(world.edge?.status).toMatchObject({ running: { serial: 1 }, busy: true });
  expect(world.log.some(({ text }) => text === "forged confirmation")).toBe(true);
});

test("the very first state is rolled back to what the device was before", async () => {
  const world = new World();
  world.gateway.desired = first;
  await world.start();
  world.gateway.refuseConfirm = "busy";
  world.tunnelsAnswer = false;
  await world.pass(30);
  expect(Object.keys(world.applied().tunnel ?? {})).toEqual(["link wl1"]);
  await world.pass(45);
  expect(world.applied()).toEqual(nothingApplied);
  expect(world.edge?.status.running).toBeNull();
});

test("a device starts with its confirmed state and without the controller", async () => {
  const world = await running();
  const before = world.applied();
  world.network.isCut = true;
  world.kill(true);
  expect(world.applied()).not.toEqual(before);
  await world.start();
  await world.pass(1);
  expect(world.applied()).toEqual(before);
});

test("a state that was stored before an upgrade acts as it did, and its present form changes nothing of it", async () => {
  const world = new World();
  const state = cpeState();
  world.gateway.desired = publish(state, { epoch: 1, serial: 1 }, false, new Set());
  await world.start();
  await world.pass(10);
  const before = world.applied();
  expect(Object.keys(before.underlay ?? {})).toContain("lan lan1.0");
  world.kill(true);
  world.network.isCut = true;
  await world.start();
  await world.pass(1);
  expect(world.applied()).toEqual(before);
  world.network.isCut = false;
  const steps = world.steps;
  world.gateway.want(publish(state, { epoch: 1, serial: 2 }));
  await world.pass(30);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 2 });
  expect([world.applied(), world.steps]).toEqual([before, steps]);
});

test("an older or the same head is left aside, a newer epoch only believed from its controller", async () => {
  const world = await running();
  world.gateway.want(second);
  await world.pass(5);
  world.gateway.want(first);
  world.gateway.want(publish(cpeState({ links: 3 }), { epoch: 2, serial: 1 }));
  await world.pass(5);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 2 });
  world.gateway.epoch = 2;
  world.gateway.drop();
  await world.pass(70);
  expect(world.edge?.status.running).toEqual({ epoch: 2, serial: 1 });
});

test("a full disk fails the state and touches nothing", async () => {
  const world = await running();
  const before = world.applied();
  const { steps } = world;
  world.disk.fault = new Error("ENOSPC: no space left on device");
  world.gateway.want(second);
  await world.pass(5);
  expect(world.steps).toBe(steps);
  expect(world.applied()).toEqual(before);
  expect(world.gateway.of("outcome").at(-1)).toMatchObject({ outcome: "failed" });
  world.disk.fault = null;
  world.gateway.want(third);
  await world.pass(5);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 3 });
});

test("a disk that fills up after the commit confirmation does not undo what the controller committed", async () => {
  const world = await running();
  world.network.refusesNew = true;
  world.gateway.want(second);
  await world.pass(10);
  world.disk.fault = new Error("ENOSPC: no space left on device");
  world.network.refusesNew = false;
  await world.pass(70);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 2 });
  world.disk.fault = null;
  await world.pass(10);
  world.kill();
  await world.start();
  await world.pass(5);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 2 });
});

test("stopping keeps tunnels and leaves the unconfirmed state to the next start", async () => {
  const world = await running();
  const before = world.applied();
  world.network.refusesNew = true;
  world.gateway.want(second);
  await world.pass(5);
  const stopped = world.edge?.stop();
  await world.pass(1);
  await stopped;
  expect(world.applied()).not.toEqual(before);
  expect(world.gateway.isConnected).toBe(false);
  world.kill();
  await world.start();
  await world.pass(1);
  expect(world.applied()).toEqual(before);
});
