import { linkList } from "@weft/contract/resources/link.ts";
import { staticRoute } from "@weft/contract/resources/static-route.ts";
import { capture } from "@weft/lab/capture.ts";
import { mustExec } from "@weft/lab/enter.ts";
import { cut, heal } from "@weft/lab/faults.ts";
import { confirmed, stateOf } from "@weft/lab/operator.ts";
import { ping } from "@weft/lab/ping.ts";
import { joinSitePair, type SitePair } from "@weft/lab/site-pair.ts";
import { defaultLab } from "@weft/lab/spec.ts";
import { eventually, startWorld, type World } from "@weft/lab/world.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const hostB = { v4: "10.1.2.100", v6: "fd00:1:2::100" };

const links = async (world: World) => {
  const all = { netSpaceId: null, nodeId: null, status: null, name: null, page: 1, limit: 100 };
  return (await world.call(linkList, all)).data;
};

describe("a packet across the overlay", () => {
  let world: World;
  let pair: SitePair;

  beforeAll(async () => {
    world = await startWorld(defaultLab());
    pair = await joinSitePair(world);
  }, 180_000);

  afterAll(() => world?.close(), 30_000);

  test("host A reaches host B within 10 s of the last click, over IPv4 and the ULA", async () => {
    for (const address of [hostB.v4, hostB.v6]) {
      const reached = async () =>
        (await ping(world.lab, "hosta", address, { count: 1 }).catch(() => null))?.received === 1;
      await eventually(reached, `host A reaches ${address}`, 10_000);
    }
  });

  test("every node runs its newest state, confirmed, without drift", async () => {
    for (const id of [pair.pop, pair.cpe1, pair.cpe2]) {
      await confirmed(world.call, id);
      await eventually(
        async () => (await stateOf(world.call, id)).driftSteps === 0,
        "no drift",
        40_000,
      );
    }
  });

  test("on the internet the packets are seen encrypted only", async () => {
    const seen = await capture(world.lab, "inet", "cpe1-wan1");
    const seenB = await capture(world.lab, "inet", "cpe1-wan2");
    const result = await ping(world.lab, "hosta", hostB.v4, { count: 20, intervalMs: 50 });
    expect(result.received).toBe(20);
    const lines = [...(await seen.stop()), ...(await seenB.stop())];
    expect(lines.filter((line) => /UDP/.test(line)).length).toBeGreaterThan(20);
    expect(lines.filter((line) => line.includes("10.1.2.100") || /ICMP echo/.test(line))).toEqual(
      [],
    );
  });

  test("the console's link list shows every link up, with its measures", async () => {
    const rows = await eventually(async () => {
      const found = await links(world);
      return (
        found.length === 4 && found.every((one) => one.status === 1 && one.delay !== null) && found
      );
    }, "four measured links");
    for (const one of rows) expect(one).toMatchObject({ loss: 0, jitter: expect.any(Number) });
  });

  test("a static route appears in the kernel and is gone after removal", async () => {
    const kernel = async () =>
      mustExec(world.lab, "cpe1", ["ip", "-4", "route", "show", "10.9.0.0/16"]);
    const { data } = await world.call(staticRoute.ops.add, {
      ...{ nCpeID: pair.cpe1, nEnable: true, destination: "10.9.0.0/16", nextHop: "10.1.1.100" },
      ...{ metric: 1, announce: true, remark: "" },
    });
    await eventually(async () => (await kernel()).includes("via 10.1.1.100"), "the route", 10_000);
    const far = async () =>
      mustExec(world.lab, "cpe2", ["ip", "-4", "route", "show", "10.9.0.0/16"]);
    await eventually(
      async () => (await far()).includes("bgp"),
      "the route at the far site",
      10_000,
    );
    await world.call(staticRoute.ops.remove, { ids: [data.id] });
    await eventually(
      async () => (await kernel()) === "" && (await far()) === "",
      "no route",
      10_000,
    );
  });

  test("one line cut silently: the ping goes on after at most 1 s", async () => {
    const running = ping(world.lab, "hosta", hostB.v4, { intervalMs: 20, durationMs: 6_000 });
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await cut(world.lab, "cpe1", "wan1");
    const result = await running;
    expect(result.longestGapMs).toBeLessThan(1_000);
    await heal(world.lab, "cpe1", "wan1");
  });

  test("with all controllers down and the edges restarted the ping goes on", async () => {
    await world.controller.stop("SIGTERM");
    const running = ping(world.lab, "hosta", hostB.v4, { intervalMs: 50, durationMs: 8_000 });
    for (const [box, edge] of world.edges) {
      edge.kill("SIGKILL");
      await edge.exited;
      await world.startEdge(box);
    }
    const result = await running;
    expect(result.longestGapMs).toBeLessThan(1_000);
    await world.controller.start();
    const back = async () => (await stateOf(world.call, pair.cpe1)).online;
    await eventually(back, "the edge finds the controller again", 90_000);
  });
});
