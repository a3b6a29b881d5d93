/**
 * The state machine of a device (design sections 3.5 and 3.6): fetch, validate, journal, apply, verify,
 * confirm, and back again when the controller cannot be reached. At every moment the disk says
 * either "this is confirmed" or "this is under way, and that is the rollback plan".
 */

import { messageAdditions } from "@weft/contract/device/v1/additions.ts";
import type { Finding } from "@weft/contract/device/v1/findings.ts";
import {
  confirmDeadlineMs,
  type MessageFromController,
} from "@weft/contract/device/v1/messages.ts";
import {
  compareStates,
  type DesiredState,
  fromSections,
  revisedHead,
  type StateHead,
  type StateRevision,
  stateIdOf,
} from "@weft/contract/device/v1/state.ts";
import { outcomeLine } from "@weft/contract/domains/delivery/outcome-text.ts";
import type { Machine } from "#drivers/driver.ts";
import { type Clock, sleep } from "#edge/clock.ts";
import { type Log, reasonOf } from "#edge/log.ts";
import { type EdgeStore, hashesOf, type PendingOutcome, readSections } from "#store/edge-store.ts";
import { digestOf } from "#store/record.ts";
import {
  basesOf,
  type Fetch,
  KeptSections,
  missingParts,
  newFetch,
  readBases,
  takeDeltas,
  takeSections,
} from "./fetch.ts";
import {
  applyAll,
  findingsOf,
  type Plan,
  planAll,
  settle,
  summaries,
  validateAll,
} from "./machine-run.ts";
import { Outcomes, type Silence } from "./outcomes.ts";
import { isLight, planBoot, validateHead } from "./plan.ts";
import type { Uplink } from "./uplink.ts";

export interface ReconcilerDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: EdgeStore;
  readonly machine: Machine;
  /** A document for another node is refused. */
  readonly node: number;
  readonly uplink: Uplink;
  readonly signal: AbortSignal;
}

/** The last confirmed state, which runs whenever no other is under way. */
export interface Running {
  readonly head: StateHead;
  readonly digest: string;
  readonly state: DesiredState;
}

/** A state that is to run, with what of it cannot act here. */
interface Target extends Running {
  readonly findings: readonly Finding[];
}

const restoreTries = 3;
const restorePauseMs = 1_000;
const diskPauseMs = 5_000;
/** Sections are asked for again when nothing came for this time, nor a part of a message: one of megabytes may be on its way. */
const requestAgainMs = 30_000;
const journalledSteps = 1_000;

const isOfState = (one: StateHead, { epoch, serial }: StateRevision): boolean =>
  one.epoch === epoch && one.serial === serial;

export class Reconciler {
  readonly #deps: ReconcilerDeps;
  readonly #outcomes: Outcomes;
  #running: Running | null = null;
  #active: StateHead | null = null;
  #fetch: Fetch | null = null;
  readonly #kept = new KeptSections();
  #waiting: StateHead | null = null;
  /** For a state that does not run yet, or not again: one that is under way may end in it. */
  #revision: StateRevision | null = null;
  /** A state whose sections were fetched once more because the disk had spoiled one. */
  #refetched: StateHead | null = null;
  #isBooting = true;
  #controllerEpoch = 0;
  #work: Promise<void> = Promise.resolve();

  constructor(deps: ReconcilerDeps) {
    this.#deps = deps;
    this.#outcomes = new Outcomes(deps);
  }

  get running(): Running | null {
    return this.#running;
  }

  /** True while a state is under way or unconfirmed: what the machine shows is not drift then. */
  get isBusy(): boolean {
    return this.#isBooting || this.#active !== null;
  }

  /** Runs something that touches the machine, after whatever touches it now. */
  exclusive<Value>(work: () => Promise<Value>): Promise<Value> {
    const result = this.#work.then(work);
    this.#work = result.then(
      () => {},
      () => {},
    );
    return result;
  }

  /** Brings the machine where it should be, from the disk alone; heads that come meanwhile wait. */
  async boot(): Promise<void> {
    try {
      await this.#boot();
    } finally {
      this.#isBooting = false;
      this.#next();
    }
  }

  async #boot(): Promise<void> {
    const { store, log } = this.#deps;
    await this.#outcomes.recall();
    const action = planBoot(await store.journal.read(), await store.confirmed.read());
    if (action.kind === "leave") {
      if (action.why !== null) log.error({ why: action.why }, "the machine is left unchanged");
      await store.journal.clear();
      return;
    }
    const to = action.kind === "apply" ? action.head : action.to;
    try {
      this.#running = to && (await this.#load(to));
    } catch (error) {
      log.error({ why: reasonOf(error) }, "the confirmed state cannot be read; waiting for it");
      return;
    }
    if (action.kind === "apply") {
      await this.#restore("start");
      await store.journal.clear();
      return;
    }
    await this.#restore("the edge stopped before the state was confirmed");
    if (action.reverted === null) await store.journal.clear();
    else {
      const reason = outcomeLine("stopped", { phase: action.reverted.phase });
      await this.#endReverted(action.reverted.target, "reverted", reason, { stopped: true });
    }
  }

  /** A new connection: its controller proved itself and sent its epoch. */
  welcome(epoch: number): void {
    this.#controllerEpoch = epoch;
    // The controller compares what the report says, and sends its head again if it is newer.
    if (this.#fetch) this.#kept.keep(this.#fetch);
    this.#fetch = null;
    this.#revision = null;
    this.#outcomes.forget();
  }

  /** What of the running state does not act now. */
  found(findings: readonly Finding[]): void {
    if (this.#running && !this.isBusy) this.#outcomes.found(this.#running.head, findings);
  }

  /** The controller has the outcome that was kept. */
  reported(): void {
    this.#outcomes.reported();
  }

  offer(head: StateHead): void {
    if (this.#isBooting) {
      this.#waiting = head;
      return;
    }
    const verdict = validateHead(head, {
      running: this.#running?.head ?? null,
      active: this.#active,
      fetching: this.#fetch?.head ?? null,
      waiting: this.#waiting,
      controllerEpoch: this.#controllerEpoch,
      blocked: this.#outcomes.blocked,
    });
    this.#deps.log.info({ ...stateIdOf(head), verdict }, "head");
    if (verdict === "wait") this.#waiting = head;
    else if (verdict === "take") this.#start(head);
    else if (verdict === "again" && this.#fetch) this.#need(this.#fetch);
    else if (verdict === "blocked" && this.#outcomes.blocked)
      this.#outcomes.notify(this.#outcomes.blocked);
  }

  /** Later lists of networks for the state that runs. */
  revise(revision: StateRevision): void {
    this.#revision = revision;
    this.#offerRevision();
  }

  #offerRevision(): void {
    const [base, revision] = [this.#running?.head, this.#revision];
    if (!base || !revision || this.#isBooting || !isOfState(base, revision)) return;
    const underWay = this.#active ?? this.#fetch?.head;
    if (underWay && !isOfState(underWay, revision)) return;
    this.#revision = null;
    this.offer(revisedHead(base, revision));
  }

  /** Asks again for sections that did not come; called with each heartbeat. */
  retryFetch(): void {
    const fetch = this.#fetch;
    const { clock, uplink } = this.#deps;
    if (!fetch) return;
    if (uplink.isReceiving()) fetch.requestedAt = clock.monotonic();
    else if (clock.monotonic() - fetch.requestedAt >= requestAgainMs) this.#need(fetch);
  }

  /** Sections that were asked for. */
  receive({ contents, deltas = {}, ...id }: MessageFromController<"sections">): void {
    const fetch = this.#fetch;
    if (!fetch || compareStates(fetch.head, id) !== 0) return;
    fetch.requestedAt = this.#deps.clock.monotonic();
    const refusal = takeSections(fetch, contents);
    if (refusal !== null) {
      this.#fetch = null;
      this.#kept.clear();
      this.#outcomes.refuse(fetch.head, refusal);
      this.#next();
    } else if (!takeDeltas(fetch, deltas)) {
      // Others of the same answer come in further messages: what they are of is requested already.
      if (fetch.bases === null) return;
      this.#deps.log.warn(
        stateIdOf(fetch.head),
        "a delta does not give its section; requested in full",
      );
      fetch.bases = null;
      this.#need(fetch);
    } else if (fetch.missing.size === 0) void this.#requestParts(fetch);
  }

  #start(head: StateHead): void {
    if (this.#fetch) this.#kept.keep(this.#fetch);
    const fetch = newFetch(head, (hash) => this.#deps.store.sections.has(hash));
    this.#kept.give(fetch);
    this.#fetch = fetch;
    if (fetch.missing.size === 0) void this.#requestParts(fetch);
    else void this.#request(fetch);
  }

  /** Asks for what is missing, and names what there is of it where the controller reads that. */
  async #request(fetch: Fetch): Promise<void> {
    const running = this.#running?.head;
    if (running && this.#deps.uplink.accepts(messageAdditions.bases))
      // What the disk does not give is requested in full.
      await readBases(fetch, running, this.#deps.store.sections).catch(() => undefined);
    if (this.#fetch === fetch) this.#need(fetch);
  }

  /** All that the head names is there; asks for what that names, and applies the state once nothing is missing. */
  async #requestParts(fetch: Fetch): Promise<void> {
    // What the disk does not give is noticed when the state is read.
    const parts = await missingParts(fetch, this.#deps.store.sections).catch(() => []);
    if (this.#fetch !== fetch) return;
    for (const hash of parts) fetch.missing.add(hash);
    this.#kept.give(fetch);
    if (fetch.missing.size > 0) await this.#request(fetch);
    else this.#applyFetched(fetch);
  }

  #need(fetch: Fetch): void {
    const { clock, uplink } = this.#deps;
    fetch.requestedAt = clock.monotonic();
    const sections = [...fetch.missing];
    const bases = uplink.accepts(messageAdditions.bases) ? basesOf(fetch) : {};
    const named = Object.keys(bases).length > 0 ? { bases } : {};
    uplink.send({ type: "need", ...stateIdOf(fetch.head), sections, ...named });
  }

  #applyFetched({ head, contents }: Fetch): void {
    this.#fetch = null;
    this.#kept.clear();
    this.#active = head;
    this.#take(head, contents)
      .catch((error) => this.#deps.log.error({ why: reasonOf(error) }, "the state machine failed"))
      .finally(() => {
        this.#active = null;
        this.#next();
      });
  }

  #next(): void {
    const next = this.#waiting;
    this.#waiting = null;
    if (this.#deps.signal.aborted) return;
    if (next) this.offer(next);
    this.#offerRevision();
  }

  async #load(head: StateHead): Promise<Running> {
    const sections = await readSections(this.#deps.store.sections, head);
    return { head, digest: digestOf(head), state: fromSections(sections) };
  }

  /** The whole document, checked as far as it can be without touching anything. */
  async #check(head: StateHead): Promise<Target> {
    const target = await this.#load(head);
    const { nodeId } = target.state.node;
    if (nodeId !== this.#deps.node) throw new Error(outcomeLine("otherNode", { node: nodeId }));
    const findings = await this.exclusive(() => validateAll(this.#deps.machine, target.state));
    return { ...target, findings };
  }

  async #take(head: StateHead, contents: Fetch["contents"]): Promise<void> {
    const { store, machine } = this.#deps;
    let target: Target | null = null;
    let plan: Plan;
    machine.refusals.retry();
    try {
      await store.sections.save(contents);
      target = await this.#check(head).catch((error) => this.#recheck(head, error));
      if (target === null) return;
      const { state } = target;
      plan = await this.exclusive(() => planAll(machine, state));
      await this.#journal(head, "applying", plan);
    } catch (error) {
      // Nothing was touched: there is nothing to undo.
      await this.#outcomes.keep(head, "failed", reasonOf(error));
      return;
    }
    await this.#apply(target, plan);
  }

  /** Refuses a document that failed its check, unless only the disk had spoiled it. */
  async #recheck(head: StateHead, error: unknown): Promise<null> {
    const { sections } = this.#deps.store;
    const isSpoiled = [...(await hashesOf(sections, head))].some((hash) => !sections.has(hash));
    if (isSpoiled && this.#refetched !== head) {
      this.#refetched = head;
      this.#waiting ??= head;
    } else this.#outcomes.refuse(head, reasonOf(error));
    return null;
  }

  #journal(target: StateHead, phase: "applying" | "applied" | "reverting", plan: Plan) {
    const previous = this.#running?.head ?? null;
    const steps = summaries(plan).slice(0, journalledSteps);
    return this.#deps.store.journal.write({ target, previous, phase, steps });
  }

  async #apply(target: Target, plan: Plan): Promise<void> {
    const { machine, uplink, clock, log, signal } = this.#deps;
    const { head } = target;
    let { findings } = target;
    try {
      await this.exclusive(async () => {
        await applyAll(machine, target.state, plan, clock, this.#running?.state ?? null);
        // What could not be started, for example, is known only now.
        findings = await findingsOf(machine, target.state).catch(() => target.findings);
      });
      await this.#journal(head, "applied", plan);
    } catch (error) {
      const reason = reasonOf(error);
      await this.#revert(head, plan, "failed", reason, {});
      return;
    }
    const deadline = clock.monotonic() + confirmDeadlineMs;
    log.info(
      { ...stateIdOf(head), steps: plan.length },
      "state applied, waiting for the commit confirmation",
    );
    this.#outcomes.applied(head, findings);
    const light = isLight(plan.map(({ step }) => step));
    const confirmation = await uplink.confirm(stateIdOf(head), target.digest, light, deadline);
    if (confirmation.kind === "confirmed") await this.#confirm(target);
    else if (signal.aborted) log.warn(stateIdOf(head), "stopping with an unconfirmed state");
    else {
      const wasReached = confirmation.refusal !== null;
      const wasReceived = wasReached || confirmation.kind === "unable";
      const { why } = confirmation;
      const reason = outcomeLine(wasReceived ? "unconfirmed" : "unreachable", { why });
      await this.#revert(head, plan, "reverted", reason, { unreachable: !wasReached });
    }
  }

  async #confirm(target: Running): Promise<void> {
    const { store, log, uplink, clock, signal } = this.#deps;
    this.#running = target;
    this.#deps.machine.refusals.settle();
    // The controller has committed; a disk that is full for a while must not undo that.
    for (;;) {
      try {
        await store.confirmed.write({ head: target.head });
        await store.journal.clear();
        await store.sections.keepOnly(await hashesOf(store.sections, target.head));
        break;
      } catch (error) {
        log.error({ why: reasonOf(error) }, "the confirmed state cannot be kept on the disk");
        await sleep(clock, diskPauseMs, signal);
        if (signal.aborted) return;
      }
    }
    log.info(stateIdOf(target.head), "state confirmed");
    uplink.changed();
  }

  async #revert(
    head: StateHead,
    plan: Plan,
    outcome: PendingOutcome["outcome"],
    reason: string,
    silence: Silence,
  ): Promise<void> {
    // On a disk that takes no more writes the old entry leads to the same end at the next start.
    await this.#journal(head, "reverting", plan).catch((error) =>
      this.#deps.log.error({ why: reasonOf(error) }, "the journal cannot be written"),
    );
    const left = await this.#restore(reason);
    const text = left === null ? reason : outcomeLine("incomplete", { cause: reason, left });
    this.#deps.uplink.restored();
    await this.#endReverted(head, outcome, text, silence);
  }

  /** The outcome is kept before the journal is removed: a stop in between repeats both. */
  async #endReverted(
    head: StateHead,
    outcome: PendingOutcome["outcome"],
    reason: string,
    silence: Silence,
  ): Promise<void> {
    await this.#outcomes.keepReverted(head, outcome, reason, silence);
    await this.#deps.store.journal
      .clear()
      .catch((error) =>
        this.#deps.log.error({ why: reasonOf(error) }, "the journal could not be removed"),
      );
  }

  /** Back to what runs by the disk; a few tries, then drift healing goes on with it. */
  async #restore(why: string): Promise<string | null> {
    const { clock, machine, log, signal } = this.#deps;
    // What the other state was refused for may act in this one.
    if (!this.#isBooting) machine.refusals.retry();
    const state = this.#running?.state ?? null;
    let left: string | null = null;
    for (let turn = 0; turn < restoreTries && !signal.aborted; turn += 1) {
      if (turn > 0) await sleep(clock, restorePauseMs, signal);
      left = await this.exclusive(() => settle(machine, state, clock));
      if (left === null) break;
      log.error({ left }, "the rollback is incomplete");
    }
    const to = this.#running ? stateIdOf(this.#running.head) : null;
    log.info({ to, why }, "state restored");
    return left;
  }
}
