/** A wire to a server: what goes through it can be cut, or stopped silently. */
import { once } from "node:events";
import { createServer, connect as dial, type Server, type Socket } from "node:net";

/** Carries connections to a server; cut, it ends them all and takes no more. */
export class Wire {
  readonly #to: URL;
  readonly #open = new Set<Socket>();
  readonly #server: Server;
  #isSilent = false;
  port = 0;

  constructor(to: URL) {
    this.#to = to;
    this.#server = createServer((near) => {
      const far = dial(Number(this.#to.port), this.#to.hostname);
      for (const socket of [near, far]) {
        this.#open.add(socket);
        socket.on("error", () => undefined);
        socket.on("close", () => {
          this.#open.delete(socket);
          near.destroy();
          far.destroy();
        });
      }
      near.pipe(far).pipe(near);
      if (this.#isSilent) this.#hold(near, far);
    });
  }

  /** The server's URL by way of this wire. */
  get url(): URL {
    return Object.assign(new URL(this.#to), { hostname: "127.0.0.1", port: String(this.port) });
  }

  async mend(): Promise<void> {
    this.#server.listen(this.port, "127.0.0.1");
    await once(this.#server, "listening");
    this.port = (this.#server.address() as { port: number }).port;
  }

  async cut(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
    await closed;
  }

  /** Connections are taken and stay, but no byte gets through any more. */
  silence(): void {
    this.#isSilent = true;
    this.#hold(...this.#open);
  }

  /** What waited goes on, and everything after it. */
  speak(): void {
    this.#isSilent = false;
    for (const socket of this.#open) socket.resume();
  }

  #hold(...sockets: readonly Socket[]): void {
    for (const socket of sockets) socket.pause();
  }
}
