/**
 * Where policy routes send flows, and how these stay there: the WAN link or the path is written into the mark of the flow,
 * and its packets follow. What the rules keep is read back from their text (line-states.ts). Pure.
 */
import { hitCounter } from "@weft/contract/device/v1/hit-counter.ts";
import { markMask, markText, markValue } from "@weft/contract/device/v1/mark.ts";
import type { AppGroupState, PolicyRoute } from "@weft/contract/device/v1/policy.ts";
import {
  type PathKind,
  type PolicyPath,
  pathBlocks,
  pathMask,
  pathValue,
  tableOfMark,
} from "#drivers/policy-paths.ts";
import { chain } from "./nft.ts";
import type { MappedLine } from "./port-mapping.ts";

export const pathBits = markText(markMask("path"));
export const hopBits = markText(pathMask);
const lineBits = markText(markMask("line"));
const others = markText(2 ** 32 - 1 - markMask("path") - markMask("line"));
const slotMark = (slot: number): string => markText(markValue("line", slot));

/** Where flows are kept: a WAN link, or a next hop. */
export interface Exit {
  /** Of the packets. */
  readonly mark: number;
  /** Flows that policy routes sent there, as conntrack(8) selects them by their mark. */
  readonly flows: readonly string[];
  /** Table of routing. */
  readonly table: string;
}

const keptPattern = /ct mark & (0x\w+) == (0x\w+) meta mark set \2(?: comment "([^"]+)")?$/gm;

/** Exits that rules keep flows on. */
export const keptExits = (text: string): Exit[] =>
  [...text.matchAll(keptPattern)].map(([, bits = "", found = "", name]) => {
    const mark = Number(found);
    if (name !== undefined) return { mark, flows: [`${found}/${bits}`], table: tableOfMark(mark) };
    const flows = pathBlocks.map(
      ({ value, mask }) => `${markText(value + mark)}/${markText(mask + Number(bits))}`,
    );
    return { mark, flows, table: tableOfMark(mark) };
  });

/** Sends a packet by the link of its flow. */
const keptBy = (slot: number): string =>
  `ct mark & ${lineBits} == ${slotMark(slot)} meta mark set ${slotMark(slot)}`;
/** Without a WAN link a flow with another destination goes where routing leads. */
const keptByPath = ({ mark, hop, destination }: PolicyPath): string =>
  hop
    ? `ct mark & ${hopBits} == ${markText(mark)} meta mark set ${markText(mark)} comment "${hop.address} ${hop.interfaceName}"`
    : `ct mark & ${hopBits} == ${markText(mark)} meta mark 0x0 accept comment "to ${destination}"`;

/**
 * The table of a WAN link has the routes of its state. One that comes by itself, by an IPv6 router advertisement
 * (RFC 4861 6.3.4), is in main only: the flow stays as long as main leads by the same link.
 */
const byMain = ({ slot, interfaceName }: Line): string =>
  `meta mark ${slotMark(slot)} fib daddr . mark oif missing fib daddr oifname "${interfaceName}" meta mark set 0x0 accept`;

const destinationPattern = /ct mark & (0x\w+) == (0x\w+) meta mark 0x0 accept comment "([^"]+)"$/gm;

/** What each path of the rules leads to, with its flows as conntrack(8) selects them by their mark. */
export const pathsIn = (text: string): ReadonlyMap<string, string> =>
  new Map(
    [keptPattern, destinationPattern].flatMap((pattern) =>
      [...text.matchAll(pattern)].flatMap(([, bits = "", mark = "", name]) =>
        name === undefined ? [] : [[`${mark}/${bits}`, name] as const],
      ),
    ),
  );

/** A WAN link. */
export type Line = Pick<MappedLine, "slot" | "interfaceName">;

/** Marks of exits that lead nowhere at the moment, which the edge fills (line-states.ts). */
export const downSet = "d_down";
/** What the mark leads to: without it the rules for marked packets end in `unreachable`. */
export const isUp = `meta mark != @${downSet} fib daddr . mark oif exists`;

/** A route with the WAN links that the device has, or its next hop. */
export interface UsableRoute extends PolicyRoute {
  readonly path: PolicyPath | null;
  /** Groups of the device. */
  readonly applications: readonly AppGroupState[];
  /** Its targets are those that the resolver learns for this DNS control, and not an object of policies. */
  readonly isLearned?: boolean;
}

export const counterOf = ({ id, isLearned }: UsableRoute): string =>
  hitCounter(isLearned ? "routerDnscontrol" : "routerPolicyroute", id);
export const chainOf = ({ id, isLearned }: UsableRoute): string =>
  `c_route_${isLearned ? "dns_" : ""}${id}`;

export const kindOf = ({ nat, translation }: PolicyRoute): PathKind =>
  translation ?? (nat ? "nat" : "plain");

/** The chain that writes down where its flows go. */
export const keptIn = (route: UsableRoute): string =>
  `c_keep_${kindOf(route)}_${route.path?.number ?? 0}`;

/** Exits take turns by chance; one that is down is passed over, and without any routing decides. */
export const exitChoice = (route: UsableRoute): string => {
  const { slots, path } = route;
  if (path && slots.length === 0) {
    const flow = `ct mark set ct mark & ${others} | ${markText(pathValue(path.number, kindOf(route)))}`;
    if (!path.hop) return chain(chainOf(route), [`${flow} accept`]);
    const mark = `meta mark set ${markText(path.mark)}`;
    // Of a packet that belongs to no flow nothing is written down.
    const alone = `ct state invalid ${isUp} accept`;
    return chain(chainOf(route), [mark, alone, `${isUp} ${flow} accept`, "meta mark set 0x0"]);
  }
  const kept = `${isUp} goto ${keptIn(route)}`;
  const turns = slots.map((slot, at) => `${at} : ${slotMark(slot)}`).join(", ");
  const first = slots.length > 1 ? `numgen random mod ${slots.length} map { ${turns} }` : null;
  return chain(chainOf(route), [
    ...(first ? [`meta mark set ${first}`, kept] : []),
    ...slots.flatMap((slot) => [`meta mark set ${slotMark(slot)}`, kept]),
    "meta mark set 0x0",
  ]);
};

/** Marks of connections take constants only: one rule a link. */
export const keepChain = (route: UsableRoute, lines: readonly Line[]): string =>
  chain(keptIn(route), [
    ...lines.map(({ slot }) => {
      const value = pathValue(route.path?.number ?? 0, kindOf(route));
      const kept = markText(value + markValue("line", slot));
      return `meta mark & ${lineBits} == ${slotMark(slot)} ct mark set ct mark & ${others} | ${kept}`;
    }),
    "accept",
  ]);

/** Whether a flow could change from one WAN link to another. */
export const keepsLine = (lines: readonly Line[]): boolean => lines.length > 1;

/**
 * Gives a new flow the address of the WAN link that routing leads it to, and keeps it there: elsewhere its other end
 * would not know it, whichever link is the first one later. Runs for the first packet of a flow only.
 */
export const leaveChain = (lines: readonly Line[]): string =>
  chain("c_leave", [
    ...lines.map(({ slot, interfaceName }) => {
      const kept = markText(pathValue(0, "nat") + markValue("line", slot));
      return `oifname "${interfaceName}" ct mark & ${pathBits} == 0x0 ct mark set ct mark & ${others} | ${kept}`;
    }),
    "masquerade",
  ]);

/**
 * Keeps a new flow that leaves with an address of a prefix of the WAN link on this link: no other provider forwards the
 * address (BCP 38), and nothing that answers it comes by another link.
 */
export const ownAddress = ({ slot }: Line): string =>
  `ct mark & ${pathBits} == 0x0 ct mark set ct mark & ${others} | ${markText(pathValue(0, "plain") + markValue("line", slot))}`;

/**
 * Earlier flows, also those of a route that was taken away, whose address belongs to their link.
 * @param near matches what no route is about: where it was not near when the flow began, the flow ends
 */
export const keptChains = (
  lines: readonly Line[],
  paths: readonly PolicyPath[],
  near: readonly string[],
): string[] => [
  chain("c_lost", [
    "meta l4proto tcp reject with tcp reset",
    "reject with icmpx type admin-prohibited",
  ]),
  chain("c_kept", [
    ...near.map((match) => `${match} goto c_lost`),
    ...lines.map(({ slot }) => keptBy(slot)),
    ...paths.map(keptByPath),
    // Of a next hop that no route has any more.
    "meta mark 0x0 goto c_lost",
    // Elsewhere the other end would not know it: a new flow takes another link.
    `meta mark @${downSet} goto c_lost`,
    ...lines.map(byMain),
    "fib daddr . mark oif missing goto c_lost",
    "accept",
  ]),
];
