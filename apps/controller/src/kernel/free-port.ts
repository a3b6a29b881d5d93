import { randomInt } from "node:crypto";

const range = { from: 20_000, below: 30_000 };

/**
 * Ports to try where any free one will do; 0, with which the system selects one, comes last. They are below those
 * that systems give to outgoing connections (Linux from 32768, ip(7); IANA's dynamic ports from 49152): one of
 * those could hold the port between its release and its use, or at the next start.
 */
export const portsToTry = (): readonly number[] => [
  ...Array.from({ length: 20 }, () => randomInt(range.from, range.below)),
  0,
];
