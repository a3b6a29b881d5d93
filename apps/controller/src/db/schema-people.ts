/** Types of the tables of migrations/0006-seals.sql. */
import type { ColumnType, GeneratedAlways } from "kysely";

type Stamp = ColumnType<Date, Date | undefined, Date>;

interface ApiKeyTable {
  id: GeneratedAlways<number>;
  enterprise_id: number;
  name: string;
  prefix: string;
  key_hash: Buffer;
  role_id: number;
  expires_at: Date;
  last_used_at: Date | null;
  last_address: string | null;
  remark: string;
  created_by: number;
  created_at: Stamp;
  updated_at: Stamp;
}

interface AuditWaitingTable {
  audit_id: number;
  enterprise_id: number;
}

interface AuditSealTable {
  number: number;
  row_ids: number[];
  row_hashes: Buffer[];
  hash: Buffer;
  at: Date;
}

export interface PeopleTables {
  api_key: ApiKeyTable;
  audit_waiting: AuditWaitingTable;
  audit_seal: AuditSealTable;
}
