/** Types of what migration 0006 made for the history of nodes. */
import type { CompileFailure } from "@weft/contract/domains/delivery/enums.ts";
import type { ColumnType, Generated, GeneratedAlways } from "kysely";

type Stamp = ColumnType<Date, Date | undefined, Date>;

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
  /** In terms of the device protocol. */
  readonly detail: string;
}

/** Nodes that are to be compiled. */
export interface CompileMarkTable {
  node_id: number;
  enterprise_id: number;
  generation: Generated<number>;
  cause: string;
  causes: ColumnType<StoredCause[], string | undefined, string>;
  created_by: number;
  at: Stamp;
  failure: ColumnType<StoredFailure | null, string | null | undefined, string | null>;
  failed_at: ColumnType<Date | null, never, Date | null>;
}

/** A node that is held at a past state. */
export interface NodePinTable {
  node_id: number;
  enterprise_id: number;
  epoch: number;
  serial: number;
  announced: string[];
  login_name: string;
  created_by: number;
  created_at: ColumnType<Date, Date | undefined, Date>;
}

/** What others saw of a node when somebody last looked, as a hash. */
export interface NodeAdvertisementTable {
  node_id: number;
  enterprise_id: number;
  digest: string;
  until_seq: number;
}

/** Deliveries to a node: a state, or the issue of a template (design section 3.4). */
export interface TaskTable {
  id: GeneratedAlways<number>;
  enterprise_id: number;
  node_id: number;
  type: string;
  status: Generated<number>;
  epoch: number | null;
  serial: number | null;
  content: string;
  template_id: number | null;
  template_version: number | null;
  created_by: number;
  created_at: Stamp;
  updated_at: Date | null;
}

export interface InstallationTable {
  id: number;
  epoch: number;
  created_at: Stamp;
  controller_key: string | null;
  edge_addresses: Generated<string[]>;
  secret_key_hash: string | null;
  sealed_identity: Buffer | null;
}
