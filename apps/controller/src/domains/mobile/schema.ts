/** Types of the tables of mobile accounts (migrations/*-mobile.sql). */
import type { Generated } from "kysely";
import type { Owned, Stamp, Versioned } from "#db/columns.ts";

interface MobileAccountTable extends Owned, Versioned {
  login_name: string;
  alias: string;
  password_hash: Generated<string | null>;
  terminal_type: number;
  enabled: boolean;
  tx_bps: number | null;
  rx_bps: number | null;
  pop_id: number | null;
  phone: string | null;
  email: string | null;
  expire_at: Date | null;
  public_key: Generated<string | null>;
  address: Generated<string | null>;
  ended_at: Generated<Date | null>;
}

interface ClientServiceTable extends Versioned {
  enterprise_id: number;
  enabled: boolean;
  space_id: number | null;
  pop_id: number | null;
  pool: string | null;
  port: number | null;
  host: string | null;
  dns: string | null;
  routes: string[];
  tx_bps: number | null;
  rx_bps: number | null;
  terminal_types: number[];
  updated_at: Stamp;
}

export interface MobileTables {
  mobile_account: MobileAccountTable;
  client_service: ClientServiceTable;
}
