import { interfaceOf } from "@weft/contract/rules/vlan-interface.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type People, people } from "../../../../test/people.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";

let all: People;
beforeAll(async () => {
  all = await people();
}, 120_000);
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

test("an interface belongs to one line or to LANs, and who has it is named", async () => {
  const { api, admin, agent, database } = { ...all, database: all.api.database };
  const ids = { groupid: agent, cpeId: 1, popId: 1 };
  const device = wireDraft("cpe", "valid", ids, { sn: "LINE-LAN-3", alias: "one-owner" });
  const cpeId = newIdOf(await api.post("/customer/cpe/insertNew", device, admin));
  const own = { ...ids, cpeId };
  const lan = (fields: object) =>
    api.post("/customer/lansection/add", wireDraft("lansection", "valid", own, fields), admin);
  const line = (fields: object) => {
    const where = { nodeId: cpeId, name: "uplink", addressing: "dhcp", ip: "", gateway: "" };
    return api.post(
      "/customer/line/add",
      wireDraft("line", "valid", own, { ...where, ...fields }),
      admin,
    );
  };
  const owned = (value: string, other: string) => ({
    code: 400,
    issues: [{ path: "interfaceName", rule: "interfaceOwner", params: { value, other } }],
  });
  newIdOf(await lan({ interfaceName: "lan1", network: "10.81.1.1/24", network6: "" }));
  expect(await line({ interfaceName: "lan1" })).toMatchObject(owned("lan1", "10.81.1.1/24"));
  newIdOf(await line({ interfaceName: "wan1" }));
  const beside = { network: "10.81.2.1/24", network6: "" };
  expect(await lan({ ...beside, interfaceName: "wan1" })).toMatchObject(owned("wan1", "uplink"));
  // With a VLAN tag it is an interface of its own, which a link may name.
  newIdOf(await lan({ ...beside, interfaceName: "wan1", vlan: 7 }));
  const second = { slot: 2, name: "second" };
  expect(await line({ ...second, interfaceName: "wan1.7" })).toMatchObject(
    owned("wan1.7", "10.81.2.1/24"),
  );
  newIdOf(await line({ ...second, interfaceName: "wan1.8" }));
  const other = { network: "10.81.3.1/24", network6: "", interfaceName: "wan1", vlan: 8 };
  expect(await lan(other)).toMatchObject(owned("wan1.8", "second"));
  const { db } = database.pools.owner;
  const write = sql`insert into weft.line (enterprise_id, node_id, slot, name, interface_name, addressing, mtu)
    select enterprise_id, node_id, 3, 'late', 'lan1', 'dhcp', 1400 from weft.line where node_id = ${cpeId} limit 1`;
  await expect(write.execute(db)).rejects.toMatchObject({ constraint: "interface_owner" });
});

test("VLANs of two cards whose interfaces would have one name are not both saved", async () => {
  const { api, admin, agent } = all;
  const ids = { groupid: agent, cpeId: 1, popId: 1 };
  const device = wireDraft("cpe", "valid", ids, { sn: "LINE-LAN-4", alias: "long-cards" });
  const cpeId = newIdOf(await api.post("/customer/cpe/insertNew", device, admin));
  const own = { ...ids, cpeId };
  const lan = (interfaceName: string, vlan: number | "", network: string, id?: number) => {
    const fields = { interfaceName, vlan, network, network6: "", ...(id !== undefined && { id }) };
    const call = `/customer/lansection/${id === undefined ? "add" : "edit"}`;
    return api.post(call, wireDraft("lansection", "valid", own, fields), admin);
  };
  const [card, other] = ["enp29s0f0np0", "enp129s0f0np0"];
  expect(interfaceOf(card, 4_000)).toBe(interfaceOf(other, 4_000));
  const refused = {
    code: 400,
    issues: [
      {
        path: "interfaceName",
        rule: "interfaceOwner",
        params: { value: interfaceOf(card, 4_000), other: "10.82.1.1/24" },
      },
    ],
  };
  const first = newIdOf(await lan(card, 4_000, "10.82.1.1/24"));
  expect(await lan(other, 4_000, "10.82.2.1/24")).toMatchObject(refused);
  const untagged = newIdOf(await lan(other, "", "10.82.2.1/24"));
  newIdOf(await lan(other, 4_001, "10.82.4.1/24"));
  expect(await lan(other, 4_000, "10.82.2.1/24", untagged)).toMatchObject(refused);
  expect(await lan(card, 4_000, "10.82.1.1/24", first)).toMatchObject({ code: 0 });
  const late = sql`update weft.lan_section set vlan = 4000 where id = ${untagged}`;
  await expect(late.execute(api.database.pools.owner.db)).rejects.toMatchObject({
    constraint: "interface_owner",
  });
});

test("the database names the interface of a VLAN as the contract does", async () => {
  const { db } = all.api.database.pools.owner;
  const cards = ["lan1", "enp0s31f6", "enx0242ac110002"].flatMap((card) =>
    [null, 0, 7, 4_094].map((tag) => ({ card, tag })),
  );
  const { rows } = await sql<{ card: string; tag: number | null; name: string }>`
    select c.card, c.tag, weft.interface_of(c.card, c.tag) as name
    from jsonb_to_recordset(${JSON.stringify(cards)}::jsonb) as c (card text, tag integer)`.execute(
    db,
  );
  expect(rows.map(({ name }) => name)).toEqual(rows.map(({ card, tag }) => interfaceOf(card, tag)));
  expect(new Set(rows.map(({ name }) => name)).size).toBe(9);
});
