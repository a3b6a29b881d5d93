/**
 * Path MTU of links by packetization layer path MTU discovery (RFC 8899): a line that drops large
 * packets silently is found by probes of the tunnel's full size, and the tunnel follows it.
 */
import type { Argv, Run } from "#drivers/exec.ts";

/** A link that answers small probes. */
export interface SizedLink {
  readonly id: number;
  readonly netns: string | null;
  /** Address of the other end inside the tunnel. */
  readonly target: string;
  /** Bytes of an IP packet inside the tunnel, as the interface has it now. */
  readonly mtu: number;
}

/** What a link's path carries when it is less than the link was given. */
export interface PathMtu {
  /** Bytes of an IP packet inside the tunnel. */
  readonly mtu: number;
  /** RFC 8899 section 5.2: the search has ended, or the full size is being tried again. */
  readonly phase: "complete" | "raising";
}

interface Limit extends PathMtu {
  readonly since: number;
  /** How often the full size was tried again in vain. */
  readonly raises: number;
  /** The path may be another one by now. */
  readonly isDoubtful: boolean;
}

/** The full size is tested so often: a black hole is found and left within 20 s. */
const periodMs = 15_000;
/** PMTU_RAISE_TIMER (RFC 8899 section 5.1.1); doubled after each try in vain, up to eight times as long. */
const raiseMs = 600_000;
const maxDoublings = 3;
/** After a change of a line the path may be another one; lines that flap do not try more often. */
const minRaiseMs = 30_000;
/** The contract's least MTU of a link; less is never set. */
const floor = 1_000;
/** Step between sizes that are tried: a step costs at most 1.5 % of what the path could carry. */
const stepBytes = 20;
/** IPv4 header and ICMP header in front of the data that fping counts. */
const headerBytes = 28;

/** MAX_PROBES (RFC 8899 section 5.1.2 asks for 3) is 6, as lines lose packets of any size as well. */
const large = ["-r", "5", "-t", "400", "-B", "1", "-i", "1"] as const;
/** Small packets must all come back: what else is lost says nothing about the size. */
const control = ["-r", "0", "-t", "1000", "-i", "1", "-b", "12"] as const;
const controls = 3;

const pauseMsOf = ({ raises, isDoubtful }: Limit): number =>
  isDoubtful ? minRaiseMs : raiseMs * 2 ** Math.min(raises, maxDoublings);

/** fping(8) ends with 1 when a target is silent, which is an answer here and no failure. */
const tolerant = ["sh", "-c", '"$@" || test $? -eq 1', "sh"] as const;

const sizesBelow = (mtu: number): number[] => {
  const first = Math.ceil(mtu / stepBytes) * stepBytes - stepBytes;
  const count = Math.max(0, Math.floor((first - floor) / stepBytes) + 1);
  return Array.from({ length: count }, (_, index) => first - index * stepBytes);
};

/** Finds and keeps the path MTU of links; all times in ms of a clock that no time change moves. */
export class PathMtus {
  readonly #run: Run;
  readonly #now: () => number;
  readonly #changed: () => void;
  readonly #limits = new Map<number, Limit>();
  readonly #tested = new Map<number, { mtu: number; at: number }>();
  #isRunning = false;

  /** @param changed called after `limits` became others */
  constructor(run: Run, now: () => number, changed: () => void) {
    this.#run = run;
    this.#now = now;
    this.#changed = changed;
  }

  /** By link id; links whose path carries all that they were given are left out. */
  get limits(): ReadonlyMap<number, PathMtu> {
    return this.#limits;
  }

  /** A line changed: its path may carry more now. */
  pathsChanged(): void {
    for (const [id, limit] of this.#limits) this.#limits.set(id, { ...limit, isDoubtful: true });
  }

  /** Forgets the links that are gone. */
  keep(ids: ReadonlySet<number>): void {
    for (const id of [...this.#limits.keys()]) if (!ids.has(id)) this.#limits.delete(id);
    for (const id of [...this.#tested.keys()]) if (!ids.has(id)) this.#tested.delete(id);
  }

  /**
   * Tests the links whose time has come; a round that takes longer is not joined by a second.
   * @param links those that answer small probes
   */
  async round(links: readonly SizedLink[]): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      const before = this.#shown();
      this.#raise();
      const groups = Map.groupBy(
        links.filter((link) => this.#isDue(link)),
        ({ netns, mtu }) => `${netns ?? ""} ${mtu}`,
      );
      for (const group of groups.values()) await this.#test(group);
      if (this.#shown() !== before) this.#changed();
    } finally {
      this.#isRunning = false;
    }
  }

  #shown(): string {
    return JSON.stringify([...this.#limits].map(([id, { mtu, phase }]) => [id, mtu, phase]));
  }

  /** The full size is given back to links whose limit is old; the test of it follows. */
  #raise(): void {
    for (const [id, limit] of this.#limits) {
      if (limit.phase === "complete" && this.#now() - limit.since >= pauseMsOf(limit))
        this.#limits.set(id, { ...limit, phase: "raising", raises: limit.raises + 1 });
    }
  }

  #isDue({ id, mtu }: SizedLink): boolean {
    const tested = this.#tested.get(id);
    return tested?.mtu !== mtu || this.#now() - tested.at >= periodMs;
  }

  /** Links of one place and one size. */
  async #test(links: readonly SizedLink[]): Promise<void> {
    const [first] = links;
    if (!first) return;
    const { mtu } = first;
    const alive = await this.#alive(links, large, mtu);
    for (const link of links) {
      this.#tested.set(link.id, { mtu, at: this.#now() });
      if (alive.has(link.target)) this.#passed(link);
    }
    const silent = links.filter(({ target }) => !alive.has(target));
    const smalls = Array.from({ length: controls }, () => this.#alive(silent, control));
    const answered = await Promise.all(smalls);
    const suspects = silent.filter(({ target }) =>
      answered.every((targets) => targets.has(target)),
    );
    if (suspects.length === 0) return;
    // With the full size: a path that came back since answers small probes and has carried no large one yet.
    const sizes = [mtu, ...sizesBelow(mtu)];
    const results = await Promise.all(
      sizes.map(async (size) => ({ size, alive: await this.#alive(suspects, large, size) })),
    );
    for (const link of suspects) {
      const carried = results.find(({ alive }) => alive.has(link.target))?.size ?? floor;
      if (carried === mtu) this.#passed(link);
      else this.#limit(link.id, carried);
    }
  }

  /** A size that passes ends a try to raise it, once the interface has the size that is tried. */
  #passed({ id, mtu }: SizedLink): void {
    const limit = this.#limits.get(id);
    if (limit && mtu > limit.mtu) this.#limits.delete(id);
  }

  #limit(id: number, mtu: number): void {
    const raises = this.#limits.get(id)?.raises ?? 0;
    this.#limits.set(id, {
      mtu,
      phase: "complete",
      raises,
      since: this.#now(),
      isDoubtful: false,
    });
  }

  /** Targets that answer probes of this size. */
  async #alive(
    links: readonly SizedLink[],
    options: readonly string[],
    mtu?: number,
  ): Promise<ReadonlySet<string>> {
    const [first] = links;
    if (!first) return new Set();
    const size = mtu === undefined ? [] : ["-b", `${mtu - headerBytes}`];
    const targets = links.map(({ target }) => target);
    const argv: Argv = [...tolerant, "fping", "-a", ...options, ...size, ...targets];
    const timeoutMs = 10_000 + targets.length * 10;
    const text = await this.#run(argv, { netns: first.netns, timeoutMs });
    return new Set(text.split("\n").filter((line) => line !== ""));
  }
}
