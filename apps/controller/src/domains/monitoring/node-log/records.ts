/** Records of flows in the forms of the wire. */
import type { logFlow } from "@weft/contract/domains/monitoring/flow-log.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { FlowRow } from "#metrics-store/flow-schema.ts";
import type { FlowBucket, Page, Paging } from "#metrics-store/flow-store.ts";
import type { Bucket } from "#metrics-store/store.ts";

type Visit = OutputOf<typeof logFlow.urlpage>[number];
type Session = OutputOf<typeof logFlow.sessionpage>[number];

/** Rows with their place among all that match: records have no id of their own. */
export const placed = <Row, Wire>(
  { rows, count }: Page<Row>,
  { page, limit }: Paging,
  wire: (row: Row) => Wire,
): { rows: (Wire & { id: number })[]; count: number } => ({
  rows: rows.map((row, at) => ({ id: (page - 1) * limit + at + 1, ...wire(row) })),
  count,
});

export const toVisit = (row: FlowRow): Omit<Visit, "id"> => ({
  createTime: new Date(row.at),
  url: row.url,
  source: row.source,
  user: row.user,
  bytes: row.in_bytes + row.out_bytes,
  denied: row.denied,
});

export const toSession = (row: FlowRow): Omit<Session, "id"> => ({
  createTime: new Date(row.at),
  seconds: Math.round(row.duration_ms / 1_000),
  source: row.source,
  sourcePort: row.source_port,
  destination: row.destination,
  destinationPort: row.destination_port,
  protocol: row.protocol,
  application: row.application,
  user: row.user,
  inBytes: row.in_bytes,
  outBytes: row.out_bytes,
  denied: row.denied,
});

/** Bytes that a mean rate in bit/s moves in this many seconds. */
const moved = (rate: number | null | undefined, seconds: number): number | null =>
  typeof rate === "number" ? Math.round((rate * seconds) / 8) : null;

/** Bytes of a bucket whose rates were measured. */
export const bytesOf = ({ at, values }: Bucket, stepSeconds: number) => ({
  time: new Date(at),
  inBytes: moved(values?.in_rate, stepSeconds),
  outBytes: moved(values?.out_rate, stepSeconds),
});

/** Every step of a range, those without a record empty. */
export const everyStep = <Point>(
  flowBuckets: readonly FlowBucket[],
  { from, to }: { readonly from: number; readonly to: number },
  stepSeconds: number,
  wire: (at: Date, bucket: FlowBucket | undefined) => Point,
): Point[] => {
  const byTime = new Map(flowBuckets.map((bucket) => [bucket.at, bucket]));
  const ms = stepSeconds * 1_000;
  const first = Math.floor(from / ms);
  const count = Math.max(0, Math.ceil(to / ms) - first);
  return Array.from({ length: count }, (_, index) => {
    const at = (first + index) * ms;
    return wire(new Date(at), byTime.get(at));
  });
};
