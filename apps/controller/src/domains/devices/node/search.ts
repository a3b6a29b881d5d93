/** The one search over CPEs or POPs: by name, serial number, IP address or hardware address. */
import { cpeLeases } from "@weft/contract/domains/devices/host-lease.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { holds } from "@weft/contract/permissions.ts";
import { formatAddress, parseAddress } from "@weft/contract/rules/address.ts";
import { macIn } from "@weft/contract/rules/mac-forms.ts";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { contains } from "#kernel/table-store.ts";

/** A part of an address is searched for from here: "10." and "fd00:", but no number of a site. */
const partOfAddress = /^(?=[\d.]*\.)[\d.]{3,}$|^(?=[\da-f:]*:)[\da-f:]{3,}$/;

/** Nodes (alias n) whose lines have an address that begins so. */
const byLine = (start: string): RawBuilder<SqlBool> => {
  const pattern = `${start}%`;
  return sql`n.id in (select l.node_id from line l where l.ip like ${pattern}
    union all select t.node_id from node_status t cross join lateral jsonb_array_elements(t.lines) one
      where one ->> 'address' like ${pattern})`;
};

/** Nodes in whose LAN sections an address lies. */
const byLan = (address: string): RawBuilder<SqlBool> =>
  sql`n.id in (select l.node_id from lan_section l
    where l.network::inet >>= ${address}::inet or l.network6::inet >>= ${address}::inet)`;

/** Nodes that gave a host an address. */
const byLease = (field: "address" | "mac", value: string): RawBuilder<SqlBool> =>
  sql`n.id in (select t.node_id from node_status t
    where t.leases @> ${JSON.stringify([{ [field]: value }])}::jsonb)`;

/**
 * What the caller may not read of a node does not find it either.
 * @param typed as it was typed: full-width characters and blanks around it do not count
 */
export function nodesFoundBy(
  { caller }: Pick<Context, "caller">,
  typed: string,
): RawBuilder<SqlBool> {
  const text = typed.normalize("NFKC").trim().toLowerCase();
  const parsed = parseAddress(text);
  const address = parsed && formatAddress(parsed.family, parsed.address);
  const mac = macIn(text);
  const found = [contains(sql.ref("n.name"), typed), contains(sql.ref("n.sn"), typed)];
  if (partOfAddress.test(text) && holds(caller, line.ops.list.may)) {
    found.push(byLine(address ?? text));
  }
  if (address !== null && holds(caller, lanSection.ops.list.may)) found.push(byLan(address));
  if (holds(caller, cpeLeases.may)) {
    if (address !== null) found.push(byLease("address", address));
    if (mac !== null) found.push(byLease("mac", mac));
  }
  return sql<SqlBool>`(${sql.join(found, sql` or `)})`;
}
