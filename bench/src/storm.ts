/** The controller is killed under its fleet and comes back: when is the last edge back, and what did it cost? */
import { setTimeout as sleep } from "node:timers/promises";
import { numberOf, until } from "./fleet.ts";
import type { Installation } from "./installation.ts";
import type { Result } from "./report.ts";

const storms = 3;
/** Ms after which an edge takes its connection to be steady; one that falls sooner is followed by growing pauses. */
export const steadyMs = 35_000;

interface Storm {
  readonly seconds: number;
  readonly compiled: number;
}

async function storm(installation: Installation): Promise<Storm> {
  const { sql } = installation;
  const states = "select count(*) as n from node_state";
  const epochs = "select sum(session_epoch) as n from node_status";
  const edges = await numberOf(sql, "select count(*) as n from node_status where online");
  const [before, sockets] = [await numberOf(sql, states), await numberOf(sql, epochs)];
  const from = performance.now();
  await installation.stopController("SIGKILL");
  await installation.startController();
  // Every socket of the new process has an epoch of its own: rows that still say online do not count.
  const back = `select count(*) as n from node_status where online
    and gateway = (select gateway from node_status order by last_seen desc limit 1)`;
  await until(
    async () =>
      (await numberOf(sql, epochs)) >= sockets + edges && (await numberOf(sql, back)) === edges,
    "all edges back",
    300_000,
  );
  const seconds = (performance.now() - from) / 1_000;
  return { seconds, compiled: (await numberOf(sql, states)) - before };
}

/** @param installation one whose fleet is connected and confirmed */
export async function reconnectStorm(installation: Installation): Promise<Result[]> {
  const all: Storm[] = [];
  for (let at = 0; at < storms; at++) {
    await sleep(steadyMs);
    all.push(await storm(installation));
  }
  const edges = await numberOf(installation.sql, "select count(*) as n from node_status");
  const result = (
    what: string,
    values: readonly number[],
    unit: string,
    atMost: number,
  ): Result => {
    const worst = Math.max(...values);
    return {
      bench: "storm",
      what: `kill -9 under ${edges} edges, ${what}, worst of ${storms}`,
      yardstick: { name: "edges", value: edges, unit: "" },
      subject: { value: worst, unit },
      measured: { value: worst, unit },
      goal: { atMost },
      spread: [Math.min(...values), worst],
      rounds: storms,
      isVoid: false,
    };
  };
  return [
    result(
      "start of the controller included: all back",
      all.map(({ seconds }) => seconds),
      "s",
      90,
    ),
    result(
      "states compiled again",
      all.map(({ compiled }) => compiled),
      "",
      0,
    ),
  ];
}
