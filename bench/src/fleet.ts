/** A thousand simulated edges: the edge program itself, many in one process, over TLS. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { type Child, root, startChild } from "./child.ts";
import type { Installation } from "./installation.ts";
import { type Network, seedClaims, seedNodes, seedSpaces } from "./seed.ts";
import { waitingFor } from "./waiting.ts";

/** Ms that a step of the start of a fleet may take, on a machine with other work. */
const stepMs = 1_200_000;

/**
 * Checks until it holds.
 * @throws Error when it does not within `limitMs`
 */
export async function until(
  holds: () => Promise<boolean>,
  what: string,
  limitMs: number,
): Promise<void> {
  await waitingFor(`waits for ${what}`, async () => {
    const end = performance.now() + limitMs;
    while (!(await holds())) {
      if (performance.now() > end) throw new Error(`not within ${limitMs} ms: ${what}`);
      await sleep(50);
    }
  });
}

/** One number that a statement gives. */
export async function numberOf(
  sql: pg.Pool,
  text: string,
  values: unknown[] = [],
): Promise<number> {
  const { rows } = await sql.query<{ n: string }>(text, values);
  return Number(rows[0]?.n);
}

/** True when there is nothing left to compile. */
export const isCompiled = async (sql: pg.Pool): Promise<boolean> =>
  (await numberOf(
    sql,
    "select (select count(*) from change where not done) + (select count(*) from compile_mark) as n",
  )) === 0;

/** True when every node's newest state is confirmed. */
export const isConfirmed = async (sql: pg.Pool): Promise<boolean> =>
  (await isCompiled(sql)) &&
  (await numberOf(
    sql,
    `select count(*) as n from node left join lateral (
       select outcome from node_state where node_id = node.id
       order by epoch desc, serial desc limit 1) newest on true
     where newest.outcome is distinct from 'confirmed'`,
  )) === 0;

/**
 * Seeds the network and starts an edge for every node; joins them in their spaces once all are
 * online, as an operator does, and waits until each has confirmed its state.
 */
export async function startFleet(installation: Installation, network: Network): Promise<Child> {
  const { folder, sql, edgePort } = installation;
  await seedNodes(sql, network);
  const file = join(folder, "fleet.json");
  const devices = await seedClaims(sql, [`wss://127.0.0.1:${edgePort}`]);
  writeFileSync(file, JSON.stringify(devices), { mode: 0o600 });
  const data = join(folder, "edges");
  mkdirSync(data, { recursive: true });
  const program = join(root, "apps/edge/src/main.ts");
  const args = [program, "simulate", "--fleet", file, "--data", data, "--log-level", "error"];
  const fleet = startChild(args, join(folder, "fleet.log"));
  try {
    const online = "select count(*) as n from node_status where online";
    await until(
      async () => (await numberOf(sql, online)) === devices.length,
      "all edges online",
      stepMs,
    );
    await until(() => isCompiled(sql), "all reports worked on", stepMs);
    await seedSpaces(sql, network);
    await until(() => isConfirmed(sql), "all states confirmed", stepMs);
    await sql.query("vacuum analyze");
    return fleet;
  } catch (error) {
    await fleet.stop();
    throw error;
  }
}
