/** Packets that measure a link: numbered, with the time of the sender and what it knows of the other direction. Pure. */

/** What the receiver of numbered packets knows of them. Counts of one era are comparable with each other alone. */
export interface Report {
  /** Run of the sender that the counts are about. */
  readonly boot: number;
  readonly era: number;
  /** Highest number that came, and how many different ones came in this era. */
  readonly highest: number;
  readonly received: number;
  /** Time of sending, as it was in the newest packet, and µs since that came. */
  readonly returned: number;
  readonly heldUs: number;
  readonly jitterUs: number;
}

export interface Probe {
  readonly link: number;
  /** Another at each start of the sender. */
  readonly boot: number;
  readonly sequence: number;
  /** µs on the sender's clock, modulo 2^32. */
  readonly sentAt: number;
  /** Ms until the next one. */
  readonly periodMs: number;
  /** The sender suspects its direction: it wants reports at once. */
  readonly isUrgent: boolean;
  /** Null: nothing came yet. */
  readonly report: Report | null;
}

const magic = 0x57_50;
const version = 1;
const flags = { report: 1, urgent: 2 } as const;
/** Bytes; a later version may append. */
export const probeBytes = 52;

/** As the packet's fields have them: 32 bits. */
export const modulo32 = (value: number): number => Math.floor(value) % 2 ** 32;
/** Signed distance of two numbers modulo 2^32. */
export const distance32 = (from: number, to: number): number => (to - from) | 0;

export const encodeProbe = (probe: Probe): Buffer => {
  const bytes = Buffer.alloc(probeBytes);
  const { report } = probe;
  bytes.writeUInt16BE(magic, 0);
  bytes.writeUInt8(version, 2);
  bytes.writeUInt8((report ? flags.report : 0) | (probe.isUrgent ? flags.urgent : 0), 3);
  const fields = [probe.link, probe.boot, probe.sequence, probe.sentAt];
  const counts = report
    ? [
        report.boot,
        report.era,
        report.highest,
        report.received,
        report.returned,
        report.heldUs,
        report.jitterUs,
      ]
    : [];
  for (const [at, value] of [...fields, ...counts].entries())
    bytes.writeUInt32BE(Math.min(2 ** 32 - 1, value), 4 + 4 * at);
  bytes.writeUInt16BE(Math.min(65_535, Math.round(probe.periodMs)), 48);
  return bytes;
};

/** Null: it is none of ours. */
export const decodeProbe = (bytes: Buffer): Probe | null => {
  if (bytes.length < probeBytes || bytes.readUInt16BE(0) !== magic) return null;
  if (bytes.readUInt8(2) !== version) return null;
  const set = bytes.readUInt8(3);
  const fieldAt = (at: number) => bytes.readUInt32BE(4 + 4 * at);
  return {
    link: fieldAt(0),
    boot: fieldAt(1),
    sequence: fieldAt(2),
    sentAt: fieldAt(3),
    periodMs: bytes.readUInt16BE(48),
    isUrgent: (set & flags.urgent) !== 0,
    report:
      (set & flags.report) === 0
        ? null
        : {
            boot: fieldAt(4),
            era: fieldAt(5),
            highest: fieldAt(6),
            received: fieldAt(7),
            returned: fieldAt(8),
            heldUs: fieldAt(9),
            jitterUs: fieldAt(10),
          },
  };
};
