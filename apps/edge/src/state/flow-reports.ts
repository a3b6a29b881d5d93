/** Sends records of flows to the controller: one message at a time, held until its store has it. */
import {
  type FlowRecord,
  maxFlowMs,
  maxFlowRecords,
} from "@weft/contract/device/v1/flow-records.ts";
import type { MessageFromController } from "@weft/contract/device/v1/messages.ts";
import type { Machine } from "#drivers/driver.ts";
import type { Random } from "#edge/clock.ts";
import type { Link } from "#link/link.ts";
import { newNonce } from "#link/nonce.ts";

export interface FlowReporterDeps {
  readonly random: Random;
  readonly machine: Pick<Machine, "flows">;
  readonly link: Pick<Link, "isConnected" | "send">;
}

/** A message that is not acknowledged is sent again after this. Ms. */
const patienceMs = 10_000;

interface Sent {
  readonly sequence: number;
  readonly items: readonly FlowRecord[];
  /** Records that were dropped when they were read. */
  readonly dropped: number;
  /** Ms on a clock that no time change moves: when they were read, and last sent. */
  readonly readAt: number;
  sentAt: number;
}

/** It has a record that no message may contain any more. */
const isTooOld = ({ items, readAt }: Sent, now: number): boolean =>
  items.some(({ ago }) => ago + Math.round(now - readAt) > maxFlowMs);

export class FlowReporter {
  readonly #deps: FlowReporterDeps;
  readonly #boot: string;
  #sequence = 0;
  #sent: Sent | null = null;

  constructor(deps: FlowReporterDeps) {
    this.#deps = deps;
    this.#boot = newNonce(deps.random);
  }

  /** A new connection: what is not acknowledged is sent again with the next call. */
  forget(): void {
    if (this.#sent) this.#sent.sentAt = Number.NEGATIVE_INFINITY;
  }

  /** @param now ms on a clock that no time change moves */
  report(now: number): void {
    const { link, machine } = this.#deps;
    if (!link.isConnected) return;
    // After a month without a controller: what is left of it is read again.
    if (this.#sent && isTooOld(this.#sent, now)) this.#sent = null;
    if (!this.#sent) {
      const items = machine.flows.first(maxFlowRecords);
      const { dropped } = machine.flows;
      if (items.length === 0) return;
      this.#sequence += 1;
      const never = Number.NEGATIVE_INFINITY;
      this.#sent = { sequence: this.#sequence, items, dropped, readAt: now, sentAt: never };
    }
    this.#send(this.#sent, now);
  }

  /** The controller has stored one. */
  take({ boot, sequence }: MessageFromController<"flowsAck">, now: number): void {
    const sent = this.#sent;
    if (sent === null || boot !== this.#boot || sequence !== sent.sequence) return;
    const { machine } = this.#deps;
    machine.flows.forget(sent.items.length, sent.dropped);
    this.#sent = null;
    // What is left fills a message: it need not wait for the next turn.
    if (machine.flows.size >= maxFlowRecords) this.report(now);
  }

  #send(sent: Sent, now: number): void {
    if (now - sent.sentAt < patienceMs) return;
    const { sequence, items, readAt } = sent;
    const later = Math.round(now - readAt);
    const isSent = this.#deps.link.send({
      type: "flows",
      boot: this.#boot,
      sequence,
      dropped: this.#deps.machine.flows.dropped,
      items: items.map((item) => ({ ...item, ago: item.ago + later })),
    });
    if (isSent) sent.sentAt = now;
  }
}
