import type { DriftFinding } from "@weft/contract/device/v1/commands.ts";
import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { Unwilling } from "#drivers/command/targets.ts";
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
  /** Puts things right by itself, unless the running state has a word on it; else drift is only shown. */
  readonly heals: boolean;
}

/** Looks are at least this far apart: each one reads the whole machine. */
const leastPauseMs = 10_000;
/** Drift that a first look finds may be a change on its way; the second look acts. */
const looksToHeal = 2;
const shownSteps = 20;
/** What a heartbeat tells of the plan: 10 kB at most, and only while there is drift. */
const told = { steps: 50, characters: 200 } as const;
/** What is told to an operator who asks. */
const answered = { steps: 500, characters: 400 } as const;

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

  /**
   * Looks at once, because an operator asks, and puts right what differs if that is asked as well.
   * @throws Unwilling while no state runs or another is on its way; Error when something was left
   */
  ask(heal: boolean): Promise<DriftFinding> {
    return this.#deps.keeper.exclusive(async () => {
      const state = this.#settled();
      if (state === null) throw new Unwilling("no state runs, or another one is on its way");
      this.#show(summaries(await planAll(this.#deps.machine, state)));
      const steps = this.#steps;
      const left = heal && steps.length > 0 ? await this.#heal(state) : null;
      if (left !== null) throw new Error(`not put right: ${left}`);
      return {
        count: steps.length,
        steps: steps.slice(0, answered.steps).map((step) => step.slice(0, answered.characters)),
        healed: heal && steps.length > 0,
      };
    });
  }

  /** What runs; null between two states: the machine then differs because it is told to. */
  #settled(): DesiredState | null {
    const { keeper } = this.#deps;
    return keeper.isBusy ? null : (keeper.running?.state ?? null);
  }

  async #look(): Promise<void> {
    const { machine, log, heals } = this.#deps;
    const state = this.#settled();
    if (state === null) {
      this.#drift = null;
      this.#found = 0;
      return;
    }
    this.#show(summaries(await planAll(machine, state)));
    this.#found = this.#steps.length > 0 ? this.#found + 1 : 0;
    if (this.#found === 0) return;
    log.warn({ count: this.#steps.length, steps: this.#steps.slice(0, shownSteps) }, "drift");
    const policy = state.system?.drift ?? (heals ? "heal" : "flag");
    if (policy === "heal" && this.#found >= looksToHeal) await this.#heal(state);
  }

  /** @returns what could not be put right; null: nothing is left */
  async #heal(state: DesiredState): Promise<string | null> {
    const { machine, log, clock } = this.#deps;
    const left = await settle(machine, state, clock);
    if (left !== null) {
      log.error({ left }, "drift could not be healed");
      return left;
    }
    log.warn({ count: this.#steps.length }, "drift healed");
    this.#found = 0;
    this.#show([]);
    return null;
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
