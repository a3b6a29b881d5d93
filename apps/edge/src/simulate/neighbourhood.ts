/**
 * What lies between the devices of a fleet: a link is up when both its ends are there and carry it, both measure the
 * same round trip, and one receives what the other sends.
 * Without this a hub would call the link to a device that is switched off a good one.
 */
import type { Character } from "./character.ts";

type Traits = Pick<Character, "place" | "extraRttMs">;

/** What both ends of a link find alike. */
export interface Way {
  /** Kilometres between the two; null: not known. */
  readonly distance: number | null;
  /** Ms that a round trip takes longer than the distance explains. */
  readonly extraRttMs: number;
}

const earthRadius = 6_371;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Kilometres on the ground (haversine formula). */
const between = (one: Traits["place"], other: Traits["place"]): number | null => {
  if (one === null || other === null) return null;
  const [longitude, latitude] = one.map(radians) as [number, number];
  const [otherLongitude, otherLatitude] = other.map(radians) as [number, number];
  const half =
    Math.sin((otherLatitude - latitude) / 2) ** 2 +
    Math.cos(latitude) * Math.cos(otherLatitude) * Math.sin((otherLongitude - longitude) / 2) ** 2;
  return 2 * earthRadius * Math.asin(Math.sqrt(half));
};

export class Neighbourhood {
  /** Ids of the links that each device carries. */
  readonly #carried = new Map<string, ReadonlySet<number>>();
  /** Devices that carry each link: two at most. */
  readonly #carriers = new Map<number, readonly string[]>();
  readonly #traits = new Map<string, Traits>();
  /** bit/s that each device sends into its links, by link. */
  readonly #sent = new Map<string, Map<number, number>>();

  readonly #settledAt: number;

  /** @param settledAt monotonic ms from which on a device that is not there is switched off, and not only starting yet */
  constructor(settledAt = 0) {
    this.#settledAt = settledAt;
  }

  isSettled(now: number): boolean {
    return now >= this.#settledAt;
  }

  /** Says where a device is. */
  join(device: string, { place, extraRttMs }: Traits): void {
    this.#traits.set(device, { place, extraRttMs });
  }

  /** Says what a device carries from now on, and gives those of its links that another device carries too. */
  meet(device: string, carried: ReadonlySet<number>): ReadonlySet<number> {
    this.#replace(device, carried);
    return new Set([...carried].filter((id) => this.#carriersOf(id).length > 1));
  }

  /** The device is switched off. */
  leave(device: string): void {
    this.#replace(device, new Set());
    this.#carried.delete(device);
    this.#sent.delete(device);
  }

  wayOf(id: number): Way {
    const [one, other] = this.#carriersOf(id).map((device) => this.#traits.get(device));
    return {
      distance: between(one?.place ?? null, other?.place ?? null),
      extraRttMs: (one?.extraRttMs ?? 0) + (other?.extraRttMs ?? 0),
    };
  }

  /** Says how much a device sends into a link, bit/s. */
  send(device: string, id: number, rate: number): void {
    const sent = this.#sent.get(device) ?? new Map<number, number>();
    this.#sent.set(device, sent.set(id, rate));
  }

  /** bit/s that the other end of a link sends to a device; null: it has not said so yet. */
  receivedBy(device: string, id: number): number | null {
    const other = this.#carriersOf(id).find((carrier) => carrier !== device);
    return (other === undefined ? undefined : this.#sent.get(other)?.get(id)) ?? null;
  }

  #carriersOf(id: number): readonly string[] {
    return this.#carriers.get(id) ?? [];
  }

  #replace(device: string, carried: ReadonlySet<number>): void {
    const before = this.#carried.get(device) ?? new Set();
    for (const id of before) if (!carried.has(id)) this.#leave(id, device);
    for (const id of carried) {
      if (!before.has(id)) this.#carriers.set(id, [...this.#carriersOf(id), device]);
    }
    this.#carried.set(device, carried);
  }

  #leave(id: number, device: string): void {
    const left = this.#carriersOf(id).filter((carrier) => carrier !== device);
    if (left.length === 0) this.#carriers.delete(id);
    else this.#carriers.set(id, left);
  }
}
