/**
 * Rules of a site deny what groups of its enterprise say, addresses of both families and names, while and as these say it;
 * packets agree.
 */
import { effectivePolicy } from "@weft/contract/domains/delivery/effective-policy.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { ipgroup } from "@weft/contract/domains/policies/enterprise-ip-group.ts";
import { urlgroup } from "@weft/contract/domains/policies/enterprise-url-group.ts";
import { ipGroup } from "@weft/contract/domains/policies/ip-group.ts";
import { hitSummary } from "@weft/contract/domains/policies/policy-hits.ts";
import { policyRoute } from "@weft/contract/domains/policies/policy-route.ts";
import { urlGroup } from "@weft/contract/domains/policies/url-group.ts";
import { urlRule } from "@weft/contract/domains/policies/url-rule.ts";
import { mustExec } from "@weft/lab/enter.ts";
import { confirmed, stateOf } from "@weft/lab/operator.ts";
import { ping } from "@weft/lab/ping.ts";
import { joinSitePair, type SitePair } from "@weft/lab/site-pair.ts";
import { spawn } from "@weft/lab/spawn.ts";
import { defaultLab } from "@weft/lab/spec.ts";
import { reboot } from "@weft/lab/up.ts";
import { eventually, startWorld, type World } from "@weft/lab/world.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** Services of the internet, and the other site's host by IPv6. */
const [games, videos] = ["100.64.9.10", "100.64.9.11"];
const farHost6 = "fd00:1:2::100";
const all = [games, videos, farHost6] as const;
const patienceMs = 60_000;

/** A server that knows every name: each has one address. */
const nameServer = `
  const socket = require("node:dgram").createSocket("udp4");
  socket.on("message", (query, { address, port }) => {
    let end = 12;
    while (query[end] !== 0) end += query[end] + 1;
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180, 2);
    header.fill(0, 6);
    header.writeUInt16BE(1, 6);
    const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 192, 0, 2, 7]);
    socket.send(Buffer.concat([header, query.subarray(12, end + 5), answer]), port, address);
  }).bind(53, "${games}");`;

describe("a group of an enterprise", { timeout: 240_000 }, () => {
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

  test("of a state that is rolled back acts as in the state before, and the next one has the edit", {
    timeout: 600_000,
  }, async () => {
    const { call } = world;
    const before = await confirmed(call, pair.cpe1);
    const ofSite = { nodeId: pair.cpe1, page: 1, limit: 4, orderByColumn: null, isAsc: null };
    const { data: lines } = await call(line.ops.list, ofSite);
    const [first, second] = [1, 2].map((place) => lines.find(({ slot }) => slot === place));
    if (!first || !second) throw new Error("cpe1 has two WAN links");
    // All in one state: the edge comes when they are compiled.
    const edge = world.edges.get("cpe1");
    edge?.kill("SIGKILL");
    await edge?.exited;
    // Without its second WAN link and with an address of no network, the device reaches nothing that could confirm the state.
    await call(line.ops.remove, { ids: [second.id] });
    // It is edited twice, the second time whatever version its row has by then.
    const good = { ...first, rowVersion: undefined, lineQuality: 0 } as const;
    const elsewhere = { ip: "198.51.101.11/24", gateway: "198.51.101.1" };
    await call(line.ops.edit, { ...good, ...elsewhere });
    await call(ipgroup.ops.edit, { id: groupId, ...members([games]) });
    await eventually(async () => {
      const { compiling, desired } = await stateOf(call, pair.cpe1);
      return !compiling && desired !== null && desired.serial > before;
    }, "the state with the edit is compiled");
    await world.startEdge("cpe1");
    const rules = () => mustExec(world.lab, "cpe1", ["nft", "list", "ruleset"]);
    await eventually(async () => (await rules()).includes(games), "the edit in the kernel", 90_000);
    expect(await rules()).not.toContain(videos);
    await eventually(
      async () => (await stateOf(call, pair.cpe1)).blocked?.outcome === "reverted",
      "the console says that it was rolled back",
      240_000,
    );
    await deniedAre([videos]);
    expect(await rules()).not.toContain(games);

    await call(line.ops.edit, good);
    await deniedAre([games]);
    await confirmed(call, pair.cpe1);
    await call(line.ops.add, { ...second, lineQuality: 0 });
    await call(ipgroup.ops.edit, { id: groupId, ...members([videos]) });
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

  /** What a name server of the internet answers host A, "ENOTFOUND" where the site denies the name. */
  const asked = async (name: string): Promise<string> => {
    const script = `
      const resolver = new (require("node:dns").Resolver)({ timeout: 1000, tries: 2 });
      resolver.setServers(["${games}"]);
      resolver.resolve4("${name}", (error, found) => console.log(error ? error.code : found.join()));`;
    return (await mustExec(world.lab, "hosta", [process.execPath, "-e", script])).trim();
  };
  const answeredAre = (wanted: Readonly<Record<string, string>>) =>
    eventually(
      async () => {
        for (const [name, answer] of Object.entries(wanted))
          if ((await asked(name)) !== answer) return false;
        return true;
      },
      `answers: ${JSON.stringify(wanted)}`,
      patienceMs,
    );

  test("of names denies them while it is there", async () => {
    const { call } = world;
    await spawn(world.lab, "saas", [process.execPath, "-e", nameServer], {});
    const of = { cpeId: pair.cpe1, popId: null, remark: "" };
    const group = await call(urlGroup.manage.resource.ops.add, { ...of, name: "Games" });
    await call(urlRule.manage.resource.ops.add, {
      ...of,
      name: "no-games",
      enable: true,
      sort: 1,
      urlgroupId: group.data.id,
      ipgroupId: null,
      timeId: null,
      action: 0,
      redirectUrl: null,
    });
    const address = "192.0.2.7";
    const answered = {
      "games.example": address,
      "eu.video.example": address,
      "work.example": address,
    };
    await answeredAre(answered);
    const added = await call(urlgroup.ops.add, {
      name: "Games",
      groupid: pair.groupid,
      members: ["games.example", "*.video.example"],
      remark: "",
    });
    await answeredAre({
      "games.example": "ENOTFOUND",
      "eu.video.example": "ENOTFOUND",
      "work.example": address,
    });
    await call(urlgroup.ops.remove, { ids: [added.data.id] });
    await answeredAre(answered);
  });

  test("that is removed denies nothing any more", async () => {
    await world.call(ipgroup.ops.remove, { ids: [groupId] });
    await deniedAre([]);
    await confirmed(world.call, pair.cpe1);
    expect(await mustExec(world.lab, "cpe1", ["nft", "list", "ruleset"])).not.toContain(videos);
    expect(await shown("routerPolicyroute")).toEqual([["node", "cannot", "emptyGroup"]]);
  });
});
