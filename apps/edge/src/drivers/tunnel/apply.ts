import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Box } from "#drivers/box.ts";
import type { Driver } from "#drivers/driver.ts";
import { succeeds } from "#drivers/exec.ts";
import { ensureNetns, listNetns } from "#drivers/netns.ts";
import {
  createInterface,
  dropInterface,
  syncInterface,
  type TunnelKind,
} from "#drivers/wireguard.ts";
import { reasonOf } from "#edge/log.ts";
import { dress } from "./dress.ts";
import { type EndpointOf, observeTunnels, publicKeyOf, readDump } from "./observe.ts";
import {
  pickTunnels,
  planTunnels,
  type TunnelFound,
  type TunnelPart,
  type TunnelStep,
} from "./plan.ts";
import { type PlacedLink, renderTunnel } from "./render.ts";

/** Every so many rounds of the watch peers' addresses are written down. */
const listenRounds = 10;

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
 * Tells the interface where its peer was before the interface died. A peer that calls us notices
 * the loss only after 15 s (WireGuard's paper, section 6); calling it takes one.
 */
const callBack = async (box: Box, link: PlacedLink, heardAt: string | undefined): Promise<void> => {
  if (link.endpoint !== null || heardAt === undefined) return;
  const peer = ["peer", link.peerKey, "endpoint", heardAt];
  await box.run(["wg", "set", link.interfaceName, ...peer]);
};

const drop = (box: Box, name: string, netns: string | null): Promise<void> =>
  dropInterface(box, prefix, name, netns);

const ensure = async (
  box: Box,
  kind: TunnelKind,
  link: PlacedLink,
  rebuild: boolean,
): Promise<void> => {
  const name = link.interfaceName;
  const places = rebuild ? [null, ...(await listNetns(box.run))] : [];
  for (const netns of places) await drop(box, name, netns);
  const argv = ["ip", "link", "show", "dev", name] as const;
  if (!(await succeeds(box.run, argv, { netns: link.netns }))) {
    // What is left of a process that died half way would keep the name.
    await drop(box, name, null);
    await createInterface(box, kind, prefix, link);
  }
  await syncInterface(box, kind, link, renderTunnel(link, box.tunnelPrivateKey));
  await dress(box, link);
};

const runStep = async (
  box: Box,
  kind: TunnelKind,
  records: LinkRecords,
  step: TunnelStep,
): Promise<void> => {
  switch (step.kind) {
    case "add-netns":
      return ensureNetns(box.run, step.netns);
    case "ensure":
      await ensure(box, kind, step.link, step.rebuild);
      return records.write(step.link);
    case "drop":
      records.forget(step.interfaceName);
      return drop(box, step.interfaceName, step.netns);
    case "drop-netns":
      await box.run(["ip", "netns", "del", step.netns]);
  }
};

/** One WireGuard interface a link (dataplane section 2). */
export const createTunnels = (box: Box, kind: () => Promise<TunnelKind>): Tunnels => {
  const records = new LinkRecords(box.runDir);
  const publicKey = publicKeyOf(box.tunnelPrivateKey);
  const endpointOf: EndpointOf = (name) => records.read(name)?.endpoint ?? null;
  const failures = new Map<string, number>();
  /** Where peers were heard last, as far as user-space tunnels know. */
  const heard = new Map<string, string>();
  let rounds = 0;
  const listen = async (): Promise<void> => {
    for (const [name, { figures }] of await readDump(box.run, null))
      if (figures.endpoint !== null) heard.set(name, figures.endpoint);
  };
  const revive = async (name: string, link: PlacedLink): Promise<void> => {
    box.log.warn({ link: name }, "tunnel process died");
    await ensure(box, await kind(), link, true);
    await callBack(box, link, heard.get(name));
  };
  return {
    name: "tunnel",
    pick: pickTunnels,
    validate: async () => {
      await kind();
    },
    observe: () => observeTunnels(box, endpointOf, publicKey),
    plan: planTunnels,
    run: async (step) => runStep(box, await kind(), records, step),
    tend: async () => {
      if (rounds % listenRounds === 0 && box.daemons.names("tunnel-").length > 0) await listen();
      rounds += 1;
      for (const daemon of box.daemons.names("tunnel-")) {
        if (box.daemons.isAlive(daemon)) continue;
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
          box.log.error({ link: name, why: reasonOf(error) }, "tunnel cannot be set up again");
        }
      }
    },
  };
};
