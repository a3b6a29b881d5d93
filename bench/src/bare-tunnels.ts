/** The yardstick of throughput: sites and a POP that are joined by wireguard-go and routes, and nothing else. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { ipBatch, mustExec } from "@weft/lab/enter.ts";
import { type Lab, machineOf } from "@weft/lab/lab.ts";
import { spawn } from "@weft/lab/spawn.ts";
import { eventually } from "@weft/lab/world.ts";

/** What Weft's links have, too: wg-quick(8) would choose the same. Bytes. */
const mtu = 1_420;

/** A tunnel's two ends; `far` are the networks behind the other end. */
interface End {
  readonly node: string;
  readonly name: string;
  readonly port: number;
  readonly address: string;
  readonly far: readonly string[];
  /** Where the other end is called; left out: it calls. */
  readonly endpoint?: string;
}

const popPlace = "198.51.100.10";
const lans = { cpe1: "10.1.1.0/24", cpe2: "10.1.2.0/24" } as const;

const tunnels: readonly (readonly [End, End])[] = [
  [
    {
      node: "cpe1",
      name: "wg1",
      port: 51_801,
      address: "10.255.1.1/31",
      far: [lans.cpe2],
      endpoint: `${popPlace}:51811`,
    },
    { node: "pop", name: "wg1", port: 51_811, address: "10.255.1.0/31", far: [lans.cpe1] },
  ],
  [
    {
      node: "cpe2",
      name: "wg2",
      port: 51_802,
      address: "10.255.2.1/31",
      far: [lans.cpe1],
      endpoint: `${popPlace}:51812`,
    },
    { node: "pop", name: "wg2", port: 51_812, address: "10.255.2.0/31", far: [lans.cpe2] },
  ],
];

const publicKeyOf = async (lab: Lab, node: string, key: string): Promise<string> =>
  (await mustExec(lab, node, ["wg", "pubkey"], { input: `${key}\n` })).trim();

async function raise(lab: Lab, end: End, key: string, peerKey: string): Promise<void> {
  const { node, name, port, address, far, endpoint } = end;
  await spawn(lab, node, ["wireguard-go", "-f", name], { log: `${lab.dir}/${node}/${name}.log` });
  const socket = `/proc/${machineOf(lab, node).pid}/root/run/wireguard/${name}.sock`;
  await eventually(async () => existsSync(socket), `${name} of ${node}`);
  const called = ["endpoint", endpoint ?? "", "persistent-keepalive", "10"];
  const place = endpoint === undefined ? [] : called;
  const own = ["listen-port", `${port}`, "private-key", "/dev/stdin"];
  const peer = ["peer", peerKey, ...place, "allowed-ips", "0.0.0.0/0"];
  const set = ["wg", "set", name, ...own, ...peer];
  await mustExec(lab, node, ["sh", "-c", 'cat | exec "$@"', "sh", ...set], { input: `${key}\n` });
  await ipBatch(lab, node, [
    `addr add ${address} dev ${name}`,
    `link set dev ${name} mtu ${mtu} up`,
    ...far.map((network) => `route add ${network} dev ${name}`),
  ]);
}

/** Joins the two sites of a default lab in which no edge runs. */
export async function joinBare(lab: Lab): Promise<void> {
  for (const [node, network] of Object.entries(lans)) {
    const address = network.replace("0/24", "1/24");
    await ipBatch(lab, node, [`addr add ${address} dev lan1`, "link set dev lan1 up"]);
  }
  for (const node of ["cpe1", "cpe2", "pop"])
    await mustExec(lab, node, ["sysctl", "-q", "-w", "net.ipv4.ip_forward=1"]);
  for (const [calling, called] of tunnels) {
    const keys = [randomBytes(32), randomBytes(32)].map((key) => key.toString("base64"));
    const [own = "", other = ""] = keys;
    await raise(lab, called, other, await publicKeyOf(lab, called.node, own));
    await raise(lab, calling, own, await publicKeyOf(lab, calling.node, other));
  }
}
