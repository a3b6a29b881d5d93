/** Power cuts of machines that run daemons. */
import type { NetnsMachine } from "./host.ts";

/** What a power cut takes: every program of the machine, which has a process namespace of its own, and what its kernel knew. */
export const cutPower = async ({ run }: NetnsMachine): Promise<void> => {
  // Its first process, which holds the namespaces, is not among those that it may end.
  await run(["sh", "-c", "kill -9 -1; true"]).catch(() => "");
  await run(["nft", "flush", "ruleset"]);
  const remains = `
    for one in $(ip netns list | cut -d" " -f1 | grep ^weft-s); do ip netns del $one; done
    for one in $(ls /sys/class/net); do case $one in wl*|wup|wdn) ip link del $one;; esac; done
    for one in $(ls -d /proc/net/vlan/*.* 2>/dev/null); do ip link del "\${one##*/}"; done
    for family in -4 -6; do
      ip $family route flush table all proto 99; ip $family route flush table all proto bgp
      ip $family route flush table all proto static; ip $family rule flush protocol 99
    done
    for one in lan0 wan1 wan2; do
      tc qdisc del dev $one root; tc qdisc del dev $one clsact
      ip addr flush dev $one; ip link set $one mtu 1500 down
    done
    sysctl -q -w net.ipv4.ip_forward=0`;
  await run(["sh", "-c", `{ ${remains}; } 2>/dev/null || true`]);
  await run(["conntrack", "-F"]);
  await run(["sh", "-c", "rm -rf /run/weft*"]);
};
