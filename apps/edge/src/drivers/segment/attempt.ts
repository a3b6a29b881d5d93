import { segmentsCapability } from "@weft/contract/device/v1/segments.ts";
import type { Argv } from "#drivers/exec.ts";
import { frrManager } from "#drivers/routing/manager.ts";

const rule = ["to", "192.0.2.0/24", "iif", "lo", "lookup", "100001"] as const;

/** Flows by the link that they came by are led to a table of routing, which staticd fills. */
export const segmentAttempt: Readonly<
  Record<"tries" | "near", readonly Argv[]> & { name: string }
> = {
  name: segmentsCapability,
  tries: [
    ["unshare", "--net", "ip", "rule", "add", ...rule],
    ["sh", "-c", `vtysh -C -f /dev/null && test ! -e ${frrManager}`],
  ],
  near: [
    ["ip", "rule", "add", ...rule],
    ["ip", "rule", "del", ...rule],
  ],
};
