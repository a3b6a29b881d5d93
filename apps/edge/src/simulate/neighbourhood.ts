/**
 * What lies between the devices of a fleet: a link is up when both its ends are there and carry it.
 * Without this a hub would call the link to a device that is switched off a good one.
 */
export class Neighbourhood {
  /** Ids of the links that each device carries. */
  readonly #carried = new Map<string, ReadonlySet<number>>();

  /** Says what a device carries from now on, and gives those of its links that another device carries too. */
  meet(device: string, carried: ReadonlySet<number>): ReadonlySet<number> {
    this.#carried.set(device, carried);
    const up = new Set<number>();
    for (const [other, links] of this.#carried) {
      if (other === device) continue;
      for (const id of links) if (carried.has(id)) up.add(id);
    }
    return up;
  }

  /** The device is switched off. */
  leave(device: string): void {
    this.#carried.delete(device);
  }
}
