/** One fping that sends to its targets for as long as it runs. It ends with the edge: its output breaks then. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { type Argv, toolEnv } from "#drivers/exec.ts";
import { parseReply } from "./metrics.ts";

/** One that ends immediately, as without its address, is not started more often. Ms. */
const againMs = 1_000;

export class Pinger {
  readonly #argv: Argv;
  #child: ChildProcess | null = null;
  #startedAt = 0;
  #answeredAt = Number.NEGATIVE_INFINITY;

  /** @param source address of this device that the packets bear, which decides their way */
  constructor(targets: readonly string[], periodMs: number, source: string) {
    const options = ["-l", "-D", "-b", "12", "-i", "1", "-p", `${periodMs}`, "-t", "1000"];
    this.#argv = ["fping", ...options, "-S", source, ...targets];
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
      if (parseReply(text)) this.#answeredAt = performance.now();
    });
    this.#child = child;
  }

  /** Starts it again when it ended. */
  revive(): void {
    if (this.#child === null && performance.now() - this.#startedAt >= againMs) this.#start();
  }

  /** Whether any target answered within the limit; null: none was asked for so long, or nobody asks. */
  answers(limitMs: number): boolean | null {
    const now = performance.now();
    if (now - this.#answeredAt < limitMs) return true;
    return this.#child !== null && now - this.#startedAt >= limitMs ? false : null;
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    await new Promise((resolve) => {
      child.once("exit", resolve);
      child.kill("SIGTERM");
    });
  }
}
