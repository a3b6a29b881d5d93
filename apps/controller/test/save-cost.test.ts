/** What every save makes PostgreSQL do beside its rows, as counts. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withClient } from "#db/embedded/login.ts";
import { type People, people } from "./people.ts";

let all: People;
beforeAll(async () => {
  all = await people();
});
afterAll(() => all.api.close());

test("no expression that PostgreSQL plans for each insert calls a function that it would parse for that", async () => {
  const { rows } = await sql<{ found: string }>`
    select d.refobjid::regprocedure || ' in ' || coalesce(a.adrelid, c.conrelid)::regclass as found
    from pg_depend d
    join pg_proc p on d.refclassid = 'pg_proc'::regclass and p.oid = d.refobjid
    join pg_language l on l.oid = p.prolang and l.lanname in ('sql', 'plpgsql')
    left join pg_attrdef a on d.classid = 'pg_attrdef'::regclass and a.oid = d.objid
    left join pg_attribute t on t.attrelid = a.adrelid and t.attnum = a.adnum
    left join pg_constraint c on d.classid = 'pg_constraint'::regclass and c.oid = d.objid and c.contype = 'c'
    where t.attgenerated <> '' or c.oid is not null`.execute(all.api.database.pools.owner.db);
  expect(rows).toEqual([]);
});

test("the database says what a row of the operation log is about, whatever its writer gives for it", async () => {
  const found = await withClient(all.api.database.url, async (client) => {
    const write = async (action: string, resource: string, value: object) =>
      (
        await client.query(
          `insert into weft.audit (enterprise_id, user_id, login_name, action, resource, row_id, new_value, address,
             request_id, verb, node_id, template_id)
           values (1, 1, 'admin', $1, $2, 7, $3, '', '', 'forged', 98, 99)
           returning verb, node_id::int, template_id::int`,
          [action, resource, value],
        )
      ).rows[0];
    return [
      await write("staticRoute.edit", "staticroute", { nCpeID: 5 }),
      await write("cpe.remove", "cpe", {}),
      await write("router.rule.add", "rule", { templateId: 6 }),
    ];
  });
  expect(found).toEqual([
    { verb: "edit", node_id: 5, template_id: null },
    { verb: "remove", node_id: 7, template_id: null },
    { verb: "add", node_id: null, template_id: 6 },
  ]);
});
