/** The caller's own password, asked for once more: one count for all places that ask, and a line in the login log. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { adminPassword } from "../../../../test/api.ts";
import { type People, type Person, people } from "../../../../test/people.ts";
import { newIdOf } from "../../../../test/tenants.ts";
import { admitPasswordTry } from "./own-tries.ts";

let all: People;
/** Has all permissions, and sees no row of the own enterprise. */
let elsewhere: Person;
beforeAll(async () => {
  all = await people();
  const { addRole, admin, agent, below, person } = all;
  const fields = { groupid: agent, dataScope: 4, groupids: `${below}`, authorities: "cpeReboot" };
  elsewhere = await person(agent, [newIdOf(await addRole(admin, fields))]);
}, 60_000);
afterAll(() => all.api.close());

const whole = <T>(statement: ReturnType<typeof sql<T>>) =>
  statement.execute(all.api.database.pools.owner.db);
const reboot = async (token: string, password: string) =>
  (await all.api.get("/customer/cpe/reboot", { cpeId: 987_654, password }, token)).code;
const changePassword = async ({ id, token }: Person, oldPsw: string) => {
  const form = { userId: id, oldPsw, newPsw: "n3w-words", rePsw: "n3w-words" };
  return (await all.api.post("/customer/user/editpassword", form, token)).code;
};
const logged = async ({ id }: Person) =>
  (
    await whole<{ reason: string; place: string }>(sql`
      select reason, place from login_record where user_id = ${id} and not success`)
  ).rows;

test("is accepted whatever the data scope; the call continues to the absent device", async () => {
  expect(await reboot(elsewhere.token, "guess")).toBe(405);
  expect(await reboot(elsewhere.token, adminPassword)).toBe(404);
});

test("guesses are in the login log, also of a call that is rolled back, and some side by side are refused", async () => {
  const guesser = await all.person(1, [1]);
  const codes = await Promise.all(Array.from({ length: 12 }, () => reboot(guesser.token, "guess")));
  expect(new Set(codes)).toEqual(new Set([405, 429]));
  const wrong = codes.filter((code) => code === 405);
  const row = { reason: "session", place: "127.0.0.1" };
  expect(await logged(guesser)).toEqual(wrong.map(() => row));
});

test("guesses count together wherever they are made, and delay no other login of the user", async () => {
  const guesser = await all.person(1, [1]);
  const { rows } = await whole<{ family: string }>(sql`
    select family::text as family from session where user_id = ${guesser.id}`);
  const me = { userId: guesser.id, family: rows[0]?.family ?? "" };
  // Twelve failures, the last of them far ahead: the delay outlasts any machine.
  for (let n = 0; n < 12; n++) admitPasswordTry(me, performance.now() + n * 100_000);
  expect(await reboot(guesser.token, adminPassword)).toBe(429);
  expect(await changePassword(guesser, adminPassword)).toBe(429);
  const token = await all.api.logIn(guesser.loginName);
  expect(await reboot(token, adminPassword)).toBe(404);
  expect(await changePassword({ ...guesser, token }, "guess")).toBe(402);
  expect(await logged(guesser)).toHaveLength(1);
});
