import type { MessageFromController } from "@weft/contract/device/v1/messages.ts";
import { type Log, reasonOf } from "#edge/log.ts";
import type { EdgeStore, Enrolment } from "#store/edge-store.ts";

/**
 * The keys of the controller that this device accepts: the one that it was enrolled with, and while the
 * controller changes its key the next one as well (ADR 0017). Both are on the disk before this is
 * reported, and the present one is dropped only once a controller has proved itself by the next.
 */
export class Pins {
  readonly #store: EdgeStore;
  readonly #log: Log;
  readonly #enrolment: Enrolment;
  readonly #known: Set<string>;
  #present: string;
  #next: string | null = null;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(deps: {
    readonly store: EdgeStore;
    readonly log: Log;
    readonly enrolment: Enrolment;
  }) {
    this.#store = deps.store;
    this.#log = deps.log;
    this.#enrolment = deps.enrolment;
    this.#present = deps.enrolment.controllerKey;
    this.#known = new Set([this.#present]);
  }

  /** Raw public keys, the present one first. */
  get accepted(): readonly string[] {
    return this.#next === null ? [this.#present] : [this.#present, this.#next];
  }

  /** Whether this enrolment is the one that runs, whichever of the keys it names. */
  isOf({ node, controllerKey }: Enrolment): boolean {
    return node === this.#enrolment.node && this.#known.has(controllerKey);
  }

  async load(): Promise<void> {
    const kept = await this.#store.nextPin.read();
    // Of another enrolment, or of a change that was completed: it says nothing about this one.
    if (kept.kind === "value" && kept.value.present === this.#present) this.#hold(kept.value.next);
  }

  /** A controller has proved itself by this key. Resolves with the second key once the disk says so. */
  proven(key: string): Promise<string | null> {
    return this.#queue(async () => {
      if (key !== this.#next) return;
      await this.#store.enrolment.write({ ...this.#enrolment, controllerKey: key });
      this.#present = key;
      this.#next = null;
      await this.#store.nextPin.clear();
      this.#log.warn(
        {},
        "the controller changed its key; the previous one is not accepted any more",
      );
    });
  }

  /** Resolves with the second key once the disk says so; null: there is none. */
  take({ next }: MessageFromController<"nextKey">): Promise<string | null> {
    return this.#queue(async () => {
      const key = next?.key ?? null;
      if (key === this.#next || key === this.#present) return;
      if (key === null) await this.#store.nextPin.clear();
      else await this.#store.nextPin.write({ present: this.#present, next: key });
      this.#hold(key);
      this.#log.info({ prepared: key !== null }, "the next key of the controller");
    });
  }

  /** The second key, after what is being written now. */
  held(): Promise<string | null> {
    return this.#queue(async () => {});
  }

  #hold(next: string | null): void {
    this.#next = next;
    if (next !== null) this.#known.add(next);
  }

  /** One after the other; what could not be written leaves both keys as they are. */
  #queue(work: () => Promise<void>): Promise<string | null> {
    const done = this.#writing.then(work).then(
      () => this.#next,
      (error: unknown) => {
        this.#log.error({ why: reasonOf(error) }, "the controller's key cannot be kept");
        return this.#next;
      },
    );
    this.#writing = done;
    return done;
  }
}
