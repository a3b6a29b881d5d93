/** A route of a site denies what its enterprise's IP group says, in both families, while and as the group says it; packets agree. */
import { effectivePolicy } from "@weft/contract/domains/delivery/effective-policy.ts";
import { ipgroup } from "@weft/contract/domains/policies/enterprise-ip-group.ts";
import { ipGroup } from "@weft/contract/domains/policies/ip-group.ts";
import { hitSummary } from "@weft/contract/domains/policies/policy-hits.ts";
import { policyRoute } from "@weft/contract/domains/policies/policy-route.ts";
import { mustExec } from "@weft/lab/enter.ts";
import { confirmed } from "@weft/lab/operator.ts";
import { ping } from "@weft/lab/ping.ts";
import { joinSitePair, type SitePair } from "@weft/lab/site-pair.ts";
import { defaultLab } from "@weft/lab/spec.ts";
import { reboot } from "@weft/lab/up.ts";
import { eventually, startWorld, type World } from "@weft/lab/world.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** Services of the internet, and the other site's host by IPv6. */
const [games, videos] = ["100.64.9.10", "100.64.9.11"];
const farHost6 = "fd00:1:2::100";
const all = [games, videos, farHost6] as const;
const patienceMs = 60_000;

describe("an IP group of an enterprise", { timeout: 240_000 }, () => {
  let world: World;
  let pair: SitePair;
  let routeId: number;
  let groupId: number;

  beforeAll(async () => {
    world = await startWorld(defaultLab());
    pair = await joinSitePair(world);
    await mustExec(world.lab, "saas", ["ip", "addr", "add", `${videos}/24`, "dev", "eth0"]);
    const { call } = world;
    const of = { cpeId: pair.cpe1, popId: null, remark: "" };
    const group = await call(ipGroup.manage.resource.ops.add, { ...of, name: "Blocked" });
    const route = await call(policyRoute.manage.resource.ops.add, {
      ...of,
      name: "nothing-blocked",
      enable: true,
      sort: 1,
      srcIpgroupId: null,
      dstIpgroupId: group.data.id,
      appgroupId: null,
      timeId: null,
      deny: true,
      lineGroup: 0,
      natType: 0,
      nextHop: null,
      ttlIncrement: 0,
      natLbextra: 0,
    });
    routeId = route.data.id;
    for (const id of [pair.pop, pair.cpe1, pair.cpe2]) await confirmed(call, id);
  }, 600_000);
  afterAll(() => world?.close(), 60_000);

  const answers = async (to: string): Promise<boolean> =>
    (await ping(world.lab, "hosta", to, { count: 2, intervalMs: 100 })).received === 2;
  const deniedAre = (denied: readonly string[]) =>
    eventually(
      async () => {
        const answered = await Promise.all(all.map(answers));
        return all.every((to, at) => answered[at] === !denied.includes(to));
      },
      `denied: ${denied}`,
      patienceMs,
    );
  /** What the console says of an object of the site. */
  const shown = async (family: string) => {
    const { data } = await world.call(effectivePolicy, { cpeId: pair.cpe1, popId: null });
    const list = data.lists.find((one) => one.family === family);
    return list?.entries.map(({ origin, state, finding }) => [origin, state, finding?.reason]);
  };
  const draft = { name: "Blocked", share: false, remark: "" };
  const members = (some: readonly string[]) => ({
    ...draft,
    groupid: pair.groupid,
    members: [...some],
  });

  test("that there is not denies nothing, and the route says so", async () => {
    await deniedAre([]);
    expect(await shown("routerPolicyroute")).toEqual([["node", "cannot", "emptyGroup"]]);
  });

  test("acts in both families and on nothing else, and its packets are counted", async () => {
    const added = await world.call(ipgroup.ops.add, members([games, farHost6]));
    groupId = added.data.id;
    await deniedAre([games, farHost6]);
    await confirmed(world.call, pair.cpe1);
    expect(await shown("routerPolicyroute")).toEqual([["node", "acts", undefined]]);
    expect(await shown("routerIpgroup")).toEqual([["enterprise", "acts", undefined]]);
    await eventually(
      async () => {
        const ids = [routeId];
        const { data } = await world.call(hitSummary, { family: "routerPolicyroute", ids });
        return (data[0]?.count ?? 0) > 0;
      },
      "hits of the route",
      90_000,
    );
  });

  test("acts as it is edited", async () => {
    await world.call(ipgroup.ops.edit, { id: groupId, ...members([videos]) });
    await deniedAre([videos]);
  });

  test("acts after a power cut before the device reaches a controller", async () => {
    await confirmed(world.call, pair.cpe1);
    await world.controller.stop("SIGKILL");
    await reboot(world.lab, "cpe1");
    await world.startEdge("cpe1");
    await deniedAre([videos]);
    await world.controller.start();
    await eventually(() => confirmed(world.call, pair.cpe1), "the site is back", 90_000);
  });

  test("that is removed denies nothing any more", async () => {
    await world.call(ipgroup.ops.remove, { ids: [groupId] });
    await deniedAre([]);
    await confirmed(world.call, pair.cpe1);
    expect(await mustExec(world.lab, "cpe1", ["nft", "list", "ruleset"])).not.toContain(videos);
    expect(await shown("routerPolicyroute")).toEqual([["node", "cannot", "emptyGroup"]]);
  });
});
