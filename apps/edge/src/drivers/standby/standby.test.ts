/** Two devices in one LAN, real VRRP between them, and packets of a host that knows one gateway. */

import type { StandbyPlace } from "@weft/contract/device/v1/standby.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import {
  addressesOf,
  alone,
  createStandbyWorld,
  gapDuring,
  gateways,
  holdsAlone,
  isServedBy,
  type Member,
  oneOfTwo,
  placeOf,
  type StandbyWorld,
  wayBack,
} from "../../../test/netns/standby-world.ts";

let world: StandbyWorld;
const active = oneOfTwo("active", 200);
const standby = oneOfTwo("standby", 100);
/** Measured gaps by what caused them, ms: printed, and no expectation. */
const gaps: Record<string, number> = {};

const eventually = (what: string, holds: () => Promise<boolean>): Promise<void> =>
  waitUntil(what, holds, 60_000, 100);

/** A device reports its role on its next round, which may be after the other one has taken over. */
const becomes = (member: Member, place: StandbyPlace): Promise<void> =>
  eventually(`it is ${place}`, async () => (await placeOf(member)) === place);

beforeAll(async () => {
  world = await createStandbyWorld();
  await world.members.active.edge.apply(active);
  await world.members.standby.edge.apply(standby);
}, 180_000);
afterAll(async () => {
  process.stdout.write(`hot standby, longest silence in ms: ${JSON.stringify(gaps)}\n`);
  await world?.world.remove();
}, 60_000);

describe("two devices of one site", { timeout: 240_000 }, () => {
  it("one has the gateways, and both directions go by it", async () => {
    await isServedBy(world, "active");
    expect(await holdsAlone(world, "active")).toBe(true);
    const { members } = world;
    await becomes(members.standby, "standby");
    await members.active.edge.settled(active);
    await members.standby.edge.settled(standby);
  });

  it("a LAN cable that is out moves the gateways, and back when it is in again", async () => {
    const { host, members } = world;
    gaps.cableOut = await gapDuring(world, async () => {
      await host.run(["ip", "link", "set", "dev", members.active.port, "down"]);
      await isServedBy(world, "standby");
    });
    await becomes(members.active, "fault");
    gaps.cableIn = await gapDuring(world, async () => {
      await host.run(["ip", "link", "set", "dev", members.active.port, "up"]);
      await isServedBy(world, "active");
    });
    await eventually("one has the gateways", () => holdsAlone(world, "active"));
  });

  it("a device whose lines are all out yields, and is reached by the other one", async () => {
    const { inet } = world.world;
    const { members } = world;
    gaps.linesOut = await gapDuring(world, async () => {
      await inet.run(["ip", "link", "set", "dev", members.active.line, "down"]);
      await isServedBy(world, "standby");
    });
    await becomes(members.active, "fault");
    gaps.linesIn = await gapDuring(world, async () => {
      await inet.run(["ip", "link", "set", "dev", members.active.line, "up"]);
      await isServedBy(world, "active");
    });
  });

  it("a device whose links are silent yields although its line has a carrier", async () => {
    const { inet } = world.world;
    const { line } = world.members.active;
    gaps.linksSilent = await gapDuring(world, async () => {
      await inet.run(["ip", "link", "set", "dev", line, "nomaster"]);
      await isServedBy(world, "standby");
    });
    gaps.linksBack = await gapDuring(world, async () => {
      await inet.run(["ip", "link", "set", "dev", line, "master", "isp1"]);
      await isServedBy(world, "active");
    });
  });

  it("of two that both have lost the space the active one stays so", async () => {
    const { inet } = world.world;
    const { members } = world;
    await inet.run(["ip", "link", "set", "dev", members.standby.line, "down"]);
    await inet.run(["ip", "link", "set", "dev", members.active.line, "down"]);
    const failed = (member: typeof members.active) => async () =>
      (await member.machine.run(["cat", "/run/weft/standby/failed"])).trim() === "1";
    await eventually("the active one has failed", failed(members.active));
    await eventually("the standby has failed", failed(members.standby));
    await eventually("the active one stays so", () => holdsAlone(world, "active"));
    for (const { line } of Object.values(members))
      await inet.run(["ip", "link", "set", "dev", line, "up"]);
    await isServedBy(world, "active");
  });

  it("a program that was killed comes back without a second active device", async () => {
    const { members } = world;
    gaps.programKilled = await gapDuring(world, async () => {
      const pids = await members.active.machine.run(["pgrep", "-x", "keepalived"]);
      await members.active.machine.run(["kill", "-9", ...pids.trim().split("\n")]);
      await eventually("it was started again", async () =>
        JSON.stringify(await members.active.edge.ask("repairs")).includes("keepalived"),
      );
      await isServedBy(world, "active");
    });
    await eventually("one has the gateways", () => holdsAlone(world, "active"));
  });

  it("equal priorities leave the gateways where they are", async () => {
    const { host, members } = world;
    const equal = oneOfTwo("active", 100);
    await members.active.edge.apply(equal);
    await host.run(["ip", "link", "set", "dev", members.active.port, "down"]);
    await isServedBy(world, "standby");
    await host.run(["ip", "link", "set", "dev", members.active.port, "up"]);
    const whole = async () =>
      (await members.active.machine.run(["cat", "/run/weft/standby/failed"])).trim() === "0";
    await eventually("it is whole again", whole);
    await becomes(members.active, "standby");
    expect(await wayBack(world)).toBe(members.standby.link);
    await members.active.edge.apply(active);
    await isServedBy(world, "active");
  });

  it("a device that falls silent from one moment to the next is replaced", async () => {
    const { members } = world;
    const { machine } = members.active;
    gaps.silentDevice = await gapDuring(world, async () => {
      // Nothing of it says goodbye: no carrier goes, no program ends in order.
      for (const name of ["lan0", "wan1"])
        await machine.run([
          ...([
            "nft",
            `table netdev dead_${name} { chain a { type filter hook ingress device ${name} priority -500; policy drop; }; chain b { type filter hook egress device ${name} priority -500; policy drop; }; }`,
          ] as const),
        ]);
      await isServedBy(world, "standby");
    });
    for (const name of ["lan0", "wan1"])
      await machine.run(["nft", "delete", "table", "netdev", `dead_${name}`]);
    await isServedBy(world, "active");
    await eventually("one has the gateways", () => holdsAlone(world, "active"));
  });
});

/** It has an address of its own, and nobody's gateway. */
const withoutVrrp: DesiredState = (({ standby: _, ...rest }) => rest)(standby);

/** All that hot standby leaves on a device. */
const tracesOf = async ({ machine }: Member): Promise<string> => {
  const programs = ["sh", "-c", "ps -o stat=,comm= -C keepalived | grep -v ^Z || true"] as const;
  const files = [
    "sh",
    "-c",
    "ls -d /run/weft/standby* /run/weft/daemons/standby* || true",
  ] as const;
  const frr = ["vtysh", "--vty_socket", "/run/weft-frr", "-c", "show running-config"] as const;
  const tags = (await machine.run(frr))
    .split("\n")
    .filter((line) => line.includes("set community"));
  return [await machine.run(programs), await machine.run(files), ...tags].join("");
};

/** Ends all that runs on it, and what the kernel has of it; its disk is left. */
const cutPower = async ({ machine }: Member): Promise<void> => {
  const all = 'for one in $(pgrep -v -x "sleep|sh|pgrep"); do kill -9 $one; done';
  const kernel = `
    nft flush ruleset; ip addr flush dev lan0; ip addr flush dev wan1; ip link del wl11
    ip link set dev lan0 down; ip link set dev wan1 down
    ip -4 rule flush protocol 99; ip -6 rule flush protocol 99
    ip -4 route flush table all proto 99; ip -6 route flush table all proto 99
    ip -4 route flush proto bgp; rm -rf /run/weft*`;
  await machine.run(["sh", "-c", `{ ${all}; ${kernel}; } 2>/dev/null || true`]);
};

describe("the state of one of the two", { timeout: 240_000 }, () => {
  const restart = async (): Promise<void> => {
    const member = world.members.active;
    member.edge = await member.machine.edge(member.key);
    await member.edge.boot(active);
  };

  it("is removed without a trace", async () => {
    const { members } = world;
    for (const member of Object.values(members)) expect(await tracesOf(member)).not.toBe("");
    await members.standby.edge.apply(withoutVrrp);
    await restart();
    await world.members.active.edge.deliver(alone("active"));
    expect(await addressesOf(members.active)).toEqual([...gateways].sort());
    for (const member of Object.values(members)) expect(await tracesOf(member)).toBe("");
    expect(await placeOf(members.active)).toBeNull();
  });

  it("is rolled back when nothing confirms it", async () => {
    const { members } = world;
    await members.active.edge.ask("deliver", active);
    await becomes(members.active, "active");
    await members.active.edge.ask("miss");
    expect(await addressesOf(members.active)).toEqual([...gateways].sort());
    expect(await tracesOf(members.active)).toBe("");
  });

  it("acts after a power cut, before any contact, and an edge that starts again moves nothing", async () => {
    const { members } = world;
    await members.standby.edge.apply(standby);
    await world.members.active.edge.deliver(active);
    await isServedBy(world, "active");
    await cutPower(members.active);
    await isServedBy(world, "standby");
    await restart();
    await isServedBy(world, "active");
    await members.active.edge.settled(active);
    const before = await members.active.edge.ask("standby");
    await restart();
    await becomes(members.active, "active");
    expect(await members.active.edge.ask("standby")).toEqual(before);
  });
});
