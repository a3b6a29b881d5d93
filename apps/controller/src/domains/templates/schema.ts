/** Types of the tables of router templates (migrations/*-templates.sql). */
import type {
  HoldReason,
  MemberOutcome,
  RolloutState,
  WaveFailure,
  WaveGate,
} from "@weft/contract/domains/templates/rollout.ts";
import type { ColumnType, Generated, GeneratedAlways } from "kysely";
import type { DefaultedJson, Owned, Row, Stamp, Versioned } from "#db/columns.ts";
import type { StoredFailure } from "#domains/delivery/schema.ts";
import type { StoredPolicy } from "#domains/policies/schema.ts";

interface RouterTemplateTable extends Owned, Versioned {
  name: string;
  version: Generated<number>;
}

interface RouterTemplateVersionTable {
  enterprise_id: number;
  template_id: number;
  version: number;
  /** As it was when the version was published. */
  content: ColumnType<StoredPolicy, string, never>;
  /** Its LAN lines that name a standby group. */
  standby_lines: GeneratedAlways<StoredPolicy[string]>;
  created_by: number;
  created_at: Stamp;
}

interface RouterTemplateNodeTable {
  node_id: number;
  enterprise_id: number;
  template_id: number;
  node_enterprise_id: number;
  version: number | null;
}

interface RouterTemplateTargetTable {
  enterprise_id: number;
  template_id: number;
  target_enterprise_id: number;
  created_by: number;
  created_at: Stamp;
}

interface RouterTemplateExclusionTable {
  enterprise_id: number;
  template_id: number;
  node_id: number;
  node_enterprise_id: number;
  created_by: number;
  created_at: Stamp;
}

/** What is known of a CPE at one moment. */
export interface StoredObservation {
  readonly online: boolean;
  /** How many are up. */
  readonly links: number;
  /** Which it was to have, and which of these were up; kept of the start of a wave. */
  readonly linkIds?: { readonly wanted: readonly number[]; readonly up: readonly number[] };
  /** Percent; null: not measured. */
  readonly loss: number | null;
  /** What its device found about the state that it runs; null: of the time before the version that is not known. */
  readonly findings: readonly string[] | null;
  /** Why no configuration of it could be made; null or absent: one could. */
  readonly failure?: StoredFailure | null;
}

/** Objects of a version that will not act on a CPE. */
export interface StoredExpectation {
  /** False: no device had reported what it can, or the preview failed. */
  readonly isKnown: boolean;
  readonly objects: readonly string[];
  /** Why there was no preview; absent: there was one. */
  readonly failure?: StoredFailure;
  /** When it was tried; ms of the epoch. */
  readonly at?: number;
}

/** How a CPE that could not be compiled would compile with the version that it followed before. */
export interface StoredComparison {
  /** The failure that this was asked about. */
  readonly failure: StoredFailure;
  /** Null: it would. */
  readonly without: StoredFailure | null;
  /** When it was tried; ms of the epoch. */
  readonly at?: number;
}

interface TemplateRolloutTable extends Row {
  template_id: number;
  version: number;
  state: Generated<RolloutState>;
  reason: "gate" | "operator" | "restore" | "unseen" | null;
  is_bad: Generated<boolean>;
  wave: Generated<number>;
  waves: number;
  sizes: string[];
  soak_s: number;
  grace_s: number;
  contact_gate: boolean;
  link_gate: boolean;
  finding_gate: boolean;
  loss_limit: number | null;
  ask_each: boolean;
  since: Stamp;
  checked_at: Stamp;
  watched_since: Stamp;
  login_name: string;
  created_by: number;
  created_at: Stamp;
}

type Nullable<T> = ColumnType<T | null, string | null | undefined, string | null>;

interface TemplateRolloutNodeTable {
  rollout_id: number;
  enterprise_id: number;
  node_id: number;
  wave: number;
  version_before: number | null;
  expected: Nullable<StoredExpectation>;
  started_at: Date | null;
  baseline: Nullable<StoredObservation>;
  compared: Nullable<StoredComparison>;
  observed: Nullable<StoredObservation>;
  outcome: Generated<MemberOutcome>;
  held_by: Nullable<HoldReason>;
  steady_since: Date | null;
  awaited_ms: Generated<number>;
  suspects: DefaultedJson<Partial<Record<WaveGate, number>>>;
  failure: Nullable<WaveFailure>;
}

export interface TemplatesTables {
  router_template: RouterTemplateTable;
  router_template_version: RouterTemplateVersionTable;
  router_template_node: RouterTemplateNodeTable;
  router_template_target: RouterTemplateTargetTable;
  router_template_exclusion: RouterTemplateExclusionTable;
  template_rollout: TemplateRolloutTable;
  template_rollout_node: TemplateRolloutNodeTable;
}
