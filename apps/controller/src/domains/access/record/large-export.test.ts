/** An export of more rows than any list shows. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestApi, testApi } from "../../../../test/api.ts";

let api: TestApi;
let admin: string;
beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
}, 60_000);
afterAll(() => api.close());

const ask = async (query: object): Promise<{ ticket: string; rows: number }> => {
  const answer = await api.get("/customer/loginRecord/export", query, admin);
  expect(answer).toMatchObject({ code: 0 });
  return answer.data as { ticket: string; rows: number };
};

test("100,000 rows go out as one file", async () => {
  await sql`
    insert into login_record (enterprise_id, user_id, login_name, address, agent, success, at)
    select 1, 1, 'many', '192.0.2.1', 'Agent/' || n, true, now() - make_interval(secs => n)
    from generate_series(1, 100000) n`.execute(api.database.pools.apiAll.db);
  const { ticket, rows } = await ask({ loginName: "many" });
  expect(rows).toBe(100_000);
  const origin = await api.app.listen({ port: 0, host: "127.0.0.1" });
  const answer = await fetch(`${origin}/customer/download?ticket=${ticket}`);
  let bytes = 0;
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
  }
  expect(bytes).toBeGreaterThan(500_000);
});
