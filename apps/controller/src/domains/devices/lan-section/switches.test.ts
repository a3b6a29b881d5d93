import { afterAll, beforeAll, expect, test } from "vitest";
import { type People, people } from "../../../../test/people.ts";
import { statementsBy } from "../../../../test/statements.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";

let all: People;
beforeAll(async () => {
  all = await people();
}, 60_000);
afterAll(() => all.api.close());

test("B-6-17: editing a section does not get round the permission of a switch", async () => {
  const { api, admin, agent } = all;
  const ids = { groupid: agent, cpeId: 0, popId: 0 };
  const device = wireDraft("cpe", "valid", ids, { sn: "SWITCH-1", alias: "switches" });
  const cpeId = newIdOf(await api.post("/customer/cpe/insertNew", device, admin));
  const draft = wireDraft("lansection", "valid", { ...ids, cpeId }, { remark: "" });
  const id = newIdOf(await api.post("/customer/lansection/add", draft, admin));
  const editing = { groupid: agent, roleType: 1, dataScope: 3 };
  const held = "lansectionEdit,lansectionEnableRedirect";
  const role = newIdOf(await all.addRole(admin, { ...editing, authorities: held }));
  const { token } = await all.person(agent, [role]);
  const edit = (fields: object) =>
    api.post("/customer/lansection/edit", { ...draft, id, ...fields }, token);
  expect(await edit({ remark: "moved" })).toMatchObject({ code: 0 });
  const flipped = String(draft.enableForward) === "1" ? "0" : "1";
  expect(await edit({ enableForward: flipped })).toMatchObject({ code: 403 });
  const direct = String(draft.enableDirect) === "1" ? "0" : "1";
  expect(await edit({ enableDirect: direct })).toMatchObject({ code: 0 });
});

test("switching many sections takes no more statements than switching one", async () => {
  const { api, admin, agent } = all;
  const ids = { groupid: agent, cpeId: 0, popId: 0 };
  const device = wireDraft("cpe", "valid", ids, { sn: "SWITCH-2", alias: "many" });
  const cpeId = newIdOf(await api.post("/customer/cpe/insertNew", device, admin));
  const sections = await Promise.all(
    [1, 2, 3, 4, 5].map(async (n) => {
      const fields = { network: `10.20.${n}.1/24`, network6: "", vlan: n, enableForward: 0 };
      const draft = wireDraft("lansection", "valid", { ...ids, cpeId }, fields);
      return newIdOf(await api.post("/customer/lansection/add", draft, admin));
    }),
  );
  const flip = async (some: readonly number[], on: 0 | 1) => {
    const { measured, measure } = statementsBy(api, admin);
    const input = { nCpeID: cpeId, ids: some.join(), enableForward: on };
    const answer = await measure("edit", () =>
      api.post("/customer/lansection/enableForwardSaveCpeid", input, admin),
    );
    expect(answer).toMatchObject({ code: 0 });
    return measured.edit;
  };
  const single = await flip(sections.slice(0, 1), 1);
  await flip(sections.slice(0, 1), 0);
  expect(await flip(sections, 1)).toBe(single);
});
