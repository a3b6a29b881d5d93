/** What an edge may have changed on a machine of a lab. */
import { mustExec } from "@weft/lab/enter.ts";
import type { World } from "@weft/lab/world.ts";

export const listings = {
  links: ["ip", "-o", "link"],
  addresses: ["ip", "-o", "addr"],
  routes: ["ip", "route", "show", "table", "all"],
  routes6: ["ip", "-6", "route", "show", "table", "all"],
  rules: ["ip", "rule"],
  rules6: ["ip", "-6", "rule"],
  tables: ["nft", "list", "ruleset"],
  namespaces: ["ip", "netns"],
  forwarding: ["sysctl", "net.ipv4.ip_forward", "net.ipv6.conf.all.forwarding"],
  filters: ["sh", "-c", "sysctl -a -r 'rp_filter|linkdown' | grep -E '(all|wan.|lan.)[.]'"],
  programs: ["ps", "-e", "-o", "comm="],
} as const;

const kinds = Object.keys(listings) as (keyof typeof listings)[];
export type Stock = Record<keyof typeof listings, readonly string[]>;

/** All that the edge could have changed on a machine. One listing after the other: each is a program. */
export const takeStock = async (world: World, device: string): Promise<Stock> => {
  const found: Partial<Stock> = {};
  for (const name of kinds) {
    const text = await mustExec(world.lab, device, listings[name]);
    // Numbers of lines, how an address was checked when it was added, and the queue of a first start.
    const lines = text
      .split("\n")
      .map((one) => one.replace(/^\d+: | nodad| qdisc \S+/g, "").trim());
    found[name] = lines.sort();
  }
  return found as Stock;
};

/** A table of the machine's owner. */
export const ownTable = `table inet owner {
  chain mine {
    type filter hook input priority 10;
    tcp dport 9999 drop;
  }
}
`;
