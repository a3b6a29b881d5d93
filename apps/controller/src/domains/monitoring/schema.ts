/** Types of the tables of monitoring (migrations/*-monitoring.sql). */
import type {
  HealthDetail,
  HealthState,
  HealthTone,
} from "@weft/contract/domains/devices/health.ts";
import type { ColumnType, GeneratedAlways } from "kysely";
import type { Stamp } from "#db/columns.ts";

interface TransitionTable {
  sequence: GeneratedAlways<number>;
  enterprise_id: number;
  created_by: number | null;
  kind: "node" | "link" | "line" | "state" | "alarm" | "repair" | "health";
  node_id: number;
  link_id: number | null;
  name: string | null;
  up: boolean | null;
  at: Stamp;
}

interface NodeHealthTable {
  node_id: number;
  enterprise_id: number;
  state: HealthState;
  rank: number;
  tone: HealthTone;
  detail: ColumnType<HealthDetail, string | undefined, string>;
  since: Date;
}

/** Processes of the installation; each writes its own row. */
interface ProcessTable {
  id: string;
  host: string;
  port: number;
  pid: number;
  roles: string[];
  version: string;
  node_version: string;
  started_at: Date;
  seen_at: Stamp;
  /** ProcessFacts; read through its schema. */
  facts: ColumnType<unknown, string, string>;
}

export interface MonitoringTables {
  process: ProcessTable;
  node_health: NodeHealthTable;
  transition: TransitionTable;
}
