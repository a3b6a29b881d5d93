import { accelerationCapability } from "@weft/contract/device/v1/acceleration.ts";
import type { Argv } from "#drivers/exec.ts";
import { leavingMark } from "#drivers/exits.ts";
import { frrManager } from "#drivers/routing/manager.ts";

/** What a POP has beside all others: flows that are not tracked, and two translations. */
const rules = `table inet t0 {
  chain c { type filter hook prerouting priority raw + 5; iifname "t0" accept; notrack; }
  chain d { type nat hook postrouting priority srcnat; oifname "t0" masquerade; }
}`;
const rule = ["fwmark", `${leavingMark}/0x7f0000`, "lookup", "111"] as const;
const pair = ["ip", "link", "add", "t0", "type", "veth", "peer", "name", "t1"] as const;

/** A site has tables that staticd fills; a POP a pair of interfaces and rules. */
export const accelerationAttempt: Readonly<
  Record<"tries" | "near", readonly Argv[]> & { name: string }
> = {
  name: accelerationCapability,
  tries: [
    ["unshare", "--net", ...pair],
    ["unshare", "--net", "ip", "rule", "add", ...rule],
    ["unshare", "--net", "nft", rules],
    ["sh", "-c", `vtysh -C -f /dev/null && test ! -e ${frrManager}`],
  ],
  near: [
    ["nft", "-c", rules],
    ["sh", "-c", `vtysh -C -f /dev/null && test ! -e ${frrManager}`],
  ],
};
