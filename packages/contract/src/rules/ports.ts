import { isWholeIn, ranges } from "#rules/number.ts";

const twoPorts = (value: string, separator: string): readonly [number, number] | null => {
  const parts = value.split(separator);
  const [first, second] = parts;
  return parts.length === 2 && parts.every((part) => isWholeIn(part, ranges.port))
    ? [Number(first), Number(second)]
    : null;
};

/** `start-end`, start not above end. */
export const isPortRange = (value: string): boolean => {
  const ports = twoPorts(value, "-");
  return ports !== null && ports[0] <= ports[1];
};

/** `one:other` in any order. */
export const isPortPair = (value: string): boolean => twoPorts(value, ":") !== null;
