import {
  classesCapability,
  classTable,
  specialLinksCapability,
} from "@weft/contract/device/v1/path-classes.ts";
import type { Argv } from "#drivers/exec.ts";

const rule = ["fwmark", "0x10000/0x7f0000", "lookup", `${classTable("realtime")}`] as const;
const table =
  "table inet t0 { chain b { type filter hook prerouting priority mangle + 5; ip dscp { 46 } meta mark set meta mark | 0x10000; }; }";

/** Packets are marked by their code point, and what is marked is led to a table. */
export const classesAttempt: Readonly<
  Record<"tries" | "near", readonly Argv[]> & { name: string }
> = {
  name: classesCapability,
  tries: [
    ["unshare", "--net", "ip", "rule", "add", ...rule],
    ["unshare", "--net", "nft", table],
  ],
  near: [
    ["ip", "rule", "add", ...rule],
    ["ip", "rule", "del", ...rule],
    ["nft", "-c", table],
  ],
};

/** Their choice looks at the lines of links: it takes no more of the machine. */
export const specialLinksAttempt = { ...classesAttempt, name: specialLinksCapability };
