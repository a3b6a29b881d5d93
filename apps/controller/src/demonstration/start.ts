import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { login } from "@weft/contract/calls/session.ts";
import { callerOf } from "@weft/contract/kernel/client.ts";
import { cpe } from "@weft/contract/resources/cpe.ts";
import { pop } from "@weft/contract/resources/pop.ts";
import type { Logger } from "pino";
import type { Measures } from "#measures/open.ts";
import { writePastDay } from "./day.ts";
import { seedDemonstration } from "./seed.ts";

export interface DemonstrationInput {
  readonly url: string;
  readonly dataDir: string;
  /** Password of `admin`, where this start knows it; needed once, to make the rows. */
  readonly password: string | null;
  readonly logger: Logger;
  readonly measures: Measures;
}

/** The edge program beside this one: the simulated boxes are real edges with other drivers. */
const edgeProgram = fileURLToPath(new URL("../../../edge/src/main.ts", import.meta.url));

/** A fleet that keeps failing is not started again and again at full speed. */
const restartAfterMs = 3_000;

/** @returns ids of the nodes that it made; none when they were there before. */
async function makeFleetFile(input: DemonstrationInput, file: string): Promise<number[]> {
  if (existsSync(file)) return [];
  if (input.password === null) {
    input.logger.warn("the demonstration has no fleet: its first start was cut short");
    return [];
  }
  let token: string | null = null;
  const call = callerOf(input.url, () => token);
  const credentials = { loginName: "admin", password: input.password, sms: null };
  const { data } = await call(login, credentials);
  token = data.token;
  const boxes = await seedDemonstration(call, data.groupid);
  // Renamed when whole: a start that was cut short leaves no half fleet behind.
  await writeFile(`${file}.new`, JSON.stringify(boxes), { mode: 0o600 });
  await rename(`${file}.new`, file);
  const nodes = [await call(pop.ops.combo, {}), await call(cpe.ops.combo, {})];
  return nodes.flatMap((found) => found.data.map(({ id }) => id));
}

/**
 * Makes the demonstration's rows on its first start and runs its simulated boxes in a child.
 * @returns ends the child.
 */
export async function startDemonstration(
  input: DemonstrationInput,
): Promise<{ close(): Promise<void> }> {
  const folder = join(input.dataDir, "demonstration");
  const file = join(folder, "fleet.json");
  await mkdir(folder, { recursive: true });
  const made = await makeFleetFile(input, file);
  if (!existsSync(file)) return { close: async () => undefined };
  const history = new AbortController();
  const fleet = keepRunning(
    ["simulate", "--fleet", file, "--data", join(folder, "edges")],
    input.logger,
  );
  if (made.length > 0) void showPastDay(input, made, history.signal);
  return {
    async close() {
      history.abort();
      await fleet.close();
    },
  };
}

/** Charts have a day to show: the boxes' first figures are continued into the past. */
async function showPastDay(
  { measures, logger }: DemonstrationInput,
  nodeIds: readonly number[],
  signal: AbortSignal,
): Promise<void> {
  try {
    const rows = await writePastDay(measures.store, nodeIds, { signal });
    logger.info({ rows }, "the demonstration's past day is written");
  } catch (error) {
    logger.warn({ err: error }, "the demonstration has no past day");
  }
}

function keepRunning(args: readonly string[], logger: Logger) {
  let ending = false;
  let timer: NodeJS.Timeout | undefined;
  let child: ChildProcess;
  const start = () => {
    child = spawn(process.execPath, [edgeProgram, ...args], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    child.stderr?.on("data", (text) =>
      logger.warn({ edges: String(text).trim() }, "simulated fleet"),
    );
    child.on("exit", (code, signal) => {
      if (ending) return;
      logger.warn({ code, signal }, "simulated fleet ended; starting it again");
      timer = setTimeout(start, restartAfterMs);
    });
  };
  start();
  return {
    async close() {
      ending = true;
      clearTimeout(timer);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      child.kill("SIGTERM");
      await gone;
    },
  };
}
