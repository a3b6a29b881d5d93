import { messageAdditions } from "@weft/contract/device/v1/additions.ts";
import { canonicalJson } from "@weft/contract/device/v1/canonical.ts";
import type { Finding } from "@weft/contract/device/v1/findings.ts";
import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import { type StateHead, type StateId, stateIdOf } from "@weft/contract/device/v1/state.ts";
import type { Clock } from "#edge/clock.ts";
import { type Log, reasonOf } from "#edge/log.ts";
import type { EdgeStore, PendingOutcome } from "#store/edge-store.ts";
import type { Uplink } from "./uplink.ts";

export interface OutcomesDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: EdgeStore;
  readonly uplink: Uplink;
}

/** A reverted state that comes again within this time is not applied: no loops. */
const blockMs = 60_000;
const maxReason = 1_000;

/** Why a state came back that the controller had not refused. */
export interface Silence {
  readonly unreachable?: boolean;
  readonly stopped?: boolean;
}

/** Whether this controller reads outcomes of the state: an earlier one knows no revisions. */
export const mayReport = (
  uplink: Pick<Uplink, "accepts">,
  { revision }: Pick<StateId, "revision">,
): boolean => revision === undefined || uplink.accepts(messageAdditions.revisions);

/** What is kept as it is reported; `unreachable` and `stopped` go with `reverted` only. */
export const outcomeMessage = (kept: PendingOutcome): MessageFromEdge<"outcome"> => {
  const { unreachable, stopped, ...reported } = kept;
  return {
    type: "outcome",
    ...reported,
    ...(unreachable && { unreachable }),
    ...(stopped && { stopped }),
  };
};

/** Outcomes of states, reported immediately or when contact returns. */
export class Outcomes {
  readonly #deps: OutcomesDeps;
  /** Kept on the disk; whether the controller has it is not known. */
  #untold: PendingOutcome | null = null;
  /** The findings that the controller received last; null: not known. */
  #reported: string | null = null;
  #blocked: { readonly outcome: PendingOutcome; readonly until: number } | null = null;

  constructor(deps: OutcomesDeps) {
    this.#deps = deps;
  }

  /**
   * The state that was rolled back less than a minute ago, or whose end the controller may not know
   * yet: it may send that one again only because it has no report of it.
   */
  get blocked(): PendingOutcome | null {
    if (this.#untold) return this.#untold;
    const blocked = this.#blocked;
    return blocked && this.#deps.clock.monotonic() < blocked.until ? blocked.outcome : null;
  }

  /** Loads what an earlier run kept and could not report. */
  async recall(): Promise<void> {
    const kept = await this.#deps.store.outcome.read();
    if (kept.kind === "value") this.#untold = kept.value;
  }

  /** The controller has what was kept. */
  reported(): void {
    this.#untold = null;
  }

  /** A state acts, but for these findings. */
  applied(head: StateHead, findings: readonly Finding[]): void {
    const reported = canonicalJson(findings);
    const isWhole = findings.length === 0 || this.#takesFindings;
    // What a controller of an earlier version does not read is reported once there is one that does.
    if (this.#sendApplied(head, isWhole ? findings : []) && isWhole) this.#reported = reported;
  }

  /** The findings of the state that runs, as they are now: reported when they are new. */
  found(head: StateHead, findings: readonly Finding[]): void {
    const reported = canonicalJson(findings);
    if (reported === this.#reported || !this.#takesFindings) return;
    if (this.#sendApplied(head, findings, true)) this.#reported = reported;
  }

  get #takesFindings(): boolean {
    return this.#deps.uplink.accepts(messageAdditions.findings);
  }

  /** The report of the running state may be lost, or the next controller may not have it. */
  forget(): void {
    if (this.#reported !== "[]") this.#reported = null;
  }

  #sendApplied(head: StateHead, findings: readonly Finding[], explicit = false): boolean {
    const reported = explicit || findings.length > 0 ? { findings: [...findings] } : {};
    const { uplink } = this.#deps;
    if (!mayReport(uplink, head)) return false;
    return uplink.send({
      type: "outcome",
      ...stateIdOf(head),
      outcome: "applied",
      reason: null,
      ...reported,
    });
  }

  /** Not kept on the disk: the controller sends the state again, and gets the same answer. */
  refuse(head: StateHead, reason: string): void {
    const { log, uplink } = this.#deps;
    log.error({ ...stateIdOf(head), reason }, "state refused");
    if (!mayReport(uplink, head)) return;
    uplink.send({ type: "outcome", ...stateIdOf(head), outcome: "refused", reason });
  }

  /** Keeps a bad end until the controller has it; it is sent immediately if there is a connection. */
  async keep(
    head: StateHead,
    outcome: PendingOutcome["outcome"],
    reason: string,
    { unreachable = false, stopped = false }: Silence = {},
  ): Promise<PendingOutcome> {
    const { store, log, uplink } = this.#deps;
    const text = reason.slice(0, maxReason);
    const kept = { ...stateIdOf(head), outcome, reason: text, unreachable, stopped };
    log.error(kept, "state was refused, failed or rolled back");
    try {
      await store.outcome.write(kept);
      this.#untold = kept;
      uplink.changed();
    } catch (error) {
      log.error({ why: reasonOf(error) }, "the outcome cannot be kept on the disk");
      this.notify(kept);
    }
    return kept;
  }

  /** Keeps the end of a state that was rolled back, and blocks it for a while. */
  async keepReverted(
    head: StateHead,
    outcome: PendingOutcome["outcome"],
    reason: string,
    silence: Silence,
  ): Promise<void> {
    const kept = await this.keep(head, outcome, reason, silence);
    // Reported were those of the state that is gone.
    this.forget();
    this.#blocked = { outcome: kept, until: this.#deps.clock.monotonic() + blockMs };
  }

  notify(kept: PendingOutcome): void {
    if (!mayReport(this.#deps.uplink, kept)) return;
    this.#deps.uplink.send(outcomeMessage(kept));
  }
}
