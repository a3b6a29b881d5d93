import { dhcpReservation } from "@weft/contract/domains/devices/dhcp-reservation.ts";
import { reservationSummary } from "@weft/contract/domains/policies/policy-finding.ts";
import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import { useOpened } from "#client/opened.ts";
import type { NodeCard } from "#domains/devices/parts/node/node-card.ts";
import { SectionFrame } from "#domains/devices/parts/node/node-settings.tsx";
import { useRuleEffectColumn } from "#domains/policies/parts/policy/policy-effect.ts";
import { EmptyState } from "#feedback/empty-state.tsx";
import { useRemove } from "#feedback/use-remove.ts";
import { Field } from "#kernel/form/field.tsx";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import { type Column, copyColumn, textColumn } from "#kernel/list/columns.tsx";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import type { List } from "#kernel/list/use-list.ts";
import { ListFiles } from "#parts/import/list-files.tsx";
import { type SiteTexts, useSiteTexts } from "./site-texts.ts";

export type ReservationRow = RowOf<typeof dhcpReservation>;
type Draft = DraftOf<typeof dhcpReservation>;

/** What a write changes beside the reservation itself. */
const touches = ["nodeState", "task", "cpe"];

const columnsOf = (t: SiteTexts): Column<ReservationRow>[] => [
  {
    key: "address",
    title: t.field("address"),
    pinned: "left",
    part: "name",
    sort: "address",
    width: 152,
    cell: (row) => <span className="w-mono">{row.address}</span>,
  },
  copyColumn("mac", t.field("mac"), (row: ReservationRow) => row.mac, { width: 184 }),
  textColumn("hostName", t.field("hostName"), (row: ReservationRow) => row.hostName, {
    width: 160,
  }),
];

interface FormProps {
  readonly node: NodeCard;
  readonly open: boolean;
  /** Null: a new one. */
  readonly row: ReservationRow | null;
  /** What a new one starts with. */
  readonly initial?: Partial<Draft> | undefined;
  readonly onClose: () => void;
}

/** The drawer of one reservation: empty, of a row, or with what a lease says of its host. */
export function ReservationForm({ node, open, row, initial, onClose }: FormProps) {
  const t = useSiteTexts();
  const empty = { nCpeID: node.id, mac: "", address: "", hostName: null, remark: "" };
  return (
    <ResourceForm
      resource={dhcpReservation}
      open={open}
      row={row}
      title={
        row
          ? t("reservation.editOf", { address: row.address })
          : t("reservation.addTo", { name: node.name })
      }
      initial={{ ...empty, ...initial }}
      saved={t("node.saved")}
      touches={touches}
      onClose={onClose}
    >
      <Field name="mac" kind="mono" placeholder="02:00:5e:10:00:01" />
      <Field
        name="address"
        kind="mono"
        placeholder="10.1.1.20"
        help={t("reservation.addressHelp")}
      />
      <Field name="hostName" placeholder="printer-1" help={t("reservation.nameHelp")} />
      <Field name="remark" />
    </ResourceForm>
  );
}

interface Props {
  readonly node: NodeCard;
  readonly list: List<ReservationRow>;
}

/** Addresses that hosts of a CPE's LANs always get, with their drawer. */
export function Reservations({ node, list }: Props) {
  const t = useSiteTexts();
  const { opened, open, close } = useOpened();
  const effect = useRuleEffectColumn({
    summary: reservationSummary,
    rows: list.rows,
    idOf: ({ id }: ReservationRow) => id,
    isOff: () => false,
  });
  const remove = useRemove(dhcpReservation, {
    title: ([row]) => t("reservation.removeTitle", { node: node.name, address: row.address }),
    body: () => t("reservation.removeBody"),
    touches,
    done: t("node.saved"),
  });
  const row =
    opened?.what === "reservation" ? (list.rows.find(({ id }) => id === opened.id) ?? null) : null;
  return (
    <SectionFrame
      title={t("site.reservations")}
      about={dhcpReservation.name}
      tools={<ListFiles list={list} />}
      add={{ label: t("reservation.add"), may: "configLan", run: () => open("addReservation") }}
    >
      <ResourceTable
        list={list}
        rowKey="id"
        columns={[
          ...columnsOf(t),
          effect,
          textColumn("remark", t.field("remark"), (row: ReservationRow) => row.remark || null),
        ]}
        empty={<EmptyState kind="good" text={t("reservation.empty")} />}
        actions={(row: ReservationRow) => [
          {
            key: "edit",
            label: t("node.edit"),
            may: "configLan",
            run: () => open("reservation", row.id),
          },
          {
            key: "remove",
            label: t("node.remove"),
            may: "configLan",
            danger: true,
            run: () => void remove([row]),
          },
        ]}
      />
      <ReservationForm
        node={node}
        open={opened?.what === "addReservation" || row !== null}
        row={row}
        onClose={close}
      />
    </SectionFrame>
  );
}
