/** What happens to a message while the store is unavailable. */
import type { FromEdge } from "@weft/contract/device/v1/messages.ts";
import { StoreAway } from "./store.ts";

/**
 * Messages that are worthless once the store is available again: the next heartbeat and measures report the same,
 * and a device without a commit confirmation on its socket asks on a new connection.
 */
const passing: ReadonlySet<FromEdge["type"]> = new Set(["heartbeat", "transition", "confirm"]);

/**
 * Processes a message. While the store is unavailable it is queued together with all later messages of its
 * socket, which is no longer read; or the socket is closed.
 * @param isOver nothing waits for it any more
 */
export async function retryWhileStoreAway(
  host: { storeAway(error: StoreAway): Promise<void> },
  type: FromEdge["type"],
  isOver: () => boolean,
  work: () => Promise<void>,
): Promise<void> {
  while (!isOver()) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreAway)) throw error;
      const back = host.storeAway(error);
      if (passing.has(type)) return;
      await back;
    }
  }
}
