/** Types of the tables of migrations/0030-batches.sql. */
import type { ColumnType, Generated } from "kysely";

interface BatchTable {
  id: Generated<number>;
  enterprise_id: number;
  user_id: number;
  key_id: number | null;
  login_name: string;
  address: string;
  request_id: string;
  action: string;
  fields: ColumnType<unknown, string, string>;
  total: number;
  done: Generated<number>;
  failed: Generated<number>;
  turn_at: Date | null;
  cancelled: Generated<boolean>;
  ended_at: Date | null;
  created_at: ColumnType<Date, Date | undefined, Date>;
}

interface BatchItemTable {
  batch_id: number;
  place: number;
  user_id: number;
  row_id: number;
  name: string;
  why: ColumnType<unknown, string | null, string | null>;
}

export interface BatchTables {
  batch: BatchTable;
  batch_item: BatchItemTable;
}
