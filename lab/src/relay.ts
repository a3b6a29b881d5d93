/**
 * Runs in a machine and carries connections to a port there. Its listening socket was opened by
 * the parent in the root namespace and handed over: a socket belongs to the network in which it
 * was made, whichever process holds it. Arguments: address and port to connect to.
 */
import { type AddressInfo, connect, type Server, type Socket } from "node:net";
import { argv } from "node:process";

const [, , host = "", port = ""] = argv;

/** Half-closed connections stay half-closed, so that no end of a stream is cut short. */
function carry(near: Socket): void {
  near.allowHalfOpen = true;
  const far = connect({ host, port: Number(port), allowHalfOpen: true });
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    from.setNoDelay(true);
    from.pipe(to);
    from.once("error", () => to.destroy());
    // After a proper end, what is still under way to the other side must get there.
    from.once("close", () => {
      if (!from.readableEnded) to.destroy();
    });
  }
}

process.once("message", (_: unknown, handed: unknown) => {
  const server = handed as Server;
  server.on("connection", carry);
  process.send?.((server.address() as AddressInfo).port);
});
