/** Commands from a call to the device that holds the socket, and its answer back to the caller. */

import { commandCapability } from "@weft/contract/device/v1/commands.ts";
import { driftCheck, driftPolicy } from "@weft/contract/domains/delivery/history.ts";
import { nodeState } from "@weft/contract/domains/delivery/node-state.ts";
import { cpeReboot } from "@weft/contract/domains/devices/cpe-actions.ts";
import { cpeCfgAdd } from "@weft/contract/domains/devices/cpe-config.ts";
import { dialTask, dialTaskHistory, initPing } from "@weft/contract/domains/devices/dial-task.ts";
import * as relay from "@weft/contract/domains/devices/relay.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { adminPassword, textFile } from "./api.ts";
import type { Line } from "./fake-edge.ts";
import { eventually, type Site } from "./loop-world.ts";
import { done, type Row, type SiteWorld, siteWorld } from "./site-world.ts";
import { newIdOf } from "./tenants.ts";

let world: SiteWorld;
let site: Site;
let device: Line;

const kinds = ["reboot", "ping", "http", "dns", "trace", "drift", "relay"] as const;
const capabilities = kinds.map((kind) => ({
  name: commandCapability(kind),
  can: true,
  reason: null,
}));

beforeAll(async () => {
  world = await siteWorld();
  site = await world.loop.addSite();
  const edge = await world.loop.enrolled(site);
  device = await edge.connect();
  device.send(edge.report({ capabilities }));
  await eventually(
    async () => (await world.loop.stateOf(site.id)).capabilities.length > 0,
    "the report",
  );
}, 120_000);
afterAll(() => world.loop.close());

let worker: Promise<unknown> | undefined;
/** Starts what runs beside the calls, once. */
const withWorker = (): Promise<unknown> => {
  worker ??= world.loop.startWorker();
  return worker;
};

/** The next command of the device, answered. */
async function answer(outcome: string, result: unknown, reason: string | null = null) {
  const command = await device.next("command");
  device.send({ type: "answer", id: command.id, outcome, reason, result });
  return command;
}
const commands = async () =>
  (
    await sql<{ n: number }>`select count(*)::int as n from weft.node_command`.execute(
      world.loop.pools.apiAll.db,
    )
  ).rows[0]?.n;

describe("restart", () => {
  const reboot = (password: string, who = world.admin, cpeId = site.id) =>
    world.get(cpeReboot, { cpeId, password }, who);

  test("B-7.2-15: with a wrong password it is refused, and nothing is sent to the device", async () => {
    const before = await commands();
    expect(await reboot("not-it")).toMatchObject({ code: 405, msg: "登录密码不正确" });
    expect(await commands()).toBe(before);
    await device.nothingCame();
  });

  test("endpoints:cpe.reboot is sent to the device with the caller's own password", async () => {
    const [called, command] = await Promise.all([reboot(adminPassword), answer("done", null)]);
    expect(called).toMatchObject({ code: 0, data: null });
    expect(command).toMatchObject({ what: { kind: "reboot" }, timeoutMs: 10_000 });
    expect(JSON.stringify(world.loop.api.logged)).not.toContain(adminPassword);
  });

  test("a CPE of another tenant, an absent one and an offline one are refused", async () => {
    expect(await reboot(adminPassword, world.other)).toMatchObject({ code: 404 });
    expect(await reboot(adminPassword, world.other, 987_654)).toMatchObject({ code: 404 });
    const silent = await world.addCpe();
    expect(await reboot(adminPassword, world.home, silent)).toMatchObject({
      code: 422,
      msg: expect.stringContaining("设备离线"),
    });
  });

  test("a refusal of the device reaches the caller", async () => {
    const [called] = await Promise.all([
      reboot(adminPassword),
      answer("refused", null, "the edge does not run as a service of this device"),
    ]);
    expect(called).toMatchObject({ code: 422, msg: expect.stringContaining("as a service") });
  });

  test("nothing is sent to a device that is not managed from here", async () => {
    const manage = (isCloudManage: number) =>
      world.post(cpeCfgAdd, { cpeId: site.id, isCloudManage }, world.admin);
    expect(await manage(0)).toMatchObject(done);
    expect(await reboot(adminPassword)).toMatchObject({
      code: 422,
      msg: expect.stringContaining("云管理"),
    });
    expect(await manage(1)).toMatchObject(done);
  });
});

test("endpoints:router.iniPing B-7.3-06: a test answers with what the device saw", async () => {
  const finding = { ok: true, delayMs: 12.5, lossPercent: 0, lines: ["4 received"] };
  const [called, command] = await Promise.all([
    world.get(initPing, { cpeId: site.id, host: "192.0.2.9" }, world.admin),
    answer("done", finding),
  ]);
  expect(command.what).toEqual({ kind: "ping", host: "192.0.2.9", count: 4 });
  expect(called).toMatchObject({
    code: 0,
    data: { ok: true, delay: 12.5, loss: 0, lines: ["4 received"] },
  });
  expect(await world.get(initPing, { cpeId: site.id, host: "a b" }, world.admin)).toMatchObject({
    code: 400,
    issues: [{ path: "host", rule: "host" }],
  });
});

describe("relay", () => {
  const token = "the-session-token";

  test("B-7.3-17 endpoints:common.commonHttp endpoints:common.commonPostHttp endpoints:common.commonGetHttp it carries cpeId, url and the extra fields, and the token goes no further", async () => {
    for (const [call, url, method] of [
      [relay.commonGetHttp, "/interfaces", "GET"],
      [relay.commonHttp, "/routes", "GET"],
      [relay.commonPostHttp, "/import", "POST"],
    ] as const) {
      const fields = { cpeId: site.id, url, extra: "one", more: "2" };
      const send = () =>
        call.method === "GET"
          ? world.get(call, fields, world.admin)
          : world.post(call, { ...fields, token }, world.admin);
      const [called, command] = await Promise.all([
        send(),
        answer("done", { status: 200, body: { from: url } }),
      ]);
      expect(command.what).toEqual({
        kind: "relay",
        method,
        path: url,
        file: null,
        fields: { extra: "one", more: "2" },
      });
      expect(called).toMatchObject({ code: 0, data: { status: 200, body: { from: url } } });
    }
  });

  test("endpoints:common.commonHttpFileImport sends a file along, and does not store it", async () => {
    const file = textFile("hosts", "10.0.0.1 a.example.com");
    const fields = { cpeId: site.id, url: "/import", token, file };
    const [called, command] = await Promise.all([
      world.post(relay.commonHttpFileImport, fields, world.admin),
      answer("done", { status: 200, body: { lines: 1 } }),
    ]);
    expect(command.what).toMatchObject({
      file: { name: "hosts", base64: Buffer.from("10.0.0.1 a.example.com").toString("base64") },
    });
    expect(called).toMatchObject({ code: 0, data: { body: { lines: 1 } } });
    const { rows } = await sql<{ what: object }>`
      select what from weft.node_command where id = ${command.id}`.execute(
      world.loop.pools.apiAll.db,
    );
    expect(rows[0]?.what).toEqual({ kind: "relay", method: "POST", path: "/import" });
  });

  test.each([
    "http://192.0.2.1/status",
    "https://example.com/",
    "//example.com/status",
    "http://127.0.0.1:8080/",
    "http://169.254.169.254/latest/meta-data",
    "http://[::1]/status",
    "file:///etc/passwd",
    "/etc/passwd",
    "/status/../../etc/passwd",
    "/status?x=1",
    "status",
    "/STATUS",
    "/status@example.com",
  ])("B-7.3-18: a url of %s is refused and reaches no device", async (url) => {
    const before = await commands();
    for (const call of [relay.commonHttp, relay.commonPostHttp, relay.commonHttpFileImport]) {
      const file = textFile("a", "b");
      const fields = call === relay.commonHttpFileImport ? { file } : {};
      expect(
        await world.post(call, { cpeId: site.id, url, token, ...fields }, world.admin),
      ).toMatchObject({ code: 400, issues: [{ path: "url" }] });
    }
    expect(
      await world.get(relay.commonGetHttp, { cpeId: site.id, url }, world.admin),
    ).toMatchObject({ code: 400, issues: [{ path: "url" }] });
    expect(await commands()).toBe(before);
  });

  test("a CPE of another tenant is absent, and a path has one method", async () => {
    const fields = { cpeId: site.id, url: "/status", token };
    expect(await world.post(relay.commonHttp, fields, world.other)).toMatchObject({ code: 404 });
    expect(await world.post(relay.commonPostHttp, fields, world.admin)).toMatchObject({
      code: 400,
      issues: [{ path: "url", rule: "notAllowed" }],
    });
  });
});

describe("drift", () => {
  test("endpoints:nodeState.drift queries the device, which reports each step or repairs it", async () => {
    for (const heal of [false, true]) {
      const finding = { count: 1, steps: ["routing: set route 10.9.0.0/16"], healed: heal };
      const [called, command] = await Promise.all([
        world.post(driftCheck, { id: site.id, heal: heal ? 1 : 0 }, world.admin),
        answer("done", finding),
      ]);
      expect(command.what).toEqual({ kind: "drift", heal });
      expect(called).toMatchObject({ code: 0, data: finding });
    }
    const before = await commands();
    const foreign = await world.post(driftCheck, { id: site.id, heal: 1 }, world.other);
    expect(foreign).toMatchObject({ code: 404 });
    expect(await commands()).toBe(before);
    await device.nothingCame();
  });

  test("endpoints:nodeState.driftPolicy becomes a part of the state that the device gets", async () => {
    expect((await world.loop.stateOf(site.id)).driftPolicy).toBe("heal");
    const other = await world.post(driftPolicy, { id: site.id, policy: "flag" }, world.other);
    expect(other).toMatchObject({ code: 404 });
    expect(
      await world.post(driftPolicy, { id: site.id, policy: "never" }, world.admin),
    ).toMatchObject({ code: 400, issues: [{ path: "policy" }] });
    expect(
      await world.post(driftPolicy, { id: site.id, policy: "flag" }, world.admin),
    ).toMatchObject(done);
    expect((await world.loop.stateOf(site.id)).driftPolicy).toBe("flag");
    await withWorker();
    const head = await device.seek("head");
    expect(Object.keys(head.head.sections)).toContain("system");
  });
});

test("who only uses a POP of another enterprise sees that it runs, and nothing of its configuration", async () => {
  const { popId } = world.home.ids;
  await sql`insert into weft.share (enterprise_id, kind, row_id)
    values (${world.other.ids.groupid}, 'pop', ${popId})`.execute(world.loop.pools.apiAll.db);
  const read = (who: typeof world.home) => world.get(nodeState, { id: popId }, who);
  expect(await read(world.other)).toMatchObject({
    code: 0,
    data: { id: popId, configVisible: false, desired: null, confirmed: null },
  });
  expect(await read(world.home)).toMatchObject({ code: 0, data: { configVisible: true } });
});

test("a scheduled test runs on its CPEs, and its results are kept", async () => {
  await withWorker();
  const draft = {
    name: "hourly",
    groupid: 1,
    cpeIds: site.id,
    type: "dns",
    target: "www.example.com",
    interval: 3_600,
    enable: 1,
    remark: "",
  };
  const taskId = newIdOf(await world.post(dialTask.ops.add, draft, world.admin));
  const finding = { ok: false, delayMs: null, lossPercent: null, lines: ["NXDOMAIN"] };
  const command = await device.seek("command");
  expect(command.what).toEqual({ kind: "dns", name: "www.example.com" });
  device.send({ type: "answer", id: command.id, outcome: "done", reason: null, result: finding });
  await eventually(async () => {
    const [task] = await world.rows(dialTask.ops.list, { name: "hourly" }, world.admin);
    return task?.lastResult === "0/1";
  }, "the result");
  const results = (await world.get(dialTaskHistory, { taskId }, world.admin)).data as Row[];
  expect(results).toMatchObject([{ cpeId: site.id, status: "done", ok: false, delay: null }]);
  expect(await world.get(dialTaskHistory, { taskId }, world.other)).toMatchObject({ code: 404 });
});
