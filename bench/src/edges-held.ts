/** Memory of the gateway's process per edge, and how fast edges are admitted, against bare `ws`. */
import { setTimeout as sleep } from "node:timers/promises";
import { startBare } from "./child.ts";
import type { Installation } from "./installation.ts";
import { connectAll, type LightEdge, seedLightEdges } from "./light-edges.ts";
import { residentBytes } from "./process-usage.ts";
import { type Result, ratioResult } from "./report.ts";
import { alternate, defaultRounds, type Round, summarise } from "./rounds.ts";

/** Held while memory is measured; a number before it, so that code is compiled and pools are open. */
const held = 4_000;
const before = 300;
/** Time in which reports are worked on and garbage goes. */
const settleMs = 4_000;

interface Taken {
  readonly bytesEach: number;
  readonly rate: number;
}

/** Connects edges to a server that has served some already; gives what the rest cost. */
async function take(port: number, pid: number, edges: readonly LightEdge[]): Promise<Taken> {
  const first = await connectAll(port, edges.slice(0, before));
  await sleep(settleMs);
  const from = residentBytes(pid);
  const rest = await connectAll(port, edges.slice(before));
  await sleep(settleMs);
  const bytesEach = (residentBytes(pid) - from) / (edges.length - before);
  first.close();
  rest.close();
  return { bytesEach, rate: rest.rate };
}

const roundsOf = (yardstick: Taken[], subject: Taken[], value: (taken: Taken) => number): Round[] =>
  yardstick.map((one, at) => ({
    yardstick: value(one),
    subject: value(subject[at] as Taken),
  }));

/** Both servers are new in every round: memory that a process once took it seldom gives back. */
export async function edgesHeld(installation: Installation): Promise<Result[]> {
  const { sql, port, folder } = installation;
  const edges = await seedLightEdges(sql, before + held);
  const bare: Taken[] = [];
  const ours: Taken[] = [];
  await alternate(
    async () => {
      const server = await startBare("bare-ws.ts", folder);
      bare.push(await take(server.port, server.pid, edges));
      await server.stop("SIGKILL");
      return bare.length;
    },
    async () => {
      await installation.stopController("SIGKILL");
      await installation.startController();
      ours.push(await take(port, installation.pids().controller, edges));
      return ours.length;
    },
  );
  const names = { bench: "edges", yardstick: "bare ws, no TLS either" };
  const memory = roundsOf(bare, ours, ({ bytesEach }) => bytesEach / 1_024);
  const rate = roundsOf(bare, ours, (taken) => taken.rate);
  return [
    ratioResult(
      { ...names, what: `memory an authenticated edge, ${held} held`, unit: "KiB" },
      summarise(memory),
      defaultRounds,
      { atMost: 4 },
    ),
    ratioResult(
      { ...names, what: "edges admitted, both ends proven, presence written", unit: "edges/s" },
      summarise(rate),
      defaultRounds,
      { atLeast: 0.5 },
    ),
  ];
}
