/** Values from the socket of a device to the disk, against rows sent straight to the store. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { FromController } from "@weft/contract/device/v1/messages.ts";
import type { WebSocket } from "ws";
import { printed, startChild } from "./child.ts";
import type { Installation } from "./installation.ts";
import { connectAll, seedLightEdges, seedMetrics } from "./light-edges.ts";
import { type Result, ratioResult } from "./report.ts";
import { alternate, defaultRounds, summarise } from "./rounds.ts";
import { within } from "./waiting.ts";

const defaultEdges = 1_500;
/** Rows of one message: the node, two lines, and a link of each line with each of six POPs. */
const lines = ["wan1", "wan2"];
const popsOfSpace = 6;
const links = lines.length * popsOfSpace;
/** What a device kept while it had no contact is this old. */
const backlogMs = 60_000;
const rowsPerMessage = 1 + lines.length + links;
const warmMs = 1_500;
const ms = 5_000;

/** Runs the bare store on a folder and gives the value that it says. */
async function bareStore(folder: string, table = ""): Promise<number> {
  const own = mkdtempSync(join(folder, "..", "weft-bench-store-"));
  const log = join(own, "log");
  const program = join(import.meta.dirname, "bare-store.ts");
  const target = table === "" ? join(own, "data") : join(folder, "measures");
  const child = startChild([program, target, ...(table === "" ? [] : [table])], log);
  try {
    return Number(await printed(log, /(?:rate|rows) ([\d.]+)/));
  } finally {
    await child.stop("SIGKILL");
    rmSync(own, { recursive: true, force: true });
  }
}

/** A device that sends its next message as soon as the last one is kept, as one with a full spool does. */
class Sender {
  readonly #socket: WebSocket;
  readonly #boot = randomBytes(18).toString("base64url");
  readonly #tail: string;
  #sequence = 0;
  #isSending = false;
  #isUnderWay = false;
  kept = 0;

  constructor(socket: WebSocket, ids: readonly number[]) {
    this.#socket = socket;
    const now = Date.now();
    const line = (interfaceName: string) => ({ interfaceName, inRate: 4e6, outRate: 5e5 });
    const link = (id: number, at: number) => ({
      id,
      rttMs: 20.5 + at,
      jitterMs: 1.5,
      lossPercent: 0,
      inRate: 3e5,
      outRate: 2e5,
    });
    const results = {
      at: now - backlogMs,
      sentAt: now,
      dropped: 0,
      lines: lines.map(line),
      links: ids.map(link),
      cpuPercent: 12.5,
      memoryPercent: 40,
    };
    this.#tail = `,${JSON.stringify(results).slice(1)}`;
    socket.on("message", (data) => this.#take(JSON.parse(String(data)) as FromController));
  }

  start(): void {
    this.#isSending = true;
    this.#send();
  }

  /** Sends no more; resolves once what is under way is kept. */
  async stop(): Promise<void> {
    this.#isSending = false;
    while (this.#isUnderWay) await sleep(20);
  }

  #send(): void {
    this.#isUnderWay = true;
    this.#sequence += 1;
    const head = { type: "metrics", boot: this.#boot, sequence: this.#sequence };
    this.#socket.send(JSON.stringify(head).slice(0, -1) + this.#tail);
  }

  #take(message: FromController): void {
    if (message.type !== "metricsAck") return;
    this.kept += 1;
    this.#isUnderWay = false;
    if (this.#isSending) this.#send();
  }
}

const keptBy = (senders: readonly Sender[]): number =>
  senders.reduce((sum, { kept }) => sum + kept, 0) * rowsPerMessage;

/** Rows per second that were acknowledged, which is after they were durable. */
async function ownRate(senders: readonly Sender[]): Promise<number> {
  for (const sender of senders) sender.start();
  await sleep(warmMs);
  const [from, before] = [performance.now(), keptBy(senders)];
  await sleep(ms);
  const rate = (keptBy(senders) - before) / ((performance.now() - from) / 1_000);
  // What is under way comes to its end, so that it does not weigh on the yardstick.
  const ended = Promise.all(senders.map((sender) => sender.stop()));
  await within("the acknowledgements of what was sent", 120_000, ended);
  return rate;
}

/** @throws Error when the store does not hold exactly what was acknowledged */
export async function telemetry(
  installation: Installation,
  edges = defaultEdges,
): Promise<Result[]> {
  const { sql, port, folder } = installation;
  const devices = await seedLightEdges(sql, edges);
  const probed = await seedMetrics(sql, devices, lines, popsOfSpace);
  const connected = await connectAll(port, devices);
  const senders = connected.sockets.map((socket, at) => new Sender(socket, probed[at] ?? []));
  const rounds = await alternate(
    () => bareStore(folder),
    () => ownRate(senders),
  );
  const acknowledged = keptBy(senders);
  connected.close();
  await installation.stopController("SIGTERM");
  const stored = await bareStore(folder, "measure");
  if (stored !== acknowledged) {
    throw new Error(`${acknowledged} rows were acknowledged, ${stored} are stored`);
  }
  const names = {
    bench: "telemetry",
    what: `values of ${edges} edges, socket to durable with roll-ups`,
    yardstick: "JSONEachRow straight into the engine, no roll-ups",
    unit: "rows/s",
  };
  return [ratioResult(names, summarise(rounds), defaultRounds, { atLeast: 0.4 })];
}
