/** Which measures have to be sent to a controller that takes those before as still true. Pure but for time. */
import type { LinkMeasure } from "#drivers/driver.ts";

/** Ms after which all links are sent again, changed or not. */
const repeatMs = 20_000;
/** Ms that what is sent stands for (`standMs`): a repetition may be missing a while. */
export const standMs = 30_000;

/**
 * Changes that are sent at once; smaller ones wait for the repetition. Any change of loss is one: limits begin at
 * half a per cent, and means of minutes are made of it.
 */
const news = {
  /** Ms, and a share of what was sent. */
  rtt: { atLeast: 2, share: 0.1 },
  jitter: { atLeast: 2, share: 0.25 },
  /** bit/s: what keeps an idle tunnel alive is less. Charts are made of `metrics`, which have every measurement. */
  rate: { atLeast: 100_000, share: 0.5 },
} as const;

const moved = (
  sent: number | null,
  measured: number | null,
  { atLeast, share }: { readonly atLeast: number; readonly share: number },
): boolean => {
  if (sent === null || measured === null) return sent !== measured;
  return Math.abs(measured - sent) > Math.max(atLeast, sent * share);
};

const isNews = (sent: LinkMeasure | undefined, measured: LinkMeasure): boolean =>
  sent === undefined ||
  sent.up !== measured.up ||
  sent.lossPercent !== measured.lossPercent ||
  moved(sent.rttMs, measured.rttMs, news.rtt) ||
  moved(sent.jitterMs, measured.jitterMs, news.jitter) ||
  moved(sent.inRate, measured.inRate, news.rate) ||
  moved(sent.outRate, measured.outRate, news.rate);

/** Remembers what was sent of each link on this connection. */
export class StandingMeasures {
  #sent = new Map<number, LinkMeasure>();
  /** When all links were sent last; null: not on this connection. */
  #repeatedAt: number | null = null;

  /** A new connection: its controller knows nothing yet. */
  forget(): void {
    this.#sent = new Map();
    this.#repeatedAt = null;
  }

  /** Of links that went up or down, what was sent before stands no longer. */
  changed(links: readonly { readonly id: number }[]): void {
    for (const { id } of links) this.#sent.delete(id);
  }

  /**
   * @param measured of all links
   * @param now ms on a clock that no time change moves
   * @returns those to be sent now
   */
  take(measured: readonly LinkMeasure[], now: number): readonly LinkMeasure[] {
    if (this.#repeatedAt === null || now - this.#repeatedAt >= repeatMs) {
      this.#repeatedAt = now;
      this.#sent = new Map(measured.map((link) => [link.id, link]));
      return measured;
    }
    const changed = measured.filter((link) => isNews(this.#sent.get(link.id), link));
    for (const link of changed) this.#sent.set(link.id, link);
    return changed;
  }
}
