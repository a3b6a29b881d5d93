/** Types of the tables of access (migrations/*-access.sql). */
import type { ColumnType, Generated, GeneratedAlways } from "kysely";
import type { Changing, Created, Json, Owned, Row, Stamp, Versioned } from "#db/columns.ts";

interface SysUserTable extends Changing, Versioned {
  id: Generated<number>;
  enterprise_id: number;
  login_name: string;
  password_hash: string;
  name: Generated<string>;
  phone: string | null;
  email: string | null;
  phone_confirmed_at: Date | null;
  email_confirmed_at: Date | null;
  remark: Generated<string>;
  enabled: Generated<boolean>;
  codes_from: Date | null;
}

interface ContactChangeTable {
  id: GeneratedAlways<number>;
  enterprise_id: number;
  user_id: number;
  code_hash: Buffer;
  old_login_name: string;
  old_phone: string | null;
  old_email: string | null;
  old_phone_confirmed_at: Date | null;
  old_email_confirmed_at: Date | null;
  by_own: Generated<boolean>;
  used_at: Date | null;
  expires_at: Date;
  created_at: Stamp;
}

interface RoleTable extends Created, Versioned {
  id: Generated<number>;
  enterprise_id: number;
  code: string;
  name: string;
  role_type: number;
  data_scope: number;
  demands_factor: Generated<boolean>;
  remark: Generated<string>;
}

interface RolePermissionTable {
  role_id: number;
  enterprise_id: number;
  permission: string;
}

interface RoleEnterpriseTable {
  role_id: number;
  enterprise_id: number;
}

interface UserRoleTable {
  user_id: number;
  role_id: number;
  enterprise_id: number;
}

interface SessionTable {
  token_hash: Buffer;
  user_id: number;
  enterprise_id: number;
  family: string;
  address: string;
  agent: Generated<string>;
  created_at: Stamp;
  rotate_after: Date;
  expires_at: Date;
  issuer: string | null;
  replaces: Buffer | null;
  has_mfa: Generated<boolean>;
  by_provider: Generated<boolean>;
  provider_id: number | null;
  authenticated_at: Date | null;
}

interface LoginRecordTable {
  id: GeneratedAlways<number>;
  enterprise_id: number | null;
  user_id: number | null;
  login_name: string;
  address: string;
  place: Generated<string>;
  network: Generated<string>;
  device: string | null;
  stranger: Generated<boolean>;
  agent: string;
  success: boolean;
  reason: string | null;
  at: Stamp;
}

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

interface ApiKeyTable extends Row, Versioned {
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

interface OneTimeCodeTable {
  id: GeneratedAlways<number>;
  purpose: "login" | "phone" | "email" | "confirmPhone" | "confirmEmail";
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

interface PasskeyTable extends Row {
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

interface RecoveryCodeTable extends Row {
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

interface IdentityProviderTable extends Owned, Versioned {
  name: string;
  issuer: string;
  client_id: string;
  client_secret: Buffer | null;
  scopes: string;
  groups_claim: string;
  email_domains: string[];
  default_role_id: number | null;
  makes_users: boolean;
  has_mfa: boolean;
  enabled: boolean;
}

interface IdentityProviderRoleTable {
  provider_id: number;
  enterprise_id: number;
  place: number;
  group_name: string;
  role_id: number;
}

interface UserIdentityTable extends Row {
  user_id: number;
  provider_id: number;
  issuer: string;
  subject: string;
  last_login_at: Date | null;
  created_at: Stamp;
}

interface IdentityLoginTable {
  ticket_hash: Buffer;
  enterprise_id: number;
  provider_id: number;
  issuer: string;
  state: string;
  nonce: string;
  verifier: string;
  redirect_uri: string;
  address: string;
  created_at: Stamp;
  expires_at: Date;
  again: Generated<boolean>;
}

interface AuditTable extends Row {
  user_id: number;
  login_name: string;
  action: string;
  resource: string;
  row_id: number | null;
  old_value: Json<unknown> | null;
  new_value: Json<unknown> | null;
  address: string;
  request_id: string;
  at: Stamp;
  /** Names of its time, written by the database; null: the row is older than this column. */
  about: GeneratedAlways<Readonly<Record<string, string>> | null>;
  /** Last part of the action; written by the database, as are the next two. */
  verb: GeneratedAlways<string>;
  /** What the row is about. */
  node_id: GeneratedAlways<number | null>;
  template_id: GeneratedAlways<number | null>;
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

interface UndoneOperationTable {
  audit_id: number;
  enterprise_id: number;
  login_name: string;
  created_by: number;
  created_at: Stamp;
}

interface SearchColumnsTable {
  user_id: number;
  enterprise_id: number;
  class_type: string;
  cols: string[];
  updated_at: Stamp;
}

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
  created_at: Stamp;
}

interface BatchItemTable {
  batch_id: number;
  place: number;
  user_id: number;
  row_id: number;
  name: string;
  why: ColumnType<unknown, string | null, string | null>;
}

/** One row that no role but the owner's functions touches (migration remembered-access). */
interface AccessVersionTable {
  id: Generated<number>;
  version: Generated<number>;
}

export interface AccessTables {
  access_version: AccessVersionTable;
  sys_user: SysUserTable;
  contact_change: ContactChangeTable;
  role: RoleTable;
  role_permission: RolePermissionTable;
  role_enterprise: RoleEnterpriseTable;
  user_role: UserRoleTable;
  session: SessionTable;
  login_record: LoginRecordTable;
  ticket: TicketTable;
  api_key: ApiKeyTable;
  one_time_code: OneTimeCodeTable;
  totp: TotpTable;
  passkey: PasskeyTable;
  recovery_code: RecoveryCodeTable;
  passkey_challenge: PasskeyChallengeTable;
  identity_provider: IdentityProviderTable;
  identity_provider_role: IdentityProviderRoleTable;
  user_identity: UserIdentityTable;
  identity_login: IdentityLoginTable;
  audit: AuditTable;
  audit_waiting: AuditWaitingTable;
  undone_operation: UndoneOperationTable;
  audit_seal: AuditSealTable;
  search_columns: SearchColumnsTable;
  batch: BatchTable;
  batch_item: BatchItemTable;
}
