/** Which links carry traffic beside the packets that measure them. Pure but for what it remembers. */

/** Packets a second from which it is worth looking closely; BFD and probes alone make fewer. */
const busyFrom = 60;
const readMs = 1_000;
/** Ms for which a link that was busy counts as busy. */
const keptMs = 10_000;

export class BusyMeter {
  readonly #own = new Map<number, number>();
  #before = new Map<number, number>();
  readonly #busyAt = new Map<number, number>();
  #readAt = Number.NEGATIVE_INFINITY;

  /** A packet of ours was sent or came. */
  count(id: number): void {
    this.#own.set(id, (this.#own.get(id) ?? 0) + 1);
  }

  /**
   * @param packets of each interface so far; asked for once a second
   * @param at ms
   * @returns ids of links that are busy
   */
  read(
    links: readonly { readonly id: number; readonly interfaceName: string }[],
    packets: () => ReadonlyMap<string, number>,
    at: number,
  ): ReadonlySet<number> {
    if (at - this.#readAt >= readMs) this.#take(links, packets(), at);
    return new Set([...this.#busyAt].flatMap(([id, busyAt]) => (at - busyAt < keptMs ? [id] : [])));
  }

  #take(
    links: readonly { readonly id: number; readonly interfaceName: string }[],
    packets: ReadonlyMap<string, number>,
    at: number,
  ): void {
    const seconds = (at - this.#readAt) / 1_000;
    this.#readAt = at;
    const counts = new Map<number, number>();
    for (const { id, interfaceName } of links) {
      const count = packets.get(interfaceName);
      if (count === undefined) continue;
      counts.set(id, count);
      const before = this.#before.get(id);
      const others = before === undefined ? 0 : count - before - (this.#own.get(id) ?? 0);
      if (others / seconds >= busyFrom) this.#busyAt.set(id, at);
    }
    this.#own.clear();
    this.#before = counts;
    for (const id of this.#busyAt.keys()) if (!counts.has(id)) this.#busyAt.delete(id);
  }
}
