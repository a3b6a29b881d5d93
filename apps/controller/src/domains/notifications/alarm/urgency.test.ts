/** What needs someone comes first, and is counted, for those who may see it. */
import {
  alarmEventHandle,
  alarmEventList,
  alarmEventSummary,
} from "@weft/contract/domains/notifications/alarm-event.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { makeTenant, type Tenant } from "../../../../test/tenants.ts";

let api: TestApi;
let [mine, theirs] = [] as unknown as [Tenant, Tenant];
beforeAll(async () => {
  api = await testApi();
  const admin = await api.logIn("admin");
  mine = await makeTenant(api, admin, "urgent-mine");
  theirs = await makeTenant(api, admin, "urgent-theirs");
}, 60_000);
afterAll(() => api.close());

type Event = OutputOf<typeof alarmEventList>[number];
interface Made {
  readonly level: number;
  readonly minutesAgo: number;
  readonly isCleared?: true;
}

const add = async (tenant: Tenant, { level, minutesAgo, isCleared }: Made): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    insert into weft.alarm_event (enterprise_id, strategy_name, metric, level, node_id, node_kind,
      node_name, item, opened_at, last_at, cleared_at)
    select n.enterprise_id, 'urgent', 'node', ${level}, n.id, 'cpe', n.name, ${`${level}-${minutesAgo}`},
      now() - make_interval(mins => ${minutesAgo}), now(), ${isCleared ? sql`now()` : sql`null`}
    from weft.node n where n.id = ${tenant.ids.cpeId}
    returning id`.execute(api.database.pools.owner.db);
  return rows[0]?.id ?? 0;
};
const list = async (query: object, { token }: Tenant): Promise<number[]> => {
  const answer = await api.get(alarmEventList.path, { page: 1, limit: 100, ...query }, token);
  return (answer.data as Event[]).map(({ id }) => id);
};
const summary = async ({ token }: Tenant) =>
  (await api.get(alarmEventSummary.path, {}, token)).data;

test("active alarms come first, the most severe before newer ones; the count leaves out what is acknowledged", async () => {
  const cleared = await add(mine, { level: 1, minutesAgo: 1, isCleared: true });
  const minor = await add(mine, { level: 3, minutesAgo: 2 });
  const older = await add(mine, { level: 1, minutesAgo: 90 });
  const newer = await add(mine, { level: 1, minutesAgo: 30 });
  const foreign = await add(theirs, { level: 1, minutesAgo: 3 });
  expect(await list({}, mine)).toEqual([newer, older, minor, cleared]);
  expect(await list({ limit: 2 }, mine)).toEqual([newer, older]);
  expect(await list({ orderByColumn: "createTime", isAsc: "desc" }, mine)).toEqual([
    cleared,
    minor,
    newer,
    older,
  ]);
  expect(await list({}, theirs)).toEqual([foreign]);
  const none = [2, 4].map((level) => ({ level, active: 0, waiting: 0 }));
  const found = [
    { level: 1, active: 2, waiting: 2 },
    { level: 3, active: 1, waiting: 1 },
  ];
  expect(await summary(mine)).toEqual([found[0], none[0], found[1], none[1]]);
  await api.post(alarmEventHandle.path, { ids: `${newer}`, remark: "on the way" }, mine.token);
  expect(await summary(mine)).toMatchObject([{ active: 2, waiting: 1 }, {}, {}, {}]);
  expect(await summary(theirs)).toMatchObject([{ level: 1, active: 1, waiting: 1 }, {}, {}, {}]);
});
