import type { line } from "@weft/contract/domains/devices/line.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import {
  type Column,
  copyNeed,
  stateColumn,
  stateNeed,
  textColumn,
} from "#kernel/list/columns.tsx";
import { Copyable } from "#ui/copyable.tsx";
import { type StateLabel, StateText, StatusGlyph } from "#ui/glyph.tsx";
import { Missing } from "#ui/missing.tsx";
import { threeDigits } from "#ui/number-text.tsx";
import { textWidth } from "#ui/text-width.ts";
import { stampText } from "#ui/time-text.tsx";
import type { NodeTexts } from "./node-texts.ts";

export type LineRow = RowOf<typeof line>;

const lineState = (row: LineRow, t: NodeTexts): StateLabel => {
  if (row.status === null) {
    return { glyph: "unknown", label: t("line.unknown"), hint: t("line.notReported") };
  }
  return row.status === 1
    ? { glyph: "ok", label: t("line.up") }
    : { glyph: "bad", label: t("line.down") };
};

/** Characters of an address that are shown, the rest is cut out of its middle. */
const shortest = { ipv4: 18, ipv6: 26 } as const;
/** px between the parts of a state. */
const gap = 6;

const addressNeed = (row: LineRow, t: NodeTexts): number => {
  const shown = row.currentIp ?? row.ip ?? "—";
  const isOther = row.ip !== null && row.currentIp !== null && row.ip !== row.currentIp;
  const how = textWidth(t.code("addressing", row.addressing));
  return (
    copyNeed(Math.min(shown.length, shortest.ipv4)) + gap + how + (isOther ? stateNeed("") : 0)
  );
};

const ipv6Need = ({ ipv6State, ipv6Mode, currentIp6 }: LineRow, t: NodeTexts): number => {
  if (ipv6State === null) return textWidth(t.code("ipv6Mode", ipv6Mode));
  if (currentIp6 === null) return stateNeed(t.code("ipv6State", ipv6State));
  return copyNeed(Math.min(currentIp6.length, shortest.ipv6));
};

/** The address the device has, and how it got it; marked where another one was set. */
function Address({ row, t }: { readonly row: LineRow; readonly t: NodeTexts }) {
  const shown = row.currentIp ?? row.ip;
  const how = <span className="w-quiet">{t.code("addressing", row.addressing)}</span>;
  if (shown === null) {
    return (
      <span className="w-state">
        <Missing reason={t("line.notReported")} />
        {how}
      </span>
    );
  }
  const isOther = row.ip !== null && row.currentIp !== null && row.ip !== row.currentIp;
  const label = isOther ? t("line.differs", { ip: row.ip ?? "", currentIp: shown }) : undefined;
  return (
    <span className="w-state" title={label}>
      {label !== undefined && <StatusGlyph glyph="diff" label={label} />}
      <Copyable text={shown} short={shortest.ipv4} />
      {how}
    </span>
  );
}

const ipv6Glyphs = {
  up: "ok",
  waiting: "warn",
  unsupported: "unsupported",
  unknown: "unknown",
} as const;

/** IPv6 that the device has, since when and until when; why it has none. */
function Ipv6Address({ row, t }: { readonly row: LineRow; readonly t: NodeTexts }) {
  const { ipv6State, currentIp6, currentGateway6, currentPrefix, ipv6Since, ipv6Until } = row;
  if (ipv6State === null)
    return <span className="w-quiet">{t.code("ipv6Mode", row.ipv6Mode)}</span>;
  if (currentIp6 === null)
    return <StateText glyph={ipv6Glyphs[ipv6State]} label={t.code("ipv6State", ipv6State)} />;
  const until =
    ipv6Until === null ? t("line.ipv6Lasts") : t("line.ipv6Until", { time: stampText(ipv6Until) });
  const since = ipv6Since === null ? "" : t("line.ipv6Since", { time: stampText(ipv6Since) });
  const gateway =
    currentGateway6 === null
      ? t("line.ipv6NoRouter")
      : t("line.ipv6Router", { gateway: currentGateway6 });
  const prefix = currentPrefix === null ? "" : t("line.ipv6Prefix", { prefix: currentPrefix });
  return (
    <span
      className="w-state"
      title={[gateway, prefix, since, until].filter((text) => text !== "").join("\n")}
    >
      <Copyable text={currentIp6} short={shortest.ipv6} />
    </span>
  );
}

/** Slot and name; the interface where it is called otherwise than the slot. */
const nameOf = ({ slot, name, interfaceName }: LineRow) => ({
  text: `wan${slot} · ${name}`,
  note: interfaceName === `wan${slot}` ? "" : ` ${interfaceName}`,
});

function LineName({ row }: { readonly row: LineRow }) {
  const { text, note } = nameOf(row);
  return (
    <span className="w-cut" title={`${text} ${row.interfaceName}`}>
      {text}
      {note !== "" && <span className="w-quiet">{note}</span>}
    </span>
  );
}

const rate = (kbps: number | null): string => (kbps === null ? "—" : threeDigits(kbps / 1_000));

/** Mbit/s down and up. */
const bandwidth = ({ downBandwidth, upBandwidth }: LineRow): string =>
  `${rate(downBandwidth)} / ${rate(upBandwidth)}`;

/** One dash when neither was set. */
const bandwidthCell = (row: LineRow) =>
  row.downBandwidth === null && row.upBandwidth === null ? <Missing /> : bandwidth(row);

/** Columns of a node's WAN lines: what was set, and beside it what the device has. */
export const lineColumns = (t: NodeTexts): Column<LineRow>[] => [
  stateColumn("status", t("link.state"), (row: LineRow) => lineState(row, t), { width: 112 }),
  {
    key: "name",
    title: t.field("name"),
    pinned: "left",
    part: "name",
    width: 152,
    need: (row) => textWidth(nameOf(row).text + nameOf(row).note),
    cell: (row) => <LineName row={row} />,
  },
  {
    key: "currentIp",
    title: t.field("currentIp"),
    width: 224,
    need: (row) => addressNeed(row, t),
    cell: (row) => <Address row={row} t={t} />,
  },
  {
    key: "ipv6State",
    title: "IPv6",
    width: 240,
    need: (row) => ipv6Need(row, t),
    cell: (row) => <Ipv6Address row={row} t={t} />,
  },
  textColumn("isp", t.field("isp"), (row: LineRow) => row.isp || null, { width: 80 }),
  {
    key: "bandwidth",
    title: t("line.bandwidth"),
    align: "right",
    width: 136,
    need: (row) => textWidth(bandwidth(row)),
    cell: bandwidthCell,
  },
  { key: "mtu", title: t("line.mtu"), align: "right", width: 64, cell: (row) => row.mtu },
  textColumn(
    "reachable",
    t.field("reachable"),
    (row: LineRow) => t(row.reachable ? "line.reachableYes" : "line.reachableNo"),
    { width: 96 },
  ),
];
