import {
  type cfgInit,
  cpePortById,
  cpePortEdit,
} from "@weft/contract/domains/devices/cpe-config.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { useState } from "react";
import { useOpened } from "#client/opened.ts";
import { useCall } from "#client/use-call.ts";
import { Field } from "#kernel/form/field.tsx";
import { type Column, numberColumn, stateColumn, textColumn } from "#kernel/list/columns.tsx";
import { PlainTable } from "#kernel/list/resource-table.tsx";
import { CallDialog } from "#parts/call-dialog.tsx";
import { type SiteTexts, useSiteTexts } from "./site-texts.ts";

type Port = OutputOf<typeof cfgInit>["ports"][number];

const portColumns = (t: SiteTexts): Column<Port>[] => [
  textColumn("name", t.field("interfaceName"), (row: Port) => row.name, { width: 120 }),
  textColumn(
    "role",
    t.field("type"),
    (row: Port) => t(row.role === "wan" ? "system.wan" : "system.lanRole"),
    { width: 88 },
  ),
  stateColumn(
    "status",
    t("port.state"),
    (row: Port) =>
      row.status === null
        ? { glyph: "unknown", label: t("line.unknown") }
        : {
            glyph: row.status === 1 ? "ok" : "bad",
            label: t(row.status === 1 ? "line.up" : "line.down"),
          },
    { width: 112 },
  ),
  textColumn("address", t.field("address"), (row: Port) => row.address, { width: 184 }),
  numberColumn("speed", `${t("port.speed")} Mbit/s`, (row: Port) => row.speed, { width: 208 }),
  textColumn("remark", t.field("remark"), (row: Port) => row.remark || null),
];

/** Ports of a CPE as lines and LAN sections name them, with what people note about each. */
export function PortTable({ ports }: { readonly ports: readonly Port[] }) {
  const t = useSiteTexts();
  const { opened, open, close } = useOpened();
  return (
    <>
      <PlainTable
        rows={ports}
        rowKey="id"
        columns={portColumns(t)}
        empty={t("system.portsEmpty")}
        actions={(row: Port) => [
          { key: "edit", label: t("act.edit"), may: "cpeEdit", run: () => open("port", row.id) },
        ]}
      />
      {opened?.what === "port" && opened.id !== null && (
        <PortDialog key={opened.id} id={opened.id} onClose={close} />
      )}
    </>
  );
}

/** Edits a port as it is now: neither as the page was loaded with, nor as it was last opened. */
function PortDialog({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const t = useSiteTexts();
  const { data, isRefetching } = useCall(cpePortById, { id });
  const [port, setPort] = useState<Port | null>(null);
  if (!port && data && !isRefetching) setPort(data);
  if (!port) return null;
  return (
    <CallDialog
      endpoint={cpePortEdit}
      open
      title={t("port.editOf", { name: port.name })}
      initial={{ id, speed: port.speed, remark: port.remark }}
      ok={t("act.save")}
      touches={["cfgInit", "cpePorts"]}
      onClose={onClose}
    >
      <Field name="speed" label={t("port.speed")} unit="Mbit/s" help={t("port.speedHelp")} />
      <Field name="remark" />
    </CallDialog>
  );
}
