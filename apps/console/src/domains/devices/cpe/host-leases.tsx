import { cpeLeases } from "@weft/contract/domains/devices/host-lease.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { refreshEvery, useCall } from "#client/use-call.ts";
import { type Column, copyColumn, textColumn, timeColumn } from "#kernel/list/columns.tsx";
import { PlainTable } from "#kernel/list/resource-table.tsx";
import { type SiteTexts, useSiteTexts } from "./site-texts.ts";

type Lease = OutputOf<typeof cpeLeases>["items"][number];

const columnsOf = (t: SiteTexts): Column<Lease>[] => [
  copyColumn("address", t("lease.address"), (row: Lease) => row.address, { width: 176 }),
  copyColumn("mac", t("lease.mac"), (row: Lease) => row.mac, { width: 184 }),
  textColumn("name", t("lease.name"), (row: Lease) => row.name, { width: 224 }),
  timeColumn("until", t("lease.until"), (row: Lease) => row.until),
];

/** Addresses that hosts of the LANs have of the device now. */
export function HostLeases({ id }: { readonly id: number }) {
  const t = useSiteTexts();
  const { data } = useCall(cpeLeases, { id }, { every: refreshEvery });
  if (!data) return null;
  const { items, total } = data;
  return (
    <>
      <h3>{t("lease.title")}</h3>
      {total > items.length && (
        <div className="w-quiet">{t("lease.more", { total, shown: items.length })}</div>
      )}
      <PlainTable rows={items} rowKey="address" columns={columnsOf(t)} empty={t("lease.empty")} />
    </>
  );
}
