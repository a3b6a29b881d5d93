/**
 * Reads side by side. A connection of the embedded engine does one thing after the other, so that one
 * slow report would hold up every chart and every insert behind it; a slow read here keeps only its
 * own connection busy.
 */
import type { Engine, Parameters } from "./engine.ts";

/** Reads that may wait for a connection; more of them would answer long after anybody asked. */
const maxWaiting = 256;

export class ReadPool {
  readonly #idle: Engine[];
  readonly #waiting: ((engine: Engine) => void)[] = [];

  /** @param engines connections that nothing else uses */
  constructor(engines: readonly Engine[]) {
    this.#idle = [...engines];
  }

  /** Rejects with the engine's message, or immediately when too many wait already. */
  async query(sql: string, parameters: Parameters): Promise<readonly object[]> {
    const engine = await this.#take();
    try {
      return await engine.query(sql, parameters);
    } finally {
      this.#giveBack(engine);
    }
  }

  #take(): Promise<Engine> {
    const idle = this.#idle.pop();
    if (idle) return Promise.resolve(idle);
    if (this.#waiting.length >= maxWaiting)
      return Promise.reject(new Error(`${maxWaiting} reads of measures wait already`));
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #giveBack(engine: Engine): void {
    const next = this.#waiting.shift();
    if (next) next(engine);
    else this.#idle.push(engine);
  }
}
