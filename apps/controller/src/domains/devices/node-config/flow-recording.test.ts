/** Which records of flows of a device are kept: by its audit log, and since it moved. */

import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { cpeBatchEditXwan } from "@weft/contract/domains/devices/cpe-config.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";
import { readFlowRecording } from "./public.ts";

let api: TestApi;
let admin: string;
beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
}, 60_000);
afterAll(() => api.close());

const addEnterprise = async (name: string): Promise<number> => {
  const ids = { groupid: 1, cpeId: 0, popId: 0 };
  const draft = wireDraft("enterprise", "valid", ids, { name, parentId: 1 });
  return newIdOf(await api.post("/customer/enterprise/add", draft, admin));
};

test("records are kept while the log is on, and of a device that moved since then", async () => {
  const [former, owner] = [await addEnterprise("former"), await addEnterprise("owner")];
  const draft = (groupid: number) =>
    wireDraft("cpe", "valid", { groupid, cpeId: 0, popId: 0 }, { alias: "moves", sn: "MOVES" });
  const site = newIdOf(await api.post(cpe.ops.add.path, draft(former), admin));
  const { pools } = api.database;
  const recording = () => readFlowRecording(pools, site);
  expect(await recording()).toEqual({ isOn: false, since: null });

  const turn = (auditLog: 0 | 1) =>
    api.post(cpeBatchEditXwan.path, { ids: String(site), auditLog }, admin);
  expect(await turn(1)).toMatchObject({ code: 0 });
  expect(await recording()).toEqual({ isOn: true, since: null });
  expect(await turn(0)).toMatchObject({ code: 0 });
  expect((await recording()).isOn).toBe(false);

  const moved = { ...draft(owner), id: site, groupid: owner };
  expect(await api.post(cpe.ops.edit.path, moved, admin)).toMatchObject({ code: 0 });
  const at = new Date("2026-01-02T03:04:05Z");
  await sql`update weft.node_move set at = ${at} where node_id = ${site}`.execute(pools.owner.db);
  expect(await recording()).toEqual({ isOn: false, since: at });
  expect(await readFlowRecording(pools, 4_000_000)).toEqual({ isOn: false, since: null });
});
