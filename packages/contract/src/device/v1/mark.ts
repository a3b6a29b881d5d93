/**
 * Fields of the mark of a packet and of that of a connection: one layout for both, so that a value can be
 * copied from one to the other, but for fields of one of them alone, of which two may have the same bits. A writer of a
 * field leaves the bits of the others as they are.
 *
 * ```
 *  31   29 28  27  26  24 23  22      16 15       8 7        0
 * +-------+---+---+------+---+----------+----------+----------+
 * |  gen  |und|knw| line |evl|   path   |   pipe   |   app    |
 * +-------+---+---+------+---+----------+----------+----------+
 * ```
 */
interface MarkField {
  /** Of its lowest bit, 0 to 31. */
  readonly at: number;
  readonly bits: number;
  readonly in: "packet" | "connection" | "both";
}

export const markFields = {
  /** Class of applications that the policies of a device treat alike; 0: unknown. No edge writes it yet. */
  app: { at: 0, bits: 8, in: "both" },
  /** Class of the bandwidth tunnel that a policy sent the flow through; 0: none did. */
  pipe: { at: 8, bits: 8, in: "connection" },
  /** 0: the routing table decides; 1 to 15: a class of traffic; 16 to 79: a policy route; from 80 on: an exit of acceleration. */
  path: { at: 16, bits: 7, in: "both" },
  /** The rules for what passes have let the flow through. */
  evaluated: { at: 23, bits: 1, in: "connection" },
  /** Slot of the WAN link, 1 to 4, that the flow, or a packet of a tunnel, leaves by; 0: routing decides. */
  line: { at: 24, bits: 3, in: "both" },
  /** The application is settled. No edge writes it yet. */
  known: { at: 27, bits: 1, in: "connection" },
  /** A small packet beyond its share: it is not sent before others. */
  late: { at: 27, bits: 1, in: "packet" },
  /** The flow was under way when the device saw it first: which end has opened it is not known. */
  underway: { at: 28, bits: 1, in: "connection" },
  /** The packet is to be inspected. No edge writes it yet. */
  ask: { at: 28, bits: 1, in: "packet" },
  /** Generation of the rules that evaluated the flow, 1 to 7; 0: none did. */
  generation: { at: 29, bits: 3, in: "connection" },
  /** The packet is the device's own: management, routing, names. It is sent before others. */
  control: { at: 30, bits: 1, in: "packet" },
  /** The packet is one of a link's tunnel: what is inside was shaped already. */
  outer: { at: 31, bits: 1, in: "packet" },
} as const satisfies Readonly<Record<string, MarkField>>;
export type MarkFieldName = keyof typeof markFields;

/** Bits of a field, as a number of 32 bits. */
export const markMask = (name: MarkFieldName): number => {
  const { at, bits } = markFields[name];
  return (2 ** bits - 1) * 2 ** at;
};

/** @throws RangeError for a value that the field has no room for */
export const markValue = (name: MarkFieldName, value: number): number => {
  const { at, bits } = markFields[name];
  if (!Number.isInteger(value) || value < 0 || value >= 2 ** bits)
    throw new RangeError(`${value} is no value of the mark's field ${name}`);
  return value * 2 ** at;
};

/** `0x800000`: as ip(8), wg(8) and nft(8) read and print it. */
export const markText = (mark: number): string => `0x${mark.toString(16)}`;
