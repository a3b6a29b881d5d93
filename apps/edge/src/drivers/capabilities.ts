/**
 * What this kernel and machine can do, found out by doing it in a namespace that ends with the
 * attempt. Each missing one is reported with the message of the tool that refused.
 */

import { lanTranslationCapability } from "@weft/contract/device/v1/additions.ts";
import { dnsCapabilities, dnsRouteCapability } from "@weft/contract/device/v1/dns.ts";
import { flowRecordsCapability } from "@weft/contract/device/v1/flow-records.ts";
import { groupsCapability } from "@weft/contract/device/v1/groups.ts";
import {
  aclCountsCapability,
  denyCapability,
  destinationCapability,
  hopCapability,
  translationCapability,
  ttlCapability,
} from "@weft/contract/device/v1/policy.ts";
import { circuitsCapability, shapingCapability } from "@weft/contract/device/v1/shaping.ts";
import { signatureCapability } from "@weft/contract/device/v1/site.ts";
import { lanPrefixCapability, wanIpv6Capability } from "@weft/contract/device/v1/underlay.ts";
import {
  dnsFamilies,
  policyCapability,
  type SentFamily,
  type SiteFamily,
  sentFamilies,
} from "@weft/contract/domains/policies/policy-actions.ts";
import { accelerationAttempt } from "./acceleration/attempt.ts";
import { classesAttempt, specialLinksAttempt } from "./classes/attempt.ts";
import type { Capability } from "./driver.ts";
import { type Argv, CommandFailed, type Run } from "./exec.ts";
import { circuitSample } from "./firewall/circuits.ts";
import { groupSample } from "./firewall/groups.ts";
import { filterSample } from "./firewall/name-filters.ts";
import { frrManager, noManager } from "./routing/manager.ts";
import { segmentAttempt } from "./segment/attempt.ts";
import { vrrp } from "./standby/attempt.ts";

/** Rules of nftables that a kernel must accept, by the capability of an object that spans sites. */
const overlaySamples: readonly (readonly [capability: string, rules: string])[] = [
  [groupsCapability, groupSample],
  [circuitsCapability, circuitSample],
];

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
const policyRoute = `
  chain c {
    type filter hook prerouting priority mangle - 5;
    ct mark & 0x007f0000 != 0x0 fib daddr . mark oif missing reject with tcp reset
    ct state new fib daddr oifname != { "t0" } accept
    meta mark set numgen random mod 2 map { 0 : 0x01000000, 1 : 0x02000000 }
    fib daddr . mark oif exists ct mark set ct mark & 0xf880ffff | 0x01100000
  }`;
/** Flows that are sent to a next hop are answered by it, with any source. */
const nextHop = `
  chain c {
    type filter hook prerouting priority mangle - 10;
    iifname { "t0" } ct direction reply ct mark & 0x007c0000 == { 0x00140000 } accept
  }
  chain d {
    type filter hook prerouting priority mangle - 5;
    ct state { established, related } accept
    ct mark & 0x007c0000 == 0x00140000 meta mark set 0x00140000 comment "192.0.2.1 t0"
    meta mark set 0x00140000
    fib daddr . mark oif exists ct mark set ct mark & 0xf880ffff | 0x00150000
  }`;
/** Maps that the kernel fills, and ports by chance. */
const translation = `
  map a { type iface_index . inet_service : ipv6_addr; size 16; flags dynamic,timeout; timeout 5m; }
  map b { type iface_index . inet_service : inet_service; size 16; flags dynamic,timeout; timeout 5m; }
  chain c {
    type filter hook postrouting priority srcnat + 1;
    meta nfproto ipv6 meta l4proto udp ct direction original update @a { oif . udp sport : ct original ip6 saddr } update @b { oif . udp sport : ct original proto-src }
  }
  chain d {
    type nat hook prerouting priority dstnat + 1;
    iifname { "t0" } meta l4proto udp dnat ip6 to iif . udp dport map @a : iif . udp dport map @b
  }
  chain e {
    type nat hook postrouting priority srcnat;
    ct mark & 0x007f0000 == { 0x00130000 } masquerade fully-random
  }`;
const destination = `
  chain c {
    type nat hook prerouting priority dstnat - 1;
    ct mark & 0x007c0000 == 0x00140000 dnat ip6 to 2001:db8::1
  }
  chain d {
    type filter hook prerouting priority mangle - 5;
    ct mark & 0x007c0000 == 0x00140000 meta mark 0x0 accept comment "to 2001:db8::1"
  }`;
const denial = `
  ${addressSet}
  counter b { }
  chain c { reject with icmpx type admin-prohibited; }
  chain d {
    type filter hook forward priority 0;
    ct direction original iifname { "t0" } meta nfproto ipv4 ct original ip saddr @a counter name "b" goto c
    meta nfproto ipv6 ct original ip6 daddr 2001:db8::1-2001:db8::9 goto c
    ct status dnat ct mark & 0x007c0000 == 0x00140000 return
    ct state invalid meta mark & 0x007c0000 == 0x00140000 return
  }`;
const timeToLive = `
  chain a { ip ttl set 66 accept; ip6 hoplimit set 66 accept; }
  chain b { ip ttl vmap { 64 : goto a }; ip6 hoplimit vmap { 64 : goto a }; }
  chain c {
    type filter hook forward priority mangle + 5;
    ct direction original iifname { "t0" } ct mark & 0x007c0000 vmap { 0x00140000 : goto b }
  }`;
const timeGroup = `
  set a { type mark; elements = { 0x0 }; }
  chain b { meta mark & 0x0 == @a drop; }`;
const classes = `
  counter a { }
  chain c {
    type filter hook output priority mangle;
    meta mark set meta mark | 0x40000000 meta priority set 1:5
  }
  chain d {
    type filter hook postrouting priority mangle;
    iifname "t0" oifname { "t1" } meta priority set ct mark & 0x0000ff00 map { 0x00000100 : 1:101 }
  }`;
const applications = `
  set a { type inet_proto . inet_service; flags interval; elements = { tcp . 443, udp . 16384-32767 } }
  chain b {
    type filter hook forward priority 0;
    ct direction reply meta l4proto . th sport @a drop
    ct direction original meta l4proto { tcp, udp } th dport 80-81 ip daddr 192.0.2.1-192.0.2.9 drop
  }`;
/** What the rules of each family need of the kernel. */
const policyRules: Readonly<Record<SentFamily, string>> = {
  routerIpgroup: addressSet,
  routerIpgroupdefine: addressSet,
  routerConnlimit: connectionLimit,
  routerPortmapping: portMapping,
  routerTimenode: timeGroup,
  routerPolicyroute: policyRoute,
  routerProtocolex: applications,
  routerRuleCustom: applications,
  routerAppgroup: applications,
  routerBandwidthpipe: classes,
  routerBwpolicy: classes,
  routerUrlrule: filterSample,
};

/** Queues as drivers/shaping sets them. @param from, to interfaces; the second one is made */
const queues = (from: string, to: string): string[] => [
  `ip link add ${to} type ifb`,
  `ip link set ${to} up`,
  `tc qdisc add dev ${to} root handle 1: htb default 0 direct_qlen 1000`,
  `tc class add dev ${to} parent 1: classid 1:1 htb rate 1mbit ceil 1mbit quantum 1514 overhead 80`,
  `tc class add dev ${to} parent 1:1 classid 1:5 htb rate 1mbit quantum 1514`,
  `tc qdisc add dev ${to} parent 1:5 handle 5: bfifo limit 30000`,
  `tc qdisc add dev ${from} clsact`,
  `tc filter add dev ${from} egress protocol all prio 1 handle 1 bpf bytecode "1,6 0 0 4294967295" action mirred egress redirect dev ${to}`,
];
/** By the effect: a kernel may take a filter and not follow it. */
const redirects = [
  "ip link set lo up",
  ...queues("lo", "t0"),
  "{ fping -c 1 -t 500 127.0.0.1 || true; }",
  "tc -s qdisc show dev t0 root | grep -q 'Sent [1-9]'",
].join(" && ");
/** Small packets of hosts are bounded where the rate of a POP is known (firewall/render.ts). */
const smallSample = `chain c { meta length <= 140 limit rate over 10/second burst 5 packets counter drop; }`;
const text = nearName("shaping");
const smallRules = rules(shapingCapability, smallSample);
const shaper: Attempt = {
  name: shapingCapability,
  tries: [...smallRules.tries, aside("sh", "-c", redirects)],
  near: [
    ...(smallRules.near ?? []),
    ["sh", "-c", `{ ${queues(text, text).join(" && ")}; }; r=$?; ip link del ${text}; exit $r`],
  ],
};

/** It serves loopback of a namespace of its own for a moment, until it is ended. */
const resolver = (name: string, ...options: string[]): Attempt => {
  const files = ["--conf-file=/dev/null", "--pid-file=", "--servers-file=/dev/null"];
  const argv = ["-k", ...files, "--no-resolv", "--interface=lo", "--bind-dynamic", ...options];
  return {
    name,
    tries: [
      aside(
        ...(["sh", "-c"] as const),
        `ip link set lo up && { timeout 0.3 dnsmasq ${argv.join(" ")}; [ $? = 124 ]; }`,
      ),
    ],
    near: [["dnsmasq", "--test", ...argv]],
  };
};

/** Resolvers that deny names take the firewall as well as dnsmasq. */
const nameFilter = (name: string): Attempt => {
  const inFirewall = rules(name, filterSample);
  const denies = resolver(
    name,
    "--server=/t/",
    "--server=/*.t/#",
    "--max-ttl=60",
    "--cache-size=0",
  );
  return {
    name,
    tries: [...inFirewall.tries, ...denies.tries],
    near: [...(inFirewall.near ?? []), ...(denies.near ?? [])],
  };
};

const answerSet =
  "add table inet t0; add set inet t0 a { type ipv4_addr; size 16; flags dynamic,timeout; timeout 1m; }";
const resolveOnce = `"${process.execPath}" -e 'const r = new (require("node:dns").promises.Resolver)({ timeout: 1000, tries: 2 }); r.setServers(["127.0.0.1"]); r.resolve4("a.t").catch(() => {})'`;
/** By the effect: an answer of another server is in the set, where dnsmasq has given up its rights. */
const answersInSet: Attempt = {
  name: dnsRouteCapability,
  tries: [
    aside(
      ...(["sh", "-c"] as const),
      `ip link set lo up && nft '${answerSet}' || exit 1
       all="--conf-file=/dev/null --pid-file= --no-resolv --no-hosts --bind-interfaces"
       timeout 2.5 dnsmasq -k $all --listen-address=127.0.0.2 --address=/a.t/192.0.2.9 & one=$!
       timeout 2.5 dnsmasq -k $all --listen-address=127.0.0.1 --server=/t/127.0.0.2 --nftset=/t/4#inet#t0#a & two=$!
       sleep 0.1; ${resolveOnce}; kill $one $two; nft list set inet t0 a | grep -q 192.0.2.9`,
    ),
  ],
  near: [["dnsmasq", "--test", "--conf-file=/dev/null", "--nftset=/t/4#inet#t0#s"]],
};

/**
 * What of a state needs a routing daemon. The one of a package that was divided may be missing; it starts with the state.
 * @param daemon in Debian's or Red Hat's place
 */
const siteDaemon = (family: SiteFamily, daemon: string): Attempt =>
  tool(
    policyCapability(family),
    "sh",
    "-c",
    `vtysh -C -f /dev/null && { test -x /usr/lib/frr/${daemon} || test -x /usr/libexec/frr/${daemon}; }`,
  );

/** On a card of its own: no kernel makes a VLAN of the loopback. What it made it removes in any case. */
const vlanTry = (card: string, peer: string, name: string): string =>
  `ip link add ${card} type veth peer name ${peer} || exit 1
  ip link add link ${card} name ${name} type vlan id 9
  status=$?
  ip link del ${card}
  exit $status`;

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
    tries: [aside("sh", "-c", vlanTry("t0", "t1", "t2"))],
    near: [["sh", "-c", vlanTry(nearName("card"), nearName("peer"), nearName("vlan"))]],
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
        "proto",
        "esp",
        "spi",
        "0x100",
        "mode",
        "tunnel",
        "aead",
        "rfc4106(gcm(aes))",
        `0x${"00".repeat(20)}`,
        "128",
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
  ...overlaySamples.map((overlaySample) => rules(...overlaySample)),
  rules(aclCountsCapability, "counter a { }\nchain b { counter name a drop; }"),
  rules(
    lanTranslationCapability,
    'chain b {\ntype nat hook postrouting priority srcnat;\noifname t0 ip daddr 192.0.2.0/24 iifname { "t1" } masquerade\n}',
  ),
  ...sentFamilies.map((family) =>
    family === "routerUrlrule"
      ? nameFilter(policyCapability(family))
      : rules(policyCapability(family), policyRules[family]),
  ),
  nameFilter(dnsCapabilities.hosts),
  {
    ...rules(hopCapability, nextHop),
    tries: [
      aside("nft", `table inet t0 {\n${nextHop}\n}`),
      aside("ip", "rule", "add", "fwmark", "0x140000/0x7c0000", "lookup", "1001"),
    ],
  },
  {
    name: policyCapability("routerInterface"),
    tries: [aside("ip", "link", "set", "dev", "lo", "mtu", "1300")],
    near: [["ip", "link", "show", "dev", "lo"]],
  },
  shaper,
  rules(translationCapability, translation),
  rules(destinationCapability, destination),
  rules(denyCapability, denial),
  rules(ttlCapability, timeToLive),
  tool("frr", "vtysh", "-C", "-f", "/dev/null"),
  // vtysh would refuse each change of a state with such a route: "mgmtd is not running".
  tool("frr.static", "sh", "-c", `[ ! -e ${frrManager} ] || { echo "${noManager}" >&2; exit 1; }`),
  siteDaemon("routerBgp", "bgpd"),
  siteDaemon("routerOspf", "ospfd"),
  segmentAttempt,
  accelerationAttempt,
  classesAttempt,
  specialLinksAttempt,
  // Without it a daemon has the session all the same, and unsigned.
  tool(signatureCapability, "grep", "-qw", "tcp_md5_do_add", "/proc/kallsyms"),
  tool("dhcp", "dhcpcd", "--version"),
  resolver(
    lanPrefixCapability,
    "--enable-ra",
    "--dhcp-range=::,constructor:t0,ra-only,64,5400",
    "--leasefile-ro",
  ),
  tool(wanIpv6Capability, "test", "-d", "/proc/sys/net/ipv6"),
  tool("dnsmasq", "dnsmasq", "--version"),
  resolver(dnsCapabilities.names),
  ...dnsFamilies.map((family) =>
    resolver(policyCapability(family), "--server=/*.t/192.0.2.1@lo", "--server=/t/192.0.2.2"),
  ),
  answersInSet,
  resolver(dnsCapabilities.dhcp, "--dhcp-range=127.0.0.9,127.0.0.10,255.0.0.0", "--leasefile-ro"),
  resolver(
    dnsCapabilities.reservations,
    "--dhcp-range=127.0.0.9,127.0.0.10,255.0.0.0",
    "--leasefile-ro",
    "--dhcp-host=02:00:00:00:00:01,127.0.0.20,t0",
  ),
  tool("nftset", "dnsmasq", "--test", "--conf-file=/dev/null", "--nftset=/t/4#inet#t0#s"),
  tool("keepalived", "keepalived", "--version"),
  vrrp,
  tool("conntrack", "conntrack", "--version"),
  {
    name: flowRecordsCapability,
    tries: [
      ["conntrack", "--version"],
      ["test", "-w", "/proc/sys/net/netfilter/nf_conntrack_acct"],
      ["test", "-w", "/proc/sys/net/netfilter/nf_conntrack_timestamp"],
    ],
  },
  tool("fping", "fping", "--version"),
];

/** Reason as one short line: the tool's output, else what was tried. */
const shorten = (error: unknown): string => {
  const output = error instanceof CommandFailed ? error.text : "";
  return (output || (error instanceof Error ? error.message : String(error))).slice(0, 200);
};

/**
 * Ms after which a try counts as failed, and so many are made at once. What is found holds until the program ends: a slow
 * device whose kernel loads its modules meanwhile must not be left without tunnels for it.
 */
const tryMs = 15_000;
const atOnce = 4;

const tryOne = async (
  run: Run,
  { name, tries, near = tries }: Attempt,
  obstacle: string | null,
): Promise<Capability> => {
  const selected = obstacle === null ? tries : near;
  if (selected === null) return { name, can: false, reason: `cannot be tried here: ${obstacle}` };
  try {
    for (const argv of selected) await run(argv, { timeoutMs: tryMs });
    return { name, can: true, reason: null };
  } catch (error) {
    return { name, can: false, reason: shorten(error) };
  }
};

/** Why no namespace can be made here; null: it can. */
const obstacleTo = async (run: Run): Promise<string | null> =>
  run(aside("true"), { timeoutMs: tryMs }).then(() => null, shorten);

/** Families whose rules are nothing without queues. */
const shaped: readonly string[] = [
  circuitsCapability,
  ...(["routerBandwidthpipe", "routerBwpolicy"] as const).map(policyCapability),
];
const withQueues = (capabilities: readonly Capability[]): Capability[] => {
  const { can = false, reason = null } =
    capabilities.find((capability) => capability.name === shapingCapability) ?? {};
  return capabilities.map((capability) =>
    shaped.includes(capability.name) && capability.can && !can
      ? { ...capability, can, reason }
      : capability,
  );
};

/** All findings; `run` can be a fake one, so that a kernel unlike this one can be played. */
export const findCapabilities = async (run: Run): Promise<Capability[]> => {
  const obstacle = await obstacleTo(run);
  const capabilities: Capability[] = [];
  const waiting = attempts.entries();
  const tryWaiting = async (): Promise<void> => {
    for (const [at, attempt] of waiting) capabilities[at] = await tryOne(run, attempt, obstacle);
  };
  await Promise.all(Array.from({ length: atOnce }, tryWaiting));
  return withQueues(capabilities);
};
