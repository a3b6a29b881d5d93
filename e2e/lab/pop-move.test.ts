/** A POP strategy changes under traffic: the sites' links move to another POP, make before break. */
import { enterpriseEditStrategy } from "@weft/contract/domains/enterprises/enterprise.ts";
import { anyLink, linkList } from "@weft/contract/domains/overlay/link.ts";
import { popStrategy } from "@weft/contract/domains/overlay/pop-strategy.ts";
import { addEnterprise, addPop, addSite, addSpace, confirmed, enrol } from "@weft/lab/operator.ts";
import { type PingResult, ping } from "@weft/lab/ping.ts";
import { twoPopLab } from "@weft/lab/spec.ts";
import { eventually, startWorld, type World } from "@weft/lab/world.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** From the save until the last old link is gone: states, handshakes, five steady seconds, states. */
const moveTimeout = 240_000;
const hostB = "10.1.2.100";

describe("a strategy that changes under traffic", () => {
  let world: World;
  let strategyId = 0;
  const nodes = { pop: 0, pop2: 0, cpe1: 0, cpe2: 0 };

  const strategy = (popId: number) => ({
    name: "华东",
    groupid: null,
    popIds: [popId],
    remark: "",
  });
  /** POPs that the sites have links with, each with the number of its links that are up. */
  const linked = async () => {
    const { data } = await world.call(linkList, { ...anyLink, page: 1, limit: 100 });
    const ofSites = data.filter(({ source }) => source.kind === "cpe");
    const up = ofSites.filter(({ status }) => status === 1);
    const count = (id: number) => up.filter(({ target }) => target.nodeId === id).length;
    return { old: count(nodes.pop), next: count(nodes.pop2), all: ofSites.length };
  };

  beforeAll(async () => {
    world = await startWorld(twoPopLab());
    const { call } = world;
    const groupid = await addEnterprise(call, "蓝海零售");
    const site = (device: string, octet: number, lan: number) =>
      addSite(call, {
        groupid,
        device,
        octet,
        network: `10.1.${lan}.1/24`,
        network6: `fd00:1:${lan}::1/64`,
      });
    nodes.pop = await addPop(call, "pop", 10);
    nodes.pop2 = await addPop(call, "pop2", 20);
    nodes.cpe1 = await site("cpe1", 11, 1);
    nodes.cpe2 = await site("cpe2", 12, 2);
    strategyId = (await call(popStrategy.ops.add, strategy(nodes.pop))).data.id;
    await call(enterpriseEditStrategy, {
      groupid,
      strategyType: 1,
      popStrategyId: strategyId,
      checkServerData: [],
    });
    for (const [device, id] of Object.entries(nodes)) await enrol(world, device, id);
    for (const id of Object.values(nodes)) await confirmed(call, id);
    const popIds = [nodes.pop, nodes.pop2];
    const cpeIds = [nodes.cpe1, nodes.cpe2];
    await addSpace(call, { name: "生产网", groupid, topology: 0, popIds, cpeIds });
  }, 300_000);

  afterAll(async () => {
    await world?.close();
  });

  test("both sites have links with its POP only", async () => {
    // By one comparison: what it saw last is the cause of a failure.
    await eventually(
      async () => {
        expect(await linked()).toEqual({ old: 4, next: 0, all: 4 });
        return true;
      },
      "two links a site, all with the first POP",
      moveTimeout,
    );
    const reached = async () =>
      (await ping(world.lab, "hosta", hostB, { count: 1 }).catch(() => null))?.received === 1;
    await eventually(reached, `host A reaches ${hostB}`);
    // Also the way between the POPs: traffic uses it while one site has moved and the other has not.
    for (const id of Object.values(nodes)) await confirmed(world.call, id);
  });

  test("another POP in it takes all links over, and no packet of a running ping is lost", async () => {
    let isMoved = false;
    const results: PingResult[] = [];
    const traffic = async (): Promise<void> => {
      while (!isMoved) {
        results.push(await ping(world.lab, "hosta", hostB, { intervalMs: 20, durationMs: 20_000 }));
      }
    };
    const moved = async () => {
      await world.call(popStrategy.ops.edit, { id: strategyId, ...strategy(nodes.pop2) });
      await eventually(
        async () => {
          const { old, next, all } = await linked();
          // Never without a link that carries.
          expect(old + next).toBeGreaterThan(0);
          return next === 4 && all === 4;
        },
        "all links with the second POP",
        moveTimeout,
      );
      for (const id of Object.values(nodes)) await confirmed(world.call, id);
    };
    const ended = () => {
      isMoved = true;
    };
    const [sent, done] = await Promise.allSettled([traffic(), moved().finally(ended)]);
    for (const one of [done, sent]) if (one.status === "rejected") throw one.reason;
    const lost = results.reduce((sum, { sent, received }) => sum + sent - received, 0);
    const gaps = results.map(({ maxGapMs }) => maxGapMs);
    console.log(`${results.map(({ sent }) => sent)} sent, ${lost} lost, longest gap ${gaps} ms`);
    expect(lost).toBe(0);
  }, 400_000);
});
