/** Moves of traffic, until the controller has acknowledged them. */
import { randomBytes } from "node:crypto";
import { type LinkMoveItem, maxMoves } from "@weft/contract/device/v1/paths.ts";
import type { Move } from "./choice.ts";

type Waiting = Omit<LinkMoveItem, "ago"> & { readonly at: number };

export class Moves {
  readonly #boot = randomBytes(16).toString("base64url");
  readonly #now: () => number;
  #sequence = 0;
  #waiting: Waiting[] = [];

  /** @param now ms on the clock of the moves, that no time change moves */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The oldest are dropped when there are too many: of a device that was alone for so long the newest say more. */
  add(moves: readonly Move[]): void {
    const numbered = moves.map((move) => {
      this.#sequence += 1;
      return { ...move, boot: this.#boot, sequence: this.#sequence };
    });
    this.#waiting = [...this.#waiting, ...numbered].slice(-maxMoves);
  }

  /** Oldest first. */
  get waiting(): readonly LinkMoveItem[] {
    const now = this.#now();
    return this.#waiting.map(({ at, ...one }) => ({
      ...one,
      ago: Math.max(0, Math.round(now - at)),
    }));
  }

  /** The controller has these. */
  forget(reported: readonly Pick<LinkMoveItem, "sequence">[]): void {
    const known = new Set(reported.map(({ sequence }) => sequence));
    this.#waiting = this.#waiting.filter(({ sequence }) => !known.has(sequence));
  }
}
