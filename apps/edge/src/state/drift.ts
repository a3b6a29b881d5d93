import { canonicalJson } from "@weft/contract/device/v1/canonical.ts";
import type { DriftFinding } from "@weft/contract/device/v1/commands.ts";
import type { Finding } from "@weft/contract/device/v1/findings.ts";
import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { RefusedError } from "#drivers/command/targets.ts";
import type { Machine } from "#drivers/driver.ts";
import { isObserved } from "#drivers/supported-state.ts";
import { type Clock, sleep } from "#edge/clock.ts";
import { type Log, reasonOf } from "#edge/log.ts";
import { digestOf } from "#store/record.ts";
import { findingsOf, type Plan, planAll, settle, summaries } from "./machine-run.ts";

/** What runs, and the way to the machine when nothing else touches it: a Reconciler's. */
interface Guarded {
  readonly isBusy: boolean;
  readonly running: { readonly state: DesiredState } | null;
  /** What of it does not act now. */
  found(findings: readonly Finding[]): void;
  exclusive<Value>(work: () => Promise<Value>): Promise<Value>;
}

export interface DriftDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly machine: Machine;
  readonly reconciler: Guarded;
  /** Puts things right by itself, unless the running state decides it; else drift is only shown. */
  readonly heals: boolean;
  /** The report of drift has changed. */
  changed(): void;
}

const noSignal = new AbortController().signal;
/** Checks are at least this far apart while there is drift, or it is not known whether there is. */
const minPauseMs = 10_000;
/**
 * After a hint that something was changed: check this soon, and heal what is found immediately. Of what
 * changes all the time, and of two programs that undo each other's work, hints are doubled in
 * distance beyond this many checks, or this many times of healing, a minute.
 */
const hinted = { pauseMs: 150, checks: 20, heals: 5, withinMs: 60_000, maxMs: 10_000 } as const;
const lately = (times: readonly number[], now: number): number[] =>
  times.filter((at) => now - at < hinted.withinMs);
/** Doublings that lead beyond any `maxMs`. */
const maxDoublings = 10;
/** Drift that a first check finds may be a change on its way; the second check acts. */
const checksToHeal = 2;
const shownSteps = 20;
/** What a heartbeat reports of the plan: 10 kB at most, and only while there is drift. */
const reported = { steps: 50, characters: 200 } as const;
/** What is told to an operator who asks. */
const answered = { steps: 500, characters: 400 } as const;

/** Drift is "planning from what is observed to what runs finds something to do" (section 3.7). */
export class DriftWatch {
  readonly #deps: DriftDeps;
  #drift: MessageFromEdge<"heartbeat">["drift"] = null;
  #steps: readonly string[] = [];
  #checkedAt = Number.NEGATIVE_INFINITY;
  #found = 0;
  #isChecking = false;
  #isHinted = false;
  /** What could not act at the last check; null: not known. */
  #fits: string | null = null;
  /** When hints led to a check lately. */
  #hints: number[] = [];
  /** When something was to be healed lately. */
  #heals: number[] = [];

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

  async check(): Promise<void> {
    const { clock, reconciler, log } = this.#deps;
    const isWhole = this.#drift !== null && this.#found === 0;
    const pauseMs = isWhole ? Math.max(minPauseMs, this.#deps.machine.checkMs) : minPauseMs;
    if (this.#isChecking || clock.monotonic() - this.#checkedAt < pauseMs) return;
    this.#checkedAt = clock.monotonic();
    this.#isChecking = true;
    try {
      await reconciler.exclusive(() => this.#check());
    } catch (error) {
      this.#drift = null;
      log.warn({ why: reasonOf(error) }, "drift cannot be measured");
    } finally {
      this.#isChecking = false;
    }
  }

  /** The machine may have been changed: checks in a moment, many hints with one check. */
  hint(): void {
    if (this.#isHinted) return;
    this.#isHinted = true;
    void this.#checkSoon();
  }

  async #checkSoon(): Promise<void> {
    const { clock, reconciler, log } = this.#deps;
    await sleep(clock, this.#hintPauseMs(), noSignal);
    this.#checkedAt = clock.monotonic();
    await reconciler
      .exclusive(() => {
        // What changes from here on may be missed by this check; what changed while it waited is not.
        this.#isHinted = false;
        return this.#check(1);
      })
      .catch((error: unknown) => log.warn({ why: reasonOf(error) }, "drift cannot be measured"));
  }

  #hintPauseMs(): number {
    const now = this.#deps.clock.monotonic();
    this.#hints = [...lately(this.#hints, now), now];
    this.#heals = lately(this.#heals, now);
    const beyond = Math.max(
      0,
      this.#hints.length - hinted.checks,
      this.#heals.length - hinted.heals,
    );
    return Math.min(hinted.maxMs, hinted.pauseMs * 2 ** Math.min(maxDoublings, beyond));
  }

  /**
   * Checks immediately, because an operator asks, and corrects what differs if that is asked as well.
   * @throws RefusedError while no state runs or another is on its way; Error when something was left
   */
  checkNow(heal: boolean): Promise<DriftFinding> {
    return this.#deps.reconciler.exclusive(async () => {
      const state = this.#settled();
      if (state === null) throw new RefusedError("no state runs, or another one is on its way");
      const plan = await this.#find(state);
      const steps = this.#steps;
      const left = heal && plan.length > 0 ? await this.#heal(state, plan) : null;
      if (left !== null) throw new Error(`not repaired: ${left}`);
      return {
        count: steps.length,
        steps: steps.slice(0, answered.steps).map((step) => step.slice(0, answered.characters)),
        healed: heal && plan.length > 0,
      };
    });
  }

  /** What runs; null between two states: the machine then differs because it is told to. */
  #settled(): DesiredState | null {
    const { reconciler } = this.#deps;
    return reconciler.isBusy ? null : (reconciler.running?.state ?? null);
  }

  /** @param checks that must have found something before it is healed */
  async #check(checks = checksToHeal): Promise<void> {
    const { log } = this.#deps;
    const state = this.#settled();
    if (state === null) {
      this.#drift = null;
      this.#fits = null;
      this.#found = 0;
      return;
    }
    const findings = await findingsOf(this.#deps.machine, state);
    const plan = await this.#find(state);
    const isRefit = this.#refits(findings);
    this.#found = plan.length > 0 ? this.#found + 1 : 0;
    if (this.#found === 0) {
      this.#deps.reconciler.found(findings);
      return;
    }
    log.warn({ count: this.#steps.length, steps: this.#steps.slice(0, shownSteps) }, "drift");
    const policy = state.system?.drift ?? (this.#deps.heals ? "heal" : "flag");
    const heals = isRefit || (policy === "heal" && this.#found >= checks);
    const left = heals ? await this.#heal(state, plan) : null;
    // An object that was tried again may be refused again: its finding was not away.
    if (left === null)
      this.#deps.reconciler.found(heals ? await findingsOf(this.#deps.machine, state) : findings);
  }

  /** Another part of the state can act than before: the difference was not made by hand. */
  #refits(findings: readonly Finding[]): boolean {
    const before = this.#fits;
    this.#fits = canonicalJson(findings.filter((finding) => !isObserved(finding)));
    return before !== null && before !== this.#fits;
  }

  /** Shows differences and obstacles; returns the steps that repair them. */
  async #find(state: DesiredState): Promise<Plan> {
    const { machine } = this.#deps;
    const plan = await planAll(machine, state);
    this.#show([...summaries(plan), ...(await machine.strangers(state))]);
    return plan;
  }

  /** @returns what could not be repaired; null: nothing is left */
  async #heal(state: DesiredState, plan: Plan): Promise<string | null> {
    const { machine, log, clock } = this.#deps;
    this.#heals = [...lately(this.#heals, clock.monotonic()), clock.monotonic()];
    const left = await settle(machine, state, clock, plan);
    if (left !== null) {
      log.error({ left }, "drift could not be healed");
      return left;
    }
    machine.refusals.settle();
    log.warn({ count: this.#steps.length }, "drift healed");
    this.#found = 0;
    this.#show(await machine.strangers(state));
    return null;
  }

  #show(steps: readonly string[]): void {
    this.#steps = steps;
    const plan = steps.slice(0, reported.steps).map((step) => step.slice(0, reported.characters));
    const before = this.#drift?.hash;
    this.#drift = {
      steps: steps.length,
      hash: digestOf(steps),
      ...(plan.length > 0 && { plan }),
    };
    const isNews = before === undefined ? steps.length > 0 : before !== this.#drift.hash;
    if (isNews) this.#deps.changed();
  }
}
