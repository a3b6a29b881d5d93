/** Types of the tables of delivery (migrations/*-delivery.sql). */
import type { Finding } from "@weft/contract/device/v1/findings.ts";
import type { CompileFailure } from "@weft/contract/domains/delivery/enums.ts";
import type { ColumnType, Generated, GeneratedAlways } from "kysely";
import type { DefaultedJson, Json, Row, Stamp } from "#db/columns.ts";

/** A change as a compile and a state remember it. */
export interface StoredCause {
  /** "admin: lansection.add". */
  readonly cause: string;
  /** Of the call; empty where no person did it. */
  readonly requestId: string;
  /** It names the node itself. */
  readonly own: boolean;
  /** How many other nodes it names. */
  readonly others: number;
  readonly spaces: readonly number[];
}

/** Why a node could not be compiled. */
export interface StoredFailure {
  readonly code: CompileFailure;
  /** In terms of the device protocol, the same in every language: "firewall acl ≤ 10000". */
  readonly detail: string;
}

/** What of a template's version is not applied as configured on one node; a `replaced` object is not among it. */
export interface StoredUnmet {
  /** Objects that do not act at all. */
  readonly cannot: number;
  /** All, beside `rows`, which are the first of them. */
  readonly count: number;
  /** Those that do not act come first. */
  readonly rows: readonly StoredUnmetObject[];
}

export interface StoredUnmetObject {
  readonly family: string;
  readonly objectId: number;
  readonly name: string;
  readonly effect: "cannot" | "fallback";
  readonly reason: string;
  readonly params: Readonly<Record<string, string>>;
}

interface ChangeTable {
  seq: GeneratedAlways<number>;
  enterprise_id: number;
  node_ids: number[];
  space_ids: number[];
  cause: string;
  request_id: Generated<string>;
  created_by: number;
  at: Stamp;
  done: Generated<boolean>;
}

/** Nodes that are to be compiled. */
interface CompileMarkTable {
  node_id: number;
  enterprise_id: number;
  generation: Generated<number>;
  cause: string;
  causes: ColumnType<StoredCause[], string | undefined, string>;
  created_by: number;
  at: Stamp;
  /** Only networks of other sites changed for it. */
  networks_only: Generated<boolean>;
  failure: ColumnType<StoredFailure | null, string | null | undefined, string | null>;
  failed_at: ColumnType<Date | null, never, Date | null>;
}

interface StateSectionTable {
  node_id: number;
  hash: string;
  enterprise_id: number;
  /** In the canonical text that `hash` is taken over. */
  content: Json<unknown>;
}

/** Contents of sections of a space, which its members share. */
interface SpaceSectionTable {
  space_id: number;
  hash: string;
  /** As of `state_section`. */
  content: Json<unknown>;
  used_at: Stamp;
}

/** Lists of the networks that CPEs of a space keep inside, in their order. */
interface SpaceRevisionTable {
  revision: GeneratedAlways<number>;
  space_id: number;
  hash: string;
  follows: boolean;
  cause: string;
  causes: DefaultedJson<StoredCause[]>;
  created_by: number;
  created_at: Stamp;
}

/** Lists that a device was sent for a state that it runs. */
interface NodeRevisionTable {
  node_id: number;
  epoch: number;
  serial: number;
  revision: number;
  enterprise_id: number;
  /** Section name -> hash. */
  lists: Json<Record<string, string>>;
  digest: string;
  outcome: Generated<string>;
  reason: string | null;
  delivered_at: Stamp;
  ended_at: Date | null;
}

interface NodeStateTable {
  template_id: number | null;
  template_version: number | null;
  template_unmet: ColumnType<StoredUnmet | null, string | null | undefined, string | null>;
  causes: DefaultedJson<StoredCause[]>;
  findings: DefaultedJson<Finding[]>;
  held: Generated<boolean>;
  restores: number | null;
  node_id: number;
  epoch: number;
  serial: number;
  enterprise_id: number;
  sections: Json<Record<string, string>>;
  digest: string;
  outcome: Generated<string>;
  reason: string | null;
  unreachable: Generated<boolean>;
  stopped: Generated<boolean>;
  retries: Generated<number>;
  cause: string;
  created_by: number;
  created_at: Stamp;
  delivered_at: Date | null;
  ended_at: Date | null;
}

/** A node that is held at a past state. */
interface NodePinTable {
  node_id: number;
  enterprise_id: number;
  epoch: number;
  serial: number;
  announced: string[];
  lans: Generated<string[]>;
  login_name: string;
  created_by: number;
  created_at: Stamp;
}

/** What others saw of a node at the last check, as a hash. */
interface NodeAdvertisementTable {
  node_id: number;
  enterprise_id: number;
  digest: string;
  until_seq: number;
  networks_until_seq: Generated<number>;
}

/** What the controller itself finds about a node, in a space or by itself. */
interface NodeFindingTable {
  node_id: number;
  enterprise_id: number;
  space_id: number | null;
  source: string;
  kind: string;
  object: string;
  reason: string;
  params: DefaultedJson<Readonly<Record<string, string>>>;
  created_at: Stamp;
}

/** Deliveries to a node: a state, or the issue of a template (design section 3.4). */
interface TaskTable extends Row {
  node_id: number;
  type: string;
  status: Generated<number>;
  epoch: number | null;
  serial: number | null;
  content: string;
  template_id: number | null;
  template_version: number | null;
  unmet: ColumnType<StoredUnmet | null, string | null | undefined, string | null>;
  created_by: number;
  created_at: Stamp;
  updated_at: Date | null;
}

export interface DeliveryTables {
  change: ChangeTable;
  compile_mark: CompileMarkTable;
  state_section: StateSectionTable;
  space_section: SpaceSectionTable;
  space_revision: SpaceRevisionTable;
  node_revision: NodeRevisionTable;
  node_state: NodeStateTable;
  node_pin: NodePinTable;
  node_advertisement: NodeAdvertisementTable;
  node_finding: NodeFindingTable;
  task: TaskTable;
}
