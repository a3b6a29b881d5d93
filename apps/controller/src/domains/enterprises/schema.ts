/** Types of the tables of enterprises (migrations/*-enterprises.sql). */
import type { Generated } from "kysely";
import type { Changing, Created, Owned, Row, Stamp, Versioned } from "#db/columns.ts";

interface EnterpriseTable extends Changing, Versioned {
  id: Generated<number>;
  parent_id: number | null;
  name: string;
  enterprise_type: number;
  is_agent: boolean;
  password_policy: Generated<string>;
  province: string;
  city: string;
  region: string;
  contact: string;
  phone: string | null;
  email: string | null;
  enabled: Generated<boolean>;
  /** Money in minor units. */
  credit_limit: Generated<number>;
  end_at: Generated<Date | null>;
  business_type: Generated<string | null>;
  cpe_limit: Generated<number | null>;
  account_limit: Generated<number | null>;
  node_config: Generated<string>;
  is_push: Generated<boolean>;
  remark: string;
  /** Version of what the enterprise says of itself. */
  info_version: Generated<number>;
}

interface PostingTable extends Row, Created {
  book_id: number;
  number: number;
  kind: number;
  request_key: string;
  change: number;
  balance: number;
  entries: number;
  target: string;
  remark: string;
}

interface EntryTable extends Row {
  posting_id: number;
  account: "credit" | "received" | "income" | "carried";
  amount: number;
}

interface BranchTable extends Owned, Versioned {
  name: string;
  regions: string[];
  address: string;
}

interface CompanyAuditTable extends Owned, Versioned {
  name: string;
  license: string | null;
  id_card: string | null;
  contact: string;
  phone: string | null;
  status: number;
  audit_by: string | null;
  audited_at: Date | null;
}

interface ConfigItemTable extends Owned, Versioned {
  config_key: string;
  config_value: string;
}

interface EnterpriseParamTable extends Versioned {
  enterprise_id: number;
  expire_notice_days: number;
  timezone: string;
  default_pop_strategy_id: number | null;
  log_days: number;
  updated_at: Stamp;
}

interface BrandImageTable {
  enterprise_id: number;
  digest: string;
  content: Buffer;
  created_at: Stamp;
}

interface BrandTable extends Versioned {
  enterprise_id: number;
  name: string | null;
  color: string | null;
  host: string | null;
  logo: string | null;
  icon: string | null;
  updated_at: Stamp;
}

export interface EnterprisesTables {
  enterprise: EnterpriseTable;
  posting: PostingTable;
  entry: EntryTable;
  branch: BranchTable;
  company_audit: CompanyAuditTable;
  config_item: ConfigItemTable;
  enterprise_param: EnterpriseParamTable;
  brand_image: BrandImageTable;
  brand: BrandTable;
}
