/** What no two people can do at the same moment: networks that overlap, tags and slots given twice. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, type TestApi, testApi } from "./api.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "./tenants.ts";

let api: TestApi;
let admin = "";
let tenant = undefined as unknown as Tenant;
let [cpes, spaces] = [0, 0];
beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
  tenant = await makeTenant(api, admin, "networks");
}, 60_000);
afterAll(() => api.close());

const cpe = async (): Promise<number> => {
  cpes += 1;
  const draft = wireDraft("cpe", "valid", tenant.ids, {
    alias: `site-${cpes}`,
    sn: `NETWORKS-${cpes}`,
  });
  return newIdOf(await api.post("/customer/cpe/insertNew", draft, admin));
};
const space = async (cpeIds: readonly number[]): Promise<{ id: number; fields: object }> => {
  spaces += 1;
  const fields = wireDraft("netSpace", "valid", tenant.ids, {
    name: `space-${spaces}`,
    cpeIds: cpeIds.join(),
    popIds: "",
  });
  return { id: newIdOf(await api.post("/customer/netSpace/add", fields, admin)), fields };
};
const section = (cpeId: number, network: string, more: object = {}): Promise<Answer> =>
  api.post(
    "/customer/lansection/add",
    wireDraft("lansection", "valid", { ...tenant.ids, cpeId }, { network, network6: "", ...more }),
    admin,
  );
const codes = (answers: readonly Answer[]): number[] =>
  answers.map(({ code }) => code).sort((a, b) => a - b);
/** How often two who act at once are tried: a race that is lost one time in ten must show. */
const tries = Array.from({ length: 10 }, (_, at) => at);

describe("networks of one space", () => {
  test("of two sites that take overlapping ones at once, one is refused", async () => {
    const [one, two] = [await cpe(), await cpe()];
    await space([one, two]);
    for (const at of tries) {
      const answers = await Promise.all([
        section(one, `10.${at}.0.1/16`),
        section(two, `10.${at}.7.1/24`),
      ]);
      const [first, second] = codes(answers);
      expect(first).toBe(0);
      // A caller that read before the other had written meets the database's own rule.
      expect([400, 412]).toContain(second);
    }
  });

  test("of two sections of one site at the same time, one is refused", async () => {
    const one = await cpe();
    for (const at of tries) {
      const answers = await Promise.all(
        [`10.${at}.0.1/16`, `10.${at}.7.1/24`].map((network) => section(one, network)),
      );
      expect(codes(answers)[0]).toBe(0);
      expect([400, 412]).toContain(codes(answers)[1]);
    }
  });

  test("a site that joins while it takes a network of the space does one or the other", async () => {
    for (const at of tries) {
      const [one, two] = [await cpe(), await cpe()];
      newIdOf(await section(one, `10.${at}.0.1/16`));
      const { id, fields } = await space([one]);
      const [taken, joined] = await Promise.all([
        section(two, `10.${at}.9.1/24`),
        api.post("/customer/netSpace/edit", { ...fields, id, cpeIds: `${one},${two}` }, admin),
      ]);
      expect([taken.code, joined.code].filter((code) => code === 0)).toHaveLength(1);
    }
  });

  test("a network that the space does not carry may overlap, until it is carried", async () => {
    const [one, two] = [await cpe(), await cpe()];
    newIdOf(await section(one, "10.200.0.1/16"));
    const hidden = newIdOf(await section(two, "10.200.3.1/24", { enableForward: 0 }));
    await space([one, two]);
    const carried = { nCpeID: two, ids: hidden, enableForward: 1 };
    expect(
      await api.post("/customer/lansection/enableForwardSaveCpeid", carried, admin),
    ).toMatchObject({ code: 400, issues: [{ path: "ids", rule: "overlap" }] });
  });
});

describe("one port", () => {
  test("has a VLAN tag once, whichever call is first; without a tag it has any number of networks", async () => {
    const one = await cpe();
    for (const vlan of [11, 12, 13, 14, 15]) {
      const answers = await Promise.all([
        section(one, `10.${vlan}.1.1/24`, { vlan }),
        section(one, `10.${vlan}.2.1/24`, { vlan }),
      ]);
      expect(codes(answers)).toEqual([0, 400]);
      const refused = answers.find(({ code }) => code !== 0);
      expect(refused?.issues).toMatchObject([{ path: "vlan", rule: "taken" }]);
    }
    expect((await section(one, "10.99.1.1/24", { vlan: "" })).code).toBe(0);
    expect((await section(one, "10.99.2.1/24", { vlan: 0 })).code).toBe(0);
    expect((await section(one, "10.99.3.1/24", { vlan: 0 })).code).toBe(0);
  });
});

test("a device has a line in each of its four slots once, also of those who add them at once", async () => {
  const one = await cpe();
  const line = (slot: number, name: string) =>
    api.post(
      "/customer/line/add",
      wireDraft(
        "line",
        "valid",
        { ...tenant.ids, cpeId: one },
        {
          nodeId: one,
          slot,
          name,
          interfaceName: name,
        },
      ),
      admin,
    );
  const answers = await Promise.all(
    [1, 2, 3, 4].flatMap((slot) => [line(slot, `a${slot}`), line(slot, `b${slot}`)]),
  );
  expect(codes(answers)).toEqual([0, 0, 0, 0, 400, 400, 400, 400]);
  expect((await line(5, "a5")).code).toBe(400);
});
