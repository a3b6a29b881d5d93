import { afterAll, beforeAll, expect, test } from "vitest";
import { type People, people } from "../../../../test/people.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";

let all: People;
beforeAll(async () => {
  all = await people();
}, 60_000);
afterAll(() => all.api.close());

test("a LAN network that overlaps the network of a line is refused, and the line is named", async () => {
  const { api, admin, agent } = all;
  const ids = { groupid: agent, cpeId: 0, popId: 0 };
  const device = wireDraft("cpe", "valid", ids, { sn: "LINE-LAN-1", alias: "line-lan" });
  const cpeId = newIdOf(await api.post("/customer/cpe/insertNew", device, admin));
  const own = { ...ids, cpeId };
  const line = wireDraft("line", "valid", own, {
    nodeId: cpeId,
    name: "uplink",
    addressing: "static",
    ip: "198.51.100.2/24",
    gateway: "198.51.100.1",
  });
  newIdOf(await api.post("/customer/line/add", line, admin));
  const section = (network: string) =>
    api.post("/customer/lansection/add", wireDraft("lansection", "valid", own, { network }), admin);
  for (const network of ["198.51.100.129/25", "198.51.0.1/16"]) {
    expect(await section(network)).toMatchObject({
      code: 400,
      issues: [
        { path: "network", rule: "overlap", params: { value: "198.51.100.2/24", other: "uplink" } },
      ],
    });
  }
  const id = newIdOf(await section("198.51.101.1/24"));
  const moved = wireDraft("lansection", "valid", own, { network: "198.51.100.1/24", id });
  expect(await api.post("/customer/lansection/edit", moved, admin)).toMatchObject({ code: 400 });
});

test("a line that overlaps a LAN network of its device is refused, and the LAN is named", async () => {
  const { api, admin, agent } = all;
  const ids = { groupid: agent, cpeId: 0, popId: 0 };
  const device = wireDraft("cpe", "valid", ids, { sn: "LINE-LAN-2", alias: "lan-line" });
  const cpeId = newIdOf(await api.post("/customer/cpe/insertNew", device, admin));
  const own = { ...ids, cpeId };
  const lan = { interfaceName: "lan7", network: "203.0.113.1/24" };
  newIdOf(
    await api.post("/customer/lansection/add", wireDraft("lansection", "valid", own, lan), admin),
  );
  const line = (ip: string, gateway: string) => {
    const where = { nodeId: cpeId, name: "uplink", addressing: "static", ip, gateway };
    return api.post("/customer/line/add", wireDraft("line", "valid", own, where), admin);
  };
  expect(await line("203.0.113.130/25", "203.0.113.129")).toMatchObject({
    code: 400,
    issues: [{ path: "ip", rule: "overlap", params: { value: "203.0.113.1/24", other: "lan7" } }],
  });
  newIdOf(await line("198.51.100.2/24", "198.51.100.1"));
});
