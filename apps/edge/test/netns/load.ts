/** Loads of packets between machines, and what of them arrives. */
import { waitUntil } from "#drivers/daemon.ts";
import type { NetnsMachine } from "./host.ts";

/** Bytes of IP that one packet of the load is. */
const size = 1_200;
const seconds = 2;
/** Sends about 24 Mbit/s for a while, also on a machine that is busy. */
export const sending = `
  const data = Buffer.alloc(${size - 28});
  const send = (socket, port, to) => {
    const start = Date.now();
    let sent = 0;
    setInterval(() => {
      const ms = Date.now() - start;
      if (ms > ${(seconds + 2) * 1_000}) process.exit(0);
      for (; sent < ms * 2.5; sent += 1) socket.send(data, port, to, () => {});
    }, 10);
  };`;
/** Counts bytes by their port over some seconds, from a second after the first packet: queues are full by then. */
export const counting = `
  const bytes = {};
  let from = 0;
  const end = () => {
    console.log(JSON.stringify({ bytes, ms: performance.now() - from }));
    process.exit(0);
  };
  const counted = (port) => (data) => {
    const now = performance.now();
    if (from === 0) { from = now + 1000; setTimeout(end, ${(seconds + 1) * 1_000}); }
    if (now >= from) bytes[port] = (bytes[port] ?? 0) + data.length + 28;
  };
  setTimeout(end, 15000);`;

/** What a host sends. */
export interface Load {
  readonly from: string;
  readonly to: string;
  readonly port: number;
}

/** Mbit/s by port, of what a counter printed. */
export const ratesIn = (printed: string, loads: readonly Load[]): number[] => {
  const { bytes, ms } = JSON.parse(printed) as { bytes: Record<number, number>; ms: number };
  return loads.map(({ port }) => ((bytes[port] ?? 0) * 8) / ms / 1_000);
};

export const node = (machine: NetnsMachine, script: string): Promise<string> =>
  machine.run([process.execPath, "-e", script], { timeoutMs: 30_000 });

/** Waits until something listens on the load's port. */
export const bound = (at: NetnsMachine, { port }: Load): Promise<void> =>
  waitUntil(
    "a socket",
    async () => (await at.run(["ss", "-Hlun"])).includes(`:${port}`),
    10_000,
    50,
  );

/** Sends a load until its time is over. */
export const flood = (by: NetnsMachine, { from, to, port }: Load): Promise<string> =>
  node(
    by,
    `${sending}
    const u = require("dgram").createSocket("udp${to.includes(":") ? 6 : 4}").on("error", () => {});
    u.bind(${port}, "${from}", () => send(u, ${port}, "${to}"));`,
  );

/** Counts what arrives; resolves to Mbit/s of IP of each load, in its order. */
export const counter = async (
  at: NetnsMachine,
  loads: readonly [Load, ...Load[]],
): Promise<{ readonly rates: Promise<number[]> }> => {
  const sockets = loads.map(
    ({ port }) =>
      `require("dgram").createSocket("udp6").on("message", counted(${port})).bind(${port}, "::");`,
  );
  const printed = node(at, [counting, ...sockets].join("\n"));
  await bound(at, loads[0]);
  return { rates: printed.then((text) => ratesIn(text, loads)) };
};

/** Mbit/s of IP that arrive of each load, in its order, while all are sent. */
export const arriving = async (
  at: NetnsMachine,
  by: NetnsMachine,
  loads: readonly [Load, ...Load[]],
): Promise<number[]> => {
  const { rates } = await counter(at, loads);
  await Promise.all(loads.map((load) => flood(by, load)));
  return rates;
};
