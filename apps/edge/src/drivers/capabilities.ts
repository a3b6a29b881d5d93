/**
 * What this kernel and machine can do, found out by doing it in a namespace that ends with the
 * attempt. Each missing one is reported with the message of the tool that refused.
 */
import { aclCountsCapability } from "@weft/contract/device/v1/policy.ts";
import {
  policyCapability,
  type SentFamily,
  sentFamilies,
} from "@weft/contract/domains/policies/policy-actions.ts";
import type { Capability } from "./driver.ts";
import { type Argv, CommandFailed, type Run } from "./exec.ts";

/** One thing to try; it can when every command ends well. */
export interface Attempt {
  readonly name: string;
  readonly tries: readonly Argv[];
  /**
   * The same where no namespace may be made (a container without CAP_SYS_ADMIN), on the device itself and
   * undone immediately; absent: `tries` need no namespace. Null: there is no way to try without harm.
   */
  readonly near?: readonly Argv[] | null;
}

/** Runs a command where it can do no harm, then forgets what it did. */
const aside = (...argv: Argv): Argv => ["unshare", "--net", ...argv];
/** Own names, as attempts run beside each other. At most 15 characters. */
const nearName = (name: string): string => `weft-${name.replace(/\W/g, "").slice(0, 9)}`;
const link = (name: string, ...type: string[]): Attempt => ({
  name,
  tries: [aside("ip", "link", "add", "t0", ...type)],
  near: [
    ["ip", "link", "add", nearName(name), ...type],
    ["ip", "link", "del", nearName(name)],
  ],
});
const qdisc = (name: string, ...text: string[]): Attempt => ({
  name: `qdisc.${name}`,
  tries: [aside("tc", "qdisc", "add", "dev", "lo", "root", ...text)],
  near: null,
});
const tool = (name: string, ...argv: Argv): Attempt => ({ name, tries: [argv] });
/** A table with this in it, loaded where it does no harm. To nft 1.0.6 two blocks cannot end on one line. */
const rules = (name: string, text: string): Attempt => {
  const table = `table inet t0 {\n${text}\n}`;
  return { name, tries: [aside("nft", table)], near: [["nft", "-c", table]] };
};
/** What rules of policy objects match by. */
const addressSet = "set a { type ipv4_addr; flags interval; auto-merge; }";
const connectionLimit = `
  ${addressSet}
  set b { type ipv4_addr; size 16; flags dynamic; }
  set c { type ipv4_addr; size 16; flags dynamic,timeout; timeout 1m; }
  chain d { reject with icmpx type admin-prohibited; }
  chain e {
    type filter hook forward priority 0;
    ct state new ip saddr @a add @b { ip saddr ct count over 1 } goto d
    ct state new add @c { ip saddr limit rate over 1/second burst 1 packets } goto d
  }`;
const portMapping = `
  chain d {
    type nat hook prerouting priority dstnat;
    iifname "t0" fib daddr . iif type local tcp dport 80 dnat ip to 192.0.2.1:81
    iifname "t0" udp dport 80-81 dnat ip to udp dport map { 80 : 192.0.2.1 . 90, 81 : 192.0.2.1 . 91 }
  }
  chain e {
    type filter hook forward priority 0;
    ct state new ct status dnat tcp dport 81 ct original proto-dst 80 ct mark set ct mark & 0xf8ffffff | 0x01000000
  }`;
/** What the rules of each family need of the kernel. */
const policyRules: Readonly<Record<SentFamily, string>> = {
  routerIpgroup: addressSet,
  routerIpgroupdefine: addressSet,
  routerConnlimit: connectionLimit,
  routerPortmapping: portMapping,
};

/** FRR 9 and newer take static routes from this daemon alone. */
const frrManager = "/usr/lib/frr/mgmtd";
const noManager =
  "this FRR takes static routes from its mgmtd only, which the edge does not start yet";

/** In the order in which they are shown. */
export const attempts: readonly Attempt[] = [
  link("wireguard.kernel", "type", "wireguard"),
  {
    name: "wireguard.user",
    tries: [
      ["wireguard-go", "--version"],
      ["test", "-c", "/dev/net/tun"],
    ],
  },
  {
    name: "vlan",
    tries: [aside("ip", "link", "add", "link", "lo", "t0", "type", "vlan", "id", "9")],
    near: [
      ["ip", "link", "add", "link", "lo", nearName("vlan"), "type", "vlan", "id", "9"],
      ["ip", "link", "del", nearName("vlan")],
    ],
  },
  link("vrf", "type", "vrf", "table", "900"),
  link("bridge", "type", "bridge"),
  link("bonding", "type", "bond"),
  link("dummy", "type", "dummy"),
  link("gre", "type", "gre", "local", "192.0.2.1", "remote", "192.0.2.2"),
  link("ipip", "type", "ipip", "local", "192.0.2.1", "remote", "192.0.2.2"),
  link("vxlan", "type", "vxlan", "id", "9", "dstport", "4789"),
  link("ifb", "type", "ifb"),
  {
    name: "ipsec.kernel",
    tries: [
      aside(
        ...(["ip", "xfrm", "state", "add", "src", "192.0.2.1", "dst", "192.0.2.2"] as const),
        ...["proto", "esp", "spi", "0x100", "mode", "tunnel"],
        ...["aead", "rfc4106(gcm(aes))", `0x${"00".repeat(20)}`, "128"],
      ),
    ],
    near: null,
  },
  {
    name: "pppoe",
    tries: [
      ["test", "-c", "/dev/ppp"],
      ["which", "pppd"],
    ],
  },
  qdisc("htb", "handle", "1:", "htb"),
  qdisc("tbf", "tbf", "rate", "1mbit", "burst", "10k", "latency", "50ms"),
  qdisc("fq_codel", "fq_codel"),
  qdisc("cake", "cake"),
  qdisc("netem", "netem", "delay", "1ms"),
  {
    name: "nftables",
    tries: [aside("nft", "add", "table", "inet", "t0")],
    near: [["nft", "-c", "add", "table", "inet", "t0"]],
  },
  rules(aclCountsCapability, "counter a { }\nchain b { counter name a drop; }"),
  ...sentFamilies.map((family) => rules(policyCapability(family), policyRules[family])),
  tool("frr", "vtysh", "-C", "-f", "/dev/null"),
  // vtysh would refuse each change of a state with such a route: "mgmtd is not running".
  tool("frr.static", "sh", "-c", `[ ! -e ${frrManager} ] || { echo "${noManager}" >&2; exit 1; }`),
  tool("dhcp", "dhclient", "--version"),
  tool("dnsmasq", "dnsmasq", "--version"),
  tool("nftset", "dnsmasq", "--test", "--conf-file=/dev/null", "--nftset=/t/4#inet#t0#s"),
  tool("keepalived", "keepalived", "--version"),
  tool("conntrack", "conntrack", "--version"),
  tool("fping", "fping", "--version"),
];

/** Reason as one short line: the tool's output, else what was tried. */
const shorten = (error: unknown): string => {
  const output = error instanceof CommandFailed ? error.text : "";
  return (output || (error instanceof Error ? error.message : String(error))).slice(0, 200);
};

const tryOne = async (
  run: Run,
  { name, tries, near = tries }: Attempt,
  obstacle: string | null,
): Promise<Capability> => {
  const selected = obstacle === null ? tries : near;
  if (selected === null) return { name, can: false, reason: `cannot be tried here: ${obstacle}` };
  try {
    for (const argv of selected) await run(argv, { timeoutMs: 3_000 });
    return { name, can: true, reason: null };
  } catch (error) {
    return { name, can: false, reason: shorten(error) };
  }
};

/** Why no namespace can be made here; null: it can. */
const obstacleTo = async (run: Run): Promise<string | null> =>
  run(aside("true"), { timeoutMs: 3_000 }).then(() => null, shorten);

/** All findings; `run` can be a fake one, so that a kernel unlike this one can be played. */
export const findCapabilities = async (run: Run): Promise<Capability[]> => {
  const obstacle = await obstacleTo(run);
  return Promise.all(attempts.map((attempt) => tryOne(run, attempt, obstacle)));
};
