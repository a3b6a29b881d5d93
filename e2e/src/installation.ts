import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endingWithCaller } from "@weft/lab/command.ts";
import { root } from "@weft/lab/world.ts";
import { copyPrepared, preparedFolder } from "./prepared.ts";

/** Where an installation is, and the first administrator's password. */
export interface Reached {
  readonly url: string;
  readonly password: string;
}

/** What `npm start` runs, with a data folder and ports of its own. */
export interface Installation extends Reached {
  readonly process: ChildProcess;
  close(): Promise<void>;
}

/** A free port, below those that systems assign by themselves. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

type Env = Readonly<Record<string, string>>;

const password = "e2e-start1";
const demonstration = "tools/src/start.ts";
const ownFolder = (): string => mkdtempSync(join(tmpdir(), "weft-start-"));

/** Starts the demonstration as `npm start` does for the first time, and waits until it says where it is. */
export const startInstallation = async (env: Env = {}): Promise<Installation> =>
  start(launch(demonstration, env, ownFolder(), await freePort()));

/** Starts an empty installation with these settings, with the console as it was built last. */
export const startEmpty = async (env: Env): Promise<Installation> =>
  start(launch("apps/controller/src/main.ts", env, ownFolder(), await freePort()));

/**
 * Starts a demonstration that has been there for a while: a copy of the prepared one, which costs a
 * fraction of a first start. Where `npm test` has prepared none, this is a first start.
 */
export async function startDemonstration(env: Env = {}): Promise<Installation> {
  const prepared = preparedFolder();
  if (prepared === undefined) return startInstallation(env);
  const [folder, edgePort] = [ownFolder(), await freePort()];
  await copyPrepared(prepared, folder, `wss://127.0.0.1:${edgePort}`);
  return start(launch(demonstration, env, folder, edgePort));
}

/**
 * Makes what `startDemonstration` copies: rows and their past, and devices that run their states.
 * @param signal gives it up. The program has ended by then, so that another attempt finds the folder free.
 */
export async function prepareDemonstration(folder: string, signal: AbortSignal): Promise<void> {
  const launched = launch(demonstration, { WEFT_LOG_LEVEL: "info" }, folder, await freePort());
  const { child } = launched;
  const shown = ["past is written", "nodes have a history"];
  const given = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  try {
    const all = shown.map((texts) => printed(child, new RegExp(`(the demonstration's ${texts})`)));
    await Promise.race([Promise.all(all), given]);
  } finally {
    await ended(child);
  }
}

interface Launched {
  readonly child: ChildProcess;
  readonly folder: string;
}

function launch(entry: string, env: Env, folder: string, edgePort: number): Launched {
  // A run that is told to end stops its workers before their hooks: what they started ends with them.
  const [program = "", ...argv] = endingWithCaller("TERM", [
    process.execPath,
    join(root, entry),
    "--verbose",
  ]);
  const child = spawn(program, argv, {
    cwd: root,
    env: {
      ...process.env,
      WEFT_LOG_LEVEL: "warn",
      // What is printed is read in English.
      LC_ALL: "",
      LC_MESSAGES: "C",
      ...env,
      WEFT_DATA: folder,
      WEFT_PORT: "0",
      WEFT_EDGE_PORT: String(edgePort),
      WEFT_ADMIN_PASSWORD: password,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  keepOutput(child, `${edgePort}.log`);
  return { child, folder };
}

/** What it wrote, in a file of `build/installations`: to find the cause of a failed test. */
function keepOutput({ stdout, stderr }: ChildProcess, name: string): void {
  const kept = join(root, "build", "installations");
  mkdirSync(kept, { recursive: true });
  const file = createWriteStream(join(kept, name));
  stdout?.pipe(file, { end: false });
  stderr?.pipe(file, { end: false });
}

async function start({ child, folder }: Launched): Promise<Installation> {
  const url = await printed(child, /Weft: (http:\/\/\S+)/);
  return {
    url,
    password,
    process: child,
    async close() {
      await ended(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  await gone;
}

function printed(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const read = (chunk: Buffer): void => {
      text += chunk.toString();
      const found = pattern.exec(text)?.[1];
      if (found) resolve(found);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("exit", (code) => reject(new Error(`ended with ${code}: ${text}`)));
  });
}
