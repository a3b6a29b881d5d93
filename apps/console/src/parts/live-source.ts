/** The connection of a stream of events: of a tab, or of the worker that tabs share. It makes no calls and knows no schemas. */
import {
  liveEventName,
  liveHeartbeat,
  liveReset,
} from "@weft/contract/domains/monitoring/live-stream.ts";

/** Ms until a lost stream is tried again; twice as long after each failure. */
const firstWait = 1_000;
const maxWait = 60_000;
/**
 * Ms without a heartbeat after which a stream is lost: of a computer that slept or changed its network the connection may be gone
 * without a word, and what only listens is not told. So is one that is not answered.
 */
const silentMs = 60_000;

export interface StreamListener {
  /**
   * @param data a LiveEvent in JSON
   * @param id of the event in the stream
   */
  changed(data: string, id: string): void;
  /** Something may have been missed. */
  missed(): void;
  /** Whether events come. */
  live(isLive: boolean): void;
}

/** What was received before, here or by the tab that had the stream. */
export interface Received {
  /** Id of the last event; "": there was none. */
  readonly last: string;
  /** False: whatever is on screen is newer than the stream. */
  readonly hasStarted: boolean;
}

/**
 * Keeps one stream open until it is ended.
 * @param addressAfter address with a ticket of its own, of a stream that begins behind an event
 */
export function keepStream(
  listener: StreamListener,
  received: Received,
  addressAfter: (last: string) => Promise<string>,
): () => void {
  let { last, hasStarted } = received;
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let wait = firstWait;
  let isOver = false;
  const again = (): void => {
    clearTimeout(silence);
    source?.close();
    source = null;
    if (isOver) return;
    listener.live(false);
    timer = setTimeout(() => void open(), wait);
    wait = Math.min(2 * wait, maxWait);
  };
  const awaitHeartbeat = (): void => {
    clearTimeout(silence);
    silence = setTimeout(again, silentMs);
  };
  const open = async (): Promise<void> => {
    try {
      const address = await addressAfter(last);
      if (isOver) return;
      source = new EventSource(address);
    } catch {
      return again();
    }
    awaitHeartbeat();
    source.onopen = () => {
      wait = firstWait;
      listener.live(true);
      // Without an event before it, it is not known what came meanwhile.
      if (hasStarted && last === "") listener.missed();
      hasStarted = true;
    };
    // The browser would try the used ticket again.
    source.onerror = again;
    source.addEventListener(liveHeartbeat, awaitHeartbeat);
    source.addEventListener(liveReset, () => listener.missed());
    source.addEventListener(liveEventName, ({ data, lastEventId }: MessageEvent<string>) => {
      last = lastEventId;
      listener.changed(data, last);
    });
  };
  void open();
  return () => {
    isOver = true;
    clearTimeout(timer);
    clearTimeout(silence);
    source?.close();
  };
}
