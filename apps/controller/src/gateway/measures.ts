/** Measures of links on their way into the database: of all sockets of the process, written together. */
import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import type { LinkSample } from "#domains/overlay/link/public.ts";
import { Refused } from "./refusal.ts";

type Measures = MessageFromEdge<"measures">["links"];

/** Links of one device between two writes; a message has as many at most. */
const maxLinks = 20_000;
/** Samples of one link between two writes; devices measure once in that time, and of more the newest count. */
const maxSamples = 8;
/** Rows of one statement. */
const maxRows = 10_000;

interface Waiting {
  readonly link: Measures[number];
  /** Monotonic ms. */
  readonly receivedAt: number;
  isOutdated: boolean;
}

/** The last report of a device holds until the next one. */
interface Standing {
  readonly link: Measures[number];
  /** Monotonic ms. */
  readonly receivedAt: number;
  readonly untilMs: number;
}

export class MeasureBuffer {
  readonly #now: () => number;
  /** Likewise what counts as measured again in each write without being sent. */
  readonly #standing = new Map<number, Map<number, Standing>>();
  /** The samples of each link, by the node that reported them: nobody replaces what another node says. */
  readonly #waiting = new Map<number, Map<number, Waiting[]>>();

  /** @param now ms on a clock that no time change moves */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * @param standMs how long these count as measured again; undefined: they count once
   * @throws Refused for a message that names a link twice, or with more links than a node has
   */
  add(node: number, links: Measures, standMs?: number): void {
    if (new Set(links.map(({ id }) => id)).size !== links.length) {
      throw new Refused("badMessage", "the same link is reported twice");
    }
    const own = this.#waiting.get(node) ?? new Map<number, Waiting[]>();
    const standing = this.#standing.get(node) ?? new Map<number, Standing>();
    const receivedAt = this.#now();
    for (const link of links) {
      const samples = own.get(link.id) ?? [];
      samples.push({ link, receivedAt, isOutdated: false });
      if (samples.length > maxSamples) samples.shift();
      own.set(link.id, samples);
      if (standMs === undefined) standing.delete(link.id);
      else standing.set(link.id, { link, receivedAt, untilMs: receivedAt + standMs });
    }
    if (own.size > maxLinks || standing.size > maxLinks) {
      this.#waiting.delete(node);
      this.#standing.delete(node);
      throw new Refused("tooMany", "measures of too many links");
    }
    if (own.size > 0) this.#waiting.set(node, own);
    if (standing.size > 0) this.#standing.set(node, standing);
  }

  /** The connection of a device has ended: what it sent counts, and stands no longer. */
  ended(node: number): void {
    this.#standing.delete(node);
  }

  /** What was measured of links before they went up or down does not describe them any more. */
  outdate(node: number, links: readonly { readonly id: number }[]): void {
    for (const { id } of links) {
      for (const sample of this.#waiting.get(node)?.get(id) ?? []) sample.isOutdated = true;
      this.#standing.get(node)?.delete(id);
    }
  }

  /** Takes out all that waits, with what stands of the other links, in parts of one statement each. */
  take(): LinkSample[][] {
    const now = this.#now();
    const parts: LinkSample[][] = [];
    let part: LinkSample[] = [];
    const put = (samples: readonly LinkSample[]): void => {
      // A statement has all samples of a link, in their order.
      if (part.length + samples.length > maxRows) {
        parts.push(part);
        part = [];
      }
      part.push(...samples);
    };
    for (const [node, standing] of this.#standing) {
      for (const [id, { link, receivedAt, untilMs }] of standing) {
        if (untilMs <= now) standing.delete(id);
        else if (!this.#waiting.get(node)?.has(id)) {
          put([
            { node, ageMs: now - receivedAt, isOutdated: false, isRepeated: true, turn: 1, link },
          ]);
        }
      }
      if (standing.size === 0) this.#standing.delete(node);
    }
    for (const [node, links] of this.#waiting) {
      for (const samples of links.values()) {
        put(
          samples.map(({ link, receivedAt, isOutdated }, index) => ({
            node,
            ageMs: now - receivedAt,
            isOutdated,
            isRepeated: false,
            turn: index + 1,
            link,
          })),
        );
      }
    }
    if (part.length > 0) parts.push(part);
    this.#waiting.clear();
    return parts;
  }
}
