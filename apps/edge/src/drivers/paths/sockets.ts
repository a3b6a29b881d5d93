/**
 * Sockets in the namespaces of spaces. A socket belongs to the network that it was made in, whichever program holds it:
 * a short-lived program makes it there and hands it over, so that a space costs a file descriptor and no process.
 */
import { spawn } from "node:child_process";
import { createSocket, type Socket } from "node:dgram";
import { pathPort } from "@weft/contract/device/v1/paths.ts";
import { inNetns, toolEnv } from "#drivers/exec.ts";

/** What was not forwarded comes with it (RFC 5082); the firewall drops all else. */
const ttl = 255;
/** As far as the kernel lets it: packets of thousands of links may come while the program is busy. Bytes. */
const bufferBytes = 4_194_304;
const openWithinMs = 10_000;

const maker = `const s = require("node:dgram").createSocket("udp4");
s.bind(${pathPort}, () => {
  s.setTTL(${ttl});
  s.setRecvBufferSize(${bufferBytes});
  process.send("socket", s, () => { s.close(); process.disconnect(); });
});`;

const openHere = (): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const lookup = (
      host: string,
      _options: unknown,
      done: (e: null, a: string, f: number) => void,
    ) => done(null, host, 4);
    const socket = createSocket({ type: "udp4", lookup });
    socket.once("error", reject);
    socket.bind(pathPort, () => {
      socket.off("error", reject);
      socket.setTTL(ttl);
      socket.setRecvBufferSize(bufferBytes);
      resolve(socket);
    });
  });

const openIn = (netns: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const [tool, ...args] = inNetns(netns, [process.execPath, "-e", maker]);
    const child = spawn(tool, args, {
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      timeout: openWithinMs,
      env: toolEnv(),
    });
    let output = "";
    child.stderr?.on("data", (text: Buffer) => {
      output = `${output}${text.toString()}`.slice(-400);
    });
    child.once("error", reject);
    child.once("message", (_name, socket) => resolve(socket as Socket));
    child.once("exit", () => reject(new Error(`no socket in ${netns}: ${output.trim()}`)));
  });

/** A socket for the packets that measure links. @param netns null: the program's own */
export const openSocket = (netns: string | null): Promise<Socket> =>
  netns === null ? openHere() : openIn(netns);
