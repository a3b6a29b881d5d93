// npm run dev: the controller restarts and the console reloads as you type. The browser talks to
// Vite, which passes the controller's paths on.
import "./assert-node.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { pathToFileURL } from "node:url";
import { inRoot, root } from "./repository.ts";

/** A port that is free now: Vite has to know it before the controller listens. */
async function freePort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no TCP address");
  return String(address.port);
}

// The proxy of the console's own configuration reads the same variable.
if (process.env.WEFT_PORT === "0") process.env.WEFT_PORT = await freePort();

interface ViteServer {
  listen(): Promise<ViteServer>;
  printUrls(): void;
  close(): Promise<void>;
}

interface Vite {
  createServer(config: object): Promise<ViteServer>;
}

// Vite is the console's package, not the tools': so it is looked up from there.
const vitePath = createRequire(inRoot("apps/console/package.json")).resolve("vite");
const vite = (await import(pathToFileURL(vitePath).href)) as Vite;

const controller = spawn(
  process.execPath,
  ["--watch", "apps/controller/src/main.ts", "--demonstration", ...process.argv.slice(2)],
  { cwd: root, stdio: ["ignore", "inherit", "inherit"] },
);
const controllerEnded = once(controller, "close");

const server = await vite.createServer({ root: inRoot("apps/console") });
await server.listen();
server.printUrls();

// Vite's own listener would end the process before the controller has closed its stores.
process.removeAllListeners("SIGTERM");
const end = () => controller.kill("SIGTERM");
process.on("SIGINT", end);
process.on("SIGTERM", end);
await controllerEnded;
await server.close();
// Vite's watchers may keep the process for a while after close().
process.exit(0);
