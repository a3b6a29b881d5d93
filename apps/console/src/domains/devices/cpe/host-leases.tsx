import { cpeLeases } from "@weft/contract/domains/devices/host-lease.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { isHostLabel } from "@weft/contract/rules/host.ts";
import { useState } from "react";
import { refreshEvery, useCall } from "#client/use-call.ts";
import type { NodeCard } from "#domains/devices/parts/node/node-card.ts";
import { type Column, copyColumn, textColumn, timeColumn } from "#kernel/list/columns.tsx";
import { PlainTable } from "#kernel/list/resource-table.tsx";
import { ReservationForm } from "./reservations.tsx";
import { type SiteTexts, useSiteTexts } from "./site-texts.ts";

type Lease = OutputOf<typeof cpeLeases>["items"][number];

/** Who made the host's card, or that the host chose its address itself. */
const makerText = (t: SiteTexts, { vendor, isLocalMac }: Lease): string | null =>
  isLocalMac ? t("lease.localMac") : vendor;

const kindText = (t: SiteTexts, { reserved }: Lease): string => {
  if (reserved === null) return t("lease.dynamic");
  return t(reserved === "own" ? "lease.reserved" : "lease.reservedOther");
};

const columnsOf = (t: SiteTexts): Column<Lease>[] => [
  copyColumn("address", t("lease.address"), (row: Lease) => row.address, { width: 176 }),
  copyColumn("mac", t("lease.mac"), (row: Lease) => row.mac, { width: 184 }),
  textColumn("name", t("lease.name"), (row: Lease) => row.name, { width: 224 }),
  textColumn("vendor", t("lease.vendor"), (row: Lease) => makerText(t, row), { width: 224 }),
  textColumn("kind", t("lease.kind"), (row: Lease) => kindText(t, row), { width: 168 }),
  textColumn("network", t("lease.network"), (row: Lease) => row.network, { width: 152 }),
  timeColumn("since", t("lease.since"), (row: Lease) => row.since),
  timeColumn("until", t("lease.until"), (row: Lease) => row.until),
];

/** What a reservation of the lease's address for its host starts with. */
const reservedBy = ({ address, mac, name }: Lease) => ({
  address,
  mac,
  hostName: name !== null && isHostLabel(name) ? name : null,
});

/** Addresses that hosts of the LANs have of the device now. */
export function HostLeases({ node }: { readonly node: NodeCard }) {
  const t = useSiteTexts();
  const leases = useCall(cpeLeases, { id: node.id }, { every: refreshEvery });
  const [reserving, setReserving] = useState<Lease | null>(null);
  const { items, total } = leases.data ?? { items: [], total: 0 };
  return (
    <>
      <h3>{t("lease.title")}</h3>
      {total > items.length && (
        <div className="w-quiet">{t("lease.more", { total, shown: items.length })}</div>
      )}
      <PlainTable
        rows={items}
        isFirstLoad={leases.isFirstLoad}
        error={leases.error}
        retry={leases.refetch}
        rowKey="address"
        columns={columnsOf(t)}
        empty={t("lease.empty")}
        actions={(lease: Lease) =>
          lease.reserved === null
            ? [
                {
                  key: "reserve",
                  label: t("lease.reserve"),
                  may: "configLan",
                  run: () => setReserving(lease),
                },
              ]
            : []
        }
      />
      <ReservationForm
        node={node}
        open={reserving !== null}
        row={null}
        initial={reserving ? reservedBy(reserving) : undefined}
        onClose={() => setReserving(null)}
      />
    </>
  );
}
