import type { Disk } from "#store/disk.ts";

/** Never settles: what a call of a dead process does. */
const never = <Value>(): Promise<Value> => new Promise(() => {});

/**
 * A disk that keeps what a power cut keeps: contents that were synced, names that were renamed
 * before the folder was synced. What was not synced is lost or torn, as the worst real one may.
 */
export class CrashDisk {
  /** What programs see. */
  #files = new Map<string, Uint8Array>();
  /** Contents on the platter, by the buffer that was written. */
  #synced = new Set<Uint8Array>();
  /** The folder on the platter. */
  #names = new Map<string, Uint8Array>();
  #diesAt = Number.POSITIVE_INFINITY;
  #generation = 0;
  /** Changes (write, sync, rename, remove, folder sync) so far. */
  changes = 0;
  onDeath: () => void = () => {};
  /** Set: every change throws this, as a full disk does. */
  fault: Error | null = null;

  /** The process dies when it asks for the n-th change from now. */
  dieAt(change: number): void {
    this.#diesAt = this.changes + change;
  }

  /** The process is gone; with `power`, all that was not synced as well. */
  kill(power: boolean): void {
    this.#generation += 1;
    this.#diesAt = Number.POSITIVE_INFINITY;
    if (!power) return;
    this.#files = new Map(
      [...this.#names].map(([name, content]) => [
        name,
        this.#synced.has(content) ? content : content.slice(0, content.length / 2),
      ]),
    );
    this.#names = new Map(this.#files);
  }

  names(): string[] {
    return [...this.#files.keys()];
  }

  /** Flips a bit of a file, as a failing disk does. */
  damage(name: string): void {
    const content = this.#files.get(name);
    if (!content) throw new Error(`no file ${name}`);
    const copy = Uint8Array.from(content);
    const at = Math.floor(copy.length / 2);
    copy[at] = (copy[at] ?? 0) ^ 1;
    this.#files.set(name, copy);
  }

  /** The disk as one process sees it. */
  open(): Disk {
    const generation = this.#generation;
    const isDead = () => generation !== this.#generation;
    const change = <Value>(work: () => Value): Promise<Value> => {
      if (isDead()) return never();
      this.changes += 1;
      if (this.changes >= this.#diesAt) {
        this.onDeath();
        return never();
      }
      if (this.fault) return Promise.reject(this.fault);
      return Promise.resolve(work());
    };
    const access = <Value>(work: () => Value): Promise<Value> =>
      isDead() ? never() : Promise.resolve(work());
    return {
      read: (name) => access(() => this.#files.get(name) ?? null),
      list: () => access(() => [...this.#files.keys()]),
      write: (name, content) =>
        change(() => {
          this.#files.set(name, Uint8Array.from(content));
        }),
      sync: (name) =>
        change(() => {
          const content = this.#files.get(name);
          if (content) this.#synced.add(content);
        }),
      rename: (from, to) =>
        change(() => {
          const content = this.#files.get(from);
          if (!content) throw new Error(`no file ${from}`);
          this.#files.delete(from);
          this.#files.set(to, content);
        }),
      remove: (name) =>
        change(() => {
          this.#files.delete(name);
        }),
      syncFolder: () =>
        change(() => {
          this.#names = new Map(this.#files);
        }),
    };
  }
}
