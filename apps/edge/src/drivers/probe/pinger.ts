/** One fping that sends to its targets for as long as it runs. It ends with the edge: its output breaks then. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { type Argv, endTool, toolEnv } from "#drivers/exec.ts";
import { parseReply, parseTimeout, windowMs } from "./metrics.ts";

/** One that ends immediately, as without its address, is not started more often. Ms. */
const againMs = 1_000;

/** Fewer requests say nothing of a loss. */
const enough = 12;

/** How a request ended, and when that was known. */
interface Ending {
  readonly at: number;
  readonly isAnswered: boolean;
}

export class Pinger {
  readonly #argv: Argv;
  #child: ChildProcess | null = null;
  #startedAt = 0;
  #answeredAt = Number.NEGATIVE_INFINITY;
  /** Of the last seconds, by target. */
  readonly #endings = new Map<string, Ending[]>();

  /**
   * @param source address of this device that the packets bear
   * @param interfaceName that they leave by: another one may have the same address
   */
  constructor(
    targets: readonly string[],
    periodMs: number,
    { source, interfaceName }: { readonly source: string; readonly interfaceName: string },
  ) {
    const options = ["-l", "-D", "-b", "12", "-i", "1", "-p", `${periodMs}`, "-t", "1000"];
    this.#argv = ["fping", ...options, "-S", source, "-I", interfaceName, ...targets];
    this.#start();
  }

  #start(): void {
    this.#startedAt = performance.now();
    const [tool, ...args] = this.#argv;
    const child = spawn(tool, args, {
      stdio: ["ignore", "pipe", "ignore"],
      env: toolEnv(),
    });
    const ended = () => {
      if (this.#child === child) this.#child = null;
    };
    child.on("error", ended).on("exit", ended);
    createInterface({ input: child.stdout }).on("line", (text) => {
      const answered = parseReply(text)?.target;
      if (answered !== undefined) this.#answeredAt = performance.now();
      const target = answered ?? parseTimeout(text);
      if (target !== null) this.#note(target, answered !== undefined);
    });
    this.#child = child;
  }

  /** Starts it again when it ended. */
  revive(): void {
    if (this.#child === null && performance.now() - this.#startedAt >= againMs) this.#start();
  }

  #note(target: string, isAnswered: boolean): void {
    const at = performance.now();
    const kept = (this.#endings.get(target) ?? []).filter((ending) => at - ending.at < windowMs);
    this.#endings.set(target, [...kept, { at, isAnswered }]);
  }

  /** What the target with the fewest losses lost of the last ten seconds, of 1; null: not enough was asked. */
  loss(): number | null {
    const now = performance.now();
    const losses = [...this.#endings.values()].flatMap((all) => {
      const recent = all.filter(({ at }) => now - at < windowMs);
      const lost = recent.filter(({ isAnswered }) => !isAnswered).length;
      return recent.length < enough ? [] : lost / recent.length;
    });
    return losses.length === 0 ? null : Math.min(...losses);
  }

  /** Whether any target answered within the limit; null: none was asked for so long, or nobody asks. */
  answers(limitMs: number): boolean | null {
    const now = performance.now();
    if (now - this.#answeredAt < limitMs) return true;
    return this.#child !== null && now - this.#startedAt >= limitMs ? false : null;
  }

  async stop(): Promise<void> {
    if (this.#child !== null) await endTool(this.#child);
  }
}
