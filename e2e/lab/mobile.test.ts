import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { clientConfigEdit } from "@weft/contract/domains/mobile/client-config.ts";
import {
  accountBatchExpire,
  accountClient,
  accountEditEnable,
  accountEditKey,
  accountGetById,
  mobileAccount,
} from "@weft/contract/domains/mobile/mobile-account.ts";
import type { InputOf } from "@weft/contract/kernel/endpoint.ts";
import { clientFile, makeKeyPair } from "@weft/contract/rules/wireguard.ts";
import { samples } from "@weft/contract/samples/drafts.ts";
import { ipBatch, mustExec } from "@weft/lab/enter.ts";
import { confirmed, stateOf } from "@weft/lab/operator.ts";
import { ping } from "@weft/lab/ping.ts";
import { joinSitePair, type SitePair } from "@weft/lab/site-pair.ts";
import { logged, spawn } from "@weft/lab/spawn.ts";
import { defaultLab } from "@weft/lab/spec.ts";
import { eventually, startWorld, type World } from "@weft/lab/world.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const hostA = "10.1.1.100";
/** A computer somewhere on the internet: the lab's only one outside of the sites. */
const laptop = "saas";

/** Ms that a busy machine may take for what is usually there immediately. */
const patienceMs = 60_000;

/** What `wg` does not read of a configuration, because wg-quick does it. */
const isQuick = (line: string): boolean => /^(Address|DNS|MTU) =/.test(line);
const fieldOf = (file: string, field: string): string =>
  new RegExp(`^${field} = (.*)$`, "m").exec(file)?.[1] ?? "";

describe("a person on the road", () => {
  let world: World;
  let pair: SitePair;
  let account: number;

  const service = (more: Partial<InputOf<typeof clientConfigEdit>> = {}) =>
    world.call(clientConfigEdit, {
      groupid: pair.groupid,
      enable: true,
      netSpaceId: pair.space,
      popId: pair.pop,
      ipPool: "10.250.0.0/24",
      serverHost: null,
      dns: null,
      routes: [],
      defaultTxbps: null,
      defaultRxbps: null,
      allowTerminalTypes: [],
      ...more,
    });
  const answersOf = async (count: number, host = hostA) =>
    (await ping(world.lab, laptop, host, { count }).catch(() => null))?.received ?? 0;
  const reach = async (count = 1, host = hostA) => (await answersOf(count, host)) === count;
  const reaches = () => eventually(reach, "the laptop reaches host A", patienceMs);
  const isGone = () =>
    // One answer of a client that is still admitted can get lost; three do not.
    eventually(
      async () => (await answersOf(3)) === 0,
      "the laptop reaches host A no more",
      patienceMs,
    );

  /** A plain WireGuard client with this configuration, as wg-quick(8) would set it up. */
  async function connect(file: string): Promise<void> {
    const path = join(world.lab.dir, laptop, "wg0.conf");
    writeFileSync(
      path,
      `${file
        .split("\n")
        .filter((line) => !isQuick(line))
        .join("\n")}\n`,
    );
    const client = await spawn(world.lab, laptop, ["wireguard-go", "-f", "wg0"], {
      log: join(world.folder, "laptop.log"),
      env: { LOG_LEVEL: "verbose" },
    });
    // Fails with what the client printed if it ends instead.
    await logged(client, /UAPI listener started/);
    await mustExec(world.lab, laptop, ["wg", "setconf", "wg0", path]);
    await ipBatch(world.lab, laptop, [
      `addr add ${fieldOf(file, "Address")} dev wg0`,
      `link set wg0 mtu ${fieldOf(file, "MTU")} up`,
      ...fieldOf(file, "AllowedIPs")
        .split(", ")
        .map((network) => `route add ${network} dev wg0`),
    ]);
  }

  beforeAll(async () => {
    world = await startWorld(defaultLab());
    pair = await joinSitePair(world);
    await service();
    const ids = { groupid: pair.groupid, cpeId: pair.cpe1, popId: pair.pop };
    const draft = { ...samples.account.valid(ids), txbps: null, rxbps: null, expire: null };
    account = (await world.call(mobileAccount.ops.add, draft)).data.id;
  }, 180_000);

  afterAll(() => world?.close(), 30_000);

  test("reaches a host behind a CPE with the configuration made for the account", async () => {
    const keys = await makeKeyPair();
    await world.call(accountEditKey, { id: account, publicKey: keys.publicKey });
    const { data } = await world.call(accountClient, { id: account });
    expect(data).toMatchObject({ obstacle: null, address: "10.250.0.2/32", dns: null });
    expect(data.routes).toEqual(["10.1.1.0/24", "10.1.2.0/24"]);
    const { address, endpoint, serverKey } = data;
    if (!address || !endpoint || !serverKey) throw new Error("the client cannot be configured");
    await connect(clientFile({ ...data, address, endpoint, serverKey }, keys.privateKey));
    await reaches();
    // The other site of its space as well, as soon as that one's routes are there.
    await eventually(() => reach(1, "10.1.2.100"), "the laptop reaches host B", patienceMs);
  });

  test("the POP runs its newest state without drift", async () => {
    await confirmed(world.call, pair.pop, patienceMs);
    const isSteady = async () => (await stateOf(world.call, pair.pop)).driftSteps === 0;
    await eventually(isSteady, "no drift", patienceMs);
  });

  test("B-4-14: is disconnected when the account is disabled, and admitted again", async () => {
    await world.call(accountEditEnable, { ids: [account], enable: false });
    await isGone();
    await world.call(accountEditEnable, { ids: [account], enable: true });
    expect((await world.call(accountGetById, { id: account })).data.enable).toBe(true);
    await reaches();
  });

  test("is kept to the account's bandwidth", async () => {
    await service({ defaultRxbps: 400_000 });
    // 100 packets of 1,000 bytes in a second are 800 kbit/s: half of them is too much.
    const options = { count: 200, intervalMs: 10, size: 1_000 };
    const answered = async () => (await ping(world.lab, laptop, hostA, options)).received;
    const isNarrow = async () => {
      const received = await answered();
      return received > 60 && received < 160;
    };
    await eventually(isNarrow, "about half of the packets pass", patienceMs);
    await service();
    await eventually(async () => (await answered()) > 190, "all of them pass", patienceMs);
  });

  test("is disconnected at its end date without a controller", {
    timeout: 300_000,
  }, async () => {
    // Time enough for a busy machine to bring that to the POP before it comes.
    const expire = new Date(Date.now() + 25_000);
    await world.call(accountBatchExpire, { ids: [account], expire });
    await confirmed(world.call, pair.pop);
    await reaches();
    await world.controller.stop("SIGTERM");
    await isGone();
    expect(Date.now()).toBeGreaterThanOrEqual(expire.getTime() - 1_000);
    await world.controller.start();
    // The controller finds out by itself, and the state it makes has the account no more.
    await eventually(
      async () => (await stateOf(world.call, pair.pop)).online,
      "the POP finds the controller again",
      90_000,
    );
    await world.call(accountBatchExpire, { ids: [account], expire: null });
    await reaches();
  });

  test("is disconnected when the account is removed", async () => {
    await world.call(mobileAccount.ops.remove, { ids: [account] });
    await isGone();
  });
});
