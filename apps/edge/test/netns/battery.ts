/**
 * The battery of five for objects of policies, on real packets: one acts, and on nothing else; it is removed without a
 * trace; it acts after a power cut before any contact; and it is rolled back when nothing confirms its state. States take the way
 * of a device: through its state machine and its disk.
 */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { expect, it } from "vitest";
import type { NetnsEdge, NetnsMachine } from "./host.ts";
import { cutPower } from "./power.ts";

/** A family with one object of it, and two packets: one that it is about, and its neighbor. */
export interface BatteryRow {
  readonly family: string;
  /** The state with the object. */
  readonly given: (state: DesiredState) => DesiredState;
  /** What becomes of a new flow that the object is about. */
  readonly about: () => Promise<string>;
  readonly idle: string;
  readonly acting: string;
  /** What becomes of a new flow that it is not about, always. */
  readonly beside: () => Promise<string>;
  readonly always: string;
}

export interface BatteryContext {
  /** The state without the object. */
  readonly plain: DesiredState;
  readonly device: NetnsMachine;
  /** Starts the program of the device again. */
  readonly start: () => Promise<NetnsEdge>;
}

const counted = new Set(["handle", "packets", "bytes", "elem_count"]);

/** The kernel's rules in any order of its sets and chains, without counters. */
const rulesOf = async ({ run }: NetnsMachine): Promise<string[]> => {
  const { nftables } = JSON.parse(await run(["nft", "-j", "list", "ruleset"])) as {
    nftables: readonly object[];
  };
  return nftables
    .filter((entry) => !("metainfo" in entry))
    .map((entry) => JSON.stringify(entry, (key, value: unknown) => (counted.has(key) ? 0 : value)))
    .sort();
};

/** Queues and classes of all interfaces, and the interfaces. */
const queuesOf = async ({ run }: NetnsMachine): Promise<string[]> => [
  await run(["tc", "qdisc", "show"]),
  await run(["sh", "-c", "for one in $(ls /sys/class/net); do tc class show dev $one; done"]),
  await run(["ip", "-br", "link"]),
  await run(["sh", "-c", "ip -o link | awk '{ print $2, $4, $5 }'"]),
];

/** All that a state leaves in the kernel, and the names that the resolver answers. */
const traces = async (device: NetnsMachine): Promise<string[]> => [
  ...(await rulesOf(device)),
  await device.run(["ip", "-4", "rule"]),
  await device.run(["ip", "-6", "rule"]),
  await device.run(["ip", "-4", "route", "show", "table", "all", "proto", "99"]),
  await device.run(["ip", "-6", "route", "show", "table", "all", "proto", "99"]),
  ...(await queuesOf(device)),
  await device.run(["sh", "-c", "cat /run/weft/dns/dnsmasq.conf 2>/dev/null || true"]),
];

/** Whether all five are tried of all families (`npm run test:full -- battery`). */
const isFull = process.env.WEFT_BATTERY === "full";

/**
 * States of all families take one way through disk, boot and roll-back: a run of `npm test` tries these two of those that
 * differ in what carries them out, the campaign of all.
 * @param isTypical whether the family is one of them
 * @param context read when the tests run
 */
export const battery = (
  row: BatteryRow,
  isTypical: boolean,
  context: () => BatteryContext,
): void => {
  const { given, about, beside, idle, acting, always } = row;
  const withObject = () => given(context().plain);
  let edge: NetnsEdge;
  const boot = async (): Promise<number> => {
    edge = await context().start();
    return Number(await edge.boot(context().plain));
  };
  const isActing = async (): Promise<void> => {
    expect([await about(), await beside()]).toEqual([acting, always]);
  };
  const isIdle = async (): Promise<void> => {
    expect([await about(), await beside()]).toEqual([idle, always]);
  };

  it(`${row.family} acts, and on nothing else`, async () => {
    await boot();
    await edge.deliver(context().plain);
    await isIdle();
    await edge.deliver(withObject());
    await isActing();
  });

  it(`${row.family} is removed without a trace`, async () => {
    await edge.deliver(context().plain);
    const before = await traces(context().device);
    await edge.deliver(withObject());
    expect(await traces(context().device)).not.toEqual(before);
    await edge.deliver(context().plain);
    expect(await traces(context().device)).toEqual(before);
    await isIdle();
  });

  if (!isTypical && !isFull) return;

  it(`${row.family} acts after a power cut, before any contact`, async () => {
    await edge.deliver(withObject());
    await cutPower(context().device);
    expect(await context().device.run(["nft", "list", "ruleset"])).toBe("");
    expect(await boot()).toBeGreaterThan(0);
    // The numbers of generations begin again.
    expect(await edge.plan(withObject())).toEqual([]);
    await isActing();
  });

  it(`${row.family} is rolled back when nothing confirms its state`, async () => {
    await edge.deliver(context().plain);
    const before = await traces(context().device);
    await edge.ask("deliver", withObject());
    await isActing();
    await edge.ask("miss");
    expect(await traces(context().device)).toEqual(before);
    await isIdle();
  });
};
