import { afterAll, beforeAll, expect, test } from "vitest";
import { type People, people } from "../../../../test/people.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";

let all: People;
let popId: number;
let cpeId: number;
beforeAll(async () => {
  all = await people();
  const { api, admin, agent: groupid } = all;
  const ids = { groupid, cpeId: 1, popId: 1 };
  const pop = wireDraft("pop", "valid", ids, { sn: "PUBLIC-POP", name: "public-pop" });
  popId = newIdOf(await api.post("/customer/pop/add", pop, admin));
  const cpe = wireDraft("cpe", "valid", ids, { sn: "PUBLIC-CPE", alias: "public-cpe" });
  cpeId = newIdOf(await api.post("/customer/cpe/insertNew", cpe, admin));
}, 120_000);
afterAll(() => all.api.close());

let slot = 0;
const save = (nodeId: number, fields: object) => {
  slot = (slot % 4) + 1;
  const place = { nodeId, slot, name: `line${slot}`, interfaceName: `wan${slot}` };
  const draft = wireDraft("line", "valid", { groupid: all.agent, cpeId, popId }, place);
  return all.api.post("/customer/line/add", { ...draft, ...fields }, all.admin);
};
const hidden = { ip: "172.16.9.10/24", gateway: "172.16.9.1" };

test("a private address of a POP is saved with a warning, unless its public one is named", async () => {
  expect(await save(popId, hidden)).toMatchObject({
    code: 0,
    warnings: [{ path: "ip", warning: "privatePop", params: { ip: "172.16.9.10" } }],
  });
  expect(await save(popId, { ...hidden, publicIp: "192.168.1.9" })).toMatchObject({
    code: 0,
    warnings: [{ path: "publicIp", warning: "privatePop" }],
  });
  const named = await save(popId, { ...hidden, publicIp: "198.51.100.10" });
  expect(named).not.toHaveProperty("warnings");
  const rows = await all.api.get("/customer/line/list", { nodeId: popId }, all.admin);
  expect(rows.data).toContainEqual(
    expect.objectContaining({ id: newIdOf(named), publicIp: "198.51.100.10" }),
  );
  // A site behind a NAT calls, and is not called.
  slot = 0;
  expect(await save(cpeId, hidden)).not.toHaveProperty("warnings");
});

test("a gateway outside of the line's network is saved with a warning, and no other", async () => {
  slot = 1;
  expect(await save(cpeId, { ip: "198.51.100.9/28", gateway: "198.51.100.62" })).toMatchObject({
    code: 0,
    warnings: [{ path: "gateway", warning: "gatewayOutside" }],
  });
  // As carriers and clouds assign single addresses.
  expect(await save(cpeId, { ip: "203.0.113.9/32", gateway: "10.64.0.1" })).not.toHaveProperty(
    "warnings",
  );
});
