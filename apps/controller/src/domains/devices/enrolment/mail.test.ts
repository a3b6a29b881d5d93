/** Claims that leave by e-mail: to whom the caller says, but not as often as the caller likes. */
import * as actions from "@weft/contract/domains/devices/cpe-actions.ts";
import { pop } from "@weft/contract/domains/devices/pop.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type SiteWorld, siteWorld } from "../../../../test/site-world.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";

let world: SiteWorld;
beforeAll(async () => {
  world = await siteWorld();
}, 120_000);
afterAll(() => world.loop.close());

const mail = async (id: number, title = "开局"): Promise<number> => {
  const fields = { id, title, email: "anybody@example.com" };
  return (await world.post(actions.cpeEmailSend, fields)).code;
};
const mails = async () =>
  (
    await sql<{ subject: string }>`
      select subject from weft.outbox where channel = 'mail'`.execute(world.loop.pools.worker.db)
  ).rows;

test("a POP gets no claim by e-mail", async () => {
  const draft = wireDraft("pop", "valid", world.home.ids, { name: "mail" });
  expect(await mail(newIdOf(await world.post(pop.ops.add, draft)))).toBe(404);
  expect(await mails()).toEqual([]);
});

test("claims are mailed once per minute for a CPE, and thirty times per hour by a user", async () => {
  const id = await world.addCpe();
  // Side by side: they count each other.
  const codes = await Promise.all([mail(id), mail(id), mail(id)]);
  expect(codes.sort()).toEqual([0, 429, 429]);
  expect(await mails()).toHaveLength(1);
  const others: number[] = [];
  for (let made = 0; made < 30; made++) others.push(await mail(await world.addCpe()));
  expect(others).toEqual([...others.slice(1).map(() => 0), 429]);
  expect(await mails()).toHaveLength(30);
});
