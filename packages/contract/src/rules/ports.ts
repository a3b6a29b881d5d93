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

/** First and last port of "80" or "8000-8100", which is one of them (`portOrRange`). */
export const portsOf = (value: string): readonly [first: number, last: number] => {
  const [first = 0, last = first] = value.split("-").map(Number);
  return [first, last];
};

/** How many ports get numbers of their own: those of a range that leads to another range. */
export const movedPorts = (outside: string, inside: string): number => {
  const [first, last] = portsOf(outside);
  const [at, end] = portsOf(inside);
  return at === end || at === first ? 0 : last - first + 1;
};
