import type { StateHead } from "@weft/contract/device/v1/state.ts";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { enterprise } from "@weft/contract/domains/enterprises/enterprise.ts";
import {
  routerTemplate,
  routerTemplateAllCpes,
  routerTemplateCombo,
  routerTemplateCpes,
  routerTemplateIssue,
  routerTemplateLogList,
  routerTemplateRelAdd,
  routerTemplateRelRemove,
} from "@weft/contract/domains/templates/router-template.ts";
import { permissionCodes } from "@weft/contract/permissions.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FakeEdge, type Line, runningOf } from "../../../../test/fake-edge.ts";
import { eventually, type LoopWorld, loopWorld, type Site } from "../../../../test/loop-world.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";

let world: LoopWorld;
let made = 0;
beforeAll(async () => {
  world = await loopWorld();
  await world.startWorker();
}, 60_000);
afterAll(() => world.close());

const api = () => world.api;
const addTemplate = async (token = world.admin): Promise<number> => {
  made += 1;
  const fields = { templateName: `T-${made}`, remark: "" };
  return newIdOf(await api().post(routerTemplate.ops.add.path, fields, token));
};
const relate = (templateId: number, cpeIds: number[], token = world.admin) =>
  api().post(routerTemplateRelAdd.path, { templateId, cpeIds: cpeIds.join() }, token);
const leave = (templateId: number, cpeIds: number[]) =>
  api().post(routerTemplateRelRemove.path, { templateId, cpeIds: cpeIds.join() }, world.admin);
const issue = (ids: number[], token = world.admin) =>
  api().get(routerTemplateIssue.path, { templateId: ids.join() }, token);
const get = async (path: string, query: object) => {
  const answer = await api().get(path, query, world.admin);
  expect(answer).toMatchObject({ code: 0 });
  return answer;
};
interface Log {
  readonly cpeId: number;
  readonly status: number;
  readonly version: number;
  readonly updateTime: string | null;
  readonly content: string;
}
const log = async (templateId: number, query: object = {}) =>
  (await get(routerTemplateLogList.path, { templateId, ...query })).data as Log[];
const rowOf = async (templateId: number) => {
  const rows = (await get(routerTemplate.ops.list.path, { size: 1000 })).data as {
    templateId: number;
  }[];
  return rows.find((row) => row.templateId === templateId);
};
const statusAt = async (templateId: number, cpeId: number) =>
  (await log(templateId)).find((one) => one.cpeId === cpeId)?.status;
const untilStatus = (templateId: number, cpeId: number, status: number) =>
  eventually(
    async () => (await statusAt(templateId, cpeId)) === status,
    `CPE ${cpeId} of template ${templateId} is at ${status}`,
  );

interface Device {
  readonly site: Site;
  readonly edge: FakeEdge;
  readonly line: Line;
}
const connect = async (site: Site): Promise<Device> => {
  const edge = await world.enrolled(site);
  const line = await edge.connect();
  line.send(edge.report());
  return { site, edge, line };
};
const finish = async ({ edge, line }: Device, head: StateHead, outcome: "applied" | "failed") => {
  const { epoch, serial } = head;
  line.send({ type: "need", epoch, serial, sections: Object.values(head.sections) });
  await line.next("sections");
  const reason = outcome === "failed" ? "no such interface" : null;
  line.send({ type: "outcome", epoch, serial, outcome, reason });
  if (outcome === "failed") return;
  expect((await edge.confirm(head)).status).toBe(200);
  const drift = { steps: 0, hash: "0".repeat(64) };
  line.send({ type: "heartbeat", running: runningOf(head), drift });
};
const addLan = (cpeId: number) => {
  made += 1;
  return world.post(
    lanSection.ops.add.path,
    wireDraft(
      "lansection",
      "valid",
      { groupid: 1, cpeId, popId: 0 },
      {
        network: `10.77.${made}.1/24`,
        network6: "",
      },
    ),
  );
};

describe("issuing", () => {
  test("B-2.7-36: two CPEs are not started, pulled, and completed", async () => {
    const devices: Device[] = [];
    for (const _ of [1, 2]) devices.push({ site: await world.addSite() } as Device);
    const ids = devices.map(({ site }) => site.id);
    const template = await addTemplate();
    await relate(template, ids);
    expect(await issue([template])).toMatchObject({ code: 0, data: null });
    expect((await log(template)).map(({ status }) => status)).toEqual([0, 0]);
    expect(await rowOf(template)).toMatchObject({ cpeNum: 2, cpeFinishNum: 0, version: 1 });
    for (const { site } of devices) {
      const device = await connect(site);
      const { head } = await device.line.next("head");
      await untilStatus(template, site.id, 4);
      await finish(device, head, "applied");
      await untilStatus(template, site.id, 1);
      device.line.socket.close();
    }
    expect(await rowOf(template)).toMatchObject({ cpeFinishNum: 2 });
    expect((await log(template)).every(({ updateTime }) => updateTime !== null)).toBe(true);
  });

  test("on a device that runs it already it is completed immediately; a version stays as it was frozen", async () => {
    const device = await connect(await world.addSite());
    const { head } = await device.line.next("head");
    await finish(device, head, "applied");
    const template = await addTemplate();
    await relate(template, [device.site.id]);
    await issue([template]);
    await untilStatus(template, device.site.id, 1);
    const drift = { steps: 0, hash: "0".repeat(64) };
    // Has the gateway evaluate now what to send, which is nothing.
    device.line.send({ type: "heartbeat", running: runningOf(head), drift });
    await device.line.nothingCame();
    const freeze = sql`update weft.router_template_version set content = '{}'`;
    await expect(freeze.execute(world.pools.apiAll.db)).rejects.toThrow(/permission denied/);
    device.line.socket.close();
  });

  test("a failed state fails the issue in it, and the next state that is confirmed completes it", async () => {
    const device = await connect(await world.addSite());
    const { head: first } = await device.line.next("head");
    await finish(device, first, "applied");
    const template = await addTemplate();
    await relate(template, [device.site.id]);
    await addLan(device.site.id);
    const { head } = await device.line.next("head");
    await issue([template]);
    await finish(device, head, "failed");
    await untilStatus(template, device.site.id, 2);
    await addLan(device.site.id);
    const { head: next } = await device.line.next("head");
    await untilStatus(template, device.site.id, 4);
    await finish(device, next, "applied");
    await untilStatus(template, device.site.id, 1);
    device.line.socket.close();
  });

  test("only a newer issue or a removal cancels what waits", async () => {
    const [one, two] = [await world.addSite(), await world.addSite()];
    const template = await addTemplate();
    await relate(template, [one.id, two.id]);
    await issue([template]);
    await issue([template]);
    expect((await log(template)).map(({ version, status }) => [version, status])).toEqual([
      [2, 0],
      [2, 0],
      [1, 3],
      [1, 3],
    ]);
    expect(await leave(template, [one.id])).toMatchObject({ code: 0 });
    expect(await statusAt(template, one.id)).toBe(3);
    expect(await statusAt(template, two.id)).toBe(0);
    const tasks = await get("/customer/task/list", { cpeId: two.id });
    const waiting = (tasks.data as { operId: number; type: string; status: number }[]).find(
      ({ type, status }) => type === "template" && status === 0,
    );
    const cancel = { operId: waiting?.operId };
    expect(await api().post("/customer/task/cancel", cancel, world.admin)).toMatchObject({
      code: 422,
    });
    expect(await statusAt(template, two.id)).toBe(0);
  });

  test("B-2.7-31: several are published with one GET; one without CPEs refuses them all", async () => {
    const [a, b, empty] = [await addTemplate(), await addTemplate(), await addTemplate()];
    const [one, two] = [await world.addSite(), await world.addSite()];
    await relate(a, [one.id]);
    await relate(b, [two.id]);
    expect(await issue([a, b, empty])).toMatchObject({ code: 422 });
    expect(await log(a)).toEqual([]);
    expect(await issue([a, b])).toMatchObject({ code: 0 });
    expect([await log(a), await log(b)].map(({ length }) => length)).toEqual([1, 1]);
  });

  test("two issues at once get two numbers", async () => {
    const template = await addTemplate();
    await relate(template, [(await world.addSite()).id]);
    const answers = await Promise.all([issue([template]), issue([template]), issue([template])]);
    expect(answers.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect((await log(template)).map(({ version }) => version)).toEqual([3, 2, 1]);
    expect((await log(template)).map(({ status }) => status)).toEqual([0, 3, 3]);
  });
});

describe("members", () => {
  test("B-7.4-12, B-2.7-18, B-2.7-19: a CPE is in the one list or in the other", async () => {
    const template = await addTemplate();
    const [one, two] = [await world.addSite(), await world.addSite()];
    const lists = async () => {
      const ids = async (path: string) =>
        ((await get(path, { templateId: template })).data as { id: number }[])
          .map(({ id }) => id)
          .filter((id) => id === one.id || id === two.id);
      return [await ids(routerTemplateAllCpes.path), await ids(routerTemplateCpes.path)];
    };
    expect(await lists()).toEqual([[one.id, two.id], []]);
    expect(await relate(template, [one.id, two.id])).toMatchObject({ code: 0 });
    expect(await lists()).toEqual([[], [one.id, two.id]]);
    expect(await leave(template, [one.id])).toMatchObject({ code: 0 });
    expect(await lists()).toEqual([[one.id], [two.id]]);
    expect(await leave(template, [one.id])).toMatchObject({ code: 400 });
  });

  test("B-2.7-15, B-2.7-16: available CPEs by enterprise and by part of the alias", async () => {
    const template = await addTemplate();
    const group = newIdOf(
      await api().post(
        enterprise.ops.add.path,
        wireDraft("enterprise", "valid", { groupid: 1, cpeId: 0, popId: 0 }, { name: "below" }),
        world.admin,
      ),
    );
    const near = await world.addSite({ alias: "near-site-A" });
    const far = await world.addSite({ alias: "far-site-B", groupid: group });
    const asked = async (query: object) =>
      (
        (await get(routerTemplateAllCpes.path, { templateId: template, ...query })).data as {
          id: number;
        }[]
      ).map(({ id }) => id);
    expect(await asked({ groupid: group })).toEqual([far.id]);
    expect(await asked({ alias: "site-a" })).toContain(near.id);
    expect(await asked({ alias: "site-a" })).not.toContain(far.id);
    expect(await asked({ groupid: group, alias: "near" })).toEqual([]);
  });

  test("A-38, B-2.7-17: one template at a time, and the refusal names it, also in a race", async () => {
    const [a, b] = [await addTemplate(), await addTemplate()];
    const site = await world.addSite();
    await relate(a, [site.id]);
    const name = (await rowOf(a)) as { temName: string } | undefined;
    const refused = await relate(b, [site.id]);
    expect(refused).toMatchObject({ code: 422 });
    expect(refused.msg).toContain(name?.temName);
    const seen = (await get(routerTemplateAllCpes.path, { templateId: b })).data as object[];
    expect(seen).toContainEqual(
      expect.objectContaining({ id: site.id, templateName: name?.temName, taken: 1 }),
    );
    const free = await world.addSite();
    const race = await Promise.all([relate(a, [free.id]), relate(b, [free.id])]);
    expect(race.map(({ code }) => code).sort()).toEqual([0, 422]);
  });

  // A worker writes rows of many nodes in one transaction; were it waited for, each could wait for the other.
  test("CPEs are added while another transaction refers to them", async () => {
    const [templateId, site] = [await addTemplate(), await world.addSite()];
    await world.api.database.pools.owner.db.transaction().execute(async (other) => {
      await sql`select from weft.node where id = ${site.id} for key share`.execute(other);
      expect(await relate(templateId, [site.id])).toMatchObject({ code: 0 });
    });
  });

  test("a template serves its own enterprise and those under it, never one beside it", async () => {
    const tenant = async (name: string) => {
      const draft = wireDraft("enterprise", "valid", { groupid: 1, cpeId: 0, popId: 0 }, { name });
      const id = newIdOf(await api().post(enterprise.ops.add.path, draft, world.admin));
      return { id, token: await api().userToken({ enterpriseId: id, dataScope: 3 }) };
    };
    const [home, beside] = [await tenant("home"), await tenant("beside")];
    const template = await addTemplate(home.token);
    const site = await world.addSite({ groupid: beside.id });
    expect(await relate(template, [site.id])).toMatchObject({ code: 400 });
    const own = await world.addSite({ groupid: home.id });
    expect(await relate(template, [own.id])).toMatchObject({ code: 0 });
    expect(await relate(template, [own.id], beside.token)).toMatchObject({ code: 404 });
    expect(await issue([template], beside.token)).toMatchObject({ code: 404 });
    // A template above that the caller cannot see is not named.
    const above = await addTemplate();
    const lower = await world.addSite({ groupid: home.id });
    expect(await relate(above, [lower.id])).toMatchObject({ code: 0 });
    const refused = await relate(template, [lower.id], home.token);
    expect(refused).toMatchObject({ code: 422 });
    expect(refused.msg).not.toContain("T-");
  });
});

describe("templates", () => {
  test("B-7.4-16: removed with its relations; its log stays readable", async () => {
    const site = await world.addSite();
    const template = await addTemplate();
    await relate(template, [site.id]);
    await issue([template]);
    const remove = { ids: String(template) };
    expect(await api().post(routerTemplate.ops.remove.path, remove, world.admin)).toMatchObject({
      code: 0,
    });
    expect(await log(template)).toMatchObject([{ cpeId: site.id, status: 3 }]);
    const next = await addTemplate();
    expect(await relate(next, [site.id])).toMatchObject({ code: 0 });
  });

  test("a CPE that is removed leaves its template", async () => {
    const site = await world.addSite();
    const template = await addTemplate();
    await relate(template, [site.id]);
    await issue([template]);
    expect(
      await api().post(cpe.ops.remove.path, { ids: String(site.id) }, world.admin),
    ).toMatchObject({ code: 0 });
    expect(await rowOf(template)).toMatchObject({ cpeNum: 0 });
  });

  test("A-37: the list takes page and size, and limit as well", async () => {
    for (const _ of [1, 2, 3]) await addTemplate();
    const sizes = [];
    for (const query of [{ size: 2 }, { limit: 2 }, { page: 1, size: 2, limit: 1 }]) {
      const answer = await get(routerTemplate.ops.list.path, query);
      sizes.push((answer.data as object[]).length);
      expect(answer.count).toBeGreaterThan(2);
    }
    expect(sizes).toEqual([2, 2, 2]);
    const found = await get(routerTemplate.ops.list.path, { templateName: "t-2", size: 1000 });
    expect((found.data as { temName: string }[]).every(({ temName }) => /T-2/.test(temName))).toBe(
      true,
    );
  });

  test("B-2.7-22: the log is paged, and the combo names templates", async () => {
    const template = await addTemplate();
    const site = await world.addSite();
    await relate(template, [site.id]);
    for (let i = 0; i < 25; i += 1) await issue([template]);
    const second = await get(routerTemplateLogList.path, { templateId: template, page: 2 });
    expect(second.count).toBe(25);
    expect((second.data as Log[]).map(({ version }) => version)).toEqual([
      15, 14, 13, 12, 11, 10, 9, 8, 7, 6,
    ]);
    const choices = (await get(routerTemplateCombo.path, {})).data;
    expect(choices).toContainEqual({ templateId: template, templateName: expect.any(String) });
  });

  test("B-6-13: a user without the remove code is refused by the server", async () => {
    const template = await addTemplate();
    const permissions = permissionCodes.filter((code) => code !== "routerTemplateRemove");
    const token = await api().userToken({ enterpriseId: 1, dataScope: 3, permissions });
    const remove = { ids: String(template) };
    expect(await api().post(routerTemplate.ops.remove.path, remove, token)).toMatchObject({
      code: 403,
    });
    expect(await rowOf(template)).toBeDefined();
  });
});
