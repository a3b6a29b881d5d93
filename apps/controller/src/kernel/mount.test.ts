import { everySession } from "@weft/contract/access.ts";
import * as codec from "@weft/contract/kernel/codec.ts";
import { endpoint, nothing, pagedEndpoint } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { formData, type TestApi, testApi, textFile } from "../../test/api.ts";
import type { Context, HandlerContext } from "./api.ts";
import { mount } from "./mount.ts";
import { refuse } from "./refuse.ts";

const fields = z.object({ name: codec.text(8, 1), port: codec.int(1, 9), on: codec.flag });
const spec = { input: fields, output: fields, may: everySession("a test") } as const;
const read = endpoint({ ...spec, id: "t.read", method: "GET", path: "/customer/t/read" });
const write = endpoint({ ...spec, id: "t.write", method: "POST", path: "/customer/t/write" });
const mirror = endpoint({ ...spec, id: "t.echo", method: "POST", path: "/customer/t/echo" });
const bug = endpoint({ ...spec, id: "t.bug", method: "GET", path: "/customer/t/bug" });
const wrong = endpoint({ ...spec, id: "t.wrong", method: "GET", path: "/customer/t/wrong" });
const sly = endpoint({ ...spec, id: "t.sly", method: "GET", path: "/customer/t/sly" });
const changing = endpoint({
  id: "t.changing",
  method: "POST",
  path: "/customer/t/changing",
  input: z.object({ fail: codec.flag }),
  output: nothing,
  may: everySession("a test"),
});
const colliding = endpoint({
  id: "t.colliding",
  method: "POST",
  path: "/customer/t/colliding",
  input: z.object({ collisions: codec.int(1, 9), code: codec.text(5, 5) }),
  output: nothing,
  may: everySession("a test"),
});
const acting = endpoint({
  ...spec,
  id: "t.acting",
  method: "GET",
  path: "/customer/t/acting",
  acts: true,
});
const paged = pagedEndpoint({
  id: "t.paged",
  method: "GET",
  path: "/customer/t/paged",
  input: z.object({}),
  output: z.object({ id: z.number() }),
  may: everySession("a test"),
});

const upload = endpoint({
  id: "t.upload",
  method: "POST",
  path: "/customer/t/upload",
  input: z.object({ name: codec.text(8, 1), file: codec.file() }),
  output: fields,
  may: everySession("a test"),
});

const unaudited = { unaudited: "a test" };
const own = (caller: { enterpriseId: number }) => ({
  resource: "t",
  rowId: 1,
  old: null,
  new: { password: "x", deep: { token: "y", name: "z" } },
  enterpriseId: caller.enterpriseId,
});

let api: TestApi;
let token: string;
/** How often the handler of t.colliding ran. */
let tries = 0;

/** Fails as PostgreSQL does, with this SQLSTATE. */
const raise = (ctx: HandlerContext, code: string) =>
  sql`do ${sql.lit(`begin raise exception using errcode = '${code}'; end`)}`.execute(
    ctx.db as never,
  );

beforeAll(async () => {
  api = await testApi((app) => {
    // What a handler gives beyond the contract must not leave.
    mount(app, read, (input) => ({ ...input, secret: "beyond the contract" }));
    mount(app, mirror, (input) => input, unaudited);
    mount(
      app,
      upload,
      ({ file }) => ({ name: file.name, port: file.bytes.length, on: true }),
      unaudited,
    );
    mount(app, acting, (input) => input, unaudited);
    mount(app, paged, () => ({ rows: [{ id: 1 }, { id: 2 }], count: 7 }));
    mount(app, bug, () => {
      throw new Error("secret detail");
    });
    mount(app, wrong, () => ({ name: "", port: 99, on: true }));
    mount(app, sly, async (input, { db }) => {
      await sql`update enterprise set remark = 'x'`.execute(db);
      return input;
    });
    mount(app, write, async (input, { db }) => {
      await sql`update enterprise set remark = 'unaudited'`.execute(db);
      return input;
    });
    mount(app, changing, async ({ fail }, ctx) => {
      await ctx.audit(own(ctx.caller));
      await ctx.change({ enterpriseId: 1, nodeIds: [5], spaceIds: [6, 7] });
      await ctx.change({ enterpriseId: 1 });
      return fail ? refuse("conflict") : null;
    });
    mount(app, colliding, async ({ collisions, code }, ctx) => {
      await ctx.audit(own(ctx.caller));
      tries += 1;
      if (tries <= collisions) await raise(ctx, code);
      return null;
    });
  });
  token = await api.logIn("admin");
}, 60_000);
afterAll(() => api.close());

const good = { name: "a", port: "3", on: "1" };
const post = (payload: unknown, headers: Record<string, string>, url = "/customer/t/echo") =>
  api.send({ method: "POST", url: `${url}?token=${token}`, payload: payload as string, headers });
const json = (payload: string) => post(payload, { "content-type": "application/json" });

describe("an answer", () => {
  test("has the wire's form, and nothing that the contract does not name", async () => {
    const answer = await api.get("/customer/t/read", good, token);
    expect(answer.data).toEqual({ name: "a", port: 3, on: 1 });
    expect(answer).toMatchObject({ status: 200, code: 0, msg: "操作成功" });
    expect(await api.get("/customer/t/paged", {}, token)).toMatchObject({
      data: [{ id: 1 }, { id: 2 }],
      count: 7,
    });
  });

  test("is neither stored nor sniffed nor referred from", async () => {
    const { headers } = await api.get("/customer/t/read", good, token);
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
  });

  test("uses the language of the caller", async () => {
    const say = async (language?: string) =>
      (
        await api.get(
          "/customer/t/read",
          { name: "", port: 99, on: 1 },
          token,
          language === undefined ? {} : { "accept-language": language },
        )
      ).msg;
    const zh = "输入有误：名称: 必填项不能为空；port: 应为 1–9";
    const en = "Invalid input: Name: Required; port: Must be 1–9";
    expect(await say()).toBe(zh);
    expect(await say("fr, en-GB;q=0.8, zh;q=0.9")).toBe(zh);
    expect(await say("en-US,en;q=0.9")).toBe(en);
    expect(await say("xx")).toBe(zh);
  });
});

describe("input", () => {
  test("is read alike from form-data, urlencoded and JSON", async () => {
    const wanted = { code: 0, data: { name: "a", port: 3, on: 1 } };
    const form = formData(good);
    expect(await post(form.payload, form.headers)).toMatchObject(wanted);
    const encoded = new URLSearchParams(good).toString();
    const type = { "content-type": "application/x-www-form-urlencoded; charset=utf-8" };
    expect(await post(encoded, type)).toMatchObject(wanted);
    expect(await json('{"name":"a","port":3,"on":true}')).toMatchObject(wanted);
  });

  test("given twice is refused", async () => {
    const url = `/customer/t/read?name=a&name=b&port=3&on=1&token=${token}`;
    const twice = { code: 400, issues: [{ path: "name", rule: "notAllowed" }] };
    expect(await api.send({ method: "GET", url })).toMatchObject(twice);
    const type = { "content-type": "application/x-www-form-urlencoded" };
    expect(await post("name=a&name=b&port=3&on=1", type)).toMatchObject(twice);
  });

  test.each([
    ["no object", "[1]"],
    ["text", '"x"'],
    ["no JSON", "{"],
    ["empty", ""],
    ["a prototype", '{"__proto__":{"x":1},"name":"a","port":3,"on":1}'],
    ["a constructor", '{"constructor":{"prototype":{"x":1}},"name":"a","port":3,"on":1}'],
    ["a NUL", '{"name":"a\\u0000b","port":3,"on":1}'],
    ["half a character", '{"name":"a\\ud83d","port":3,"on":1}'],
    ["a field named by half a character", '{"\\ud83d":1,"name":"a","port":3,"on":1}'],
    ["deeper than any stack", `{"name":${"[".repeat(200_000)}${"]".repeat(200_000)}}`],
    ["numbers for text", '{"name":5,"port":3,"on":1}'],
    ["objects for text", '{"name":{"$gt":""},"port":3,"on":1}'],
  ])("JSON that is %s is refused as bad input", async (_, payload) => {
    expect(await json(payload)).toMatchObject({ status: 200, code: 400, data: null });
  });

  test.each([
    ["text/plain", "name=a"],
    ["application/xml", "<a/>"],
    ["multipart/form-data", "no boundary"],
    ["multipart/form-data; boundary=x", "--x\r\nbroken"],
    ["multipart/form-data; boundary=x", '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1'],
  ])("of type %s that cannot be read is refused as bad input", async (type, payload) => {
    expect(await post(payload, { "content-type": type })).toMatchObject({ status: 200, code: 400 });
  });

  test("with an unexpected file is refused", async () => {
    const payload =
      '--x\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\nxx\r\n--x--\r\n';
    const answer = await post(payload, { "content-type": "multipart/form-data; boundary=x" });
    expect(answer).toMatchObject({ code: 400, issues: [{ path: "f", rule: "notAllowed" }] });
  });

  test("with the required file is read, and without it refused", async () => {
    const path = "/customer/t/upload";
    const given = { name: "a", file: textFile("list.csv", "one\ntwo") };
    expect(await api.post(path, given, token)).toMatchObject({
      code: 0,
      data: { name: "list.csv", port: 7, on: 1 },
    });
    for (const file of ["", "no file", textFile("empty", "")]) {
      expect(await api.post(path, { name: "a", file }, token)).toMatchObject({
        code: 400,
        issues: [{ path: "file" }],
      });
    }
    const large = textFile("large", "x".repeat(1_100_000));
    expect(await api.post(path, { name: "a", file: large }, token)).toMatchObject({ code: 413 });
  });

  test("with prototype names in form and query is refused", async () => {
    const form = formData({ ...good, constructor: "1" });
    expect(await post(form.payload, form.headers)).toMatchObject({ code: 400 });
    const url = `/customer/t/read?__proto__=1&name=a&port=3&on=1&token=${token}`;
    expect(await api.send({ method: "GET", url })).toMatchObject({ code: 400 });
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  test("too large is reported as too large", async () => {
    const large = { status: 200, code: 413, msg: "请求过大" };
    expect(await json(JSON.stringify({ ...good, name: "x".repeat(1_100_000) }))).toMatchObject(
      large,
    );
    const form = formData({ ...good, name: "x".repeat(300_000) });
    expect(await post(form.payload, form.headers)).toMatchObject(large);
    const many = formData(Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`f${n}`, n])));
    expect(await post(many.payload, many.headers)).toMatchObject(large);
  });
});

describe("a call", () => {
  test("that acts by GET is refused from another site", async () => {
    const from = (site: string) =>
      api.get("/customer/t/acting", good, token, { "sec-fetch-site": site });
    expect(await from("cross-site")).toMatchObject({ code: 421 });
    expect(await from("same-origin")).toMatchObject({ code: 0 });
  });

  test.each([
    ["/customer/t/bug", "throws"],
    ["/customer/t/wrong", "gives what the contract forbids"],
    ["/customer/t/sly", "writes in a read"],
  ])("%s, which %s, is answered plainly and logged under its id", async (path) => {
    const { bug: logged, ...answer } = await api.get(path, good, token);
    expect(logged).toBeDefined();
    expect(answer).toMatchObject({ status: 200, code: 501, data: null });
    expect(answer.msg).toContain(answer.requestId);
    expect(JSON.stringify(answer)).not.toContain("secret");
    const lines = api.logged.filter(({ requestId }) => requestId === answer.requestId);
    expect(lines).toMatchObject([
      { level: 50, msg: "call failed" },
      { msg: "request", code: 501 },
    ]);
  });

  test("that writes without an audit row changes nothing", async () => {
    expect(await api.post("/customer/t/write", good, token)).toMatchObject({ code: 501 });
    const { rows } = await sql<{ remark: string }>`
      select remark from enterprise`.execute(api.database.pools.apiAll.db);
    expect(rows).toEqual([{ remark: "" }]);
  });

  test("leaves audit and change rows together, or neither", async () => {
    const all = async () => {
      const { apiAll } = api.database.pools;
      const audit = await apiAll.db.selectFrom("audit").selectAll().execute();
      const change = await apiAll.db.selectFrom("change").selectAll().execute();
      return { audit, change };
    };
    expect(await api.post("/customer/t/changing", { fail: 1 }, token)).toMatchObject({ code: 412 });
    expect(await all()).toEqual({ audit: [], change: [] });
    expect(await api.post("/customer/t/changing", { fail: 0 }, token)).toMatchObject({ code: 0 });
    const { audit, change } = await all();
    expect(audit).toMatchObject([
      {
        action: "t.changing",
        login_name: "admin",
        new_value: { password: "[redacted]", deep: { token: "[redacted]", name: "z" } },
      },
    ]);
    expect(change).toMatchObject([
      { node_ids: [5], space_ids: [6, 7], cause: "admin: t.changing", created_by: 1, done: false },
    ]);
  });

  test.each(["40P01", "40001"])(
    "that loses a collision, %s, runs again and is written once",
    async (code) => {
      tries = 0;
      const { apiAll } = api.database.pools;
      const written = () =>
        apiAll.db.selectFrom("audit").select("id").where("action", "=", "t.colliding").execute();
      const before = await written();
      const answer = await api.post("/customer/t/colliding", { collisions: 2, code }, token);
      expect(answer).toMatchObject({ code: 0 });
      expect(tries).toBe(3);
      expect(await written()).toHaveLength(before.length + 1);
    },
  );

  test("that loses every time is refused as a conflict, and nothing of it stays", async () => {
    tries = 0;
    const { apiAll } = api.database.pools;
    const count = async () => (await apiAll.db.selectFrom("audit").select("id").execute()).length;
    const before = await count();
    const answer = await api.post("/customer/t/colliding", { collisions: 9, code: "40P01" }, token);
    expect(answer).toMatchObject({ code: 412 });
    expect(tries).toBe(3);
    expect(await count()).toBe(before);
  });

  test("logs neither token nor password", () => {
    expect(JSON.stringify(api.logged)).not.toContain(token);
  });
});

test("a handler cannot reach the database: what tries does not compile", () => {
  const handler = (ctx: HandlerContext) => {
    // @ts-expect-error: a store does this
    return () => ctx.db.selectFrom("node");
  };
  const store = (_: Context): string => "a store takes what a handler has";
  const passing = (ctx: HandlerContext) => store(ctx);
  expect([handler, passing]).toHaveLength(2);
});
