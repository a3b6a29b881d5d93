/** What alarms of ten thousand nodes cost: while nothing happens, and when all go offline together. */
import { setTimeout as sleep } from "node:timers/promises";
import { numberOf, until } from "./fleet.ts";
import type { Installation } from "./installation.ts";
import { cpuSeconds } from "./process-usage.ts";
import { type Result, ratioResult } from "./report.ts";
import { alternate, defaultRounds, summarise } from "./rounds.ts";
import { clearAlarms, firstEnterprise, seedNodes } from "./seed.ts";

const nodes = 10_000;
/** Several rounds of the evaluation over all nodes. */
const idleMs = 20_000;
const falls = 3;

/** Nodes in contact under one policy, which watches every node and its line. */
async function seedWatched({ sql }: Installation): Promise<void> {
  await seedNodes(sql, { spaces: 1, cpesOfSpace: nodes - 1 });
  const lines = JSON.stringify([{ interfaceName: "wan1", addressing: "static", up: true }]);
  await sql.query(
    `insert into node_status (node_id, enterprise_id, online, last_seen, lines)
     select id, enterprise_id, true, now(), $1::jsonb from node`,
    [lines],
  );
  await sql.query(`
    with made as (
      insert into alarm_strategy (enterprise_id, name, enabled) values (${firstEnterprise}, 'bench', true)
      returning id)
    insert into alarm_rule (enterprise_id, strategy_id, metric, hysteresis, duration_s, recovery_s,
      level, enabled)
    select ${firstEnterprise}, made.id, metric, 0, 0, 0, 1, true
    from made, unnest(array['node', 'line']) metric`);
  await clearAlarms(sql);
  await sql.query("vacuum analyze");
}

/** CPU milliseconds per second while nothing happens. */
async function idleCost({ sql, pids }: Installation, isWatched: boolean): Promise<number> {
  await sql.query("update alarm_strategy set enabled = $1", [isWatched]);
  // No device is connected: the controller would take them all offline.
  await sql.query("update node_status set last_seen = now()");
  await sleep(2_000);
  const cpu = (): number => cpuSeconds(pids().controller) + cpuSeconds(pids().database);
  const [before, from] = [cpu(), performance.now()];
  await sleep(idleMs);
  return ((cpu() - before) * 1_000_000) / (performance.now() - from);
}

/** Seconds from the commit of the last status until every node has its event. */
async function fall({ sql }: Installation): Promise<number> {
  const open = `select count(*) as n from alarm_event where metric = 'node' and cleared_at is null`;
  await sql.query("update node_status set online = true, last_seen = now()");
  await until(async () => (await numberOf(sql, open)) === 0, "no event is open", 300_000);
  await sql.query("update node_status set online = false");
  const from = performance.now();
  await until(async () => (await numberOf(sql, open)) === nodes, "an event of each node", 300_000);
  return (performance.now() - from) / 1_000;
}

export async function* alarms(installation: Installation): AsyncIterable<Result> {
  await seedWatched(installation);
  const rounds = await alternate(
    () => idleCost(installation, false),
    () => idleCost(installation, true),
  );
  const names = {
    bench: "alarms",
    what: `controller and PostgreSQL while nothing happens, ${nodes} nodes under one alarm policy`,
    yardstick: "the same, the policy disabled",
    unit: "ms CPU per second",
  };
  yield ratioResult(names, summarise(rounds), defaultRounds, null);
  const seconds: number[] = [];
  for (let at = 0; at < falls; at++) seconds.push(await fall(installation));
  const worst = Math.max(...seconds);
  yield {
    bench: "alarms",
    what: `${nodes} nodes go offline together: the last event raised, worst of ${falls}`,
    yardstick: { name: "nodes", value: nodes, unit: "" },
    subject: { value: worst, unit: "s" },
    measured: { value: worst, unit: "s" },
    goal: { atMost: 30 },
    spread: [Math.min(...seconds), worst],
    rounds: falls,
    isVoid: false,
  };
}
