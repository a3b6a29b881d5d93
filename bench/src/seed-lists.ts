import type pg from "pg";
import { firstEnterprise } from "./seed.ts";

/** A list as a person opens it, or sorts and filters it. */
export interface ListRequest {
  readonly what: string;
  /** Path and query, without the token. */
  readonly path: string;
}

/** Templates that share 200,000 IP entries; the cards of 100,000 CPEs are the other 800,000 objects. */
const templates = 20;

/**
 * Rows that large lists show, beside those of `seedCpes`: accounts, spaces, templates with objects,
 * and what people did.
 * @returns a template and a CPE whose objects are listed
 */
export async function seedLists(sql: pg.Pool): Promise<{ template: number; cpe: number }> {
  await sql.query(`
    insert into mobile_account (enterprise_id, login_name, alias, terminal_type, enabled)
      select 1 + id % 1000, 'bench@' || id, 'person-' || id, 1, true
      from node where kind = 'cpe' and exists (select from enterprise where enterprise.id = 1 + node.id % 1000);
    insert into net_space (enterprise_id, name, topology, created_by)
      select id, 'space-' || id, 0, ${firstEnterprise} from enterprise;
    insert into router_template (enterprise_id, name, created_by)
      select ${firstEnterprise}, 'template-' || i, ${firstEnterprise} from generate_series(1, ${templates}) i;
    insert into router_ip_group (enterprise_id, template_id, name, created_by)
      select enterprise_id, id, 'group-' || i, ${firstEnterprise}
      from router_template, generate_series(1, 10) i;
    insert into router_ip_entry (enterprise_id, template_id, name, ipgroup_id, ip, created_by)
      select enterprise_id, template_id, name || '-' || i, id, '10.0.0.' || i % 250, ${firstEnterprise}
      from router_ip_group, generate_series(1, 1000) i;
    insert into audit (enterprise_id, user_id, login_name, action, resource, row_id, old_value,
        new_value, address, request_id)
      select enterprise_id, ${firstEnterprise}, 'admin', 'cpe.edit', 'cpe', id, '{}', '{}', '192.0.2.1', 'b'
      from node where kind = 'cpe';
    insert into login_record (enterprise_id, user_id, login_name, address, agent, success, at)
      select ${firstEnterprise}, ${firstEnterprise}, 'admin', '192.0.2.1', 'bench', true, now() - make_interval(secs => i)
      from generate_series(1, 100000) i`);
  await sql.query("vacuum analyze");
  const { rows } = await sql.query<{ template: string; cpe: string }>(
    "select (select min(id) from router_template) as template, (select min(id) from node) as cpe",
  );
  return { template: Number(rows[0]?.template), cpe: Number(rows[0]?.cpe) };
}

/** The lists that are measured, as a user with the whole tree in scope sees them. */
export const listsOf = ({
  template,
  cpe,
}: {
  readonly template: number;
  readonly cpe: number;
}): readonly ListRequest[] => [
  { what: "CPEs", path: "/customer/cpe/findAll?page=1&limit=20" },
  {
    what: "CPEs by alias",
    path: "/customer/cpe/findAll?page=1&limit=20&orderByColumn=alias&isAsc=asc",
  },
  {
    what: "CPEs by last contact",
    path: "/customer/cpe/findAll?page=1&limit=20&orderByColumn=lastOnline&isAsc=asc",
  },
  { what: "CPEs out of contact", path: "/customer/cpe/findAll?page=1&limit=20&linkStatus=0" },
  { what: "CPEs found by name", path: "/customer/cpe/findAll?page=1&limit=20&alias=site-777" },
  { what: "CPEs, page 2,000", path: "/customer/cpe/findAll?page=2000&limit=20" },
  { what: "enterprises", path: "/customer/enterprise/list?page=1&limit=20" },
  { what: "enterprises found by name", path: "/customer/enterprise/list?page=1&limit=20&name=77" },
  { what: "mobile accounts", path: "/customer/account/list?page=1&limit=20" },
  { what: "accounts found by name", path: "/customer/account/list?page=1&limit=20&alias=son-777" },
  { what: "network spaces", path: "/customer/netSpace/list?page=1&limit=20" },
  { what: "templates", path: "/customer/routerTemplate/list?page=1&size=20" },
  {
    what: "IP entries of a template",
    path: `/customer/routerIpgroupdefine/list?page=1&limit=20&templateId=${template}`,
  },
  {
    what: "cards of a CPE",
    path: `/customer/routerInterface/manage/list?page=1&limit=20&cpeId=${cpe}`,
  },
  { what: "operation log", path: "/customer/operaRecord/list?page=1&limit=20" },
  { what: "login records", path: "/customer/loginRecord/list?page=1&limit=20" },
  { what: "lines", path: `/customer/line/list?page=1&limit=20&nodeId=${cpe}` },
];
