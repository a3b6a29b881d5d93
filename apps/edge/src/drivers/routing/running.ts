/** Reads what FRR shows as its configuration back into lines. Pure. */
import type { ConfigLine } from "./lines.ts";
import { isHeader } from "./render.ts";

/**
 * Lines that belong to the program, not to what it routes. Forwarding is the kernel's: zebra only
 * shows what it finds there, and the underlay sets it.
 */
const ignored =
  /^(!|frr version|frr defaults|hostname|service integrated-vtysh-config|log |(no )?ip(v6)? forwarding$|end$|Building|Current)/;

/**
 * `show running-config` as lines. Of blocks of VRFs only static routes and what filters their next hops are: they also show which namespaces
 * zebra found, and touching these makes it fail (measured with 8.4: "no netns" on a live one ends it).
 */
export const parseRunning = (text: string): ConfigLine[] => {
  const lines: ConfigLine[] = [];
  let path: string[] = [];
  for (const raw of text.split("\n")) {
    const line = raw.trim();
    if (line === "" || (path.length === 0 && ignored.test(line)) || line === "!") continue;
    if (/^exit(-vrf|-address-family)?$/.test(line)) {
      path = path.slice(0, -1);
      continue;
    }
    // These headers show and hide themselves with their content.
    const isBare = line === "bfd" || (path.length === 0 && line.startsWith("interface "));
    const isOfVrf = path[0]?.startsWith("vrf ") && !/^(ip|ipv6) (route|nht static) /.test(line);
    const reported = !isBare && !line.startsWith("vrf ") && !isOfVrf;
    if (reported) lines.push({ path, line });
    if (isHeader(path, line)) path = [...path, line];
  }
  return lines;
};

/** Namespaces that zebra serves, from `show vrf`; false: known, but not usable. */
export const parseVrfs = (text: string): Map<string, boolean> => {
  const vrfs = new Map<string, boolean>();
  for (const [, name = "", rest = ""] of text.matchAll(/^vrf (\S+) (.*)$/gm))
    vrfs.set(name, rest.startsWith("id "));
  return vrfs;
};

/** A route of one of its daemons, as FRR and as the kernel see it, made comparable. */
export interface Route {
  readonly netns: string | null;
  readonly prefix: string;
  /** Number of rtnetlink(7) as FRR uses it (`protocols`). */
  readonly protocol: string;
  /** "gateway dev", sorted; empty for a route that drops. */
  readonly hops: readonly string[];
}

interface RibRoute {
  readonly prefix: string;
  readonly protocol: string;
  readonly vrfName: string;
  readonly selected?: boolean;
  readonly installed?: boolean;
  readonly nexthops?: readonly { fib?: boolean; ip?: string; interfaceName?: string }[];
}

export const protocols: Readonly<Record<string, string>> = {
  bgp: "186",
  ospf: "188",
  static: "196",
};

/** Routes that zebra believes to be in the kernel, from `show ip route vrf all json`. */
export const parseRib = (text: string): Route[] => {
  // One object a VRF, one after the other: that is not JSON as a whole.
  const tables = text
    .replaceAll(/^\{\}$/gm, "")
    .split(/^}$/m)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => JSON.parse(`${part}}`) as Record<string, readonly RibRoute[]>);
  return tables.flatMap((table) =>
    Object.values(table).flatMap((routes) =>
      routes.flatMap((route): Route[] => {
        const protocol = protocols[route.protocol];
        if (!protocol || !route.selected || !route.installed) return [];
        const hops = (route.nexthops ?? [])
          .filter(({ fib, ip }) => fib && ip !== undefined)
          .map(({ ip, interfaceName }) => `${ip} ${interfaceName}`);
        const netns = route.vrfName === "default" ? null : route.vrfName;
        return [{ netns, prefix: route.prefix, protocol, hops: hops.sort() }];
      }),
    ),
  );
};
