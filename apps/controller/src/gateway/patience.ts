/** What becomes of a message while the store is away. */
import type { FromEdge } from "@weft/contract/device/v1/messages.ts";
import { StoreAway } from "./store.ts";

/**
 * What is worth nothing once the store is back: the next heartbeat and the next metrics report it again,
 * and a device that gets no commit confirmation on its socket asks on a connection of its own.
 */
const passing: ReadonlySet<FromEdge["type"]> = new Set([
  "heartbeat",
  "measures",
  "transition",
  "confirm",
]);

/**
 * Works on a message. While the store is away it waits, and with it all that came after it on its
 * socket, whose reading stops by then; or it is closed.
 * @param isOver nothing waits for it any more
 */
export async function patiently(
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
