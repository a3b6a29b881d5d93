/** A whole controller as a process of its own, from an empty folder, with few descriptors. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stopServer } from "#db/embedded/server.ts";
import { inherited } from "./controller-process.ts";
import { eventually } from "./loop-world.ts";

/** Ms after which a start hangs: it makes its stores first. */
const startMs = 300_000;

const main = join(import.meta.dirname, "../src/main.ts");

export interface LimitedController {
  readonly child: ChildProcess;
  readonly folder: string;
  readonly url: string;
  readonly edgePort: number;
  /** Of the first administrator. */
  readonly password: string;
  /** All that it printed. */
  output(): string;
  openDescriptors(): Promise<number>;
  /** Ends it and its database, and removes its folder. */
  remove(): Promise<void>;
}

/** @param descriptors that the process may have */
export async function startLimited(
  descriptors: number,
  env: Readonly<Record<string, string>> = {},
): Promise<LimitedController> {
  const folder = await mkdtemp(join(tmpdir(), "weft-limited-"));
  const limited = 'ulimit -n "$1"; shift; exec "$@"';
  const child = spawn(
    "/bin/sh",
    ["-c", limited, "sh", String(descriptors), process.execPath, main],
    {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...inherited,
        WEFT_DATA: folder,
        WEFT_PORT: "0",
        WEFT_EDGE_PORT: "0",
        NODE_ENV: "test",
        ...env,
      },
    },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const remove = async (): Promise<void> => {
    child.kill("SIGKILL");
    await stopServer(join(folder, "postgres/data"));
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  const hasStarted = async () => {
    if (child.exitCode !== null) throw new Error(`the controller ended: ${output}`);
    return /^Weft: /m.test(output) && /password \S+\n/.test(output);
  };
  try {
    await eventually(hasStarted, "the controller has started", startMs);
    return {
      child,
      folder,
      url: /^Weft: (\S+)$/m.exec(output)?.[1] ?? "",
      edgePort: Number(await readFile(join(folder, "edge-port"), "utf8")),
      password: /password (\S+)/.exec(output)?.[1] ?? "",
      output: () => output,
      openDescriptors: async () => (await readdir(`/proc/${child.pid}/fd`)).length,
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
