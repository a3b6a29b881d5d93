import { dnsEntry } from "@weft/contract/domains/devices/dns-entry.ts";
import { sql } from "kysely";
import { cpes } from "#domains/devices/public.ts";
import type { Context } from "#kernel/api.ts";
import { requireRow } from "#kernel/reference.ts";
import { tableStore } from "#kernel/table-store.ts";
import type { FileEntry } from "./rules.ts";

export const dnsEntryStore = tableStore(dnsEntry, {
  table: "dns_entry",
  columns: {
    nID: "id",
    nCpeID: "node_id",
    nEnable: "enabled",
    nType: "type",
    domain: "domain",
    address: "address",
    remark: "remark",
  },
  owner: { row: "nCpeID", of: cpes },
  constraints: { dns_entry_once: { field: "domain" } },
});

/** Adds what is not there yet, with one statement. */
export async function addEntries(
  ctx: Context,
  nodeId: number,
  entries: readonly FileEntry[],
): Promise<{ enterpriseId: number; added: number }> {
  const enterpriseId = await requireRow(ctx, cpes, nodeId, "nCpeID");
  const { numAffectedRows } = await sql`
    insert into dns_entry (enterprise_id, node_id, enabled, type, domain, address, remark, created_by)
    select ${enterpriseId}, ${nodeId}, true, one.type, one.domain, one.address, one.remark,
      ${ctx.caller.userId}
    from unnest(${entries.map(({ type }) => type)}::smallint[],
      ${entries.map(({ domain }) => domain)}::text[],
      ${entries.map(({ address }) => address)}::text[],
      ${entries.map(({ remark }) => remark)}::text[]) as one (type, domain, address, remark)
    on conflict on constraint dns_entry_once do nothing`.execute(ctx.db);
  return { enterpriseId, added: Number(numAffectedRows ?? 0) };
}
