/** Types of the tables of router templates (migrations/*-templates.sql). */
import type { ColumnType, Generated } from "kysely";
import type { Owned, Stamp } from "#db/columns.ts";
import type { StoredPolicy } from "#domains/policies/schema.ts";

interface RouterTemplateTable extends Owned {
  name: string;
  version: Generated<number>;
}

interface RouterTemplateVersionTable {
  enterprise_id: number;
  template_id: number;
  version: number;
  /** As it was when the version was published. */
  content: ColumnType<StoredPolicy, string, never>;
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

export interface TemplatesTables {
  router_template: RouterTemplateTable;
  router_template_version: RouterTemplateVersionTable;
  router_template_node: RouterTemplateNodeTable;
}
