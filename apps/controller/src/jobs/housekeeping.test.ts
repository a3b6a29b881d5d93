import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import { type TestApi, testApi } from "../../test/api.ts";
import { sweepLogs } from "./housekeeping.ts";

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
});
afterAll(() => api.close());

const rows = <Row>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
  inScope(
    api.database.pools.apiAll,
    { kind: "all" },
    async (trx) => (await query.execute(trx)).rows,
  );

test("logs of devices are kept for as many days as their enterprise sets", async () => {
  const [own, other] = [1, 2];
  const daysOf = async (enterprise: number) =>
    (
      await rows(sql<{ days: number }>`
        select extract(day from now() - at)::int as days from weft.transition
        where enterprise_id = ${enterprise} order by at`)
    ).map(({ days }) => days);
  for (const enterprise of [own, other]) {
    await rows(sql`insert into weft.transition (enterprise_id, kind, node_id, up, at)
      select ${enterprise}, 'node', 1, true, now() - make_interval(days => days)
      from unnest(array[5, 100, 200]) days`);
  }
  await rows(sql`
    insert into weft.enterprise_param (enterprise_id, expire_notice_days, timezone, log_days)
    values (${own}, 30, 'Asia/Shanghai', 7)`);
  const forgotten: unknown[] = [];
  await sweepLogs(api.database.pools, {
    keepDays: async (...asked) => void forgotten.push(asked),
  });
  expect([await daysOf(own), await daysOf(other)]).toEqual([[5], [100, 5]]);
  expect(forgotten).toEqual([[own, 7]]);
});
