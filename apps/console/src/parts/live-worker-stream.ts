/**
 * The stream of a shared worker, which all tabs of a user are connected to. The worker ends with the last of them, and none of
 * them is needed for it to go on: a tab that is frozen, discarded or in the back/forward cache is only one that hears nothing.
 */
import { keepStream } from "./live-source.ts";

/** From a tab to the worker. */
export type ToWorker =
  | { readonly kind: "joined" }
  /** It would get an address now; a tab that is frozen does not answer. */
  | { readonly kind: "ready" }
  /** null: it got none. */
  | { readonly kind: "address"; readonly address: string | null }
  | { readonly kind: "left" };

/** From the worker to a tab. */
export type FromWorker =
  | { readonly kind: "state"; readonly isLive: boolean }
  | { readonly kind: "event"; readonly data: string; readonly id: string }
  | { readonly kind: "missed" }
  /** Whether it can get an address: sessions are the tabs', and the worker has no token. */
  | { readonly kind: "wanted" }
  /** An address of a stream behind the event `last`. */
  | { readonly kind: "get"; readonly last: string };

/** Ms that tabs have to get an address. Later, the attempt counts as failed. */
const addressMs = 30_000;

interface Wanted {
  readonly last: string;
  /** The tab that gets it; null: none was ready yet. */
  by: MessagePort | null;
  readonly found: (address: string | null) => void;
}

/** @returns what connects one more tab by its port */
export function shareOverPorts(): (port: MessagePort) => void {
  const ports = new Set<MessagePort>();
  let isLive = false;
  let wanted: Wanted | null = null;
  let endStream: (() => void) | null = null;

  const post = (port: MessagePort, message: FromWorker): void => port.postMessage(message);
  const postAll = (message: FromWorker): void => {
    for (const port of ports) post(port, message);
  };
  const addressAfter = (last: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const settle = (address: string | null): void => {
        clearTimeout(timer);
        wanted = null;
        if (address === null) reject(new Error("no tab got an address"));
        else resolve(address);
      };
      const timer = setTimeout(() => settle(null), addressMs);
      wanted = { last, by: null, found: settle };
      postAll({ kind: "wanted" });
    });
  const start = (): void => {
    endStream = keepStream(
      {
        changed: (data, id) => postAll({ kind: "event", data, id }),
        missed: () => postAll({ kind: "missed" }),
        live(now) {
          isLive = now;
          postAll({ kind: "state", isLive });
        },
      },
      { last: "", hasStarted: false },
      addressAfter,
    );
  };
  const leave = (port: MessagePort): void => {
    if (!ports.delete(port)) return;
    port.close();
    if (wanted?.by === port) wanted.found(null);
    if (ports.size > 0) return;
    wanted?.found(null);
    endStream?.();
    endStream = null;
    isLive = false;
  };
  const join = (port: MessagePort): void => {
    ports.add(port);
    post(port, { kind: "state", isLive });
    if (endStream === null) start();
    else if (wanted?.by === null) post(port, { kind: "wanted" });
  };
  return (port) => {
    port.onmessage = ({ data }: MessageEvent<ToWorker>) => {
      if (data.kind === "joined") join(port);
      else if (data.kind === "left") leave(port);
      else if (data.kind === "ready" && wanted?.by === null) {
        wanted.by = port;
        post(port, { kind: "get", last: wanted.last });
      } else if (data.kind === "address" && wanted?.by === port) wanted.found(data.address);
    };
    // Where browsers have it, a tab that crashed is known to be gone.
    port.addEventListener("close", () => leave(port));
  };
}
