/** A server that answers with the address that it sees, and clients of it, as programs for machines of a test. */
import { waitUntil } from "#drivers/daemon.ts";
import type { NetnsMachine } from "./host.ts";

const port = 7_000;

/** To each line of TCP and each datagram. */
const server = (address: string) => `
  require("net").createServer((s) => {
    const seen = s.remoteAddress.replace("::ffff:", "") + "\\n";
    s.on("error", () => {}).on("data", () => s.write(seen));
  }).listen(${port}, "::");
  const u = require("dgram").createSocket("udp4");
  u.on("message", (_, from) => u.send(from.address, from.port, from.address));
  u.bind(${port}, "${address}");`;

/** Prints the answer to a new connection, or the error. */
const client = (from: string, to: string) => `
  const end = (text) => { console.log(text); process.exit(0); };
  setTimeout(() => end("silence"), 1500);
  require("net").connect({ host: "${to}", port: ${port}, localAddress: "${from}" }, function () { this.write("x"); })
    .on("data", (data) => end(String(data).trim())).on("error", (e) => end(e.code));`;

/** Serves until its machine ends. @param address for datagrams; connections are taken at any */
export async function serveSources(machine: NetnsMachine, address: string): Promise<void> {
  const argv = [process.execPath, "-e", server(address)] as const;
  void machine.run(argv, { timeoutMs: 300_000 }).catch(() => "");
  const listens = async () =>
    (await machine.run(["ss", "-Hltn", `sport = :${port}`])).trim() !== "";
  await waitUntil("the server", listens, 10_000, 100);
}

/** What the server sees of a new connection, "silence", or the error. */
export const seenFrom = async (host: NetnsMachine, from: string, to: string): Promise<string> =>
  (await host.run([process.execPath, "-e", client(from, to)])).trim();

/** Waits until a new connection of the host is seen with the source. */
export const leavesBy = (
  host: NetnsMachine,
  source: string | RegExp,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> =>
  waitUntil(
    `the internet by ${source}`,
    async () => {
      // A busy machine may end the client before it started.
      const seen = await seenFrom(host, from, to).catch(() => "no answer");
      return typeof source === "string" ? seen === source : source.test(seen);
    },
    120_000,
    50,
  );

/** A flow of TCP and one of UDP with one port, asked again and again; each answer is a line with its protocol. */
export const lastingFlows = (
  from: string,
  to: string,
  ms: number,
): readonly [string, ...string[]] => [
  process.execPath,
  "-e",
  `
  setTimeout(() => process.exit(0), ${ms});
  const net = require("net"), dgram = require("dgram");
  const t = net.connect({ host: "${to}", port: ${port}, localAddress: "${from}" });
  t.on("data", (data) => console.log("tcp " + String(data).trim().split("\\n")[0]));
  t.on("error", (e) => console.log("tcp " + e.code));
  const u = dgram.createSocket("udp4");
  u.on("message", (data) => console.log("udp " + data)).on("error", () => {});
  u.bind(7100, "${from}");
  setInterval(() => { if (!t.destroyed) t.write("x"); u.send("x", ${port}, "${to}", () => {}); }, 100);`,
];

/**
 * Each answer of a flow of TCP and one of UDP, asked again and again until the file exists; each is a line with its
 * protocol. When the connection ended before, there is another file, with `.closed` at the end of its name.
 */
export const flowsUntil = async (
  host: NetnsMachine,
  from: string,
  to: string,
  end: string,
): Promise<string[]> => {
  const [node, option, program] = lastingFlows(from, to, 280_000) as [string, string, string];
  const ending = `
  const fs = require("fs");
  t.on("close", () => fs.writeFileSync("${end}.closed", ""));
  setInterval(() => { if (fs.existsSync("${end}")) process.exit(0); }, 50);`;
  const text = await host.run([node, option, `${program}${ending}`], { timeoutMs: 300_000 });
  return text.trim().split("\n");
};
