/** The one search over CPEs or POPs: by name, serial number, IP address or hardware address. */
import { formatAddress, parseAddress } from "@weft/contract/rules/address.ts";
import { macIn } from "@weft/contract/rules/mac-forms.ts";
import { type RawBuilder, type SqlBool, sql } from "kysely";
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

/** @param typed as it was typed: full-width characters and blanks around it do not count */
export function nodesFoundBy(typed: string): RawBuilder<SqlBool> {
  const text = typed.normalize("NFKC").trim().toLowerCase();
  const parsed = parseAddress(text);
  const address = parsed && formatAddress(parsed.family, parsed.address);
  const mac = macIn(text);
  const found = [contains(sql.ref("n.name"), typed), contains(sql.ref("n.sn"), typed)];
  if (partOfAddress.test(text)) found.push(byLine(address ?? text));
  if (address !== null) found.push(byLan(address), byLease("address", address));
  if (mac !== null) found.push(byLease("mac", mac));
  return sql<SqlBool>`(${sql.join(found, sql` or `)})`;
}
