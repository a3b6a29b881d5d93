/** A POP as clouds have them: its link has a private address, and sites call the public one of a NAT in front of it. */
import { line } from "@weft/contract/domains/devices/line.ts";
import { pop } from "@weft/contract/domains/devices/pop.ts";
import { samples } from "@weft/contract/samples/drafts.ts";
import { mustExec } from "@weft/lab/enter.ts";
import {
  addEnterprise,
  addSite,
  addSpace,
  confirmed,
  enrol,
  operatorId,
  serialOf,
} from "@weft/lab/operator.ts";
import { ping } from "@weft/lab/ping.ts";
import { defaultLab, type LabSpec } from "@weft/lab/spec.ts";
import { eventually, startWorld, type World } from "@weft/lab/world.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const inside = "172.16.9.10";
const outside = "198.51.100.10";
const hostB = "10.1.2.100";
/** Ports of tunnels that the NAT leads on, from its own ones. */
const [own, led, count] = [51_820, 40_000, 100] as const;

/** The POP's first link ends in a network of the NAT, which has the public address in its place. */
function labBehindNat(): LabSpec {
  const { networks, nodes } = defaultLab();
  const out = {
    name: "out",
    network: "bra",
    mac: "02:00:00:01:00:99",
    addresses: [`${outside}/24`],
    gateways: ["198.51.100.1"],
  };
  return {
    networks: [...networks, { name: "cloud", at: "nat", addresses: ["172.16.9.1/24"] }],
    nodes: [
      ...nodes.map((node) =>
        node.name === "pop"
          ? {
              ...node,
              ports: node.ports.map((port) =>
                port.name === "wan1"
                  ? {
                      name: port.name,
                      network: "cloud",
                      mac: port.mac,
                      addresses: [`${inside}/24`],
                      gateways: ["172.16.9.1"],
                    }
                  : port,
              ),
            }
          : node,
      ),
      { name: "nat", role: "internet", ports: [out] },
    ],
  };
}

/** Each port of the public address to the same one of the POP; or tunnels' ports only, from others. */
const translation = (isForward: boolean): string => {
  const ports = Array.from({ length: count }, (_, at) => `${led + at} : ${own + at}`);
  const way = isForward
    ? `udp dport ${led}-${led + count - 1} dnat to ${inside} : udp dport map { ${ports.join(", ")} }`
    : `dnat to ${inside}`;
  // Nothing of tunnels by other ports: neither flows from before, nor those that the POP begins, which WireGuard would follow.
  const others = `
  chain only {
    type filter hook forward priority filter;
    meta l4proto udp ct original proto-dst ${own}-${own + count - 1} drop
    iifname != "out" ct state new udp sport ${own}-${own + count - 1} drop
  }`;
  return `table ip cloud
delete table ip cloud
table ip cloud {${isForward ? others : ""}
  chain in { type nat hook prerouting priority dstnat; iifname "out" ip daddr ${outside} ${way}; }
  chain out { type nat hook postrouting priority srcnat; oifname "out" ip saddr ${inside} snat to ${outside}; }
}
`;
};

describe("a POP behind a NAT", () => {
  let world: World;
  let popId: number;
  let lineId: number;
  const draft = (more: object) => ({
    ...samples.line.valid({ groupid: operatorId, cpeId: 0, popId: 0 }),
    nodeId: popId,
    slot: 1,
    name: "cloud",
    interfaceName: "wan1",
    isp: "isp-a",
    ip: `${inside}/24`,
    gateway: "172.16.9.1",
    reachable: true,
    ...more,
  });
  const translate = (isForward: boolean) =>
    mustExec(world.lab, "nat", ["nft", "-f", "-"], { input: translation(isForward) });
  const reaches = () =>
    eventually(
      async () =>
        (await ping(world.lab, "hosta", hostB, { count: 3, intervalMs: 50 })).received === 3,
      "host A reaches host B",
    );

  beforeAll(async () => {
    world = await startWorld(labBehindNat());
    const { call } = world;
    await translate(false);
    const groupid = await addEnterprise(call, "蓝海零售");
    const ids = { groupid: operatorId, cpeId: 1, popId: 1 };
    const named = { ...samples.pop.valid(ids), name: "POP-cloud", sn: serialOf("pop") };
    popId = (await call(pop.ops.add, named)).data.id;
    const answer = await call(line.ops.add, draft({ publicIp: null }));
    expect(answer.warnings?.join()).toContain(inside);
    lineId = answer.data.id;
    const sites = [];
    for (const place of [1, 2]) {
      const device = `cpe${place}`;
      const id = await addSite(call, {
        groupid,
        device,
        octet: 10 + place,
        network: `10.1.${place}.1/24`,
        network6: `fd00:1:${place}::1/64`,
      });
      sites.push(id);
      await enrol(world, device, id);
    }
    await enrol(world, "pop", popId);
    await addSpace(call, {
      name: "production",
      groupid,
      topology: 1,
      popIds: [popId],
      cpeIds: sites,
    });
    for (const id of [popId, ...sites]) await confirmed(call, id);
  }, 300_000);

  afterAll(() => world?.close(), 30_000);

  const endpoints = async () =>
    (await mustExec(world.lab, "cpe1", ["sh", "-c", "wg show all endpoints"])).trim();

  test("is called at its public address, which the NAT leads on", async () => {
    const received = await ping(world.lab, "hosta", hostB, { count: 2 }).catch(() => null);
    expect(received?.received ?? 0).toBe(0);
    await world.call(line.ops.edit, { ...draft({ publicIp: outside }), id: lineId } as never);
    await reaches();
    expect(await endpoints()).toContain(`${outside}:${own}`);
  }, 180_000);

  test("is called at public ports where the NAT forwards those of tunnels from them", async () => {
    await translate(true);
    const forwarded = draft({ publicIp: outside, publicPort: led });
    await world.call(line.ops.edit, { ...forwarded, id: lineId } as never);
    await eventually(
      async () => (await endpoints()).includes(`${outside}:${led}`),
      "the site calls a public port",
    );
    await reaches();
    expect(await endpoints()).not.toContain(`:${own}\n`);
  }, 180_000);
});
