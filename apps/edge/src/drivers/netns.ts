/** Network namespaces of spaces: one per enterprise space on a POP. */
import { readdirSync } from "node:fs";
import { CommandFailed, type Run, succeeds } from "./exec.ts";
import { ObjectsRefused } from "./refusals.ts";
import { spaceName } from "./without-refused.ts";

const spaceNetns = /^weft-s(\d+)$/;

/** Where `ip netns` keeps a name for each namespace (ip-netns(8)). */
const folder = "/run/netns";

/** Names of the spaces' namespaces that exist on this machine. */
export const listNetns = (): string[] => {
  try {
    return readdirSync(folder)
      .filter((name) => spaceNetns.test(name))
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
};

const forwarding = [
  "net.ipv4.ip_forward=1",
  "net.ipv6.conf.all.forwarding=1",
  // Links of the same preference share by connection.
  "net.ipv4.fib_multipath_hash_policy=1",
  "net.ipv6.fib_multipath_hash_policy=1",
  // Replies may come back by another link than the request took.
  "net.ipv4.conf.all.rp_filter=0",
  "net.ipv4.conf.default.rp_filter=0",
];

/** Namespaces that this program made ready: several drivers ask for each of them. */
const ready = new Set<string>();

/** Without its namespace a space is left out as a whole: nothing of it is anywhere else. */
const asRefused =
  (netns: string) =>
  (error: unknown): never => {
    const [, spaceId] = spaceNetns.exec(netns) ?? [];
    if (!(error instanceof CommandFailed) || spaceId === undefined) throw error;
    throw new ObjectsRefused([{ about: spaceName(Number(spaceId)), why: error.text }]);
  };

/**
 * Makes the namespace of a space ready to forward; nothing happens when it is.
 * @throws ObjectsRefused when the machine does not make it
 */
export const ensureNetns = async (run: Run, netns: string): Promise<void> => {
  const isThere = listNetns().includes(netns);
  if (isThere && ready.has(netns)) return;
  ready.delete(netns);
  await prepare(run, netns, isThere).catch(asRefused(netns));
  ready.add(netns);
};

const prepare = async (run: Run, netns: string, isThere: boolean): Promise<void> => {
  if (!isThere) {
    await run(["ip", "netns", "add", netns]);
    // Without an id zebra cannot tie the namespace to a VRF (measured with FRR 8.4). It may have
    // seen the namespace and given it one already.
    await succeeds(run, ["ip", "netns", "set", netns, "auto"]);
  }
  await run(["ip", "link", "set", "lo", "up"], { netns });
  // A kernel without IPv6 has none of its settings.
  await run(["sysctl", "-q", "-e", "-w", ...forwarding], { netns });
};
