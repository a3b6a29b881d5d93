/** Types of the tables of migrations/0011-tickets.sql and 0018-transitions.sql. */
import type { ColumnType, GeneratedAlways } from "kysely";
import type { BatchTables } from "./schema-batch.ts";

interface TicketTable {
  hash: Buffer;
  enterprise_id: number;
  user_id: number;
  family: string;
  key_id: number | null;
  purpose: string;
  content: string;
  language: string;
  expires_at: Date;
}

interface TransitionTable {
  sequence: GeneratedAlways<number>;
  enterprise_id: number;
  created_by: number | null;
  kind: "node" | "link" | "line" | "state" | "alarm";
  node_id: number;
  link_id: number | null;
  name: string | null;
  up: boolean | null;
  at: ColumnType<Date, Date | undefined, Date>;
}

export interface LiveTables extends BatchTables {
  transition: TransitionTable;
  ticket: TicketTable;
}
