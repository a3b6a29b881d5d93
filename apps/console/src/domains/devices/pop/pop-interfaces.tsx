import type { popInterfaceList } from "@weft/contract/domains/devices/cpe-config.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { SectionFrame } from "#domains/devices/parts/node/node-settings.tsx";
import {
  type Column,
  copyColumn,
  numberColumn,
  stateColumn,
  textColumn,
} from "#kernel/list/columns.tsx";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import type { List } from "#kernel/list/use-list.ts";
import { megabitsOf } from "#parts/fields/bandwidth-field.tsx";
import { type PopTexts, usePopTexts } from "./pop-texts.ts";

type Row = OutputOf<typeof popInterfaceList>[number];

const columns = (t: PopTexts): Column<Row>[] => [
  stateColumn(
    "status",
    t("pop.carrier"),
    ({ status }: Row) =>
      status === null
        ? { glyph: "unknown", label: t("pop.notReported") }
        : { glyph: status === 1 ? "ok" : "bad", label: t(status === 1 ? "pop.up" : "pop.down") },
    { width: 112 },
  ),
  textColumn("name", t("pop.interface"), (row: Row) => row.name, { width: 136 }),
  copyColumn("ip", t.field("address"), (row: Row) => row.ip, { missing: t("pop.notReported") }),
  numberColumn("inRate", t("pop.inRate"), (row: Row) => megabitsOf(row.inRate), { digits: 2 }),
  numberColumn("outRate", t("pop.outRate"), (row: Row) => megabitsOf(row.outRate), { digits: 2 }),
];

interface Props {
  readonly list: List<Row, object>;
}

/** Interfaces of a POP as its device reported them, with their rates of the last minutes. */
export function PopInterfaces({ list }: Props) {
  const t = usePopTexts();
  return (
    <SectionFrame title={t("pop.interfaces")}>
      <ResourceTable
        list={list}
        rowKey="id"
        columns={columns(t)}
        empty={t("pop.interfacesEmpty")}
      />
    </SectionFrame>
  );
}
