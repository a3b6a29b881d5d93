/**
 * Turns of files that are taken in or made. A file that is taken in is read in a thread of up to 256 MB, and its rows are planned
 * and written in a transaction; one that is made reads up to 100,000 rows in one: what one user asks for must take neither the
 * memory nor the connections and the time of this process that all others need. So few are under way at a time, of one user one,
 * and who waits is served in turn with other enterprises and users. A call that waits sends no other one, and one that may not
 * even wait is refused after a pause: a program that sends file after file gets as far as the turns do, and takes no more of the
 * process by sending faster. Where all places are taken, who has few of them gets one of those who have most: however many
 * enterprises send file after file, no other one is kept out.
 */
import { refuse } from "#kernel/refuse.ts";

/** Files under way at a time, each with a thread of up to 256 MB and then a connection, or with a connection. */
const mostRunning = 2;
/** Files that are under way or wait. */
const mostOpen = { ofUser: 8, ofEnterprise: 16, inAll: 40 } as const;
/** Ms before it is refused that too many are open. */
const refusalMs = 1_000;

interface Sender {
  readonly userId: number;
  readonly enterpriseId: number;
}

interface Waiting extends Sender {
  readonly begin: () => void;
  /** Its place is another one's now. */
  readonly end: () => void;
}

/** How many are open and under way of one user or enterprise, and when it had its last turn. */
interface Share {
  open: number;
  running: number;
  servedAt: number;
}

export interface FileTurns {
  /**
   * Resolves when the turn of this one has come.
   * @returns gives the turn back; has to be called once
   * @throws Refusal unavailable when too many of these, or of all, are open, after a long wait, and when the place is given to
   *   an enterprise with fewer
   */
  take(sender: Sender): Promise<() => void>;
}

/** @param longestMs after which one that waits is refused */
export function createFileTurns(longestMs: number): FileTurns {
  const shares = new Map<string, Share>();
  let waiting: Waiting[] = [];
  let open = 0;
  let running = 0;
  let served = 0;
  const shareOf = (key: string): Share => {
    const share = shares.get(key) ?? { open: 0, running: 0, servedAt: 0 };
    shares.set(key, share);
    return share;
  };
  const ofUser = ({ userId }: Sender): Share => shareOf(`user ${userId}`);
  const ofEnterprise = ({ enterpriseId }: Sender): Share => shareOf(`enterprise ${enterpriseId}`);
  const count = (sender: Sender, what: "open" | "running", by: 1 | -1): void => {
    if (what === "open") open += by;
    else running += by;
    ofUser(sender)[what] += by;
    ofEnterprise(sender)[what] += by;
  };
  const close = (sender: Sender): void => {
    count(sender, "open", -1);
    // Not each by itself: who sends the next file once the last one is done would be first again and again.
    if (open === 0) shares.clear();
  };
  /** Enterprises first that have none under way, then those, and their users, whose last turn is longest ago. */
  const inTurn = (one: Waiting, other: Waiting): number =>
    ofEnterprise(one).running - ofEnterprise(other).running ||
    ofEnterprise(one).servedAt - ofEnterprise(other).servedAt ||
    ofUser(one).servedAt - ofUser(other).servedAt;
  const start = (): void => {
    while (running < mostRunning) {
      const [next] = waiting.filter((one) => ofUser(one).running === 0).toSorted(inTurn);
      if (!next) return;
      waiting = waiting.filter((one) => one !== next);
      count(next, "running", 1);
      served += 1;
      ofUser(next).servedAt = served;
      ofEnterprise(next).servedAt = served;
      next.begin();
    }
  };
  /** @returns whether the turn came in time */
  const wait = (sender: Sender): Promise<boolean> =>
    new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(late);
        waiting = waiting.filter((one) => one !== entry);
        close(sender);
        resolve(false);
      };
      const late = setTimeout(end, longestMs);
      const begin = (): void => {
        clearTimeout(late);
        resolve(true);
      };
      const entry = { ...sender, begin, end };
      waiting.push(entry);
      start();
    });
  /** The newest that waits of the enterprise with most, if it has at least two more than this one; its user with most. */
  const replaceable = (sender: Sender): Waiting | undefined =>
    waiting
      .filter((one) => ofEnterprise(one).open > ofEnterprise(sender).open + 1)
      .toReversed()
      .toSorted(
        (a, b) => ofEnterprise(b).open - ofEnterprise(a).open || ofUser(b).open - ofUser(a).open,
      )[0];
  return {
    async take({ userId, enterpriseId }) {
      const sender = { userId, enterpriseId };
      const hasMost =
        ofUser(sender).open >= mostOpen.ofUser ||
        ofEnterprise(sender).open >= mostOpen.ofEnterprise;
      const isFull = open >= mostOpen.inAll;
      const replaced = isFull && !hasMost ? replaceable(sender) : undefined;
      if (hasMost || (isFull && !replaced)) {
        await new Promise((resolve) => setTimeout(resolve, refusalMs));
        refuse("unavailable");
      }
      replaced?.end();
      count(sender, "open", 1);
      if (!(await wait(sender))) refuse("unavailable");
      return () => {
        count(sender, "running", -1);
        close(sender);
        start();
      };
    },
  };
}

/** Of this process: all calls that take in a file share them. Who sent one has given up soon. */
export const importTurns = createFileTurns(30_000);
/** Of this process: all downloads of files that are made out of rows. A browser goes on waiting for one. */
export const exportTurns = createFileTurns(120_000);
