import {
  lanSection,
  lanSectionEnableDirect,
  lanSectionEnableForward,
} from "@weft/contract/domains/devices/lan-section.ts";
import type { DraftOf } from "@weft/contract/kernel/resource.ts";
import { type Permission, permissions } from "@weft/contract/permissions.ts";
import Switch from "antd/es/switch";
import { useOpened } from "#client/opened.ts";
import { useMay } from "#client/session.tsx";
import { slots } from "#domains/devices/parts/node/line-fields.tsx";
import type { NodeCard } from "#domains/devices/parts/node/node-card.ts";
import { SectionFrame } from "#domains/devices/parts/node/node-settings.tsx";
import { useConfirm } from "#feedback/confirm.tsx";
import { EmptyState } from "#feedback/empty-state.tsx";
import { useAction } from "#feedback/use-action.ts";
import { useRemove } from "#feedback/use-remove.ts";
import { Field, FieldRow } from "#kernel/form/field.tsx";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import { type Column, copyColumn, monoNeed, textColumn } from "#kernel/list/columns.tsx";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import type { List } from "#kernel/list/use-list.ts";
import { ListFiles } from "#parts/import/list-files.tsx";
import { StateText } from "#ui/glyph.tsx";
import { type CpeTexts, type LanRow, useCpeTexts } from "./cpe-texts.ts";

interface LanSwitchProps {
  readonly of: "forward" | "direct";
  readonly row: LanRow;
  readonly node: NodeCard;
}

/** One switch of a segment. On acts immediately; off takes service away and is confirmed by name. */
export function LanSwitch({ of, row, node }: LanSwitchProps) {
  const t = useCpeTexts();
  const may = useMay();
  const confirm = useConfirm();
  const done = { touches: ["nodeState", "task"], done: t("node.saved") };
  const forward = useAction(lanSectionEnableForward, done);
  const direct = useAction(lanSectionEnableDirect, done);
  const isForward = of === "forward";
  const isOn = isForward ? row.enableForward : row.enableDirect;
  const send = (on: boolean) => {
    const which = { nCpeID: node.id, ids: [row.id] };
    return isForward
      ? forward.act({ ...which, enableForward: on })
      : direct.act({ ...which, enableDirect: on });
  };
  const change = async (on: boolean) => {
    const isMeant =
      on ||
      (await confirm({
        title: t(`lan.${of}OffTitle`, { network: row.network }),
        body: t(`lan.${of}OffBody`),
        ok: t("lan.off"),
        danger: true,
      }));
    if (isMeant) await send(on);
  };
  if (!may(isForward ? "lansectionEnableForward" : "lansectionEnableRedirect")) {
    return <StateText glyph={isOn ? "ok" : "disabled"} label={t.code("enable", isOn)} />;
  }
  return (
    <Switch
      size="small"
      checked={isOn}
      loading={forward.isActing || direct.isActing}
      aria-label={`${t(`lan.${of}`)} ${row.network}`}
      onChange={(on) => void change(on)}
    />
  );
}

/** What a write to a section changes beside the section itself. */
const touches = ["nodeState", "cpe", "task"];

const newSection = (nCpeID: number, at: number): DraftOf<typeof lanSection> => ({
  nCpeID,
  interfaceName: `lan${at}`,
  network: "",
  network6: null,
  vlan: null,
  enableForward: true,
  enableDirect: true,
  enableCentral: false,
  ownAddress: null,
  dhcpStart: null,
  dhcpEnd: null,
  ipv6Slot: null,
  ipv6Subnet: null,
  remark: "",
});

/** Addresses that hosts of the section get; null: none are set for it. */
const rangeOf = ({ dhcpStart, dhcpEnd }: LanRow): string | null =>
  dhcpStart === null ? null : `${dhcpStart} – ${dhcpEnd}`;

const columnsOf = (t: CpeTexts, node: NodeCard): Column<LanRow>[] => [
  {
    key: "network",
    title: t.field("network"),
    pinned: "left",
    part: "name",
    sort: "network",
    width: 176,
    need: (row) => monoNeed(row.network),
    cell: (row) => <span className="w-mono">{row.network}</span>,
  },
  textColumn("interfaceName", t.field("interfaceName"), (row: LanRow) => row.interfaceName, {
    width: 104,
    sort: true,
  }),
  {
    key: "enableForward",
    title: t("lan.forward"),
    width: 104,
    cell: (row) => <LanSwitch of="forward" row={row} node={node} />,
  },
  {
    key: "enableDirect",
    title: t("lan.direct"),
    width: 104,
    cell: (row) =>
      row.enableCentral ? t("lan.central") : <LanSwitch of="direct" row={row} node={node} />,
  },
  {
    key: "vlan",
    title: t.field("vlan"),
    align: "right",
    width: 88,
    cell: (row) => row.vlan || <span className="w-quiet">{t("lan.untagged")}</span>,
  },
  copyColumn("network6", t.field("network6"), (row: LanRow) => row.network6),
  textColumn(
    "ipv6Slot",
    t.field("ipv6Slot"),
    (row: LanRow) =>
      row.ipv6Slot === null
        ? null
        : `wan${row.ipv6Slot} · ${row.ipv6Subnet ?? t("lan.subnetFree")}`,
    { optional: true },
  ),
  copyColumn("ownAddress", t.field("ownAddress"), (row: LanRow) => row.ownAddress, {
    optional: true,
  }),
  textColumn("dhcpStart", t("lan.range"), rangeOf, { width: 208, optional: true }),
  textColumn("remark", t.field("remark"), (row: LanRow) => row.remark || null, {
    width: 96,
  }),
];

interface Props {
  readonly node: NodeCard;
  readonly list: List<LanRow>;
}

/** Networks behind a CPE with their drawer and switches. */
export function LanSections({ node, list }: Props) {
  const t = useCpeTexts();
  const { opened, open, close } = useOpened();
  const remove = useRemove(lanSection, {
    title: ([row]) => t("lan.removeTitle", { node: node.name, network: row.network }),
    body: () => t("lan.removeBody"),
    touches,
    done: t("node.saved"),
  });
  const row =
    opened?.what === "lan" ? (list.rows.find(({ id }) => id === opened.id) ?? null) : null;
  return (
    <SectionFrame
      title={t("cpe.lans")}
      tools={<ListFiles list={list} />}
      add={{ label: t("lan.add"), may: "lansectionAdd", run: () => open("addLan") }}
    >
      <ResourceTable
        list={list}
        rowKey="id"
        columns={columnsOf(t, node)}
        empty={<EmptyState kind="good" text={t("lan.empty")} />}
        actions={(section: LanRow) => [
          {
            key: "edit",
            label: t("node.edit"),
            may: "lansectionEdit",
            run: () => open("lan", section.id),
          },
          {
            key: "remove",
            label: t("node.remove"),
            may: "lansectionRemove",
            danger: true,
            run: () => void remove([section]),
          },
        ]}
      />
      <ResourceForm
        resource={lanSection}
        open={opened?.what === "addLan" || row !== null}
        row={row}
        title={
          row ? t("lan.editOf", { network: row.network }) : t("lan.addTo", { name: node.name })
        }
        initial={newSection(node.id, list.count ?? 0)}
        saved={t("node.saved")}
        touches={touches}
        onClose={close}
      >
        <LanFields />
      </ResourceForm>
    </SectionFrame>
  );
}

function LanFields() {
  const t = useCpeTexts();
  const may = useMay();
  /** Why a switch only shows: the permission that it needs. */
  const lacking = (code: Permission): string | false => {
    const { zh, en } = permissions[code];
    return !may(code) && t("error.forbidden", { permission: t.language === "zh_cn" ? zh : en });
  };
  return (
    <>
      <Field name="network" kind="mono" placeholder="10.1.1.1/24" help={t("lan.networkHelp")} />
      <FieldRow>
        <Field name="interfaceName" placeholder="lan0" />
        <Field name="vlan" />
      </FieldRow>
      <FieldRow help={t("lan.rangeHelp")}>
        <Field name="dhcpStart" kind="mono" placeholder="10.1.1.100" />
        <Field name="dhcpEnd" kind="mono" placeholder="10.1.1.199" />
      </FieldRow>
      <Field name="network6" kind="mono" placeholder="fd00:1:1::1/64" />
      <FieldRow help={t("lan.ipv6Help")}>
        <Field
          name="ipv6Slot"
          kind="select"
          options={slots.map((slot) => ({ value: slot, label: `wan${slot}` }))}
        />
        <Field name="ipv6Subnet" kind="number" />
      </FieldRow>
      {may("lansectionShowForward") && (
        <Field
          name="enableForward"
          help={t("lan.forwardHelp")}
          disabled={lacking("lansectionEnableForward")}
        />
      )}
      {may("lansectionShowRedirect") && (
        <>
          <Field
            name="enableDirect"
            help={t("lan.directHelp")}
            disabled={lacking("lansectionEnableRedirect")}
          />
          <Field
            name="enableCentral"
            help={t("lan.centralHelp")}
            disabled={lacking("lansectionEnableRedirect")}
          />
        </>
      )}
      <Field name="ownAddress" kind="mono" placeholder="10.1.1.2" help={t("lan.ownHelp")} />
      <Field name="remark" />
    </>
  );
}
