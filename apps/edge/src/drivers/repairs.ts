import { type MessageFromEdge, maxRepairs } from "@weft/contract/device/v1/messages.ts";

export type Repair = MessageFromEdge<"repairs">["items"][number];

/** Programs that crashed and were restarted, until the controller has acknowledged them. */
export class Repairs {
  #waiting: Repair[] = [];

  /** The oldest are dropped when there are too many: programs that crash so often are already known. */
  add(part: Repair["part"], object: string): void {
    this.#waiting = [...this.#waiting, { part, object }].slice(-maxRepairs);
  }

  /** Oldest first. */
  get waiting(): readonly Repair[] {
    return this.#waiting;
  }

  /** The controller has acknowledged these. */
  forget(reported: readonly Repair[]): void {
    this.#waiting = this.#waiting.filter((repair) => !reported.includes(repair));
  }
}
