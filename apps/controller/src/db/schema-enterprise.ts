/** Types of the tables of migrations/0013-ledger.sql and 0014-enterprises.sql. */
import type { ColumnType, Generated, GeneratedAlways } from "kysely";

type Stamp = ColumnType<Date, Date | undefined, Date>;

interface Made {
  id: GeneratedAlways<number>;
  enterprise_id: number;
  created_by: number | null;
  created_at: Stamp;
}

interface Changing extends Made {
  updated_at: Stamp;
}

/** Columns of enterprise that came with them. Money in minor units. */
export interface EnterpriseSettings {
  credit_limit: Generated<number>;
  end_at: Generated<Date | null>;
  business_type: Generated<string | null>;
  cpe_limit: Generated<number | null>;
  account_limit: Generated<number | null>;
  node_config: Generated<string>;
  is_push: Generated<boolean>;
}

interface EnterpriseStrategyTable {
  enterprise_id: number;
  strategy_type: number;
  pop_strategy_id: number | null;
  check_server_ids: number[];
  updated_at: Stamp;
}

interface PostingTable extends Made {
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

interface EntryTable {
  id: GeneratedAlways<number>;
  enterprise_id: number;
  posting_id: number;
  account: "credit" | "received" | "income" | "carried";
  amount: number;
}

interface PopStrategyTable extends Changing {
  name: string;
  remark: string;
}

interface PopGroupTable extends Changing {
  strategy_id: number;
  name: string;
}

interface BranchTable extends Changing {
  name: string;
  regions: string[];
  address: string;
  remark: string;
}

interface NodeListTable {
  enterprise_id: number;
  owner_id: number;
  node_enterprise_id: number;
  node_id: number;
  place: number;
}

interface CompanyAuditTable extends Changing {
  name: string;
  license: string | null;
  id_card: string | null;
  contact: string;
  phone: string | null;
  status: number;
  audit_by: string | null;
  audited_at: Date | null;
  remark: string;
}

interface ConfigItemTable extends Changing {
  config_key: string;
  config_value: string;
  remark: string;
}

interface EnterpriseParamTable {
  enterprise_id: number;
  expire_notice_days: number;
  timezone: string;
  default_pop_strategy_id: number | null;
  log_days: number;
  updated_at: Stamp;
}

interface BrandTable {
  enterprise_id: number;
  name: string | null;
  color: string | null;
  host: string | null;
  logo: string | null;
  icon: string | null;
  updated_at: Stamp;
}

interface BrandImageTable {
  enterprise_id: number;
  digest: string;
  content: Buffer;
  created_at: Stamp;
}

interface IpGroupTable extends Changing {
  name: string;
  share: boolean;
  members: string[];
  remark: string;
}

interface UrlGroupTable extends Changing {
  name: string;
  members: string[];
  remark: string;
}

interface SearchColumnsTable {
  user_id: number;
  enterprise_id: number;
  class_type: string;
  cols: string[];
  updated_at: Stamp;
}

export interface EnterpriseTables {
  posting: PostingTable;
  entry: EntryTable;
  enterprise_strategy: EnterpriseStrategyTable;
  pop_strategy: PopStrategyTable;
  pop_group: PopGroupTable;
  branch: BranchTable;
  pop_strategy_node: NodeListTable;
  pop_group_node: NodeListTable;
  branch_node: NodeListTable;
  company_audit: CompanyAuditTable;
  config_item: ConfigItemTable;
  brand: BrandTable;
  brand_image: BrandImageTable;
  enterprise_param: EnterpriseParamTable;
  enterprise_ipgroup: IpGroupTable;
  enterprise_urlgroup: UrlGroupTable;
  search_columns: SearchColumnsTable;
}
