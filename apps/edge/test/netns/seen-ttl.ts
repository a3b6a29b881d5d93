/** The time to live (hop limit) with which datagrams of a host arrive at a machine of a test. */
import { waitUntil } from "#drivers/daemon.ts";
import type { NetnsMachine } from "./host.ts";

const port = 7_400;

/** Lets the machine remember what arrives at it. */
export const watchTtls = (machine: NetnsMachine): Promise<string> =>
  machine.run(["nft", "-f", "-"], {
    input: `table inet hops {
      set seen4 { typeof ip ttl; size 256; flags dynamic; }
      set seen6 { typeof ip6 hoplimit; size 256; flags dynamic; }
      chain c {
        type filter hook prerouting priority 0;
        udp dport ${port} update @seen4 { ip ttl }
        udp dport ${port} update @seen6 { ip6 hoplimit }
      }
    }
`,
  });

/** Sends one datagram, again until it arrives. @param ttl that the host gives it */
export async function arrivingTtl(
  to: NetnsMachine,
  host: NetnsMachine,
  [from, target]: readonly [from: string, target: string],
  ttl = 64,
): Promise<number> {
  const family = target.includes(":") ? 6 : 4;
  const set = ["inet", "hops", `seen${family}`] as const;
  await to.run(["nft", "flush", "set", ...set]);
  const send = `const u = require("dgram").createSocket("udp${family}");
    u.bind(0, "${from}", () => { u.setTTL(${ttl}); u.send("x", ${port}, "${target}", () => process.exit(0)); });`;
  let seen: number | undefined;
  await waitUntil(
    `a datagram of ${from}`,
    async () => {
      await host.run([process.execPath, "-e", send]);
      const text = await to.run(["nft", "list", "set", ...set]);
      seen = Number(/elements = \{ (\d+) \}/.exec(text)?.[1] ?? Number.NaN);
      return !Number.isNaN(seen);
    },
    10_000,
    50,
  );
  return seen ?? 0;
}
