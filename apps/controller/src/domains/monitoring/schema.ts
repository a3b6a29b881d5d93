/** Types of the tables of monitoring (migrations/*-monitoring.sql). */
import type { GeneratedAlways } from "kysely";
import type { Stamp } from "#db/columns.ts";

interface TransitionTable {
  sequence: GeneratedAlways<number>;
  enterprise_id: number;
  created_by: number | null;
  kind: "node" | "link" | "line" | "state" | "alarm" | "repair";
  node_id: number;
  link_id: number | null;
  name: string | null;
  up: boolean | null;
  at: Stamp;
}

export interface MonitoringTables {
  transition: TransitionTable;
}
