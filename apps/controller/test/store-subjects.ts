/** The two stores of `gateway/store.test.ts`, each with what the battery asks beside the gateway's calls. */

import {
  compareStates,
  type DesiredState,
  type StateHead,
  type StateId,
  toSections,
} from "@weft/contract/device/v1/state.ts";
import { sql, type Transaction } from "kysely";
import { inScope, type Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { assessRemovals } from "#domains/delivery/guard/guard.ts";
import { differences } from "#domains/delivery/history/public.ts";
import * as transitions from "#domains/delivery/lifecycle/transitions.ts";
import { publish } from "#domains/delivery/publish/publish-states.ts";
import { isBlocked } from "#domains/delivery/tasks/rules.ts";
import type { Device } from "#domains/devices/presence/public.ts";
import { databaseStore } from "#gateway/database-store.ts";
import type { GatewayStore } from "#gateway/store.ts";
import { MemoryRows, memoryStore } from "./memory-store.ts";
import * as memory from "./memory-transitions.ts";
import { smallState } from "./small-state.ts";

export interface Template {
  readonly templateId: number;
  readonly version: number;
}

/** With what of it does not act; the objects themselves say nothing here. */
export interface TemplateInState extends Template {
  readonly unmet: { readonly cannot: number; readonly count: number; readonly rows: [] } | null;
}

export interface Subject {
  readonly store: GatewayStore;
  /** @param causes how many changes it came from */
  publish(
    name: number,
    more: { readonly template: TemplateInState | null; readonly causes: number },
  ): Promise<"published" | "held" | "unchanged">;
  /** Each of these does nothing to a state that it is not meant for. */
  release(state: StateId): Promise<unknown>;
  cancel(state: StateId): Promise<unknown>;
  retry(state: StateId): Promise<unknown>;
  issue(template: Template | null): Promise<unknown>;
  cancelIssues(): Promise<unknown>;
  sweep(): Promise<unknown>;
  supersedeEverything(): Promise<unknown>;
  /** Everything that was written before is so much older. */
  pass(seconds: number): Promise<void>;
  /** The installation was restored from a backup. */
  restore(): Promise<void>;
  rows(): Promise<{ readonly states: readonly StoredState[]; readonly status: object | null }>;
}

interface StoredState {
  readonly head: StateHead;
  readonly outcome: string;
  readonly task: number;
}

/** From the last of them to another so many routes are removed that the new one is left pending approval. */
const stateOf = (node: number, name: number): DesiredState => {
  const state = smallState(node, `host-${name}`);
  if (name < 3) return state;
  const routes = Array.from({ length: 20 }, (_, at) => ({
    destination: `10.${at}.0.0/16`,
    nextHop: "10.1.7.254",
    metric: 1,
  }));
  return { ...state, static: { routes } };
};

const oneCause = { cause: "test", requestId: "", own: true, others: 0, spaces: [] };
const causesOf = (count: number) => Array.from({ length: count }, () => oneCause);
/** Seconds that a sweep keeps; no sum of the battery's steps. */
const keptSeconds = { confirmed: 505, others: 205 };

/** @param store of a gateway; several devices may share it */
export function onDatabase(
  pools: Pools<Database>,
  device: Device,
  store: GatewayStore = databaseStore(pools),
): Subject {
  const { node, enterpriseId } = device;
  const { db } = pools.worker;
  const everything = { kind: "all" } as const;
  const inCall = <T>(work: (call: { readonly db: Transaction<Database> }) => Promise<T>) =>
    db.transaction().execute((trx) => work({ db: trx }));
  const find = ({ epoch, serial }: StateId) =>
    db
      .selectFrom("node_state")
      .selectAll()
      .where("node_id", "=", node)
      .where("epoch", "=", epoch)
      .where("serial", "=", serial)
      .executeTakeFirst();
  return {
    store,
    publish: (name, { template, causes }) => {
      const sections = toSections(stateOf(node, name));
      const why = {
        format: new Set<never>(),
        restores: null,
        template,
        cause: "test",
        causes: causesOf(causes),
      };
      const state = { nodeId: node, enterpriseId, sections, ...why, createdBy: 0 };
      return db.transaction().execute(async (trx) => {
        const verdict = (await publish(trx, [state])).get(node);
        if (verdict === undefined) throw new Error("nothing became of the state");
        return verdict;
      });
    },
    async release(id) {
      const row = await find(id);
      if (row?.outcome === "held") await inCall((call) => transitions.releaseState(call, node, id));
    },
    async cancel(id) {
      const task = await db
        .selectFrom("task")
        .selectAll()
        .where("node_id", "=", node)
        .where("epoch", "=", id.epoch)
        .where("serial", "=", id.serial)
        .executeTakeFirst();
      return task ? inCall((call) => transitions.cancelState(call, task, "test")) : null;
    },
    async retry(id) {
      const row = await find(id);
      if (row && isBlocked(row)) await inCall((call) => transitions.retryState(call, node, row));
    },
    async issue(template) {
      if (!template) return;
      const members = [{ node_id: node, node_enterprise_id: enterpriseId }];
      await transitions.openIssueTasks(db, members, { ...template, name: "t", createdBy: 0 });
    },
    cancelIssues: () => transitions.cancelIssueTasks(db, [node]),
    sweep: () => {
      const { confirmed, others } = keptSeconds;
      const keep = { confirmed: `${confirmed} s`, others: `${others} s` };
      return transitions.removeOldStates(db, node, keep);
    },
    async supersedeEverything() {
      await pools.owner.pg.query(transitions.supersedeEverything);
    },
    pass: (seconds) =>
      inScope(pools.apiAll, everything, async (trx) => {
        await sql`update node_state set delivered_at = delivered_at - ${seconds} * interval '1 s',
          created_at = created_at - ${seconds} * interval '1 s',
          ended_at = ended_at - ${seconds} * interval '1 s' where node_id = ${node}`.execute(trx);
        await sql`update node_status set replacements = (
          select coalesce(jsonb_agg(jsonb_set(one, '{at}',
            to_jsonb((one ->> 'at')::bigint - ${seconds * 1_000}::bigint)) order by place), '[]')
          from jsonb_array_elements(replacements) with ordinality as all_of (one, place))
          where node_id = ${node}`.execute(trx);
      }),
    restore: async () => {
      await sql`update installation set epoch = epoch + 1`.execute(pools.owner.db);
    },
    rows: () => databaseRows(pools, node),
  };
}

const databaseRows = (pools: Pools<Database>, node: number): ReturnType<Subject["rows"]> =>
  inScope(pools.apiAll, { kind: "all" }, async (trx) => {
    const { rows } = await sql<Omit<StoredState, "head"> & StateHead>`
      select s.epoch, s.serial, s.sections, s.outcome, s.reason, s.unreachable, s.stopped,
        s.held, s.retries, s.findings, jsonb_array_length(s.causes) as causes,
        case when s.template_id is not null then jsonb_build_object(
          'templateId', s.template_id, 'version', s.template_version,
          'unmet', s.template_unmet) end as template,
        s.delivered_at is not null as "isSent", s.ended_at is not null as "hasEnded",
        t.status as task
      from node_state s join task t on t.node_id = s.node_id and t.serial = s.serial
      where s.node_id = ${node} order by s.epoch, s.serial`.execute(trx);
    const issues = await sql`
      select template_id::int as "templateId", template_version as version, status, unmet
      from task
      where node_id = ${node} and type = 'template' order by id`.execute(trx);
    const status = await sql<object>`
      select online, gateway, session_epoch as "sessionEpoch", running_serial as serial,
        running_digest as digest, socket_address as "socketAddress",
        jsonb_array_length(replacements) as replacements from node_status
      where node_id = ${node}`.execute(trx);
    const states = rows.map(({ epoch, serial, sections, ...row }) => ({
      ...row,
      head: { epoch, serial, sections },
    }));
    return { states, issues: issues.rows, status: status.rows[0] ?? null };
  });

/** By the compiler's rule; nothing of the battery has a cause that accounts for a removal. */
function isHeld(rows: MemoryRows, node: number, state: DesiredState): boolean {
  const { states, sections } = rows.of(node);
  const base = states.findLast(({ held }) => !held);
  if (!base) return false;
  const named = Object.entries(base.head.sections);
  const before = new Map(named.map(([name, hash]) => [name, sections.get(hash)] as const));
  const found = differences(before, toSections(state));
  return assessRemovals({ nodeId: node, found, causes: [], rows: [], nowMs: Date.now() }).held;
}

export function inMemory(device: Device, epoch: number): Subject {
  let now = 1_000_000;
  const rows = new MemoryRows(() => now);
  rows.epoch = epoch;
  const { node, publicKey, enterpriseId, sn } = device;
  rows.addNode(node, { publicKey, enterpriseId, sn, state: "approved" });
  const life = rows.of(node);
  const find = (id: StateId) => life.states.find(({ head }) => compareStates(head, id) === 0);
  return {
    store: memoryStore(rows),
    publish: async (name, { template, causes }) => {
      const state = stateOf(node, name);
      const held = isHeld(rows, node, state);
      const more = { held, template, causes: causesOf(causes) };
      if (rows.publish(node, state, more) === null) return "unchanged";
      return held ? "held" : "published";
    },
    release: async (id) => {
      const row = find(id);
      if (row?.outcome === "held") memory.releaseState(life, row);
    },
    cancel: async (id) => {
      const row = find(id);
      return row ? memory.cancelState(life, row, "test") : null;
    },
    retry: async (id) => {
      const row = find(id);
      if (row && isBlocked(row)) memory.retryState(life, row);
    },
    issue: async (template) => {
      if (template) memory.openIssueTasks(life, template);
    },
    cancelIssues: async () => memory.cancelIssueTasks(life),
    sweep: async () => {
      const { confirmed, others } = keptSeconds;
      memory.removeOldStates(life, { confirmed: confirmed * 1_000, others: others * 1_000 });
    },
    supersedeEverything: async () => memory.supersedeEverything([...rows.nodes.values()]),
    pass: async (seconds) => {
      now += seconds * 1_000;
    },
    restore: async () => {
      rows.epoch += 1;
    },
    rows: async () => memoryRows(rows, node),
  };
}

function memoryRows(all: MemoryRows, node: number) {
  const { states, issues, status } = all.of(node);
  return {
    issues: issues.map((issue) => ({ ...issue })),
    states: states.map(({ digest: _, createdAt: _at, deliveredAt, endedAt, causes, ...row }) => ({
      ...row,
      causes: causes.length,
      isSent: deliveredAt !== null,
      hasEnded: endedAt !== null,
    })),
    status: status && {
      online: status.online,
      gateway: status.gateway,
      sessionEpoch: status.sessionEpoch,
      serial: status.running?.serial ?? null,
      digest: status.running?.digest ?? null,
      socketAddress: status.socketAddress,
      replacements: status.replacements.length,
    },
  };
}
