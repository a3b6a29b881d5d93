import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type People, people } from "../../../test/people.ts";
import { newIdOf, wireDraft } from "../../../test/tenants.ts";

let all: People;
let cpeId: number;
let spaceId: number;
let popId: number;
beforeAll(async () => {
  all = await people();
  const { api, admin, agent: groupid } = all;
  const ids = { groupid, cpeId: 1, popId: 1 };
  const pop = wireDraft("pop", "valid", ids, { sn: "ENDS-POP", name: "ends-pop" });
  popId = newIdOf(await api.post("/customer/pop/add", pop, admin));
  const line = wireDraft("line", "valid", ids, {
    nodeId: popId,
    slot: 1,
    name: "uplink",
    addressing: "static",
    reachable: 1,
    interfaceName: "wan1",
    ip: "203.0.113.11/28",
    gateway: "203.0.113.1",
  });
  newIdOf(await api.post("/customer/line/add", line, admin));
  const second = { slot: 2, name: "second", interfaceName: "wan2" };
  const more = { ...second, ip: "192.0.2.10/24", gateway: "192.0.2.1" };
  newIdOf(await api.post("/customer/line/add", { ...line, ...more }, admin));
  const cpe = wireDraft("cpe", "valid", ids, { sn: "ENDS-CPE", alias: "ends-cpe" });
  cpeId = newIdOf(await api.post("/customer/cpe/insertNew", cpe, admin));
  const space = wireDraft("netSpace", "valid", ids, { name: "ends", cpeIds: cpeId, popIds: popId });
  spaceId = newIdOf(await api.post("/customer/netSpace/add", space, admin));
  const { db } = api.database.pools.owner;
  await sql`update weft.installation set edge_addresses =
    '{wss://198.51.100.7:8443,wss://weft.example:8443}'`.execute(db);
}, 120_000);
afterAll(() => all.api.close());

type Fields = Readonly<Record<string, unknown>>;

const save = (resource: "routeNotice" | "staticroute" | "lansection", fields: Fields) => {
  const ids = { groupid: all.agent, cpeId, popId };
  const owner = resource === "routeNotice" ? { cpeId } : { nCpeID: cpeId };
  const draft = wireDraft(resource, "valid", ids, { ...owner, ...fields });
  return all.api.post(`/customer/${resource}/add`, draft, all.admin);
};
const savePool = (ipPool: string) =>
  all.api.post(
    "/customer/clientConfig/edit",
    {
      groupid: all.agent,
      enable: 1,
      netSpaceId: spaceId,
      popId,
      ipPool,
      serverHost: "",
      dns: "",
      routes: "",
      allowTerminalTypes: "",
      defaultTxbps: "",
      defaultRxbps: "",
    },
    all.admin,
  );

describe("a LAN is refused", () => {
  test.each([
    [
      "the address of a POP",
      { network: "203.0.113.11/32" },
      "network",
      "endpointAddress",
      "203.0.113.11",
    ],
    [
      "one that its broadcast is",
      { network: "203.0.113.9/30" },
      "network",
      "endpointAddress",
      "203.0.113.11",
    ],
    [
      "the address of a controller",
      { network: "198.51.100.7/32" },
      "network",
      "controllerAddress",
      "198.51.100.7",
    ],
    [
      "an own address that is a controller's",
      { network: "198.51.100.9/28", ownAddress: "198.51.100.7" },
      "ownAddress",
      "controllerAddress",
      "198.51.100.7",
    ],
  ])("with %s", async (_, fields, path, rule, value) => {
    const answer = await save("lansection", { interfaceName: "lan7", network6: "", ...fields });
    expect(answer).toMatchObject({ code: 400, issues: expect.any(Array) });
    expect(answer.issues).toContainEqual(
      expect.objectContaining({ path, rule, params: expect.objectContaining({ value }) }),
    );
  });
});

describe("a network that contains an end of tunnels is saved with a warning that names it:", () => {
  const name = "ends-pop";
  const around = "203.0.113.0/24";
  test.each([
    ["a route notice", () => save("routeNotice", { network: around }), "network", around],
    [
      "a static route, announced or not",
      () =>
        save("staticroute", { destination: "203.0.113.8/29", announce: 0, nextHop: "10.77.1.2" }),
      "destination",
      "203.0.113.8/29",
    ],
    [
      "a LAN",
      () => save("lansection", { network: "203.0.113.2/25", network6: "" }),
      "network",
      "203.0.113.2/25",
    ],
    ["a pool of mobile clients", () => savePool("192.0.2.0/26"), "ipPool", "192.0.2.0/26"],
  ])("%s", async (_, act, path, network) => {
    const answer = await act();
    expect(answer).toMatchObject({ code: 0 });
    expect(answer.warnings).toContainEqual(
      expect.objectContaining({
        path,
        warning: "containsTunnelEnd",
        params: { network, address: path === "ipPool" ? "192.0.2.10" : "203.0.113.11", name },
      }),
    );
  });

  test("of a controller, with what it means in each place", async () => {
    expect(await save("routeNotice", { network: "198.51.100.0/25" })).toMatchObject({
      code: 0,
      warnings: [{ path: "network", warning: "containsController" }],
    });
    expect(
      await save("lansection", { network: "198.51.100.1/24", interfaceName: "lan8", network6: "" }),
    ).toMatchObject({
      code: 0,
      warnings: [{ path: "network", warning: "controllerInLan" }],
    });
  });

  test("and a default route, or a network without any, is not worth one", async () => {
    for (const network of ["0.0.0.0/0", "10.61.0.0/16"])
      expect(await save("routeNotice", { network })).not.toHaveProperty("warnings");
  });
});

test("what a link has inside is no network of a site", async () => {
  for (const network of ["169.254.1.0/31", "169.254.1.1/32", "fd57:6566:0:1::/64", "198.18.0.0/15"])
    expect(await save("routeNotice", { network })).toMatchObject({
      code: 400,
      issues: [{ path: "network", rule: "reservedNetwork" }],
    });
});
