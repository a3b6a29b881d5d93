import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import type { Machine } from "#drivers/driver.ts";
import type { Clock } from "#edge/clock.ts";
import { type Log, reasonOf } from "#edge/log.ts";
import { digestOf } from "#store/record.ts";
import type { Keeper } from "./keeper.ts";
import { planAll, settle, summaries } from "./machine-run.ts";

export interface DriftDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly machine: Machine;
  readonly keeper: Keeper;
  /** Puts things right by itself; else drift is only shown. */
  readonly heals: boolean;
}

/** Looks are at least this far apart: each one reads the whole machine. */
const leastPauseMs = 10_000;
/** Drift that a first look finds may be a change on its way; the second look acts. */
const looksToHeal = 2;
const shownSteps = 20;
/** What a heartbeat tells of the plan: 10 kB at most, and only while there is drift. */
const told = { steps: 50, characters: 200 } as const;

/** Drift is "planning from what is observed to what runs finds something to do" (section 3.7). */
export class DriftWatch {
  readonly #deps: DriftDeps;
  #drift: MessageFromEdge<"heartbeat">["drift"] = null;
  #steps: readonly string[] = [];
  #lookedAt = Number.NEGATIVE_INFINITY;
  #found = 0;
  #isLooking = false;

  constructor(deps: DriftDeps) {
    this.#deps = deps;
  }

  /** For the heartbeat; null while it is not known. */
  get drift(): MessageFromEdge<"heartbeat">["drift"] {
    return this.#drift;
  }

  get steps(): readonly string[] {
    return this.#steps;
  }

  async look(): Promise<void> {
    const { clock, keeper, log } = this.#deps;
    if (this.#isLooking || clock.monotonic() - this.#lookedAt < leastPauseMs) return;
    this.#lookedAt = clock.monotonic();
    this.#isLooking = true;
    try {
      await keeper.exclusive(() => this.#look());
    } catch (error) {
      this.#drift = null;
      log.warn({ why: reasonOf(error) }, "drift cannot be measured");
    } finally {
      this.#isLooking = false;
    }
  }

  async #look(): Promise<void> {
    const { keeper, machine, log, heals } = this.#deps;
    const running = keeper.running;
    // Between two states the machine differs from the running one because it is told to.
    if (keeper.isBusy || running === null) {
      this.#drift = null;
      this.#found = 0;
      return;
    }
    this.#show(summaries(await planAll(machine, running.state)));
    this.#found = this.#steps.length > 0 ? this.#found + 1 : 0;
    if (this.#found === 0) return;
    log.warn({ count: this.#steps.length, steps: this.#steps.slice(0, shownSteps) }, "drift");
    if (!heals || this.#found < looksToHeal) return;
    const left = await settle(machine, running.state);
    if (left !== null) {
      log.error({ left }, "drift could not be healed");
      return;
    }
    log.warn({ count: this.#steps.length }, "drift healed");
    this.#found = 0;
    this.#show([]);
  }

  #show(steps: readonly string[]): void {
    this.#steps = steps;
    const plan = steps.slice(0, told.steps).map((step) => step.slice(0, told.characters));
    this.#drift = {
      steps: steps.length,
      hash: digestOf(steps),
      ...(plan.length > 0 && { plan }),
    };
  }
}
