import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type People, people } from "../../../../test/people.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";

let all: People;
let cpeId: number;
beforeAll(async () => {
  all = await people();
  const { api, admin, agent: groupid } = all;
  const ids = { groupid, cpeId: 0, popId: 0 };
  const draft = wireDraft("cpe", "valid", ids, { sn: "WARN-1", alias: "warned" });
  cpeId = newIdOf(await api.post("/customer/cpe/insertNew", draft, admin));
  const of = { ...ids, cpeId };
  const lan = wireDraft("lansection", "valid", of, { network: "10.63.0.1/24", network6: "" });
  newIdOf(await api.post("/customer/lansection/add", lan, admin));
  const wan = { nodeId: cpeId, addressing: "static", ip: "198.51.100.9/28" };
  newIdOf(
    await api.post(
      "/customer/line/add",
      wireDraft("line", "valid", of, { ...wan, gateway: "198.51.100.1" }),
      admin,
    ),
  );
}, 60_000);
afterAll(() => all.api.close());

const save = (destination: string, nextHop: string, more: object = {}) => {
  const ids = { groupid: all.agent, cpeId, popId: 0 };
  const own = { nCpeID: cpeId, destination, nextHop, ...more };
  const draft = wireDraft("staticroute", "valid", ids, own);
  return all.api.post("/customer/staticroute/add", draft, all.admin);
};

describe("a static route that is saved names what it may cost:", () => {
  test("a next hop that is nowhere", async () => {
    const answer = await save("10.70.0.0/16", "10.99.0.1");
    expect(answer).toMatchObject({
      code: 0,
      warnings: [{ path: "nextHop", warning: "nextHopNowhere" }],
    });
    const [{ text }] = (answer as unknown as { warnings: [{ text: string }] }).warnings;
    for (const part of ["10.99.0.1", "10.70.0.0/16"]) expect(text).toContain(part);
  });

  test("nothing of a next hop behind a router of the site, whichever of the two routes is saved first", async () => {
    // Alone it leads nowhere, nor does it lead to its own next hop.
    expect(await save("10.80.0.0/16", "10.80.0.1")).toHaveProperty("warnings");
    expect(await save("10.82.0.0/16", "10.81.0.1")).toHaveProperty("warnings");
    expect(await save("10.81.0.0/16", "10.63.0.9", { nEnable: 0 })).toMatchObject({ code: 0 });
    expect(await save("10.83.0.0/16", "10.81.0.1")).toHaveProperty("warnings");
    expect(await save("10.81.0.0/24", "10.63.0.9")).not.toHaveProperty("warnings");
    const answer = await save("10.84.0.0/16", "10.81.0.1");
    expect(answer).toMatchObject({ code: 0 });
    expect(answer).not.toHaveProperty("warnings");
  });

  test("next hops that lead to each other, to the route itself or to one that leads nowhere", async () => {
    const isBehind = (route: string) => ({
      code: 0,
      warnings: [
        {
          path: "nextHop",
          warning: "nextHopUnresolved",
          text: expect.stringContaining(`静态路由 ${route} 到达`),
        },
      ],
    });
    expect(await save("10.101.0.0/16", "10.102.0.1")).toMatchObject({
      warnings: [{ warning: "nextHopNowhere" }],
    });
    expect(await save("10.102.0.0/16", "10.101.0.1")).toMatchObject(isBehind("10.101.0.0/16"));
    expect(await save("10.103.0.0/16", "10.102.9.1")).toMatchObject(isBehind("10.102.0.0/16"));
    expect(await save("10.63.0.0/25", "10.63.0.9")).toMatchObject(isBehind("10.63.0.0/25"));
    // One that takes effect and has the next hop of one of them resolves all three.
    expect(await save("10.102.0.0/17", "10.63.0.9")).not.toHaveProperty("warnings");
    expect(await save("10.104.0.0/16", "10.103.0.1")).not.toHaveProperty("warnings");
  });

  test("nothing of a next hop at another site of the space", async () => {
    const { api, admin, agent: groupid } = all;
    const ids = { groupid, cpeId: 0, popId: 0 };
    const device = wireDraft("cpe", "valid", ids, { sn: "WARN-2", alias: "far" });
    const far = newIdOf(await api.post("/customer/cpe/insertNew", device, admin));
    const lan = { network: "10.90.0.1/24", network6: "" };
    const section = wireDraft("lansection", "valid", { ...ids, cpeId: far }, lan);
    newIdOf(await api.post("/customer/lansection/add", { ...section, enableForward: 1 }, admin));
    expect(await save("10.91.0.0/16", "10.90.0.9")).toHaveProperty("warnings");
    const members = { name: "beyond", cpeIds: `${cpeId},${far}`, popIds: "" };
    const space = wireDraft("netSpace", "valid", { ...ids, cpeId, popId: cpeId }, members);
    newIdOf(await api.post("/customer/netSpace/add", space, admin));
    expect(await save("10.92.0.0/16", "10.90.0.9")).not.toHaveProperty("warnings");
  });

  test("nothing of a next hop on a LAN or behind a route that a colleague made, for who sees own data only", async () => {
    const { api, admin, agent: groupid } = all;
    const token = await api.userToken({ enterpriseId: groupid, dataScope: 2 });
    const ids = { groupid, cpeId: 0, popId: 0 };
    const device = wireDraft("cpe", "valid", ids, { sn: "WARN-3", alias: "colleagues" });
    const own = {
      ...ids,
      cpeId: newIdOf(await api.post("/customer/cpe/insertNew", device, token)),
    };
    const lan = wireDraft("lansection", "valid", own, { network: "10.64.0.1/24", network6: "" });
    newIdOf(await api.post("/customer/lansection/add", lan, admin));
    const route = (destination: string, nextHop: string, by: string) => {
      const fields = { nCpeID: own.cpeId, destination, nextHop };
      return api.post(
        "/customer/staticroute/add",
        wireDraft("staticroute", "valid", own, fields),
        by,
      );
    };
    expect(await route("10.65.0.0/16", "10.64.0.9", admin)).not.toHaveProperty("warnings");
    for (const answer of [
      await route("10.66.0.0/16", "10.64.0.9", token),
      await route("10.67.0.0/16", "10.65.0.1", token),
    ]) {
      expect(answer).toMatchObject({ code: 0 });
      expect(answer).not.toHaveProperty("warnings");
    }
  });

  test("nothing of a next hop in the IPv6 network of a WAN link", async () => {
    const ids = { groupid: all.agent, cpeId, popId: 0 };
    const wan = {
      nodeId: cpeId,
      slot: 2,
      name: "six",
      interfaceName: "wan2",
      addressing: "dhcp",
      ip: "",
      gateway: "",
    };
    const six = { ipv6Mode: "static", ip6: "2001:db8:63::2/64", gateway6: "2001:db8:63::1" };
    newIdOf(
      await all.api.post(
        "/customer/line/add",
        wireDraft("line", "valid", ids, { ...wan, ...six }),
        all.admin,
      ),
    );
    const answer = await save("2001:db8:99::/48", "2001:db8:63::9");
    expect(answer).toMatchObject({ code: 0 });
    expect(answer).not.toHaveProperty("warnings");
  });

  test.each(["0.0.0.0/0", "0.0.0.0/1", "128.0.0.0/1"])("a default route: %s", async (network) => {
    expect(await save(network, "198.51.100.2")).toMatchObject({
      code: 0,
      warnings: [{ path: "destination", warning: "defaultRoute" }],
    });
  });

  test("nothing of a route that fits, or that is disabled", async () => {
    for (const answer of [
      await save("10.71.0.0/16", "10.63.0.9"),
      await save("10.72.0.0/16", "10.99.0.1", { nEnable: 0 }),
    ]) {
      expect(answer).toMatchObject({ code: 0 });
      expect(answer).not.toHaveProperty("warnings");
    }
  });
});

test.each([
  ["10.63.0.1", "10.63.0.0/24"],
  ["10.63.0.0", "10.63.0.0/24"],
  ["10.63.0.255", "10.63.0.0/24"],
  ["198.51.100.9", "198.51.100.0/28"],
])("a next hop that no other device has is refused: %s", async (nextHop, network) => {
  expect(await save("10.73.0.0/16", nextHop)).toMatchObject({
    code: 400,
    issues: [{ path: "nextHop", rule: "ownNextHop", params: { value: nextHop, network } }],
  });
});
