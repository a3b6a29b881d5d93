import { fork } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { join } from "node:path";
import { environmentOf, failure } from "./command.ts";
import { entering } from "./enter.ts";
import { type Lab, logOf } from "./lab.ts";
import { endGroup } from "./process-identity.ts";

export interface ForwardOptions {
  /** Port on 127.0.0.1 of the root namespace; 0 takes a free one. */
  readonly rootPort: number;
  /** Port that is served in the node. */
  readonly ctlPort: number;
  /** The node, and the address that is served there. */
  readonly node?: string;
  readonly host?: string;
}

export interface Forward {
  readonly port: number;
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Makes a port of a node reachable at 127.0.0.1 of the root namespace, where the browser is.
 *
 * One process does it: it runs in the node, and is handed a socket that listens in the root
 * namespace. It ends with the machine. No route and no interface joins the two networks.
 *
 * @throws LabError when the port is taken or the node is down
 */
export async function forward(
  lab: Lab,
  { rootPort, ctlPort, node = "ctl", host = "127.0.0.1" }: ForwardOptions,
): Promise<Forward> {
  const program = join(import.meta.dirname, "relay.ts");
  const [execPath = "", ...execArgv] = entering(lab, node, [process.execPath]);
  const argv = [process.execPath, program, host, String(ctlPort)];
  const server = await listen(node, argv, rootPort);
  const { port } = server.address() as AddressInfo;
  const fd = openSync(logOf(lab, node, `forward-${port}`), "a");
  const relay = fork(program, argv.slice(2), {
    execPath,
    execArgv,
    env: environmentOf(),
    detached: true,
    stdio: ["ignore", fd, fd, "ipc"],
  });
  closeSync(fd);
  const ended = new Promise<void>((resolve) => relay.once("exit", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    relay.once("message", () => resolve());
    relay.once("error", (error) => reject(failure(node, argv, "cannot be started", error.message)));
    relay.once("exit", (code) => reject(failure(node, argv, `ended with ${code}`, "")));
    relay.send("listen", server);
  }).finally(() => server.close());
  // From here on it runs on its own, also when this process ends.
  relay.disconnect();
  relay.unref();
  const stop = async () => {
    if (relay.pid !== undefined && relay.exitCode === null) await endGroup(relay.pid);
    return ended;
  };
  return { port, url: `http://127.0.0.1:${port}`, stop };
}

function listen(node: string, argv: readonly string[], port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    // A connection before the relay is ready is refused; only the relay can carry it.
    const server = createServer((early) => early.destroy());
    server.once("error", (error) => reject(failure(node, argv, "has no port", error.message)));
    server.listen({ host: "127.0.0.1", port }, () => resolve(server));
  });
}
