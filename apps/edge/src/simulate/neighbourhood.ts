/**
 * What lies between the devices of a fleet: a link is up when both its ends are there and carry it.
 * Without this a hub would call the link to a device that is switched off a good one.
 */
export class Neighbourhood {
  /** Ids of the links that each device carries. */
  readonly #carried = new Map<string, ReadonlySet<number>>();
  /** How many devices carry each link. */
  readonly #carriers = new Map<number, number>();

  /** Says what a device carries from now on, and gives those of its links that another device carries too. */
  meet(device: string, carried: ReadonlySet<number>): ReadonlySet<number> {
    this.#replace(device, carried);
    return new Set([...carried].filter((id) => (this.#carriers.get(id) ?? 0) > 1));
  }

  /** The device is switched off. */
  leave(device: string): void {
    this.#replace(device, new Set());
    this.#carried.delete(device);
  }

  #replace(device: string, carried: ReadonlySet<number>): void {
    const before = this.#carried.get(device) ?? new Set();
    for (const id of before) if (!carried.has(id)) this.#count(id, -1);
    for (const id of carried) if (!before.has(id)) this.#count(id, 1);
    this.#carried.set(device, carried);
  }

  #count(id: number, by: 1 | -1): void {
    const carriers = (this.#carriers.get(id) ?? 0) + by;
    if (carriers === 0) this.#carriers.delete(id);
    else this.#carriers.set(id, carriers);
  }
}
