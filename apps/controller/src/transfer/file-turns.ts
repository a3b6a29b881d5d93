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
import { type Most, type Sender, Turns } from "#kernel/turns.ts";

/** Files under way at a time, each with a thread of up to 256 MB and then a connection, or with a connection. */
const maxActive: Most = { inAll: 2, ofEnterprise: 2, ofUser: 1 };
/** Files that are under way or wait. */
const mostOpen = { ofUser: 8, ofEnterprise: 16, inAll: 40 } as const;
/** Ms before it is refused that too many are open. */
const refusalMs = 1_000;

export interface FileTurns {
  /**
   * Resolves when the turn of this one has come.
   * @param gone aborted when its client has left: the place is given up
   * @returns gives the turn back; has to be called once
   * @throws Refusal unavailable when too many of these, or of all, are open, after a long wait, and when the place is given to
   *   an enterprise with fewer
   * @throws ClientGone: its client left before
   */
  take(sender: Sender, gone: AbortSignal): Promise<() => void>;
}

/** @param longestMs after which one that waits is refused */
export function createFileTurns(longestMs: number): FileTurns {
  const turns = new Turns(() => maxActive, longestMs);
  return {
    async take(sender, gone) {
      const { open, enterprise } = turns.shareOf(sender);
      const hasMost = open >= mostOpen.ofUser || enterprise.open >= mostOpen.ofEnterprise;
      const isFull = turns.open >= mostOpen.inAll;
      // An enterprise with at least two more than this one loses a place.
      if (hasMost || (isFull && !turns.endNewest(enterprise.open + 1))) {
        await new Promise((resolve) => setTimeout(resolve, refusalMs));
        gone.throwIfAborted();
        refuse("unavailable");
      }
      const end = await turns.take(sender, gone);
      if (end) return end;
      gone.throwIfAborted();
      return refuse("unavailable");
    },
  };
}

/** Of this process: all calls that take in a file share them. Who sent one has given up soon. */
export const importTurns = createFileTurns(30_000);
/** Of this process: all downloads of files that are made out of rows. A browser goes on waiting for one. */
export const exportTurns = createFileTurns(120_000);
