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

interface TotpTable {
  user_id: number;
  enterprise_id: number;
  secret: Buffer;
  confirmed_at: Date | null;
  last_step: Generated<number>;
  created_at: Stamp;
}

interface PasskeyTable {
  id: GeneratedAlways<number>;
  enterprise_id: number;
  user_id: number;
  credential_id: string;
  public_key: Buffer;
  counter: number;
  transports: string[];
  rp_id: string;
  name: string;
  last_used_at: Date | null;
  created_at: Stamp;
}

interface RecoveryCodeTable {
  id: GeneratedAlways<number>;
  enterprise_id: number;
  user_id: number;
  code_hash: Buffer;
  used_at: Date | null;
}

interface PasskeyChallengeTable {
  ticket_hash: Buffer;
  enterprise_id: number;
  user_id: number;
  purpose: "add" | "login";
  challenge: string;
  rp_id: string;
  login_record_id: number | null;
  expires_at: Date;
}

interface MessageTable {
  id: GeneratedAlways<number>;
  enterprise_id: number;
  user_id: number;
  type: number;
  /** Both languages: Chinese, English. */
  title: string[];
  content: string[];
  link: Generated<string>;
  read_at: Date | null;
  created_at: Stamp;
}

export interface SignInTables {
  totp: TotpTable;
  passkey: PasskeyTable;
  recovery_code: RecoveryCodeTable;
  passkey_challenge: PasskeyChallengeTable;
  message: MessageTable;
  outbox: OutboxTable;
  one_time_code: OneTimeCodeTable;
}
