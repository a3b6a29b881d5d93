/** Names of a site beyond those that its resolver takes: entries of its own, and of the blacklist. Pure. */
import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import { dnsEntry } from "@weft/contract/domains/devices/dns-entry.ts";
import { acts } from "@weft/contract/effects.ts";
import { urlNames } from "@weft/contract/rules/url-host.ts";
import type { PolicyFinding } from "./findings.ts";
import { cannot, type PolicyContext } from "./verdict.ts";

const compareText = (text: string, other: string): number =>
  text < other ? -1 : text > other ? 1 : 0;

export const tooManyNames = cannot("tooMany", { most: String(stateLimits.dnsNames) });

/** Names of the blacklist that a device gets, each once. */
export const sentNames = (names: readonly string[]): string[] =>
  [...new Set(names.map((name) => name.toLowerCase()))]
    .sort(compareText)
    .slice(0, stateLimits.dnsNames);

/** Hosts of URLs of the blacklist that a device gets. A part of a host cannot be denied, and an address has no name. */
export const sentHosts = (urls: readonly string[]): string[] =>
  urlNames(urls.map((url) => ({ url, isHostOnly: false }))).slice(0, stateLimits.dnsNames);

/** Entries of one type beyond what a device takes: one finding for all, with the id of the node. */
export const siteNameFindings = (
  { id, name }: { readonly id: number; readonly name: string },
  names: readonly { readonly type: number }[],
  { capabilities }: Pick<PolicyContext, "capabilities">,
): PolicyFinding[] => {
  const counts = [...Map.groupBy(names, ({ type }) => type).values()];
  const isBeyond = counts.some((all) => all.length > stateLimits.dnsNames);
  return isBeyond && capabilities !== null && acts(dnsEntry.name, capabilities)
    ? [
        {
          family: dnsEntry.name,
          level: "node",
          objectId: id,
          name,
          denies: false,
          ...tooManyNames,
        },
      ]
    : [];
};
