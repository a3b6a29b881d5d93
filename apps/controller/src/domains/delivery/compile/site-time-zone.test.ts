/** Which clock a site's time groups follow: its own zone, else its enterprise's, else the one that all begin with. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inScope, scopedSnapshot } from "#db/pool.ts";
import { type People, people } from "../../../../test/people.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";
import { readView } from "./view.ts";

let all: People;
let cpe = 0;
const draft = (more: object = {}) => ({
  ...wireDraft("cpe", "valid", { groupid: all.agent, cpeId: 1, popId: 1 }),
  sn: "zone-1",
  alias: "zone",
  ...more,
});
const post = async (path: string, body: object) =>
  expect(await all.api.post(path, body, all.admin)).toMatchObject({ code: 0 });
const setEnterprise = (timezone: string) =>
  post("/customer/paramConfig/edit", {
    groupid: all.agent,
    expireNoticeDays: 30,
    timezone,
    defaultPopStrategyId: "",
    logDays: 90,
  });
const zone = async () => {
  const scope = { kind: "enterprises", ids: [], userId: null, ownOnly: false } as const;
  const { worker } = all.api.database.pools;
  return (await scopedSnapshot(worker, scope, (trx) => readView(trx, cpe)))?.timeZone;
};
/** How often the node was named by changes. */
const changes = () =>
  inScope(all.api.database.pools.owner, { kind: "all" }, async (trx) => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from weft.change where ${cpe} = any(node_ids)`.execute(trx);
    return rows[0]?.n ?? 0;
  });

beforeAll(async () => {
  all = await people();
  cpe = newIdOf(await all.api.post("/customer/cpe/insertNew", draft(), all.admin));
}, 60_000);
afterAll(() => all.api.close());

test("the zone of a site is its own, else that of its enterprise, and a change of either is compiled", async () => {
  expect(await zone()).toBe("Asia/Shanghai");
  let before = await changes();
  await setEnterprise("Europe/Berlin");
  expect([await zone(), await changes()]).toEqual(["Europe/Berlin", before + 1]);
  await post("/customer/cpe/edit", draft({ id: cpe, timezone: "Asia/Kathmandu" }));
  expect([await zone(), await changes()]).toEqual(["Asia/Kathmandu", before + 2]);
  before = await changes();
  await setEnterprise("UTC");
  expect([await zone(), await changes()]).toEqual(["Asia/Kathmandu", before]);
  await post("/customer/cpe/edit", draft({ id: cpe, timezone: "" }));
  expect(await zone()).toBe("UTC");
});
