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
  return value.length <= 253 && !isNumeric && labels.every((one) => label.test(one));
};

/** A domain name or an IP address. */
export const isHost = (value: string): boolean => parseAddress(value) !== null || isDomain(value);

export const domain = codec.text(253, 1).refine(isDomain, failsWith("host"));

/** "80" or "8000-8100". */
const isPortOrRange = (value: string): boolean =>
  isWholeIn(value, ranges.port) || isPortRange(value);
export const portOrRange = codec.text(11, 1).refine(isPortOrRange, failsWith("portRange"));
