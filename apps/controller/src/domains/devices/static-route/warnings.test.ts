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
