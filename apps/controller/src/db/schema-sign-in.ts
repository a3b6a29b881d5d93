/** Types of the tables of the outbox and of signing in. */
import type { ColumnType, Generated, GeneratedAlways } from "kysely";

type Stamp = ColumnType<Date, Date | undefined, Date>;

interface OutboxTable {
  id: GeneratedAlways<number>;
  enterprise_id: number;
  channel: "mail" | "sms";
  recipient: string;
  subject: Generated<string>;
  body: string;
  state: Generated<"waiting" | "sent" | "failed">;
  attempts: Generated<number>;
  next_at: Stamp;
  expires_at: Date;
  error: Generated<string>;
  created_at: Stamp;
  ended_at: Date | null;
}

interface OneTimeCodeTable {
  id: GeneratedAlways<number>;
  purpose: "login" | "phone" | "email";
  target: string;
  address: string;
  ticket_hash: Buffer | null;
  code_hash: string;
  enterprise_id: number | null;
  tries: Generated<number>;
  used_at: Date | null;
  expires_at: Date;
  created_at: Stamp;
}

export interface SignInTables {
  outbox: OutboxTable;
  one_time_code: OneTimeCodeTable;
}
