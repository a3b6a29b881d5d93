/** States of a real machine through the state machine of an edge, with its disk: confirmed, or without an answer. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import type { Machine } from "#drivers/driver.ts";
import { systemClock } from "#edge/clock.ts";
import { createLog } from "#edge/log.ts";
import type { Confirmation } from "#link/confirm.ts";
import { Reconciler } from "#state/reconciler.ts";
import { openFolder } from "#store/disk.ts";
import { type EdgeStore, openStore } from "#store/edge-store.ts";
import { type Published, publish } from "../gateway.ts";

export class Delivery {
  readonly #store: EdgeStore;
  readonly #reconciler: Reconciler;
  #published: Published | null = null;
  #asked = false;
  #answer: (confirmation: Confirmation) => void = () => {};

  private constructor(store: EdgeStore, machine: Machine, node: number) {
    this.#store = store;
    const send = (message: { readonly type: string }): boolean => {
      const { head, contents } = this.#published ?? {};
      if (message.type !== "need" || !head || !contents) return true;
      const { epoch, serial } = head;
      const sections = { epoch, serial, contents: Object.fromEntries(contents) };
      queueMicrotask(() => this.#reconciler.receive({ type: "sections", ...sections }));
      return true;
    };
    const confirm = () => {
      this.#asked = true;
      return new Promise<Confirmation>((resolve) => {
        this.#answer = resolve;
      });
    };
    this.#reconciler = new Reconciler({
      clock: systemClock,
      log: createLog("silent"),
      store,
      machine,
      node,
      uplink: {
        send,
        accepts: () => true,
        isReceiving: () => false,
        confirm,
        changed: () => {},
        restored: () => {},
      },
      signal: new AbortController().signal,
    });
  }

  /** Starts as an edge does after power-on: from the disk alone. */
  static async boot(dataDir: string, machine: Machine, node: number): Promise<Delivery> {
    const folder = join(dataDir, "store");
    mkdirSync(folder, { recursive: true });
    const delivery = new Delivery(await openStore(await openFolder(folder)), machine, node);
    await delivery.#reconciler.boot();
    return delivery;
  }

  /** Serial of the state that runs; 0: none. */
  get serial(): number {
    return this.#reconciler.running?.head.serial ?? 0;
  }

  /** Applies a state; it then waits for its confirmation. */
  async apply(state: DesiredState): Promise<void> {
    // One that was rolled back does not come again.
    const kept = await this.#store.outcome.read();
    const ended = kept.kind === "value" ? kept.value.serial : 0;
    const serial = Math.max(this.#published?.head.serial ?? 0, this.serial, ended) + 1;
    this.#published = publish(state, { epoch: 1, serial });
    this.#asked = false;
    this.#reconciler.welcome(1);
    this.#reconciler.offer(this.#published.head);
    await this.#until(() => this.#asked);
  }

  /** The controller confirms it, or it cannot be reached until the deadline. */
  async end(isConfirmed: boolean): Promise<void> {
    this.#answer(
      isConfirmed
        ? { kind: "confirmed" }
        : { kind: "none", refusal: null, why: "the controller cannot be reached" },
    );
    await this.#until(() => !this.#reconciler.isBusy);
  }

  async #until(fact: () => boolean): Promise<void> {
    for (let turn = 0; turn < 1_500; turn += 1) {
      if (fact()) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const kept = await this.#store.outcome.read();
    throw new Error(`the state did not get that far: ${JSON.stringify(kept)}`);
  }
}
