import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { capture } from "@weft/lab/capture.ts";
import { mustExec } from "@weft/lab/enter.ts";
import { addEnterprise, addPop, addSite, addSpace, confirmed, enrol } from "@weft/lab/operator.ts";
import { ping } from "@weft/lab/ping.ts";
import { twoTenantLab } from "@weft/lab/spec.ts";
import { eventually, startWorld, type World } from "@weft/lab/world.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** Only ends what hangs. */
const deadlineMs = 60_000;

const tenants = [
  { name: "蓝海零售", first: "cpe1", second: "cpe2", octet: 11 },
  { name: "远山制造", first: "cpe3", second: "cpe4", octet: 13 },
] as const;

// Both enterprises use the same networks: 10.0.0.0/24 at the first site, 10.0.1.0/24 at the second.
const network = (site: 0 | 1) => ({
  network: `10.0.${site}.1/24`,
  network6: `fd00:9:${site}::1/64`,
});
const host = (site: 0 | 1) => ({
  addresses: [`10.0.${site}.100/24`, `fd00:9:${site}::100/64`],
  gateways: [`10.0.${site}.1`, `fd00:9:${site}::1`],
});

describe("two enterprises with the same addresses on one POP", { timeout: 300_000 }, () => {
  let world: World;

  beforeAll(async () => {
    const hosts = { hosta: host(0), hostb: host(1), hostc: host(0), hostd: host(1) };
    world = await startWorld(twoTenantLab(hosts));
    const { call } = world;
    const pop = await addPop(call, "pop", 10);
    await enrol(world, "pop", pop);
    for (const { name, first, second, octet } of tenants) {
      const groupid = await addEnterprise(call, name);
      const a = await addSite(call, { groupid, device: first, octet, ...network(0) });
      const b = await addSite(call, { groupid, device: second, octet: octet + 1, ...network(1) });
      await enrol(world, first, a);
      await enrol(world, second, b);
      await addSpace(call, { name: "生产网", groupid, topology: 0, popIds: [pop], cpeIds: [a, b] });
      for (const id of [pop, a, b]) await confirmed(call, id);
    }
  }, 600_000);

  afterAll(() => world?.close());

  test("each reaches its own other site", async () => {
    for (const from of ["hosta", "hostc"]) {
      await eventually(
        async () => (await ping(world.lab, from, "10.0.1.100", { count: 1 })).received === 1,
        `${from} reaches its own 10.0.1.100`,
        deadlineMs,
      );
    }
  });

  test.each([
    ["hosta", "hostb", "hostd"],
    ["hostc", "hostd", "hostb"],
  ])("no packet of %s arrives at the other enterprise", async (from, to, foreign) => {
    const [expected, strays] = [
      await capture(world.lab, to, "eth0", "icmp"),
      await capture(world.lab, foreign, "eth0", "icmp"),
    ];
    try {
      // On a busy machine some are lost; that they go where they should is what counts.
      const answered = await eventually(
        async () => {
          const { received } = await ping(world.lab, from, "10.0.1.100", {
            count: 50,
            intervalMs: 20,
          });
          return received >= 10 ? received : null;
        },
        `${from} is answered`,
        deadlineMs,
      );
      // On a busy machine the capture is behind what ping has seen.
      await eventually(
        async () => (await expected.read()).length >= 2 * answered,
        `${to}'s packets are in the capture`,
        deadlineMs,
      );
    } finally {
      await expected.stop();
      // Also when nobody answered: that they arrived elsewhere is the reason then.
      expect(await strays.stop()).toEqual([]);
    }
  });

  test("on the POP each space has a namespace and routes of its own", async () => {
    const names = (await mustExec(world.lab, "pop", ["ip", "netns", "list"])).match(/weft-s\d+/g);
    expect(new Set(names).size).toBe(2);
    const routes = await mustExec(world.lab, "pop", ["ip", "-4", "route", "show", "10.0.0.0/8"]);
    expect(routes).toBe("");
  });

  test("the operator sees the sites of both", async () => {
    const all = {
      alias: null,
      groupid: null,
      linkStatus: null,
      tone: null,
      key: null,
      areaId: null,
      orderByColumn: null,
      isAsc: null,
    };
    const { count } = await world.call(cpe.ops.list, { ...all, page: 1, limit: 10 });
    expect(count).toBe(4);
  });
});
