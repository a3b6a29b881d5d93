import type { RuleIssue } from "@weft/contract/kernel/rule.ts";
import { overlaps, parsePrefix } from "@weft/contract/rules/address.ts";

/** A network that another site of a shared space brings in. */
export interface SiteNetwork {
  readonly nodeName: string;
  readonly network: string;
  /** True: the site announces it by a notice; false: it is a LAN section of it. */
  readonly isNotice: boolean;
}

/**
 * No site may attract another site's traffic: what is announced must not lie inside a LAN
 * segment of another site of the space, nor be the very network that another site announces. A
 * wider network is a summary: sites behind it have the longer prefixes, which count first. Pure.
 */
export function noticeIssue(network: string, others: readonly SiteNetwork[]): RuleIssue | null {
  const own = parsePrefix(network);
  if (!own) return null;
  const clash = others.find((one) => {
    const other = parsePrefix(one.network);
    if (!other || !overlaps(own, other)) return false;
    return one.isNotice ? other.length === own.length : other.length <= own.length;
  });
  if (!clash) return null;
  const params = { value: clash.network, other: clash.nodeName };
  return { path: "network", rule: "overlap", params };
}
