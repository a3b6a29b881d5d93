/** Addresses inside tunnels and router ids: arithmetic on ids, never stored (ADR 0007). */
import { formatAddress } from "@weft/contract/rules/address.ts";

/** Links that one space can have: the /31s of 169.254.0.0/16 without the first 128. */
export const linksPerSpace = 32_768 - 128;

const linkLocal = 0xa9fe0000n;
const leftOut = 128n;
const ula = 0xfd576566n << 96n;
/** 198.18.0.0/15, for tests of devices (RFC 2544): no site has them, and links have another range. */
const marks4 = 0xc6120000n;
const marks6 = 1n << 40n;
/** POPs that a segment route crosses at most are numbered from 1. */
const marksPerSegment = 16n;
/** The /32 that router ids count from; they are names, no address of anything. */
const routerIds = 0x64600000;

export interface InnerAddresses {
  readonly a4: string;
  readonly b4: string;
  readonly a6: string;
  readonly b6: string;
}

/**
 * Inner addresses of the link at an index of a space, without length: /31 (RFC 3021) and /127
 * (RFC 6164). End a has the odd ones. Spaces never meet, so each uses the whole IPv4 range.
 */
export function innerAddresses(spaceId: number, index: number): InnerAddresses {
  if (index < 0 || index >= linksPerSpace) throw new RangeError(`no index ${index} in a space`);
  const pair4 = linkLocal + 2n * (BigInt(index) + leftOut);
  const pair6 = ula + (BigInt(spaceId) << 64n) + 2n * BigInt(index);
  return {
    a4: formatAddress(4, pair4 + 1n),
    b4: formatAddress(4, pair4),
    a6: formatAddress(6, pair6 + 1n),
    b6: formatAddress(6, pair6),
  };
}

/** A dotted quad that no other node has. */
export const routerIdOf = (nodeId: number): string =>
  formatAddress(4, BigInt((routerIds + nodeId) % 2 ** 32));

/** Private AS number of a space (RFC 6996); iBGP needs one, it is not visible outside. */
export const asnOf = (spaceId: number): number => 4_200_000_000 + (spaceId % 94_967_295);

/** Segment routes of one space whose marks of IPv4 differ: their ids by this modulus. */
export const segmentsPerSpace = 2 ** 17 / Number(marksPerSegment);

/**
 * Address of no device by which a POP shows the hop before it that a segment route goes on (ADR 0026).
 * @param hop number of the POP, from 1
 */
export function segmentMark(
  family: 4 | 6,
  spaceId: number,
  segmentId: number,
  hop: number,
): string {
  const hopOffset = BigInt(hop);
  return family === 4
    ? formatAddress(4, marks4 + BigInt(segmentId % segmentsPerSpace) * marksPerSegment + hopOffset)
    : formatAddress(
        6,
        ula + (BigInt(spaceId) << 64n) + marks6 + BigInt(segmentId) * marksPerSegment + hopOffset,
      );
}

/** Networks of addresses within the links of a space, and of marks. */
export const innerNetworks = (spaceId: number): string[] => [
  `${formatAddress(4, linkLocal)}/16`,
  `${formatAddress(4, marks4)}/15`,
  `${formatAddress(6, ula + (BigInt(spaceId) << 64n))}/64`,
];

/** Exits of a space have the same number as its segment routes; their marks follow those of hops. */
const exitsAt = { outer: 12n, inner: 13n, any: 14n, own: 15n } as const;
const exitMarks6 = 1n << 41n;
const exitAddresses6 = 1n << 42n;

/**
 * Address of no device by which a POP shows the sites of a space that they can leave by it (ADR 0043).
 * @param popId null: by any POP
 */
export function exitMark(family: 4 | 6, spaceId: number, popId: number | null): string {
  const number = BigInt((popId ?? 0) % segmentsPerSpace);
  const exitOffset = popId === null ? exitsAt.any : exitsAt.own;
  return family === 4
    ? formatAddress(4, marks4 + number * marksPerSegment + exitOffset)
    : formatAddress(6, ula + (BigInt(spaceId) << 64n) + exitMarks6 + BigInt(popId ?? 0));
}

/** Numbers of spaces on one POP by which their ways out have addresses of IPv4 of their own. */
export const exitNumberOf = (spaceId: number): number => spaceId % segmentsPerSpace;

/** Addresses between the namespace of a space on a POP and the main one, with length. */
export function exitAddresses(spaceId: number) {
  const of4 = (end: bigint) =>
    `${formatAddress(4, marks4 + BigInt(exitNumberOf(spaceId)) * marksPerSegment + end)}/31`;
  const of6 = (end: bigint) =>
    `${formatAddress(6, ula + (BigInt(spaceId) << 64n) + exitAddresses6 + end)}/127`;
  return {
    outer4: of4(exitsAt.outer),
    inner4: of4(exitsAt.inner),
    outer6: of6(exitsAt.outer),
    inner6: of6(exitsAt.inner),
  };
}
