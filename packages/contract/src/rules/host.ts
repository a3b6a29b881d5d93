/** Names and addresses of hosts, and ports of a match. */
import * as codec from "#kernel/codec.ts";
import { failsWith } from "#kernel/rule.ts";
import { parseAddress } from "#rules/address.ts";
import { isWholeIn, ranges } from "#rules/number.ts";
import { isPortRange } from "#rules/ports.ts";

const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/i;

/** A domain name (RFC 1035 with the underscore of RFC 8552), without the dot at its end. */
export const isDomain = (value: string): boolean => {
  const labels = value.split(".");
  const isNumeric = /^\d+$/.test(labels.at(-1) ?? "");
  return value.length <= 253 && !isNumeric && labels.every((part) => label.test(part));
};

/** A domain name or an IP address. */
export const isHost = (value: string): boolean => parseAddress(value) !== null || isDomain(value);

export const domain = codec.text(253, 1).refine(isDomain, failsWith("host"));

/** "80" or "8000-8100". */
const isPortOrRange = (value: string): boolean =>
  isWholeIn(value, ranges.port) || isPortRange(value);
export const portOrRange = codec.text(11, 1).refine(isPortOrRange, failsWith("portRange"));

/** Words of dnsmasq(8) in a line about a host: how long it keeps its address, and that it gets none. */
const isWordOfDhcp = (value: string): boolean => /^(\d+[wdhms]?|infinite|ignore)$/i.test(value);

/** What a host is called within its site (RFC 952, RFC 1123): one label. */
export const isHostLabel = (value: string): boolean =>
  /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/.test(value) && !isWordOfDhcp(value);

export const hostLabel = codec.text(63, 1).refine(isHostLabel, failsWith("hostLabel"));
