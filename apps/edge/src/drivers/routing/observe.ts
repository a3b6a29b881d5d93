import { setTimeout as sleep } from "node:timers/promises";
import { prefixText } from "@weft/contract/rules/address.ts";
import type { Device } from "#drivers/device.ts";
import { ipJson } from "#drivers/ip-json.ts";
import { listNetns } from "#drivers/netns.ts";
import { deadDaemons, modeOf, vtysh, wasStarted } from "./daemons.ts";
import { type RoutingFound, usesOspf } from "./plan.ts";
import type { RoutingPart } from "./render.ts";
import { parseRib, parseRunning, parseVrfs, protocols, type Route } from "./running.ts";

interface KernelRoute {
  readonly dst: string;
  readonly gateway?: string;
  readonly via?: { readonly host: string };
  readonly dev?: string;
  readonly protocol?: string;
  readonly nexthops?: readonly KernelRoute[];
}

const routed = new Set(Object.values(protocols));

const prefixOf = (dst: string, family: 4 | 6): string => {
  if (dst === "default") return family === 4 ? "0.0.0.0/0" : "::/0";
  return prefixText(dst);
};

const hopOf = (hop: KernelRoute): string[] => {
  const gateway = hop.gateway ?? hop.via?.host;
  return gateway === undefined ? [] : [`${gateway} ${hop.dev ?? ""}`];
};

/** Routes in the kernel's main table that bear the protocol number of one of FRR's daemons. */
const readKernel = async (device: Device, netns: string | null): Promise<Route[]> => {
  const routes: Route[] = [];
  for (const family of [4, 6] as const) {
    // Numbers, as the names of protocols come from files that a device may not have.
    const rows = await ipJson<KernelRoute>(device.run, ["-N", `-${family}`, "route"], netns);
    for (const row of rows) {
      if (!row.protocol || !routed.has(row.protocol)) continue;
      const hops = (row.nexthops ?? [row]).flatMap(hopOf).sort();
      routes.push({ netns, prefix: prefixOf(row.dst, family), protocol: row.protocol, hops });
    }
  }
  return routes;
};

const keyOf = ({ netns, prefix, protocol, hops }: Route): string =>
  [netns ?? "", prefix, protocol, ...hops].join(" ");
const nameOf = ({ netns, prefix, protocol }: Route): string =>
  [netns ?? "", prefix, protocol].join(" ");

type Both = Pick<RoutingFound, "missing" | "stale">;

const compare = async (device: Device, spaces: readonly string[]): Promise<Both> => {
  const rib = parseRib(
    await vtysh(device, ["show ip route vrf all json", "show ipv6 route vrf all json"]),
  );
  const kernel = (
    await Promise.all([null, ...spaces].map((netns) => readKernel(device, netns)))
  ).flat();
  const inKernel = new Set(kernel.map(keyOf));
  const known = new Set(rib.map(nameOf));
  return {
    missing: rib.filter((route) => route.hops.length > 0 && !inKernel.has(keyOf(route))),
    stale: kernel.filter((route) => !known.has(nameOf(route))),
  };
};

const settleMs = 300;

/** Differences that last: between zebra's decision and the kernel's table there is always a moment. */
const compareTwice = async (device: Device, spaces: readonly string[]): Promise<Both> => {
  const first = await compare(device, spaces);
  if (first.missing.length + first.stale.length === 0) return first;
  await sleep(settleMs);
  const second = await compare(device, spaces);
  const lasting = (routes: readonly Route[], other: readonly Route[]) => {
    const before = new Set(routes.map(keyOf));
    return other.filter((route) => before.has(keyOf(route)));
  };
  return {
    missing: lasting(first.missing, second.missing),
    stale: lasting(first.stale, second.stale),
  };
};

const nothing: Both = { missing: [], stale: [] };

export const observeRouting = async (device: Device, part: RoutingPart): Promise<RoutingFound> => {
  const netns = listNetns();
  const mode = modeOf(device);
  const runsOspf = mode?.ospf ?? false;
  const empty = { runsOspf, config: [], vrfs: new Map<string, boolean>(), netns, ...nothing };
  if (!wasStarted(device)) return { daemons: "none", ...empty };
  const isWhole = deadDaemons(device).length === 0 && (runsOspf || !usesOspf(part));
  const complete = isWhole && mode?.spaces === part.spaces;
  // With a daemon missing, or about to be restarted, what the others say is half the truth.
  if (!complete) return { daemons: "part", ...empty };
  const [shown = "", vrfs = ""] = (await vtysh(device, ["show running-config", "show vrf"])).split(
    /^end$/m,
  );
  const config = parseRunning(shown);
  const spaces = part.instances.flatMap((instance) =>
    instance.netns && netns.includes(instance.netns) ? [instance.netns] : [],
  );
  return {
    daemons: "whole",
    runsOspf,
    config,
    vrfs: parseVrfs(vrfs),
    netns,
    ...(await compareTwice(device, spaces)),
  };
};
