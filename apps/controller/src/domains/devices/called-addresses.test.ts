/** Addresses that tunnels call belong to one device: every writer of an address, on both sides, and two at once. */
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type People, people } from "../../../test/people.ts";
import { imported } from "../../../test/sheet-files.ts";
import { newIdOf, wireDraft } from "../../../test/tenants.ts";

let all: People;
let popId: number;
let popLine: number;
let spaceId: number;
beforeAll(async () => {
  all = await people();
  const { api, admin, agent: groupid } = all;
  const pop = wireDraft(
    "pop",
    "valid",
    { groupid, cpeId: 1, popId: 1 },
    { sn: "CALL-POP", name: "call-pop" },
  );
  popId = newIdOf(await api.post("/customer/pop/add", pop, admin));
  popLine = newIdOf(await line(popId, { ip: "203.0.113.11/28", gateway: "203.0.113.1" }));
  const space = wireDraft("netSpace", "valid", ids(1), {
    name: "called",
    cpeIds: "",
    popIds: popId,
  });
  spaceId = newIdOf(await api.post("/customer/netSpace/add", space, admin));
  await sql`update weft.installation set edge_addresses = '{wss://198.51.100.7:8443}'`.execute(
    api.database.pools.owner.db,
  );
}, 120_000);
afterAll(() => all.api.close());

const ids = (cpeId: number) => ({ groupid: all.agent, cpeId, popId });

/** Adds a line, or edits the one with that id. */
function line(nodeId: number, fields: object, id?: number) {
  const place = { nodeId, slot: 1, name: "uplink", interfaceName: "wan1", reachable: 0 };
  const draft = wireDraft("line", "valid", ids(nodeId), { ...place, ...fields });
  const call = id === undefined ? "add" : "edit";
  return all.api.post(
    `/customer/line/${call}`,
    { ...draft, ...(id !== undefined && { id }) },
    all.admin,
  );
}
function lan(nCpeID: number, fields: object) {
  const place = { nCpeID, interfaceName: "lan1", network6: "" };
  const draft = wireDraft("lansection", "valid", ids(nCpeID), { ...place, ...fields });
  return all.api.post("/customer/lansection/add", draft, all.admin);
}

let made = 0;
let members: number[] = [];
const editSpace = (cpeIds: readonly number[], pops = String(popId)) =>
  all.api.post(
    "/customer/netSpace/edit",
    {
      ...wireDraft("netSpace", "valid", ids(1), {
        name: "called",
        cpeIds: cpeIds.join(","),
        popIds: pops,
      }),
      id: spaceId,
    },
    all.admin,
  );
async function addCpe(joins: boolean): Promise<number> {
  made += 1;
  const draft = wireDraft("cpe", "valid", ids(0), { sn: `CALL-${made}`, alias: `call-${made}` });
  const id = newIdOf(await all.api.post("/customer/cpe/insertNew", draft, all.admin));
  if (joins) {
    members = [...members, id];
    expect(await editSpace(members)).toMatchObject({ code: 0 });
  }
  return id;
}

let cpeId: number;
let alias: string;
beforeEach(async () => {
  cpeId = await addCpe(true);
  alias = `call-${made}`;
});

const refused = (path: string, rule: string, params: object) => ({
  code: 400,
  issues: [{ path, rule, params: expect.objectContaining(params) }],
});
const taken = (path: string, value = "203.0.113.11") =>
  refused(path, "endpointAddress", { value, other: "call-pop" });

describe("a site is refused", () => {
  test("a WAN address that a POP is called at", async () => {
    expect(await line(cpeId, { ip: "203.0.113.11/24", gateway: "203.0.113.1" })).toMatchObject(
      taken("ip"),
    );
  });

  test("before it is in a space, too, if the address is public", async () => {
    const alone = await addCpe(false);
    expect(await line(alone, { ip: "203.0.113.11/24", gateway: "203.0.113.1" })).toMatchObject(
      taken("ip"),
    );
  });

  test("a public address with ports of another one, and none with its own ports", async () => {
    const hidden = { ip: "172.16.8.2/24", gateway: "172.16.8.1", publicIp: "203.0.113.50" };
    newIdOf(await line(popId, { ...hidden, slot: 4, interfaceName: "wan4" }));
    const own = { ip: "192.168.7.2/24", gateway: "192.168.7.1", reachable: 1 };
    const said = (path: string, ports: string, other: string) =>
      refused(path, "portsOfAddress", { value: "203.0.113.50", ports, other, count: 13_716 });
    expect(await line(cpeId, { ...own, publicIp: "203.0.113.50" })).toMatchObject(
      said("publicIp", "51820-65535", "call-pop"),
    );
    newIdOf(await line(cpeId, { ...own, publicIp: "203.0.113.50", publicPort: 30_000 }));
    // Each has as many ports as its tunnels may have, from its first one upwards.
    const third = await addCpe(true);
    const behind = (publicPort: number) =>
      line(third, { ...own, publicIp: "203.0.113.50", publicPort });
    for (const port of [30_000, 30_001, 16_285])
      expect(await behind(port)).toMatchObject(said("publicPort", "30000-43715", alias));
    expect(await behind(43_716)).toMatchObject(said("publicPort", "51820-65535", "call-pop"));
    newIdOf(await behind(16_284));
    // What goes out to an address of the POP's own does not leave the POP, whatever the port.
    const second = { slot: 2, interfaceName: "wan2", publicIp: "203.0.113.11", publicPort: 38_000 };
    expect(
      await line(cpeId, { ...own, ip: "192.168.8.2/24", gateway: "192.168.8.1", ...second }),
    ).toMatchObject(refused("publicIp", "addressOfSite", { other: "call-pop" }));
  });

  test("naming the POP of another enterprise by its number", async () => {
    const token = await all.api.userToken({ enterpriseId: all.below, dataScope: 3 });
    const fields = { sn: "CALL-BELOW", alias: "call-below" };
    const place = { groupid: all.below, cpeId: 0, popId: 0 };
    const draft = wireDraft("cpe", "valid", place, fields);
    const nodeId = newIdOf(await all.api.post("/customer/cpe/insertNew", draft, token));
    const own = {
      nodeId,
      slot: 1,
      name: "uplink",
      interfaceName: "wan1",
      reachable: 0,
      ip: "203.0.113.11/24",
      gateway: "203.0.113.1",
    };
    const answer = await all.api.post(
      "/customer/line/add",
      wireDraft("line", "valid", { ...place, cpeId: nodeId }, own),
      token,
    );
    expect(answer).toMatchObject(
      refused("ip", "endpointAddress", { value: "203.0.113.11", other: `#${popId}` }),
    );
    expect(JSON.stringify(answer)).not.toContain("call-pop");
  });

  test("a LAN with the address, as its own or as its end", async () => {
    expect(await lan(cpeId, { network: "203.0.113.11/32" })).toMatchObject(taken("network"));
    expect(await lan(cpeId, { network: "203.0.113.9/30" })).toMatchObject(taken("network"));
    const shared = { network: "203.0.113.9/28", ownAddress: "203.0.113.11" };
    expect(await lan(cpeId, shared)).toMatchObject(taken("ownAddress"));
  });

  test("the address of a controller, and a POP is not", async () => {
    const own = { ip: "198.51.100.7/24", gateway: "198.51.100.1", slot: 2, interfaceName: "wan2" };
    expect(await line(cpeId, own)).toMatchObject(
      refused("ip", "controllerAddress", { value: "198.51.100.7" }),
    );
    newIdOf(await line(popId, own));
  });

  test("by an edit and by an import", async () => {
    const id = newIdOf(await line(cpeId, { ip: "192.0.2.9/24", gateway: "192.0.2.1" }));
    const changed = { ip: "203.0.113.11/24", gateway: "203.0.113.1" };
    expect(await line(cpeId, changed, id)).toMatchObject(taken("ip"));
    const head = "CPE,slot,name,interfaceName,addressing,ip,gateway,lineQuality,reachable,mtu";
    const row = `${alias},2,second,wan2,static,${changed.ip},${changed.gateway},0,0,1400`;
    const of = { resource: "line", token: all.admin };
    const answer = await imported(all.api, of, `${head}\r\n${row}\r\n`, { check: 1 });
    expect(answer).toMatchObject({ counts: { bad: 1 } });
    expect(JSON.stringify(answer.rows)).toContain("call-pop");
  });
});

describe("a POP is refused the address that a site of its spaces has", () => {
  test("on a WAN link, as its own and as its public one", async () => {
    newIdOf(await line(cpeId, { ip: "192.0.2.66/24", gateway: "192.0.2.1" }));
    const said = { value: "192.0.2.66", other: alias };
    expect(await line(popId, { ip: "192.0.2.66/24", gateway: "192.0.2.1" }, popLine)).toMatchObject(
      refused("ip", "addressOfSite", said),
    );
    const hidden = { ip: "203.0.113.11/28", gateway: "203.0.113.1", publicIp: "192.0.2.66" };
    expect(await line(popId, hidden, popLine)).toMatchObject(
      refused("publicIp", "addressOfSite", said),
    );
  });

  test("on a LAN", async () => {
    newIdOf(await lan(cpeId, { network: "172.20.5.1/24" }));
    expect(
      await line(popId, { ip: "172.20.5.1/24", gateway: "172.20.5.9" }, popLine),
    ).toMatchObject(refused("ip", "addressOfSite", { value: "172.20.5.1", other: alias }));
  });

  test("and a network with it is named", async () => {
    newIdOf(await lan(cpeId, { network: "172.20.6.1/24" }));
    const answer = await line(popId, {
      ip: "172.20.6.9/30",
      gateway: "172.20.6.10",
      slot: 3,
      interfaceName: "wan3",
    });
    expect(answer.warnings).toContainEqual({
      path: "ip",
      warning: "endInNetwork",
      text: expect.any(String),
      params: { address: "172.20.6.9", name: alias, network: "172.20.6.0/24" },
    });
  });
});

test("a WAN link whose network contains a POP or a controller is saved with a warning", async () => {
  const answer = await line(cpeId, { ip: "203.0.113.77/24", gateway: "203.0.113.1" });
  expect(answer).toMatchObject({ code: 0 });
  expect(answer.warnings).toEqual([
    expect.objectContaining({
      path: "ip",
      warning: "endOnLine",
      params: { network: "203.0.113.0/24", address: "203.0.113.11", name: "call-pop" },
    }),
  ]);
  const near = { ip: "198.51.100.77/24", gateway: "198.51.100.1", slot: 2, interfaceName: "wan2" };
  expect((await line(cpeId, near)).warnings).toContainEqual(
    expect.objectContaining({ warning: "controllerOnLine" }),
  );
});

test("a private address of a POP is taken only for sites of its spaces, and a site with it does not join", async () => {
  const place = { gateway: "172.16.9.1" };
  const own = popLine;
  expect(await line(popId, { ...place, ip: "172.16.9.10/24" }, own)).toMatchObject({ code: 0 });
  const alone = await addCpe(false);
  const site = `call-${made}`;
  newIdOf(await line(alone, { ...place, ip: "172.16.9.10/24" }));
  const both = { value: "172.16.9.10", site, other: "call-pop" };
  expect(await editSpace([...members, alone])).toMatchObject(
    refused("cpeIds", "memberAddress", both),
  );
  expect(await line(cpeId, { ...place, ip: "172.16.9.10/24" })).toMatchObject(
    taken("ip", "172.16.9.10"),
  );
  // Behind a NAT it is called elsewhere.
  await line(popId, { ...place, ip: "172.16.9.10/24", publicIp: "203.0.113.200" }, own);
  expect(await editSpace([...members, alone])).toMatchObject({ code: 0 });
  members.push(alone);
});

test("of two writers at once one is refused, whichever was first", async () => {
  const { db } = all.api.database.pools.owner;
  const own = newIdOf(await line(cpeId, { ip: "192.0.2.101/24", gateway: "192.0.2.1" }));
  let answer: Promise<object> | undefined;
  await db.transaction().execute(async (trx) => {
    await sql`update weft.line set ip = '192.0.2.100/24', public_ip = null where id = ${popLine}`.execute(
      trx,
    );
    answer = line(cpeId, { ip: "192.0.2.100/24", gateway: "192.0.2.1" }, own);
    const waiting = async () => {
      const { rows } = await sql`select from pg_locks where not granted`.execute(trx);
      return rows.length;
    };
    await expect.poll(waiting, { timeout: 30_000 }).toBeGreaterThan(0);
  });
  expect(await answer).toMatchObject(taken("ip", "192.0.2.100"));
});
