import { type MessageFromEdge, maxRepairs } from "@weft/contract/device/v1/messages.ts";

export type Repair = MessageFromEdge<"repairs">["items"][number];

/** Programs that died and were started again, until the controller knows of them. */
export class Repairs {
  #waiting: Repair[] = [];

  /** The oldest is left out when there are too many: what dies so often is known by then. */
  add(part: Repair["part"], object: string): void {
    this.#waiting = [...this.#waiting, { part, object }].slice(-maxRepairs);
  }

  /** Oldest first. */
  get waiting(): readonly Repair[] {
    return this.#waiting;
  }

  /** The controller has these. */
  forget(reported: readonly Repair[]): void {
    this.#waiting = this.#waiting.filter((one) => !reported.includes(one));
  }
}
