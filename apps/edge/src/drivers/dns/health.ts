/** Reachability of name servers: periodic queries that every server answers. */
import { createSocket } from "node:dgram";
import { isIPv6 } from "node:net";

export interface ProbedServer {
  readonly address: string;
  /** Own address that it is asked from, which decides the WAN link; null: routing decides. */
  readonly source: string | null;
}

/** The name servers of the root (RFC 1035 section 4.1), without recursion. */
const question = (id: number): Buffer =>
  Buffer.from([id >> 8, id & 255, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1]);

const answerMs = 1_000;

/** True for any response, also a refusal. */
const answers = ({ address, source }: ProbedServer): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createSocket(isIPv6(address) ? "udp6" : "udp4");
    const id = Math.floor(Math.random() * 65_536);
    const end = (isThere: boolean): void => {
      clearTimeout(timer);
      socket.removeAllListeners().on("error", () => {});
      socket.close();
      resolve(isThere);
    };
    const timer = setTimeout(() => end(false), answerMs);
    socket.on("error", () => end(false));
    socket.on("message", (text, from) => {
      if (from.port === 53 && text.length >= 12 && text.readUInt16BE(0) === id) end(true);
    });
    socket.bind({ ...(source !== null && { address: source }) }, () => {
      socket.connect(53, address, (error?: Error) => {
        if (error) end(false);
        else socket.send(question(id));
      });
    });
  });

const pauseMs = { up: 5_000, down: 1_000 } as const;
/** A single lost datagram does not count. */
const missesUntilDown = 2;

interface Known {
  misses: number;
  notBefore: number;
  isProbing: boolean;
}

/** State of servers by the caller's names. A server without a probe counts as up. */
export class ServerHealth {
  readonly #known = new Map<string, Known>();
  readonly #probe: (server: ProbedServer) => Promise<boolean>;
  readonly #now: () => number;

  constructor(
    probe: (server: ProbedServer) => Promise<boolean> = answers,
    now: () => number = () => performance.now(),
  ) {
    this.#probe = probe;
    this.#now = now;
  }

  isUp(name: string): boolean {
    return (this.#known.get(name)?.misses ?? 0) < missesUntilDown;
  }

  /** Probes servers that are due, and forgets all others. Does not wait. */
  watch(wanted: ReadonlyMap<string, ProbedServer>): void {
    for (const name of this.#known.keys()) if (!wanted.has(name)) this.#known.delete(name);
    for (const [name, server] of wanted) {
      const known = this.#known.get(name) ?? { misses: 0, notBefore: 0, isProbing: false };
      this.#known.set(name, known);
      if (known.isProbing || this.#now() < known.notBefore) continue;
      known.isProbing = true;
      void this.#probe(server).then((isThere) => {
        known.isProbing = false;
        known.misses = isThere ? 0 : known.misses + 1;
        known.notBefore = this.#now() + (isThere ? pauseMs.up : pauseMs.down);
      });
    }
  }
}
