/**
 * Full-cone NAT of UDP (RFC 4787: endpoint-independent mapping and filtering): what a host has sent by a WAN link is
 * remembered by its port there, and whatever comes to that port goes to the host. Pure.
 */
import { markMask, markText, markValue } from "@weft/contract/device/v1/mark.ts";
import { keyword } from "./address-sets.ts";
import { chain, set } from "./nft.ts";
import { families } from "./sources.ts";

export interface ConeContext {
  readonly lines: readonly { readonly slot: number; readonly interfaceName: string }[];
  readonly lans: readonly string[];
  /** What of a WAN link stays the device's own, as matches of nft. */
  readonly reserved: readonly string[];
}

export interface ConeParts {
  readonly declared: readonly string[];
  readonly chains: readonly string[];
  /** In the order of the forward chain. */
  readonly forward: readonly string[];
}

type Family = (typeof families)[number];

const lineBits = markText(markMask("line"));
const rest = markText(2 ** 32 - 1 - markMask("line"));
const slotMark = (slot: number): string => markText(markValue("line", slot));

/** Longer than the two minutes that RFC 4787 asks for; each packet of the host begins it again. */
const kept = "size 65535; flags dynamic,timeout; timeout 5m;";
/** Filled by the kernel. Address and port of a host apart: nft 1.0.6 cannot write both with a key of two. */
const names = (family: Family) => ({
  addresses: `d_cone${family}`,
  ports: `d_cone_port${family}`,
  hosts: `d_cone_host${family}`,
});

const declared = (family: Family): string[] => {
  const { addresses, ports, hosts } = names(family);
  return [
    `map ${addresses} { type iface_index . inet_service : ipv${family}_addr; ${kept} }`,
    `map ${ports} { type iface_index . inet_service : inet_service; ${kept} }`,
    `set ${hosts} { type ipv${family}_addr . inet_service; ${kept} }`,
  ];
};

/** Before the address is changed back, and after it was changed. */
const remembered = (
  family: Family,
  match: string,
  outside: string,
): { back: string; out: string } => {
  const { addresses, ports, hosts } = names(family);
  const k = keyword(family);
  const text = `${k} saddr . udp sport`;
  const source = [`ct original ${k} saddr`, "ct original proto-src"] as const;
  const only = `meta nfproto ipv${family} meta l4proto udp oifname ${outside}`;
  return {
    back: `${only} ct direction reply ct status dnat ${text} @${hosts} update @${addresses} { oif . ct original proto-dst : ${k} saddr } update @${ports} { oif . ct original proto-dst : udp sport } update @${hosts} { ${text} }`,
    out: `${only} ct direction original ${match} update @${addresses} { oif . udp sport : ${source[0]} } update @${ports} { oif . udp sport : ${source[1]} } update @${hosts} { ${source.join(" . ")} }`,
  };
};

const toHost = (family: Family, outside: string): string => {
  const { addresses, ports } = names(family);
  return `iifname ${outside} meta nfproto ipv${family} fib daddr . iif type local meta l4proto udp dnat ${keyword(family)} to iif . udp dport map @${addresses} : iif . udp dport map @${ports}`;
};

/** @param match flows whose host is to be reached by anyone, by their mark */
export function coneParts(match: string, { lines, lans, reserved }: ConeContext): ConeParts {
  const outside = set(lines.map((line) => line.interfaceName));
  const rules = families.map((family) => remembered(family, match, outside));
  return {
    declared: families.flatMap(declared),
    chains: [
      chain(
        "c_cone_back",
        rules.map(({ back }) => back),
        "type filter hook postrouting priority srcnat - 1; policy accept;",
      ),
      chain(
        "c_cone_out",
        rules.map(({ out }) => out),
        "type filter hook postrouting priority srcnat + 1; policy accept;",
      ),
      // Behind port mappings, which are meant.
      chain(
        "c_cone_in",
        [
          ...reserved.map((text) => `iifname ${outside} ${text} return`),
          ...families.map((family) => toHost(family, outside)),
        ],
        "type nat hook prerouting priority dstnat + 1; policy accept;",
      ),
      chain("c_cone", [
        ...lines.map(
          ({ slot, interfaceName }) =>
            `ct state new iifname "${interfaceName}" ct mark set ct mark & ${rest} | ${slotMark(slot)}`,
        ),
        "accept",
      ]),
      // Answers leave by the line that the flow came in by.
      chain(
        "c_cone_answer",
        lines.map(
          ({ slot }) =>
            `iifname ${set(lans)} meta l4proto udp ct direction reply ct status dnat ct mark & ${lineBits} == ${slotMark(slot)} meta mark set meta mark & ${rest} | ${slotMark(slot)}`,
        ),
        "type filter hook prerouting priority mangle; policy accept;",
      ),
    ],
    forward: families.map(
      (family) =>
        `iifname ${outside} oifname ${set(lans)} ct direction original ct status dnat ${keyword(family)} daddr . udp dport @${names(family).hosts} goto c_cone`,
    ),
  };
}
