/** A controller as a process of its own, on a database that a test made. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** What programs of a test inherit: where other programs are, and what Node compiled before. */
export const inherited: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? "",
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? "",
};

const main = join(import.meta.dirname, "../src/main.ts");

export interface ControllerProcess {
  readonly child: ChildProcess;
  /** All that it printed. */
  output(): string;
  /** Where it answers; empty: it ended instead. */
  readonly url: string;
  /** Its exit code once it has ended; null: a signal ended it. */
  readonly ended: Promise<number | null>;
  /** Sends a signal. @returns the exit code once it has ended; null: the signal ended it */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

interface Given {
  readonly databaseUrl: string;
  /** For its data; the caller's to remove. */
  readonly folder: string;
  /** Settings besides. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts it with the role api by default; waits until it says where it answers, or has ended. */
export async function startController(given: Given): Promise<ControllerProcess> {
  const { databaseUrl, folder, env = {} } = given;
  const child = spawn(process.execPath, [main], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...inherited,
      WEFT_DATA: folder,
      WEFT_DATABASE_URL: databaseUrl,
      // Nothing answers there: calls are served without the metrics store.
      WEFT_CLICKHOUSE_URL: "http://127.0.0.1:9",
      WEFT_ROLES: "api",
      WEFT_PORT: "0",
      ...env,
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const ended = once(child, "close").then(() => child.exitCode);
  const url = await Promise.race([
    new Promise<string>((resolve) => {
      child.stdout.on("data", () => {
        // The last line of a start: the password, if one was made, is printed with it.
        const found = /^Weft: (\S+)\n/m.exec(output)?.[1];
        if (found) setTimeout(resolve, 50, found);
      });
    }),
    ended.then(() => ""),
  ]);
  return {
    child,
    output: () => output,
    url,
    ended,
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

/** Processes that a process started, and that still run. */
export async function childrenOf(pid: number): Promise<number[]> {
  const tasks = await readdir(`/proc/${pid}/task`);
  const lists = await Promise.all(
    tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, "utf8")),
  );
  return lists.join(" ").split(/\s+/).filter(Boolean).map(Number);
}
