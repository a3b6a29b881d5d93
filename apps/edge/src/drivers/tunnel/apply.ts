import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Device } from "#drivers/device.ts";
import type { Driver } from "#drivers/driver.ts";
import { ensureNetns, listNetns } from "#drivers/netns.ts";
import { parseReceived } from "#drivers/probe/listen.ts";
import {
  createInterface,
  dropInterface,
  hasInterface,
  syncInterface,
  type TunnelKind,
} from "#drivers/wireguard.ts";
import { reasonOf } from "#edge/log.ts";
import { Callers } from "./callers.ts";
import { applyLinkSettings, applyNewLinkSettings } from "./link-settings.ts";
import { type EndpointOf, observeTunnels, publicKeyOf, readDump } from "./observe.ts";
import { PeerEndpoints } from "./peer-endpoints.ts";
import {
  pickTunnels,
  planTunnels,
  type TunnelFound,
  type TunnelPart,
  type TunnelStep,
} from "./plan.ts";
import { allowedIps, keepalive, type PlacedLink, renderTunnel } from "./render.ts";

/** Rounds of the watch after which peers' addresses are written down. */
const listenRounds = 20;

const prefix = "tunnel";

export interface Tunnels extends Driver<TunnelPart, TunnelFound, TunnelStep> {
  /** Sets up again the links whose process died. */
  tend(): Promise<void>;
}

/** What was last configured for each link: a file each, in a folder that a reboot empties. */
class LinkRecords {
  readonly #dir: string;

  constructor(runDir: string) {
    this.#dir = join(runDir, "links");
    mkdirSync(this.#dir, { recursive: true });
  }

  #file(name: string): string {
    return join(this.#dir, `${name}.json`);
  }

  all(): PlacedLink[] {
    return readdirSync(this.#dir).flatMap((file) => this.read(file.replace(/\.json$/, "")) ?? []);
  }

  read(name: string): PlacedLink | null {
    try {
      return JSON.parse(readFileSync(this.#file(name), "utf8")) as PlacedLink;
    } catch {
      return null;
    }
  }

  write(link: PlacedLink): void {
    writeFileSync(this.#file(link.interfaceName), JSON.stringify(link));
  }

  forget(name: string): void {
    rmSync(this.#file(name), { force: true });
  }
}

/**
 * Sets on the interface where its peer was before the interface died. A peer that calls us notices
 * the loss only after 15 s (WireGuard's paper, section 6); calling it takes one.
 */
const callBack = async (
  device: Device,
  kind: TunnelKind,
  link: PlacedLink,
  heardAt: string | undefined,
): Promise<void> => {
  if (link.endpoint !== null || heardAt === undefined) return;
  const peer = ["peer", link.peerKey, "endpoint", heardAt];
  const netns = kind === "kernel" ? link.netns : null;
  await device.run(["wg", "set", link.interfaceName, ...peer], { netns });
};

/** A peer that is removed and added again is called immediately: earlier timers do not count. */
const callAnew = async (device: Device, { interfaceName, peerKey, endpoint }: PlacedLink) => {
  if (endpoint === null) return;
  const peer = ["peer", peerKey, "endpoint", endpoint, "allowed-ips", allowedIps.join(",")];
  const every = ["persistent-keepalive", `${keepalive}`];
  await device.run(["wg", "set", interfaceName, "peer", peerKey, "remove", ...peer, ...every]);
};

const drop = (device: Device, name: string, netns: string | null): Promise<void> =>
  dropInterface(device, prefix, name, netns);

const ensure = async (
  device: Device,
  kind: TunnelKind,
  link: PlacedLink,
  { rebuild, isMissing }: { readonly rebuild: boolean; readonly isMissing?: boolean },
  endpoints: PeerEndpoints,
): Promise<void> => {
  const name = link.interfaceName;
  const places = rebuild ? [null, ...listNetns()] : [];
  for (const netns of places) await drop(device, name, netns);
  const isNew = isMissing === true || !(await hasInterface(device, name, link.netns));
  if (isNew) {
    // What is left of a process that died half way would keep the name.
    await drop(device, name, null);
    await createInterface(device, kind, prefix, link);
  }
  await syncInterface(device, kind, link, renderTunnel(link, device.tunnelPrivateKey));
  if (isNew) await applyNewLinkSettings(device, link);
  else await applyLinkSettings(device, link);
  if (isNew) await callBack(device, kind, link, endpoints.at(name));
};

interface Memory {
  readonly records: LinkRecords;
  readonly endpoints: PeerEndpoints;
}

const runStep = async (
  device: Device,
  kind: TunnelKind,
  { records, endpoints }: Memory,
  step: TunnelStep,
): Promise<void> => {
  switch (step.kind) {
    case "add-netns":
      return ensureNetns(device.run, step.netns);
    case "ensure":
      await ensure(device, kind, step.link, step, endpoints);
      return records.write(step.link);
    case "drop":
      records.forget(step.interfaceName);
      endpoints.forget(step.interfaceName);
      return drop(device, step.interfaceName, step.netns);
    case "drop-netns":
      await device.run(["ip", "netns", "del", step.netns]);
  }
};

/** Records the last known endpoints of the peers that call. */
const listen = async (
  device: Device,
  kind: TunnelKind,
  { records, endpoints }: Memory,
): Promise<void> => {
  const waiting = new Set(
    records.all().flatMap((placedLink) => (placedLink.endpoint ? [] : placedLink.interfaceName)),
  );
  if (waiting.size === 0) return;
  const spaces = kind === "kernel" ? listNetns() : [];
  const places = new Map<string, string>();
  for (const netns of [null, ...spaces])
    for (const [name, { metrics }] of await readDump(device.run, netns))
      if (waiting.has(name) && metrics.endpoint !== null) places.set(name, metrics.endpoint);
  endpoints.take(places);
};

/** Calls the peers that are silent. */
const call = async (device: Device, callers: Callers, records: LinkRecords): Promise<void> => {
  // Only counters of the own namespace are at hand; CPEs, which call, have no other.
  const links = records
    .all()
    .filter((placedLink) => placedLink.netns === null && placedLink.endpoint !== null);
  if (links.length === 0) return;
  const received = parseReceived(readFileSync("/proc/self/net/dev", "utf8"));
  const names = links.filter(({ probe }) => probe).map((link) => link.interfaceName);
  const due = callers.due(names, received, performance.now());
  for (const link of links) if (due.includes(link.interfaceName)) await callAnew(device, link);
};

/** One WireGuard interface a link (dataplane section 2). */
export const createTunnels = (device: Device, kind: () => Promise<TunnelKind>): Tunnels => {
  const records = new LinkRecords(device.runDir);
  const publicKey = publicKeyOf(device.tunnelPrivateKey);
  const endpointOf: EndpointOf = (name) => records.read(name)?.endpoint ?? null;
  const failures = new Map<string, number>();
  const endpoints = new PeerEndpoints(device.dataDir);
  const memory = { records, endpoints };
  const callers = new Callers();
  let rounds = 0;
  const revive = async (name: string, link: PlacedLink): Promise<void> => {
    device.log.warn({ link: name }, "tunnel process died");
    await ensure(device, await kind(), link, { rebuild: true }, endpoints);
    device.repairs.add("tunnel", name);
  };
  return {
    name: "tunnel",
    pick: pickTunnels,
    validate: async () => {
      await kind();
    },
    observe: () => observeTunnels(device, endpointOf, publicKey),
    plan: planTunnels,
    run: async (step) => runStep(device, await kind(), memory, step),
    tend: async () => {
      if (rounds % listenRounds === 0) await listen(device, await kind(), memory);
      rounds += 1;
      await call(device, callers, records);
      for (const daemon of device.daemons.names("tunnel-")) {
        if (device.daemons.isAlive(daemon)) continue;
        const name = daemon.slice("tunnel-".length);
        const link = records.read(name);
        const failed = failures.get(name) ?? 0;
        // What keeps dying is tried less and less often: in rounds 0, 1, 2, 4, 8 and so on.
        failures.set(name, failed + 1);
        if (!link || (failed & (failed - 1)) !== 0) continue;
        try {
          await revive(name, link);
          failures.delete(name);
        } catch (error) {
          device.log.error({ link: name, why: reasonOf(error) }, "tunnel could not be restarted");
        }
      }
    },
  };
};
