/** Addresses as the kernel and FRR write them. Pure. */
import { formatAddress, parseAddress, parsePrefix } from "@weft/contract/rules/address.ts";

/** RFC 5952 form of an address; text that is none stays as it is. */
export const canonicalAddress = (text: string): string => {
  const parsed = parseAddress(text);
  return parsed ? formatAddress(parsed.family, parsed.address) : text;
};

/** The same for address/length; host bits are kept. */
export const canonicalCidr = (text: string): string => {
  const parsed = parsePrefix(text);
  return parsed ? `${formatAddress(parsed.family, parsed.address)}/${parsed.length}` : text;
};

export const familyOf = (text: string): 4 | 6 => (text.includes(":") ? 6 : 4);
