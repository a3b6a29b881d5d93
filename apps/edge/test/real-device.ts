/** A device with the real clock, disk and network, and a machine in memory. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { encodeClaim } from "@weft/contract/device/v1/claim.ts";
import { systemClock, systemRandom } from "#edge/clock.ts";
import { keepClaim, useClaim } from "#edge/enrolment.ts";
import type { Log } from "#edge/log.ts";
import { simulatedMachine } from "#edge/simulate/machine.ts";
import { networkDial } from "#link/dial.ts";
import { Edge } from "#state/edge.ts";
import { openFolder } from "#store/disk.ts";
import { openStore } from "#store/edge-store.ts";
import type { TestGateway } from "./gateway.ts";

export const tempFolder = () => {
  const folder = mkdtempSync(path.join(tmpdir(), "weft-edge-test-"));
  return {
    folder,
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }),
  };
};

export const quiet: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const world = {
  clock: systemClock,
  // The shortest of every pause: a second, where others wait up to a minute.
  random: { ...systemRandom, fraction: () => 0 },
  dial: networkDial,
  log: quiet,
};

/** Resolves when the fact holds; throws after a minute, which only ends a test that hangs. */
export const until = async (fact: () => boolean | Promise<boolean>, what: string) => {
  for (let turn = 0; turn < 3_000; turn += 1) {
    if (await fact()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`did not happen: ${what}`);
};

export const claimFor = (gateway: TestGateway, addresses: readonly string[]): string =>
  encodeClaim({ token: gateway.token, addresses, controllerKeyHash: gateway.keyHash });

/** Enrols a new device in the folder and gives its edge, not running yet. */
export const enrolledEdge = async (folder: string, gateway: TestGateway, address: string) => {
  const store = await openStore(await openFolder(folder));
  await keepClaim(store, claimFor(gateway, [address]), "SN-0001");
  const enrolment = await useClaim({ ...world, store }, AbortSignal.timeout(60_000));
  const identity = await store.identity();
  if (!enrolment || !identity) throw new Error("not enrolled");
  const machine = simulatedMachine(systemClock, "SN-0001");
  const tunnelKeys = await store.tunnelKeys(systemRandom);
  const edge = new Edge({
    ...world,
    store,
    machine,
    identity,
    enrolment,
    tunnelKeys,
    version: "0.0.0",
    healsDrift: true,
  });
  return { edge, store, machine };
};
