/** Templates whose versions go out in waves, on the real controller with devices that follow. */
import { policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import * as rollouts from "@weft/contract/domains/templates/rollout.ts";
import * as templates from "@weft/contract/domains/templates/router-template.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import { pino } from "pino";
import { expect } from "vitest";
import { createWaves } from "#domains/templates/rollout/public.ts";
import { FollowingEdge } from "./following-edge.ts";
import { type LoopWorld, loopWorld } from "./loop-world.ts";
import { newIdOf } from "./tenants.ts";

type Rollout = OutputOf<typeof rollouts.routerTemplateRolloutList>[number];
type Shown = OutputOf<typeof rollouts.routerTemplateRolloutMembers>[number];

const family = "routerConnlimit";
const patience = { timeout: 60_000, interval: 50 };
const verbs = {
  goOn: rollouts.routerTemplateRolloutGoOn,
  halt: rollouts.routerTemplateRolloutHalt,
  rollBack: rollouts.routerTemplateRolloutRollBack,
};

export class WavesWorld {
  readonly world: LoopWorld;
  readonly #devices: FollowingEdge[] = [];
  #made = 0;

  private constructor(world: LoopWorld) {
    this.world = world;
  }

  static async start(): Promise<WavesWorld> {
    const world = await loopWorld();
    await world.startWorker();
    return new WavesWorld(world);
  }

  async close(): Promise<void> {
    for (const device of this.#devices) device.leave();
    await this.world.close();
  }

  /** Devices that carry the objects of these templates out, in the order of their waves. */
  async fleet(count: number): Promise<FollowingEdge[]> {
    const made = await Promise.all(
      Array.from({ length: count }, () => FollowingEdge.at(this.world, family)),
    );
    this.#devices.push(...made);
    for (const { id } of made) {
      await expect
        .poll(async () => (await this.world.stateOf(id)).confirmed, patience)
        .not.toBeNull();
    }
    return made.toSorted((a, b) => a.id - b.id);
  }

  async templateOf(members: readonly { readonly id: number }[]): Promise<number> {
    this.#made += 1;
    const fields = { templateName: `W-${this.#made}`, remark: "" };
    const { world } = this;
    const templateId = newIdOf(await world.post(templates.routerTemplate.ops.add.path, fields));
    const cpeIds = members.map(({ id }) => id).join();
    await world.post(templates.routerTemplateRelAdd.path, { templateId, cpeIds });
    return templateId;
  }

  addObject(templateId: number, name = "guests") {
    const { path = "" } = policyFamily(family).template.resource.ops.add ?? {};
    const fields = { templateId, name, enable: 1, maxConnections: 100 };
    return this.world.post(path, { ...fields, ipgroupId: "", maxNewPerSecond: "", remark: "" });
  }

  /** To all CPEs at the same time. */
  publish(templateId: number) {
    return this.#get(templates.routerTemplateIssue.path, { templateId });
  }

  /** In waves, of which none is over before a test has it so (`age`). */
  async startWaves(templateId: number, plan: object = {}): Promise<number> {
    const fields = { templateId, waves: "1", soak: 3_600, grace: 5, ...plan };
    const { data } = await this.world.post(rollouts.routerTemplateRolloutStart.path, fields);
    return (data as { rolloutIds: number[] }).rolloutIds[0] ?? 0;
  }

  /** One step beside the worker's, so that a test does not wait for its turn. */
  step(): Promise<number> {
    return createWaves(this.world.pools, pino({ level: "silent" })).run();
  }

  /** As if its CPEs had been observed for two hours. */
  age(rolloutId: number) {
    return this.rows(sql`update weft.template_rollout_node
      set steady_since = steady_since - interval '2 hours',
        started_at = started_at - interval '2 hours' where rollout_id = ${rolloutId}`);
  }

  async decide(verb: keyof typeof verbs, rolloutId: number): Promise<void> {
    await this.world.post(verbs[verb].path, { rolloutId });
  }

  async rollout(templateId: number): Promise<Rollout> {
    await this.step();
    const path = rollouts.routerTemplateRolloutList.path;
    return (await this.#get<Rollout[]>(path, { templateId }))[0] as Rollout;
  }

  async member(rolloutId: number, { id }: { readonly id: number }): Promise<Shown | undefined> {
    await this.step();
    const path = rollouts.routerTemplateRolloutMembers.path;
    const rows = await this.#get<Shown[]>(path, { rolloutId, limit: 100 });
    return rows.find(({ cpeId }) => cpeId === id);
  }

  untilMember(rolloutId: number, device: { readonly id: number }, fields: object) {
    return expect.poll(() => this.member(rolloutId, device), patience).toMatchObject(fields);
  }

  untilRollout(templateId: number, fields: object) {
    return expect.poll(() => this.rollout(templateId), patience).toMatchObject(fields);
  }

  /** The tasks of a template on a CPE, the newest first. */
  async log(templateId: number, { id }: { readonly id: number }) {
    const path = templates.routerTemplateLogList.path;
    const query = { templateId, limit: 100 };
    const rows = await this.#get<OutputOf<typeof templates.routerTemplateLogList>>(path, query);
    return rows
      .filter(({ cpeId }) => cpeId === id)
      .map(({ version, status }) => ({ version, status }));
  }

  untilLog(templateId: number, device: { readonly id: number }, newest: object) {
    return expect
      .poll(async () => (await this.log(templateId, device))[0], patience)
      .toMatchObject(newest);
  }

  /** Rows of a statement of the owner of the tables. */
  async rows<Row>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> {
    return (await query.execute(this.world.pools.owner.db)).rows;
  }

  async #get<Data>(path: string, query: object): Promise<Data> {
    const answer = await this.world.api.get(path, query, this.world.admin);
    expect(answer).toMatchObject({ code: 0 });
    return answer.data as Data;
  }
}
