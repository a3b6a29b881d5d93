/** What must hold of one device at every moment, checked by what it reports and what its disk holds. */
import { anchorExtraMs } from "@weft/contract/device/v1/messages.ts";
import { compareStates, type StateId, stateIdOf } from "@weft/contract/device/v1/state.ts";
import type { Disk } from "@weft/edge/src/store/disk.ts";
import { openStore } from "@weft/edge/src/store/edge-store.ts";
import type { SimClock } from "./clock.ts";
import { textOf, type WatchedRows } from "./rows.ts";
import type { StateKind } from "./states.ts";

export interface DeviceWatchDeps {
  readonly node: number;
  readonly clock: SimClock;
  readonly rows: WatchedRows;
  kindOf(node: number, id: StateId): StateKind | undefined;
  isAlive(): boolean;
  violate(text: string): void;
}

/** From the end of an apply to the revert of what was not confirmed (goals.md, row Rollback). */
const revertMs = 60_000 + 10_000;
/** From a start to the end of the rollback. */
const bootMs = 30_000;

const isSame = (one: StateId | null, other: StateId | null): boolean =>
  one !== null && other !== null && compareStates(one, other) === 0;

export class DeviceWatch {
  readonly #deps: DeviceWatchDeps;
  readonly #applies = new Map<string, number>();
  /** The newest state that the device called confirmed. */
  #confirmed: StateId | null = null;
  /** An anchor put off the deadline of the state that is pending (design section 3.6). */
  #isPutOff = false;
  /** Applied, and neither confirmed nor rolled back. */
  #pending: StateId | null = null;

  constructor(deps: DeviceWatchDeps) {
    this.#deps = deps;
  }

  #violate(text: string): void {
    this.#deps.violate(`n${this.#deps.node} ${text}`);
  }

  logged(text: string, fields: { to?: StateId | null } & Partial<StateId>): void {
    const { epoch = 0, serial = 0, revision } = fields;
    const id = stateIdOf({ epoch, serial, revision });
    if (text.startsWith("state applied")) this.#applied(id);
    else if (text === "state confirmed") this.#confirms(id);
    else if (text === "state restored") this.#restored(fields.to ?? null);
    else if (text.startsWith("no controller is reachable, but")) this.#isPutOff = true;
    else if (text === "the state machine failed" || text === "report failed") {
      this.#violate(`${text}: ${JSON.stringify(fields)}`);
    }
  }

  #applied(id: StateId): void {
    const { rows, node } = this.#deps;
    const count = (this.#applies.get(textOf(id)) ?? 0) + 1;
    this.#applies.set(textOf(id), count);
    const allowed = 1 + (rows.find(node, id)?.retries ?? 0);
    if (count > allowed) this.#violate(`applied ${textOf(id)} ${count} times, ${allowed} allowed`);
    if (this.#confirmed && compareStates(id, this.#confirmed) <= 0) {
      this.#violate(`went from ${textOf(this.#confirmed)} back to ${textOf(id)}`);
    }
    this.#pending = id;
    this.#isPutOff = false;
    this.#mustEnd(id, revertMs, "neither confirmed nor rolled back in time");
  }

  /** A controller answered the device that it cannot decide now. */
  heardUnable(): void {
    this.#isPutOff = true;
  }

  #mustEnd(id: StateId, ms: number, violation: string): void {
    const { clock, isAlive } = this.#deps;
    const began = this.#lives;
    clock.setTimeout(() => {
      if (this.#pending === id && isAlive() && this.#lives === began) {
        if (ms === revertMs && this.#isPutOff) this.#mustEnd(id, anchorExtraMs, violation);
        else this.#violate(`${textOf(id)} is ${violation}`);
      }
    }, ms);
  }

  #lives = 0;

  #confirms(id: StateId): void {
    const { rows, node } = this.#deps;
    const kind = this.#deps.kindOf(node, id);
    if (kind !== "good" && kind !== "light") {
      this.#violate(`confirmed ${textOf(id)}, which locks it out`);
    }
    if (!rows.wasConfirmed(node, id)) {
      this.#violate(`believes ${textOf(id)} confirmed, which was not committed`);
    }
    if (this.#confirmed && compareStates(id, this.#confirmed) < 0) {
      this.#violate(`confirmed ${textOf(id)} after ${textOf(this.#confirmed)}`);
    }
    this.#confirmed = id;
    this.#pending = null;
  }

  #restored(to: StateId | null): void {
    // A start may find the confirmation on the disk that the last run did not live to report.
    if (to && isSame(to, this.#pending)) this.#confirms(to);
    this.#pending = null;
    const confirmed = this.#confirmed;
    if (confirmed && (to === null || compareStates(to, confirmed) < 0)) {
      this.#violate(`went from the confirmed ${textOf(confirmed)} back to ${textOf(to)}`);
    }
  }

  /** A program starts: the disk must say what the last one was in the middle of. */
  async booting(disk: Disk): Promise<void> {
    this.#lives += 1;
    const id = this.#pending;
    if (!id) return;
    const store = await openStore(disk);
    const journal = await store.journal.read();
    const confirmed = await store.confirmed.read();
    const isKnown =
      (journal.kind === "value" && isSame(journal.value.target, id)) ||
      (confirmed.kind === "value" && isSame(confirmed.value.head, id));
    if (!isKnown) this.#violate(`lost the journal of ${textOf(id)}`);
    this.#mustEnd(id, bootMs, "still there after a start");
  }
}
