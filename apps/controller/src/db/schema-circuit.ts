/** Types of the tables of migrations/0020-circuits.sql. */
import type { ColumnType, Generated, GeneratedAlways } from "kysely";

type Stamp = ColumnType<Date, Date | undefined, Date>;

interface Written {
  enterprise_id: number;
  remark: string;
  created_by: number | null;
  created_at: Stamp;
  updated_at: Stamp;
}

interface LinkChoiceTable extends Written {
  id: Generated<number>;
  space_id: number;
  a_node_id: number;
  a_slot: number;
  b_node_id: number;
  b_slot: number;
  made: boolean;
  enabled: boolean;
  preference: number | null;
}

interface CircuitTable extends Written {
  id: GeneratedAlways<number>;
  name: string;
  source_enterprise_id: number;
  source_id: number;
  target_enterprise_id: number;
  target_id: number;
  bandwidth_kbps: number;
  guaranteed_kbps: number | null;
  line_quality: number;
  enabled: boolean;
  expire_at: Date | null;
}

interface CugTable extends Written {
  id: GeneratedAlways<number>;
  name: string;
  bandwidth_bps: number;
  enabled: boolean;
}

interface CugNodeTable {
  owner_id: number;
  enterprise_id: number;
  node_enterprise_id: number;
  node_id: number;
}

export interface CircuitTables {
  link_choice: LinkChoiceTable;
  circuit: CircuitTable;
  cug: CugTable;
  cug_node: CugNodeTable;
}
