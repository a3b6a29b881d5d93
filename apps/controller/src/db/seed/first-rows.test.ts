import { defaultGrants } from "@weft/contract/grants.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "#db/schema.ts";
import { type TestDatabase, testDatabase } from "#db/testing.ts";
import { seedFirstRows } from "./first-rows.ts";

let database: TestDatabase<Database>;
beforeAll(async () => {
  database = await testDatabase();
}, 60_000);
afterAll(() => database.drop());

test("a new database gets its first rows once, also with several starts at the same time", async () => {
  let hashes = 0;
  const seed = () =>
    seedFirstRows(database.pools, {
      operatorName: "运营中心",
      adminPasswordHash: async () => `hash ${++hashes}`,
      alarms: true,
    });
  const made = await Promise.all([seed(), seed(), seed()]);
  expect(made.filter(Boolean)).toHaveLength(1);
  expect(await seed()).toBe(false);
  expect(hashes).toBe(1);
  const { db } = database.pools.owner;
  expect(await db.selectFrom("enterprise").select(["id", "name", "parent_id"]).execute()).toEqual([
    { id: 1, name: "运营中心", parent_id: null },
  ]);
  expect(await db.selectFrom("sys_user").select(["id", "login_name"]).execute()).toEqual([
    { id: 1, login_name: "admin" },
  ]);
  const roles = await db.selectFrom("role").selectAll().orderBy("role_type").execute();
  expect(roles.map(({ code }) => code)).toEqual(["controller", "agent", "enterprise"]);
  for (const { id, role_type } of roles) {
    const held = await db
      .selectFrom("role_permission")
      .select("permission")
      .where("role_id", "=", id)
      .execute();
    expect(held.map(({ permission }) => permission).sort()).toEqual(
      defaultGrants(role_type as 0 | 1 | 2).sort(),
    );
  }
  const rules = await db
    .selectFrom("alarm_rule")
    .innerJoin("alarm_strategy", "alarm_strategy.id", "alarm_rule.strategy_id")
    .select(["metric", "share", "alarm_strategy.enabled"])
    .execute();
  const metrics = rules.map(({ metric }) => metric);
  expect(new Set(metrics).size).toBe(metrics.length);
  expect(metrics).toEqual(
    expect.arrayContaining(["node", "config", "deny", "rollout", "line", "link"]),
  );
  expect(rules.every(({ share, enabled }) => share && enabled)).toBe(true);
  const next = await db
    .insertInto("sys_user")
    .values({ enterprise_id: 1, login_name: "second", password_hash: "x" })
    .returning("id")
    .executeTakeFirstOrThrow();
  expect(next.id).toBe(2);
});
