/**
 * A template on its way to several devices while everything goes wrong that may go wrong: answers come
 * late and in another order, the controller restarts, one device is away, one is published to twice, one
 * undoes what it confirmed. Each task has to end as the state did that brought its version.
 */
import type { StateHead } from "@weft/contract/device/v1/state.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import {
  routerTemplate,
  routerTemplateIssue,
  routerTemplateLogList,
  routerTemplateRelAdd,
} from "@weft/contract/domains/templates/router-template.ts";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type FakeEdge, type Line, runningOf } from "../../../../test/fake-edge.ts";
import { eventually, type LoopWorld, loopWorld, type Site } from "../../../../test/loop-world.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";

/** Four devices through two restarts, on a busy machine. */
const longMs = 120_000;
const status = { notStarted: 0, completed: 1, failed: 2, cancelled: 3, pulled: 4 } as const;

let world: LoopWorld;
let made = 0;
const devices: Device[] = [];
beforeAll(async () => {
  world = await loopWorld({ settleMs: 200 });
  await world.startWorker();
}, 60_000);
afterEach(() => {
  for (const device of devices.splice(0)) device.leave();
});
afterAll(() => world.close());

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const drift = { steps: 0, hash: "0".repeat(64) };

/** A device that follows its states by itself, each time in another order and after another delay. */
class Device {
  readonly site: Site;
  readonly #edge: FakeEdge;
  /** Ms that its answers take; the same ones in every run. */
  readonly #delays: readonly number[];
  #at = 0;
  /** States that it was sent. */
  heads = 0;
  #line: Line | null = null;
  #isHere = true;
  #running: ReturnType<typeof runningOf> | null = null;
  /** The next state is applied and confirmed, and rolled back because the answer was not received. */
  takesBack = false;

  constructor(site: Site, edge: FakeEdge, delays: readonly number[]) {
    this.site = site;
    this.#edge = edge;
    this.#delays = delays;
    devices.push(this);
  }

  #late(): Promise<unknown> {
    this.#at += 1;
    return pause(this.#delays[this.#at % this.#delays.length] ?? 0);
  }

  /** Runs until it leaves; a lost connection is opened again. */
  async run(): Promise<void> {
    while (this.#isHere) {
      // The controller is away, or goes away meanwhile.
      const line = await this.#edge.connect().catch(() => null);
      if (line) await this.#session(line);
      await pause(50);
    }
  }

  leave(): void {
    this.#isHere = false;
    this.#line?.socket.close();
  }

  async #session(line: Line): Promise<void> {
    this.#line = line;
    if (!this.#isHere) line.socket.close();
    line.send(this.#edge.report({ running: this.#running }));
    await line.follow("head", ({ head }) => this.#take(line, head));
  }

  async #take(line: Line, head: StateHead): Promise<void> {
    const { epoch, serial } = head;
    this.heads += 1;
    await this.#late();
    line.send({ type: "need", epoch, serial, sections: Object.values(head.sections) });
    await line.seek("sections");
    // The confirmation travels on a connection of its own: it may overtake what the socket carries.
    const reported = this.#late().then(() =>
      line.send({ type: "outcome", epoch, serial, outcome: "applied", reason: null }),
    );
    const confirmed = this.#late().then(() => this.#confirm(head));
    await Promise.all([reported, confirmed]);
    if (this.takesBack) {
      this.takesBack = false;
      const reason = "no confirmation";
      line.send({ type: "outcome", epoch, serial, outcome: "reverted", reason, unreachable: true });
      return;
    }
    this.#running = runningOf(head);
    line.send({ type: "heartbeat", running: this.#running, drift });
  }

  /** As a device does: again and again while the controller is away. */
  async #confirm(head: StateHead): Promise<void> {
    const answer = await this.#edge.confirm(head).catch(() => null);
    if (answer?.status === 200 || !this.#isHere) return;
    if (answer?.status === 403) throw new Error(`refused: ${JSON.stringify(answer.body)}`);
    await pause(100);
    await this.#confirm(head);
  }
}

const device = async (...delays: number[]): Promise<Device> => {
  const site = await world.addSite();
  return new Device(site, await world.enrolled(site), delays);
};
const get = async (path: string, query: object) => {
  const answer = await world.api.get(path, query, world.admin);
  expect(answer).toMatchObject({ code: 0 });
  return answer.data as { cpeId: number; version: number; status: number }[];
};
/** A new template with these devices in it. */
const templateOf = async (...members: readonly Device[]): Promise<number> => {
  made += 1;
  const fields = { templateName: `M-${made}`, remark: "" };
  const id = newIdOf(await world.post(routerTemplate.ops.add.path, fields));
  const cpeIds = members.map(({ site }) => site.id).join();
  await world.post(routerTemplateRelAdd.path, { templateId: id, cpeIds });
  return id;
};
const issue = (templateId: number) => get(routerTemplateIssue.path, { templateId });
/** CPE and version -> state of the task. */
const tasksOf = async (templateId: number) =>
  Object.fromEntries(
    (await get(routerTemplateLogList.path, { templateId, limit: 1_000 })).map((one) => [
      `${one.cpeId} #${one.version}`,
      one.status,
    ]),
  );
const until = (templateId: number, wanted: (tasks: Record<string, number>) => boolean) =>
  eventually(
    async () => wanted(await tasksOf(templateId)),
    `tasks of template ${templateId}`,
    longMs,
  );
const finishedOf = async (templateId: number) => {
  const rows = (await get(routerTemplate.ops.list.path, { size: 1_000 })) as unknown as {
    templateId: number;
    cpeFinishNum: number;
  }[];
  return rows.find((row) => row.templateId === templateId)?.cpeFinishNum;
};
const addLan = (cpeId: number) => {
  made += 1;
  const ids = { groupid: 1, cpeId, popId: 0 };
  const replaced = { network: `10.78.${made}.1/24`, network6: "" };
  return world.post(lanSection.ops.add.path, wireDraft("lansection", "valid", ids, replaced));
};

test("every task ends with its state, through delays, a restart and an absence", async () => {
  const here = await Promise.all([
    device(0),
    device(30, 5, 90),
    device(400, 10, 250),
    device(5, 300, 1, 150, 700),
  ]);
  const away = await device(20);
  const templateId = await templateOf(...here, away);
  const runs = here.map((one) => one.run());
  // Each issue falls into states that are under way, and so does the restart after it.
  for (let round = 0; round < 2; round += 1) {
    await issue(templateId);
    await Promise.all(here.map(({ site }) => addLan(site.id)));
    const sent = here.map(({ heads }) => heads);
    const isMoreSent = async () => here.some(({ heads }, at) => heads > (sent[at] ?? 0));
    await eventually(isMoreSent, "a state on its way", longMs);
    await world.restart();
  }
  await until(
    templateId,
    (tasks) =>
      here.every(({ site }) => tasks[`${site.id} #2`] === status.completed) &&
      tasks[`${away.site.id} #1`] === status.cancelled,
  );
  const tasks = await tasksOf(templateId);
  for (const { site } of here) {
    expect([status.completed, status.cancelled]).toContain(tasks[`${site.id} #1`]);
  }
  expect(tasks[`${away.site.id} #2`]).toBe(status.notStarted);
  expect(await finishedOf(templateId)).toBe(here.length);
  const run = away.run();
  await until(templateId, (now) => now[`${away.site.id} #2`] === status.completed);
  expect(await finishedOf(templateId)).toBe(here.length + 1);
  for (const { site } of [...here, away]) {
    // New capabilities in a report, as in the first one of a device, have its node compiled again.
    await expect
      .poll(async () => {
        const { desired, compiling } = await world.stateOf(site.id);
        return [site.id, desired?.outcome, compiling];
      })
      .toEqual([site.id, "confirmed", false]);
  }
  for (const one of [...here, away]) one.leave();
  await Promise.all([...runs, run]);
}, 600_000);

test("a state rolled back after its confirmation fails the issue until the retry is confirmed", async () => {
  const one = await device(10, 40);
  one.takesBack = true;
  const templateId = await templateOf(one);
  await issue(templateId);
  const run = one.run();
  await until(templateId, (tasks) => tasks[`${one.site.id} #1`] === status.failed);
  expect(await finishedOf(templateId)).toBe(0);
  // The state goes once more after ten minutes.
  await sql`update weft.node_state set ended_at = ended_at - interval '11 minutes'
    where node_id = ${one.site.id} and outcome = 'reverted'`.execute(world.pools.owner.db);
  await until(templateId, (tasks) => tasks[`${one.site.id} #1`] === status.completed);
  expect(await finishedOf(templateId)).toBe(1);
  one.leave();
  await run;
}, 300_000);

test("what the device runs again contains the version: the issue stays completed", async () => {
  const one = await device(10);
  const templateId = await templateOf(one);
  await issue(templateId);
  const run = one.run();
  await until(templateId, (tasks) => tasks[`${one.site.id} #1`] === status.completed);
  one.takesBack = true;
  await addLan(one.site.id);
  await eventually(
    async () => (await world.stateOf(one.site.id)).desired?.outcome === "reverted",
    "undone",
    longMs,
  );
  expect(await tasksOf(templateId)).toEqual({ [`${one.site.id} #1`]: status.completed });
  one.leave();
  await run;
}, 300_000);
