import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandFailed, type Run } from "#drivers/exec.ts";

/** What a tool printed, or how it failed. */
type Seen =
  | { readonly printed: string }
  | { readonly status: number | null; readonly text: string };

const folder = join(tmpdir(), "weft-tried");

/** What this process may do: an edge in a test may have fewer rights than others (`setpriv`). */
const rights = readFileSync("/proc/self/status", "utf8").match(/^(Cap\w+|NoNewPrivs):.*$/gm);

/**
 * A Run that tries once a test run what the kernel can do. A machine that starts tries some forty things, each in a network
 * namespace of its own (`unshare --net`), and all machines of a run have one kernel: the other hundred and fifty take what
 * the first saw.
 */
export const triedOnce =
  (run: Run): Run =>
  async (argv, options) => {
    const isAttempt = argv[0] === "unshare" && argv[1] === "--net" && !options?.input;
    if (!isAttempt) return run(argv, options);
    const name = createHash("sha256")
      .update(JSON.stringify([rights, argv]))
      .digest("hex");
    const file = join(folder, name);
    const seen = recorded(file) ?? record(file, await observed(run(argv, options)));
    if ("printed" in seen) return seen.printed;
    throw new CommandFailed(argv, seen.status, { stdout: "", stderr: seen.text });
  };

const observed = (running: Promise<string>): Promise<Seen> =>
  running.then(
    (printed) => ({ printed }),
    (error: unknown) => {
      if (!(error instanceof CommandFailed)) throw error;
      return { status: error.status, text: error.text };
    },
  );

function recorded(file: string): Seen | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Seen;
  } catch {
    return null;
  }
}

/** Whole or not at all: two files of tests run beside each other. */
function record(file: string, seen: Seen): Seen {
  mkdirSync(folder, { recursive: true });
  const next = `${file}.${randomUUID()}`;
  writeFileSync(next, JSON.stringify(seen));
  renameSync(next, file);
  return seen;
}
