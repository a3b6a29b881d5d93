/** Detects whether links still bring packets: the report of the end that does not probe. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { endTool, inNetns, toolEnv } from "#drivers/exec.ts";
import { silenceMs } from "./metrics.ts";

/** Packets that each interface received, from the text of /proc/net/dev (proc(5)). */
export const parseReceived = (text: string): Map<string, number> => {
  const received = new Map<string, number>();
  for (const line of text.split("\n").slice(2)) {
    const [name, metrics = ""] = line.split(":");
    const packets = Number(metrics.trim().split(/\s+/)[1]);
    if (name && Number.isFinite(packets)) received.set(name.trim(), packets);
  }
  return received;
};

/**
 * Which interfaces have gone silent. The other end probes five times per second, and BFD sends at
 * least three times per second even while its edge is being replaced, so that silence means a dead
 * link. Pure but for what it remembers.
 */
export class LivenessMonitor {
  readonly #counted = new Map<string, { packets: number; at: number | null }>();

  /**
   * @param received packets of each interface so far
   * @param now ms on a clock that no time change moves
   */
  take(received: ReadonlyMap<string, number>, now: number): void {
    for (const name of this.#counted.keys()) if (!received.has(name)) this.#counted.delete(name);
    for (const [name, packets] of received) {
      const before = this.#counted.get(name);
      if (before?.packets === packets) continue;
      this.#counted.set(name, { packets, at: before ? now : null });
    }
  }

  /** Whether packets come in; null: none ever came, so that nothing is known. */
  answers(name: string, now: number): boolean | null {
    const at = this.#counted.get(name)?.at ?? null;
    return at === null ? null : now - at < silenceMs;
  }
}

/**
 * Listens in one namespace. The kernel shows a namespace's counters to a reader of those of a
 * process within; for another namespace an idle process is kept there, which ends with
 * the edge: its input breaks then.
 */
export class Listener {
  readonly netns: string | null;
  readonly #child: ChildProcess | null;
  readonly #monitor = new LivenessMonitor();
  isRunning = true;
  /** Packets that each interface had received at the last reading. */
  received: ReadonlyMap<string, number> = new Map();

  constructor(netns: string | null) {
    this.netns = netns;
    this.#child = netns === null ? null : this.#startChild(netns);
  }

  #startChild(netns: string): ChildProcess {
    const [tool, ...args] = inNetns(netns, ["cat"]);
    const child = spawn(tool, args, { stdio: ["pipe", "ignore", "ignore"], env: toolEnv() });
    const ended = () => {
      this.isRunning = false;
    };
    child.on("error", ended).on("exit", ended);
    child.stdin?.on("error", ended);
    return child;
  }

  /** Reads the counters once, for the answers that follow. */
  listen(now: number): void {
    try {
      const text = readFileSync(`/proc/${this.#child?.pid ?? "self"}/net/dev`, "utf8");
      this.received = parseReceived(text);
      this.#monitor.take(this.received, now);
    } catch {
      // The process is not there yet or not any more; `tend` looks after it.
    }
  }

  answers(interfaceName: string, now: number): boolean | null {
    return this.#monitor.answers(interfaceName, now);
  }

  async stop(): Promise<void> {
    if (this.#child && this.isRunning) await endTool(this.#child);
  }
}
