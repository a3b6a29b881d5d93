/** The controller's rows, which complain when something is written that must not be. */
import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import type { StateHead, StateId, StateRevision } from "@weft/contract/device/v1/state.ts";
import type { ConfirmRequest } from "@weft/controller/src/domains/delivery/deliver/confirm.ts";
import type {
  DeliveryTimes,
  DeviceView,
} from "@weft/controller/src/domains/delivery/deliver/delivery.ts";
import { MemoryRows } from "@weft/controller/test/memory-store.ts";
import type { StateRow } from "@weft/controller/test/memory-transitions.ts";
import type { Trace } from "./trace.ts";

export const textOf = (id: StateId | null): string => {
  if (!id) return "none";
  const revision = id.revision === undefined ? "" : `.${id.revision}`;
  return `${id.epoch}/${id.serial}${revision}`;
};

export class WatchedRows extends MemoryRows {
  /** A planted fault: what was rolled back is sent like anything else. */
  resendsReverted = false;
  readonly #trace: Trace;
  readonly #now: () => number;
  readonly #violate: (text: string) => void;
  #isPeeking = false;
  readonly #confirmed = new Set<string>();

  constructor(now: () => number, trace: Trace, violate: (text: string) => void) {
    super(now);
    this.#violate = violate;
    this.#now = now;
    this.#trace = trace;
  }

  /** True once a confirmation of the state was committed, whatever became of it later. */
  wasConfirmed(node: number, id: StateId): boolean {
    return this.#confirmed.has(`${node} ${textOf(id)}`);
  }

  /** What a call would give, without its effects. */
  peek<T>(work: () => T): T {
    const all = [...this.nodes.values()];
    const before = all.map(({ states }) => states.map((row) => ({ ...row })));
    const revisions = all.map((rows) => rows.revisions.map((row) => ({ ...row })));
    this.#isPeeking = true;
    const value = work();
    this.#isPeeking = false;
    for (const [at, { states }] of [...this.nodes.values()].entries()) {
      for (const [place, row] of states.entries()) Object.assign(row, before[at]?.[place]);
    }
    for (const [at, rows] of all.entries()) rows.revisions = revisions[at] ?? [];
    return value;
  }

  override takeNext(
    node: number,
    view: DeviceView,
    times: DeliveryTimes,
  ): StateHead | StateRevision | null {
    const row = this.sendable(node);
    const before = row && { ...row };
    if (row && this.resendsReverted && row.outcome === "reverted") row.outcome = "waiting";
    const head = super.takeNext(node, view, times);
    if (row && before?.outcome === "reverted" && row.outcome === "waiting") {
      row.outcome = "reverted";
    }
    if (head && before && !this.#isPeeking) {
      this.#trace.add(`rows: n${node} ${textOf(head)} was ${before.outcome}, goes out`);
      if (head.revision === undefined) this.#mayGo(before, times, `n${node} ${textOf(head)}`);
    }
    return head;
  }

  /** What has ended badly goes out again only by the rule of one retry (design section 3.6). */
  #mayGo(row: StateRow, times: DeliveryTimes, name: string): void {
    const { outcome, unreachable, stopped, retries, endedAt } = row;
    if (outcome === "refused" || outcome === "failed" || outcome === "superseded") {
      this.#violate(`${name} goes out although it is ${outcome}`);
    }
    if (outcome !== "reverted") return;
    if ((!unreachable && !stopped) || retries > 0) {
      this.#violate(`${name} was reverted and goes out without a right to a retry`);
    }
    const pauseMs = stopped ? times.retryAfterStopMs : times.retryAfterMs;
    if (this.#now() - (endedAt ?? 0) < pauseMs) {
      this.#violate(`${name} was reverted and goes out again too soon`);
    }
  }

  override keepConfirmed(request: ConfirmRequest): void {
    super.keepConfirmed(request);
    this.#confirmed.add(`${request.node} ${textOf(request)}`);
    this.#trace.add(`rows: n${request.node} ${textOf(request)} confirmed`);
  }

  override keepOutcome(node: number, message: MessageFromEdge<"outcome">): void {
    super.keepOutcome(node, message);
    const now = this.find(node, message)?.outcome;
    this.#trace.add(`rows: n${node} ${textOf(message)} reported ${message.outcome}, is ${now}`);
  }
}
