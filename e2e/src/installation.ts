import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endingWithCaller } from "@weft/lab/command.ts";
import { root } from "@weft/lab/world.ts";

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

/** A port that nobody listens on, below those that systems give out by themselves. */
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

/** Starts the demonstration, with these settings, and waits until it says where it is. */
export const startInstallation = (
  env: Readonly<Record<string, string>> = {},
): Promise<Installation> => start("tools/src/start.ts", env);

/** Starts an empty installation with these settings, with the console as it was built last. */
export const startEmpty = (env: Readonly<Record<string, string>>): Promise<Installation> =>
  start("apps/controller/src/main.ts", env);

async function start(entry: string, env: Readonly<Record<string, string>>): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), "weft-start-"));
  const password = "e2e-start1";
  const edgePort = String(await freePort());
  // A run that is told to end stops its workers before their hooks: what they started ends with them.
  const [program = "", ...argv] = endingWithCaller("TERM", [process.execPath, join(root, entry)]);
  const child = spawn(program, argv, {
    cwd: root,
    env: {
      ...process.env,
      ...env,
      WEFT_DATA: folder,
      WEFT_PORT: "0",
      WEFT_EDGE_PORT: edgePort,
      WEFT_ADMIN_PASSWORD: password,
      WEFT_LOG_LEVEL: "warn",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const url = await said(child, /Weft: (http:\/\/\S+)/);
  return {
    ...{ url, password, process: child },
    async close() {
      if (child.exitCode === null && child.signalCode === null) {
        const gone = once(child, "exit");
        child.kill("SIGTERM");
        await gone;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function said(child: ChildProcess, pattern: RegExp): Promise<string> {
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
