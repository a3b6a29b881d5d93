import { describe, expect, test } from "vitest";
import { publish } from "../../test/gateway.ts";
import { cpeState } from "../../test/states.ts";
import { World } from "../../test/world.ts";

const first = publish(cpeState(), { epoch: 1, serial: 1 });
const second = publish(cpeState({ links: 2 }), { epoch: 1, serial: 2 });
const main = "wss://controller.test:8443";
const other = "wss://other.test:8443";

/** A device with two controller addresses runs the first state; the second one is being applied. */
const applied = async (prepare: (world: World) => void): Promise<World> => {
  const world = new World();
  world.addresses = [main, other];
  world.gateway.desired = first;
  await world.start();
  await world.pass(10);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 1 });
  world.other.deviceKey = world.gateway.deviceKey;
  prepare(world);
  world.gateway.want(second);
  await world.pass(2);
  expect(Object.keys(world.applied().tunnel ?? {})).toEqual(["link wl1", "link wl2"]);
  return world;
};

/** Only the controllers answer the device; its tunnels are down. */
const withoutTunnels = (prepare: (world: World) => void) => (world: World) => {
  world.tunnelsAnswer = false;
  prepare(world);
};

const links = (world: World): number => Object.keys(world.applied().tunnel ?? {}).length;

test("an anchor at another address that cannot reach the controller either extends the deadline by 60 seconds", async () => {
  const world = await applied(({ network, other: anchor }) => {
    network.down.add(main);
    anchor.isUnable = true;
  });
  await world.pass(100);
  expect(links(world)).toBe(2);
  expect(world.edge?.status.busy).toBe(true);
  await world.pass(25);
  expect(links(world)).toBe(1);
  expect(world.edge?.status).toMatchObject({ busy: false, running: { serial: 1 } });
});

test("a controller that returns within the time that an anchor allowed confirms the state", async () => {
  const world = await applied(({ network, other: anchor }) => {
    network.down.add(main);
    anchor.isUnable = true;
  });
  await world.pass(90);
  expect(links(world)).toBe(2);
  world.network.down.clear();
  await world.pass(20);
  expect(world.edge?.status.running).toEqual({ epoch: 1, serial: 2 });
  expect(world.gateway.confirmed.at(-1)).toEqual({ epoch: 1, serial: 2 });
});

test("the deadline is extended once only, however often an anchor answers", async () => {
  const world = await applied(({ gateway, other: anchor }) => {
    gateway.isUnable = true;
    anchor.isUnable = true;
  });
  await world.pass(115);
  expect(links(world)).toBe(2);
  await world.pass(10);
  expect(links(world)).toBe(1);
  const reported = world.gateway.of("outcome").at(-1);
  expect(reported).toMatchObject({ serial: 2, outcome: "reverted", unreachable: true });
  expect(reported?.reason).toMatch(/cannot reach its database/);
});

test("without an anchor, or with a forged answer of one, the device rolls back after 60 seconds", async () => {
  for (const forged of [false, "forged"] as const) {
    const world = await applied(
      withoutTunnels(({ network, other: anchor }) => {
        network.down.add(main);
        anchor.isUnable = forged;
        if (forged === false) network.down.add(other);
      }),
    );
    await world.pass(55);
    expect(links(world), String(forged)).toBe(2);
    await world.pass(10);
    expect(links(world), String(forged)).toBe(1);
  }
});

test.each([
  ["tooMany", true],
  ["busy", true],
  ["badSignature", false],
] as const)("a controller that answers %s: not reached is %s", async (reason, unreachable) => {
  const world = await applied(
    withoutTunnels(({ gateway, other: anchor }) => {
      gateway.refuseConfirm = reason;
      anchor.refuseConfirm = reason;
    }),
  );
  await world.pass(70);
  expect(links(world)).toBe(1);
  // Without a commit confirmation the same state is tried once more; a refusal is final.
  const reported = world.gateway.of("outcome").at(-1);
  expect(reported).toMatchObject({ outcome: "reverted" });
  expect(reported?.unreachable ?? false).toBe(unreachable);
});

test("a commit confirmation that the controller did not sign is not accepted", async () => {
  const world = await applied(
    withoutTunnels(({ gateway, network }) => {
      gateway.forgeConfirmed = true;
      network.down.add(other);
    }),
  );
  await world.pass(62);
  const reported = world.gateway.of("outcome").at(-1);
  expect(reported).toMatchObject({ serial: 2, outcome: "reverted" });
});

describe("the other end of a tunnel as an anchor", () => {
  const noController = ({ network }: World): void => {
    for (const address of [main, other]) network.down.add(address);
  };

  test("an outage of all controllers that ends within two minutes reverts nothing", async () => {
    const world = await applied(noController);
    await world.pass(100);
    expect(links(world)).toBe(2);
    world.network.down.delete(main);
    await world.pass(15);
    expect(world.edge?.status).toMatchObject({ busy: false, running: { serial: 2 } });
    expect(world.gateway.confirmed.at(-1)).toEqual({ epoch: 1, serial: 2 });
  });

  test("it extends the deadline by 60 seconds, once, and the state may be sent again", async () => {
    const world = await applied(noController);
    await world.pass(115);
    expect(links(world)).toBe(2);
    await world.pass(10);
    expect(links(world)).toBe(1);
    world.network.down.clear();
    await world.pass(90);
    const reported = world.gateway.of("outcome").filter(({ outcome }) => outcome === "reverted");
    expect(reported).toMatchObject([{ serial: 2, unreachable: true }]);
  });

  test("an end that answered before the apply, or only after the deadline, is not an anchor", async () => {
    const world = await applied(noController);
    await world.pass(30);
    world.tunnelsAnswer = false;
    await world.pass(25);
    expect(links(world)).toBe(2);
    await world.pass(10);
    expect(links(world)).toBe(1);
  });

  test("a refusal by a controller is followed, whatever answers", async () => {
    const world = await applied(({ gateway, other: anchor }) => {
      gateway.refuseConfirm = "notYours";
      anchor.refuseConfirm = "notYours";
    });
    await world.pass(65);
    expect(links(world)).toBe(1);
  });
});
