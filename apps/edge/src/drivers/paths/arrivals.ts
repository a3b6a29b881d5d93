/** What came of the other end's numbered packets. Pure but for what it remembers. */
import { distance32, modulo32, type Probe, type Report } from "./wire.ts";

/** Packets that may come late and still count. */
const rememberedPackets = 256;
/** A jump by more is no gap: the sender's numbers started again, or its packets were away for minutes. */
const maxGap = 20_000;

export class Arrivals {
  readonly #seen = new Uint8Array(rememberedPackets);
  #boot: number | null = null;
  #era = 0;
  #highest = 0;
  #received = 0;
  #newest: { readonly sentAt: number; readonly at: number } | null = null;
  #jitter = 0;
  /** Ms until the sender's next packet, and whether it waits for a report. */
  #periodMs = 0;
  #isUrgent = false;

  /** µs when the last packet came; null: none did. */
  get lastAt(): number | null {
    return this.#newest?.at ?? null;
  }

  get periodMs(): number {
    return this.#periodMs;
  }

  get isUrgent(): boolean {
    return this.#isUrgent;
  }

  /**
   * @param at µs on a clock that no time change moves
   * @param isPunctual false: the packet may have waited for this program, so that its time says nothing
   */
  take(probe: Probe, at: number, isPunctual: boolean): void {
    this.#periodMs = probe.periodMs;
    this.#isUrgent = probe.isUrgent;
    const step = distance32(this.#highest, probe.sequence);
    if (this.#boot !== probe.boot || Math.abs(step) > maxGap) this.#restart(probe, at);
    else if (step > 0) this.#advance(probe, step, at, isPunctual);
    else if (-step < rememberedPackets) this.#late(probe.sequence);
  }

  /** This program stood still, and packets may have been dropped that the line has carried. */
  forget(): void {
    this.#boot = null;
  }

  /** @param now µs on the clock of `take` */
  report(now: number): Report | null {
    if (this.#boot === null || !this.#newest) return null;
    const { sentAt, at } = this.#newest;
    return {
      boot: this.#boot,
      era: this.#era,
      highest: this.#highest,
      received: this.#received,
      returned: sentAt,
      heldUs: Math.round(now - at),
      jitterUs: Math.round(this.#jitter),
    };
  }

  #restart({ boot, sequence, sentAt }: Probe, at: number): void {
    this.#boot = boot;
    this.#era = modulo32(this.#era + 1);
    this.#highest = sequence;
    this.#received = 1;
    this.#jitter = 0;
    this.#newest = { sentAt, at };
    // What came before the first one is not of this era.
    this.#seen.fill(1);
  }

  #advance({ sequence, sentAt }: Probe, step: number, at: number, isPunctual: boolean): void {
    const cleared = Math.min(step, rememberedPackets);
    for (let back = 0; back < cleared; back += 1)
      this.#seen[modulo32(sequence - back + 2 ** 32) % rememberedPackets] = 0;
    this.#seen[sequence % rememberedPackets] = 1;
    this.#highest = sequence;
    this.#received += 1;
    if (this.#newest && isPunctual) {
      // RFC 3550 section 6.4.1; clocks that differ, or drift, cancel out.
      const sent = distance32(this.#newest.sentAt, sentAt);
      this.#jitter += (Math.abs(at - this.#newest.at - sent) - this.#jitter) / 16;
    }
    this.#newest = { sentAt, at };
  }

  #late(sequence: number): void {
    const slot = sequence % rememberedPackets;
    if (this.#seen[slot] === 1) return;
    this.#seen[slot] = 1;
    this.#received += 1;
  }
}
