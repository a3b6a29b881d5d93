/**
 * Records of flows, as an IPFIX exporter sends them (RFC 7011, names of the IANA IPFIX registry): one
 * row for a flow of both directions (RFC 5103) that ended, or was cut by the active timeout.
 */
import { makeDurable } from "./schema.ts";

/** Days that records are kept; they name people's addresses, so no longer than they are of use. */
export const keptDays = 90;

export interface FlowRow {
  /** Observation point: the device that saw it. */
  readonly node_id: number;
  /** Enterprise whose traffic it is: on a POP that several share, not the POP's own. */
  readonly enterprise_id: number;
  /** Mobile account that it belongs to; 0: none. */
  readonly account_id: number;
  /** flowStartMilliseconds, on the controller's clock. */
  readonly at: number;
  /** flowDurationMilliseconds. */
  readonly duration_ms: number;
  /** sourceIPv4Address or sourceIPv6Address: the end that opened it. */
  readonly source: string;
  readonly source_port: number;
  readonly destination: string;
  readonly destination_port: number;
  /** protocolIdentifier. */
  readonly protocol: number;
  /** applicationName; empty: not recognised. */
  readonly application: string;
  /** userName; empty: only the address is known. */
  readonly user: string;
  /** httpRequestHost with httpRequestTarget; empty: no web request. */
  readonly url: string;
  /** firewallEvent 3, flow denied. */
  readonly denied: boolean;
  /** octetDeltaCount towards the source, and away from it. */
  readonly in_bytes: number;
  readonly out_bytes: number;
  /** Measured on the flow itself where the exporter can. */
  readonly rtt_ms: number | null;
  readonly jitter_ms: number | null;
  readonly loss_percent: number | null;
}

export const flowStatements: readonly string[] = [
  `create table if not exists flow (
  node_id UInt32,
  enterprise_id UInt32,
  account_id UInt32,
  at DateTime64(3, 'UTC') codec(DoubleDelta, ZSTD),
  duration_ms UInt32,
  source String codec(ZSTD),
  source_port UInt16,
  destination String codec(ZSTD),
  destination_port UInt16,
  protocol UInt8,
  application LowCardinality(String),
  user String codec(ZSTD),
  url String codec(ZSTD),
  denied Bool,
  in_bytes UInt64,
  out_bytes UInt64,
  rtt_ms Nullable(Float32),
  jitter_ms Nullable(Float32),
  loss_percent Nullable(Float32),
  index flow_by_account account_id type minmax granularity 1
) engine = MergeTree
partition by toDate(at)
order by (node_id, at)
ttl toDateTime(at) + interval ${keptDays} day delete
settings ttl_only_drop_parts = 1`,
  makeDurable("flow"),
];
