/**
 * Turns of what users send, where only so much may be under way at a time: whoever sends most is in the way of no other, as the
 * next one is of whom the fewest are under way.
 */

/** Whose it is. */
export interface Sender {
  readonly userId: number;
  readonly enterpriseId: number;
}

/** How many are under way at a time. */
export interface Most {
  readonly inAll: number;
  readonly ofEnterprise: number;
  readonly ofUser: number;
}

/** What is of a user, or of all users of an enterprise. */
interface Share {
  /** Under way or waiting. */
  open: number;
  running: number;
  /** Number of its last turn; 0: it had none. */
  servedAt: number;
}

interface Waiting {
  readonly arrivedAt: number;
  readonly begin: () => void;
  /** It gets no turn. */
  readonly end: () => void;
}

interface UserShare extends Share {
  readonly enterprise: Share;
  readonly waiting: Waiting[];
}

const newShare = (): Share => ({ open: 0, running: 0, servedAt: 0 });

export class Turns {
  readonly #most: () => Most;
  readonly #longestMs: number;
  readonly #users = new Map<number, UserShare>();
  readonly #enterprises = new Map<number, Share>();
  readonly #all = newShare();
  #arrived = 0;

  /** @param longestMs after which one that waits gets no turn */
  constructor(most: () => Most, longestMs: number) {
    this.#most = most;
    this.#longestMs = longestMs;
  }

  /** How many are under way or wait. */
  get open(): number {
    return this.#all.open;
  }

  shareOf({ userId, enterpriseId }: Sender): Readonly<UserShare> {
    return this.#userOf(userId, enterpriseId);
  }

  /**
   * Resolves when its turn has come.
   * @param gone aborted when who sent it does not wait any more: it leaves its place
   * @returns ends the turn, and has to be called once; null: it waited for too long, or lost or left its place
   */
  take({ userId, enterpriseId }: Sender, gone: AbortSignal): Promise<(() => void) | null> {
    if (gone.aborted) return Promise.resolve(null);
    const user = this.#userOf(userId, enterpriseId);
    return new Promise((resolve) => {
      this.#arrived += 1;
      const entry: Waiting = {
        arrivedAt: this.#arrived,
        begin: () => {
          stopWaiting();
          resolve(() => {
            this.#count(user, "running", -1);
            this.#close(user);
            this.#startNext();
          });
        },
        end: () => {
          stopWaiting();
          user.waiting.splice(user.waiting.indexOf(entry), 1);
          this.#close(user);
          resolve(null);
        },
      };
      const late = setTimeout(entry.end, this.#longestMs);
      gone.addEventListener("abort", entry.end, { once: true });
      const stopWaiting = (): void => {
        clearTimeout(late);
        gone.removeEventListener("abort", entry.end);
      };
      user.waiting.push(entry);
      this.#count(user, "open", 1);
      this.#startNext();
    });
  }

  /**
   * Takes its place from the newest one that waits of the enterprise with most, and there of the user with most.
   * @param open of an enterprise with no more than this many nothing is ended
   * @returns whether there was one
   */
  endNewest(open: number): boolean {
    const [user] = [...this.#users.values()]
      .filter(({ waiting, enterprise }) => waiting.length > 0 && enterprise.open > open)
      .toSorted(
        (a, b) =>
          b.enterprise.open - a.enterprise.open ||
          b.open - a.open ||
          arrivalOf(b, -1) - arrivalOf(a, -1),
      );
    const last = user?.waiting.at(-1);
    last?.end();
    return last !== undefined;
  }

  #userOf(userId: number, enterpriseId: number): UserShare {
    const known = this.#users.get(userId);
    if (known) return known;
    const enterprise = this.#enterprises.get(enterpriseId) ?? newShare();
    this.#enterprises.set(enterpriseId, enterprise);
    const user = { ...newShare(), enterprise, waiting: [] };
    this.#users.set(userId, user);
    return user;
  }

  #startNext(): void {
    const most = this.#most();
    while (this.#all.running < most.inAll) {
      const [next] = [...this.#users.values()]
        .filter(
          ({ waiting, running, enterprise }) =>
            waiting.length > 0 && running < most.ofUser && enterprise.running < most.ofEnterprise,
        )
        .toSorted(inTurn);
      const entry = next?.waiting.shift();
      if (!next || !entry) return;
      this.#count(next, "running", 1);
      this.#all.servedAt += 1;
      next.servedAt = this.#all.servedAt;
      next.enterprise.servedAt = this.#all.servedAt;
      entry.begin();
    }
  }

  #close(user: UserShare): void {
    this.#count(user, "open", -1);
    if (this.#all.open > 0) return;
    // Not each by itself: who sends the next one once the last one is done would be first again and again.
    this.#users.clear();
    this.#enterprises.clear();
  }

  #count(user: UserShare, what: "open" | "running", by: 1 | -1): void {
    for (const share of [this.#all, user.enterprise, user]) share[what] += by;
  }
}

const arrivalOf = ({ waiting }: UserShare, at: number): number => waiting.at(at)?.arrivedAt ?? 0;

/**
 * Fewest under way first, of the enterprise and then of the user; of several, whose last turn is longest ago, and of those that
 * had none, who came first.
 */
const inTurn = (a: UserShare, b: UserShare): number =>
  a.enterprise.running - b.enterprise.running ||
  a.running - b.running ||
  a.enterprise.servedAt - b.enterprise.servedAt ||
  a.servedAt - b.servedAt ||
  arrivalOf(a, 0) - arrivalOf(b, 0);
