/** Actions on many rows: what is done, what is refused and why, and that nothing is done twice. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBatchRunner } from "#jobs/run-batches.ts";
import { type Answer, adminPassword, type TestApi, testApi } from "./api.ts";
import { type ControllerProcess, startController } from "./controller-process.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "./tenants.ts";

interface Reported {
  readonly id: number;
  readonly batchStatus: number;
  readonly total: number;
  readonly done: number;
  readonly failed: number;
}
interface Item {
  readonly sequence: number;
  readonly name: string;
  readonly itemStatus: number;
  readonly reason: string | null;
}

const cancelled = 3;
let api: TestApi;
let admin = "";
let [mine, theirs] = [] as unknown as [Tenant, Tenant];
const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await api.database.pools.owner.pg.query(text, values)).rows as Row[];

const openWorld = async (): Promise<void> => {
  api = await testApi();
  admin = await api.logIn("admin");
  mine = await makeTenant(api, admin, "batch-mine");
  theirs = await makeTenant(api, admin, "batch-theirs");
};
beforeAll(openWorld, 60_000);
afterAll(() => api.close());

/** CPEs of an enterprise, named `<prefix>-<n>`, straight into the table. */
const seed = async (prefix: string, count: number, { ids }: Tenant = mine): Promise<number[]> =>
  (
    await query<{ id: number }>(
      `insert into weft.node (enterprise_id, kind, name, sn, created_by)
       select $1, 'cpe', $2 || '-' || i, $2 || i, 1 from generate_series(1, $3::int) i
       returning id`,
      [ids.groupid, prefix, count],
    )
  ).map(({ id }) => id);

const start = async (path: string, fields: object, token = mine.token): Promise<number> =>
  newIdOf(await api.post(path, fields, token));
const reported = async (id: number, token = mine.token): Promise<Reported> =>
  (await api.get("/customer/batch/getById", { id }, token)).data as Reported;
const itemsOf = async (id: number, more: object = {}, language = "zh_cn"): Promise<Item[]> =>
  (
    await api.get("/customer/batch/items", { id, limit: 1000, ...more }, mine.token, {
      "accept-language": language,
    })
  ).data as Item[];
const runner = () => createBatchRunner(api.database.pools, pino({ level: "silent" }));
const runAll = async (): Promise<void> => {
  const one = runner();
  while ((await one.run()) > 0);
};
/** Rows of the log that a call left, by what they are about. */
const logged = (action: string, prefix: string) =>
  query<{ row_id: number; times: number }>(
    `select a.row_id, count(*)::int as times from weft.audit a join weft.batch_item i on i.row_id = a.row_id
     where a.action = $1 and i.name like $2 group by 1`,
    [action, `${prefix}-%`],
  );

describe("up to a hundred rows", () => {
  test("are finished when the call answers; a refused row delays no other and has its reason", async () => {
    const [one = 0, two = 0, three = 0] = await seed("few", 3);
    const space = wireDraft("netSpace", "valid", mine.ids, {
      name: "batch-space",
      cpeIds: String(two),
      popIds: "",
    });
    newIdOf(await api.post("/customer/netSpace/add", space, admin));
    const id = await start("/customer/cpe/batchRemove", { ids: [one, two, three].join(",") });
    expect(await reported(id)).toMatchObject({ batchStatus: 2, total: 3, done: 2, failed: 1 });
    expect((await itemsOf(id)).map(({ name, itemStatus }) => [name, itemStatus])).toEqual([
      ["few-1", 1],
      ["few-2", 2],
      ["few-3", 1],
    ]);
    const reason = async (language: string) =>
      (await itemsOf(id, { itemStatus: 2 }, language))[0]?.reason;
    expect(await reason("zh_cn")).toBe("仍被使用：batch-space，先删除或解除引用");
    expect(await reason("en")).toBe("Still in use by batch-space; remove that first");
    const left = await query<{ id: number }>("select id from weft.node where name like 'few-%'");
    expect(left.map((row) => row.id)).toEqual([two]);
    expect(await logged("cpe.batchRemove", "few")).toHaveLength(2);
  });

  test("a row of another tenant and an absent one are refused alike, and nothing is done", async () => {
    const [own = 0] = await seed("alone", 1);
    const ask = (id: number): Promise<Answer> =>
      api.post("/customer/cpe/batchEnable", { ids: `${own},${id}`, setEnable: 0 }, mine.token);
    const [foreign, absent] = [await ask(theirs.ids.cpeId), await ask(987_654)];
    expect(foreign).toMatchObject({ code: 404, msg: absent.msg });
    expect(
      await query("select from weft.node where name = 'alone-1' and not enabled"),
    ).toHaveLength(0);
    expect(await api.post("/customer/cpe/batchEnable", { setEnable: 0 }, mine.token)).toMatchObject(
      { code: 400, issues: [{ path: "ids", rule: "atLeastOne" }] },
    );
  });

  test("CPEs get settings, an area and a space; one whose network is there already does not", async () => {
    const ids = await seed("site", 3);
    await query(
      `insert into weft.lan_section (enterprise_id, node_id, interface_name, network)
       select enterprise_id, id, 'lan1', case when name = 'site-3' then '10.66.1.129/25' else
         '10.66.' || right(name, 1) || '.1/24' end from weft.node where name like 'site-%'`,
    );
    const joined = ids.join(",");
    const area = newIdOf(
      await api.post(
        "/customer/cpeArea/add",
        { groupid: mine.ids.groupid, pId: 0, name: "north", sort: 1 },
        mine.token,
      ),
    );
    const draft = wireDraft("netSpace", "valid", mine.ids, {
      name: "join",
      cpeIds: "",
      popIds: "",
    });
    const space = newIdOf(await api.post("/customer/netSpace/add", draft, admin));
    const config = await start("/customer/cpe/batchConfig", { ids: joined, mtu: 1300 });
    const move = await start("/customer/cpe/batchMove", { ids: joined, toAreaId: area });
    const join = await start("/customer/cpe/batchJoin", { ids: joined, netSpaceId: space }, admin);
    expect(await reported(config)).toMatchObject({ done: 3, failed: 0 });
    expect(await reported(move)).toMatchObject({ done: 3, failed: 0 });
    expect(await reported(join, admin)).toMatchObject({ done: 2, failed: 1 });
    const answer = await api.get("/customer/batch/items", { id: join, itemStatus: 2 }, admin);
    expect(answer.data).toMatchObject([
      { name: "site-3", reason: expect.stringContaining("site-1") },
    ]);
    const rows = await query<{ area_id: number; mtu: string }>(
      `select n.area_id, c.items ->> 'mtu' as mtu from weft.node n
       join weft.node_config c on c.node_id = n.id where n.name like 'site-%'`,
    );
    expect(rows).toEqual(ids.map(() => ({ area_id: area, mtu: "1300" })));
    expect(await query("select from weft.space_member where space_id = $1", [space])).toHaveLength(
      2,
    );
    expect(
      await api.post("/customer/cpe/batchJoin", { ids: joined, netSpaceId: 987_654 }, admin),
    ).toMatchObject({ code: 400, issues: [{ path: "netSpaceId", rule: "unknown" }] });
  });

  test("a restart needs the password, stores it nowhere, and names the devices that are offline", async () => {
    const ids = (await seed("off", 2)).join(",");
    const ask = (password: string) =>
      api.post("/customer/cpe/batchReboot", { ids, password }, mine.token);
    expect((await ask("wrong-Pass1")).code).not.toBe(0);
    const id = newIdOf(await ask(adminPassword));
    expect(await reported(id)).toMatchObject({ done: 0, failed: 2 });
    expect((await itemsOf(id))[0]?.reason).toContain("设备离线");
    expect(await query("select fields from weft.batch where id = $1", [id])).toEqual([
      { fields: {} },
    ]);
  });

  test("a batch is its person's alone", async () => {
    const ids = await seed("private", 1);
    const id = await start("/customer/cpe/batchEnable", { ids: ids.join(), setEnable: 1 });
    for (const path of ["getById", "items", "export"]) {
      const answer = await api.get(`/customer/batch/${path}`, { id }, theirs.token);
      expect(answer, path).toMatchObject({ code: 404 });
    }
    expect(await api.post("/customer/batch/cancel", { id }, theirs.token)).toMatchObject({
      code: 404,
    });
    expect((await api.get("/customer/batch/list", {}, theirs.token)).count).toBe(0);
  });
});

describe("more rows than a call works on", () => {
  test("all that match the filter are worked on by the worker, each by itself, with a report", async () => {
    await seed("many", 1_200);
    await seed("many", 40, theirs);
    const held = await query<{ id: number }>(
      "select id from weft.node where name in ('many-7', 'many-1100') and enterprise_id = $1",
      [mine.ids.groupid],
    );
    const draft = wireDraft("netSpace", "valid", mine.ids, {
      name: "holds",
      cpeIds: held.map(({ id }) => id).join(),
      popIds: "",
    });
    newIdOf(await api.post("/customer/netSpace/add", draft, admin));
    const id = await start("/customer/cpe/batchRemove", { all: 1, alias: "many-" });
    expect(await reported(id)).toMatchObject({ batchStatus: 0, total: 1_200, done: 0 });
    await runAll();
    expect(await reported(id)).toMatchObject({ batchStatus: 2, done: 1_198, failed: 2 });
    const failed = await itemsOf(id, { itemStatus: 2 });
    expect(failed.map(({ name }) => name)).toEqual(["many-7", "many-1100"]);
    const rest = await query<{ n: number }>(
      "select count(*)::int as n from weft.node where name like 'many-%' group by enterprise_id order by 1",
    );
    expect(rest).toEqual([{ n: 2 }, { n: 40 }]);
    const ticket = await api.get(
      "/customer/batch/export",
      { id, itemStatus: 2, format: "csv" },
      mine.token,
    );
    const { data } = ticket as unknown as { data: { ticket: string; rows: number } };
    expect(data.rows).toBe(2);
    const file = await api.app.inject(`/customer/download?ticket=${data.ticket}`);
    expect(file.body).toContain("many-1100");
    expect(file.body).toContain("仍被使用：holds");
  }, 120_000);

  test("permission and scope are those of the person by then", async () => {
    await seed("lost", 250);
    const token = await api.userToken({ enterpriseId: mine.ids.groupid, dataScope: 1 });
    const enable = { all: 1, alias: "lost-", setEnable: 0 };
    const id = await start("/customer/cpe/batchEnable", enable, token);
    await runner().run();
    expect(await reported(id, token)).toMatchObject({ batchStatus: 1, done: 100 });
    const person = await query<{ user_id: number }>(
      "select user_id from weft.batch where id = $1",
      [id],
    );
    await query(
      `delete from weft.role_permission where permission = 'cpeBatch' and role_id in
       (select role_id from weft.user_role where user_id = $1)`,
      [person[0]?.user_id],
    );
    await runner().run();
    expect(await reported(id, token)).toMatchObject({ done: 100, failed: 100 });
    const answer = await api.get("/customer/batch/items", { id, itemStatus: 2 }, token);
    expect((answer.data as Item[])[0]?.reason).toContain("缺少权限：CPE 批量操作");
    // Who may do nothing at all any more: the rest fails for it.
    await query("update weft.sys_user set enabled = false where id = $1", [person[0]?.user_id]);
    await runAll();
    expect(
      await query(
        "select done, failed, ended_at is not null as over from weft.batch where id = $1",
        [id],
      ),
    ).toEqual([{ done: 100, failed: 150, over: true }]);
    expect(
      await query("select from weft.node where name like 'lost-%' and not enabled"),
    ).toHaveLength(100);
  }, 60_000);

  test("a batch that is cancelled leaves the rest alone, and cannot be cancelled twice", async () => {
    await seed("stop", 300);
    const enable = { all: 1, alias: "stop-", setEnable: 0 };
    const id = await start("/customer/cpe/batchEnable", enable);
    await runner().run();
    expect(await api.post("/customer/batch/cancel", { id }, mine.token)).toMatchObject({ code: 0 });
    await runAll();
    expect(await reported(id)).toMatchObject({ batchStatus: cancelled, done: 100, failed: 0 });
    expect(
      await query("select from weft.node where name like 'stop-%' and not enabled"),
    ).toHaveLength(100);
    expect(await api.post("/customer/batch/cancel", { id }, mine.token)).toMatchObject({
      code: 422,
    });
  }, 60_000);

  test("two workers at once do each row once", async () => {
    await seed("twice", 450);
    const enable = { all: 1, alias: "twice-", setEnable: 0 };
    const id = await start("/customer/cpe/batchEnable", enable);
    await Promise.all([runAll(), runAll(), runAll()]);
    expect(await reported(id)).toMatchObject({ batchStatus: 2, done: 450, failed: 0 });
    const rows = await logged("cpe.batchEnable", "twice");
    expect(rows).toHaveLength(450);
    expect(rows.filter(({ times }) => times !== 1)).toEqual([]);
  }, 60_000);

  test("accounts get an end, are switched and removed by filter", async () => {
    await query(
      `insert into weft.mobile_account (enterprise_id, login_name, alias, terminal_type, enabled)
       select $1, 'many@' || i, 'many-' || i, 1, true from generate_series(1, 350) i`,
      [mine.ids.groupid],
    );
    const filter = { all: 1, alias: "many-", groupid: mine.ids.groupid };
    const end = Date.UTC(2031, 0, 1);
    const ended = await start("/customer/account/batchEnd", { ...filter, expire: end });
    const off = await start("/customer/account/batchEnable", { ...filter, setEnable: 0 });
    await runAll();
    for (const id of [ended, off]) {
      expect(await reported(id)).toMatchObject({ total: 350, done: 350 });
    }
    expect(
      await query(
        "select from weft.mobile_account where alias like 'many-%' and not enabled and expire_at = $1",
        [new Date(end)],
      ),
    ).toHaveLength(350);
    const gone = await start("/customer/account/batchRemove", filter);
    await runAll();
    expect(await reported(gone)).toMatchObject({ done: 350, failed: 0 });
    expect(await query("select from weft.mobile_account where alias like 'many-%'")).toEqual([]);
  }, 120_000);
});

describe("a worker that is killed", () => {
  const running = new Set<ControllerProcess>();
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "weft-batch-"));
    // Its workers would compile all devices of the tests above as well.
    await api.close();
    await openWorld();
  });
  afterAll(async () => {
    for (const { child } of running) child.kill("SIGKILL");
    await rm(folder, { recursive: true });
  });

  /** A controller of its own process that only works on what waits. */
  const work = async (): Promise<ControllerProcess> => {
    const env = { WEFT_ROLES: "worker" };
    const one = await startController({ databaseUrl: api.database.url, folder, env });
    running.add(one);
    return one;
  };
  const until = async (id: number, isSo: (now: Reported) => boolean): Promise<Reported> => {
    for (;;) {
      const now = await reported(id);
      if (isSo(now)) return now;
      await sleep(20);
    }
  };

  test("in the middle of a batch loses nothing and doubles nothing", async () => {
    const first = await work();
    await seed("kill", 400);
    const id = await start("/customer/cpe/batchEnable", { all: 1, alias: "kill-", setEnable: 0 });
    const now = await until(id, ({ done }) => done >= 80);
    await first.end("SIGKILL");
    expect(now.done).toBeLessThan(400);
    const last = await work();
    expect(await until(id, ({ batchStatus }) => batchStatus === 2)).toMatchObject({
      total: 400,
      done: 400,
      failed: 0,
    });
    await last.end("SIGTERM");
    const rows = await logged("cpe.batchEnable", "kill");
    expect(rows).toHaveLength(400);
    expect(rows.filter(({ times }) => times !== 1)).toEqual([]);
    expect(await query("select from weft.node where name like 'kill-%' and enabled")).toHaveLength(
      0,
    );
  }, 180_000);
});
