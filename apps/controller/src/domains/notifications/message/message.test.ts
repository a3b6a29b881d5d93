import { afterAll, beforeAll, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import { type People, type Person, people } from "../../../../test/people.ts";
import { leaveMessages } from "./public.ts";

let all: People;
let mine: Person;
let other: Person;
beforeAll(async () => {
  all = await people();
  mine = await all.person(all.agent, []);
  other = await all.person(all.agent, []);
  await inScope(all.api.database.pools.apiAll, { kind: "all" }, (trx) =>
    leaveMessages(
      trx,
      [mine, mine, mine, other].map((one, at) => ({
        userId: one.id,
        enterpriseId: all.agent,
        type: at === 0 ? (2 as const) : (0 as const),
        title: [`题 ${at}`, `title ${at}`],
        content: ["文", "text"],
        link: "/user/info",
      })),
    ),
  );
}, 60_000);
afterAll(() => all.api.close());

const get = (path: string, query: object, token = mine.token, language = "zh") =>
  all.api.get(`/customer/message/${path}`, query, token, { "accept-language": language });
const post = (path: string, fields: object, token = mine.token) =>
  all.api.post(`/customer/message/${path}`, fields, token);
type Row = { id: number; title: string; status: number };
const rows = async (query: object = {}, token = mine.token, language = "zh") =>
  (await get("list", { limit: 10, ...query }, token, language)).data as Row[];

test("endpoints:message.list endpoints:message.getById endpoints:message.unreadCount: a person's own messages, newest first, in the reader's language", async () => {
  expect((await rows()).map(({ title }) => title)).toEqual(["题 2", "题 1", "题 0"]);
  expect((await rows({}, mine.token, "en"))[0]).toMatchObject({
    title: "title 2",
    content: "text",
    type: 0,
    status: 0,
    userId: mine.id,
    link: "/user/info",
    readTime: null,
  });
  expect((await rows({ type: 2 })).map(({ title }) => title)).toEqual(["题 0"]);
  expect(await get("list", { limit: 1, page: 2 })).toMatchObject({
    count: 3,
    data: [{ title: "题 1" }],
  });
  expect(await get("unreadCount", {})).toMatchObject({ data: { count: 3 } });
  const [first] = await rows();
  expect(await get("getById", { id: first?.id })).toMatchObject({ data: { title: "题 2" } });
});

test("no user reads, marks or removes another's message, alone or in a list, not even user 1", async () => {
  const [foreign] = await rows({}, other.token);
  const [own] = await rows();
  for (const token of [mine.token, all.admin, all.manager.token]) {
    expect(await get("getById", { id: foreign?.id }, token)).toMatchObject({ code: 404 });
    expect(await post("read", { ids: foreign?.id }, token)).toMatchObject({ code: 404 });
    expect(await post("remove", { ids: foreign?.id }, token)).toMatchObject({ code: 404 });
  }
  expect(await post("remove", { ids: `${own?.id},${foreign?.id}` })).toMatchObject({ code: 404 });
  expect(await rows()).toHaveLength(3);
  expect(await rows({ status: 0 }, other.token)).toHaveLength(1);
});

test("endpoints:message.read endpoints:message.readAll endpoints:message.remove: marks and removes", async () => {
  const [newest, , oldest] = await rows();
  expect(await post("read", { ids: `${newest?.id},${newest?.id}` })).toMatchObject({ code: 0 });
  expect((await rows({ status: 1 })).map(({ id }) => id)).toEqual([newest?.id]);
  expect(await get("unreadCount", {})).toMatchObject({ data: { count: 2 } });
  expect(await post("readAll", {})).toMatchObject({ code: 0 });
  expect(await get("unreadCount", {})).toMatchObject({ data: { count: 0 } });
  expect(await post("remove", { ids: oldest?.id })).toMatchObject({ code: 0 });
  expect(await rows()).toHaveLength(2);
  expect(await post("remove", { ids: "" })).toMatchObject({ code: 400 });
});
