import { repairedParts } from "@weft/contract/device/v1/messages.ts";
import type { cpeLog } from "@weft/contract/domains/monitoring/node-log.ts";
import { alarmLevels } from "@weft/contract/domains/notifications/enums.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { useTexts } from "#client/texts.ts";
import { outcomeGlyphs } from "#domains/delivery/parts/history/outcome-glyphs.ts";
import { activeGlyph } from "#domains/notifications/parts/alarm/level-glyph.ts";
import {
  type Column,
  numberColumn,
  stateColumn,
  textColumn,
  timeColumn,
} from "#kernel/list/columns.tsx";
import { volumeValue } from "#parts/chart/value-texts.ts";
import type { Glyph } from "#ui/glyph.tsx";
import { nodeLogMessages } from "./messages.ts";

export const useNodeLogTexts = () => useTexts(nodeLogMessages);
type Texts = ReturnType<typeof useNodeLogTexts>;

type Transition = OutputOf<typeof cpeLog.log>[number];
type Ranked = OutputOf<typeof cpeLog.appRank>[number];
type Visit = OutputOf<typeof cpeLog.urlVisitLog>[number];
type Connection = OutputOf<typeof cpeLog.con>[number];
type Session = OutputOf<typeof cpeLog.session>[number];

/** Names of common protocol numbers (IANA, "Assigned Internet Protocol Numbers"). */
const protocols: Readonly<Record<number, string>> = {
  1: "ICMP",
  6: "TCP",
  17: "UDP",
  58: "ICMPv6",
};
const protocolText = (number: number): string => protocols[number] ?? String(number);

/** px of an IPv4 address with its port, whole. */
const addressWidth = 192;

/** An address with its port; IPv6 in brackets (RFC 3986). */
const service = (address: string, port: number): string =>
  `${address.includes(":") ? `[${address}]` : address}:${port}`;

const verdict = <Row extends { readonly denied: boolean }>(t: Texts) =>
  stateColumn("denied", t("nodeLog.action"), (row: Row) =>
    row.denied
      ? { glyph: "bad", label: t("nodeLog.denied") }
      : { glyph: "ok", label: t("nodeLog.passed") },
  );

const time = <Row extends { readonly createTime: Date }>(t: Texts) =>
  timeColumn("createTime", t("nodeLog.time"), (row: Row) => row.createTime);

const traffic = <Row>(t: Texts, bytes: (row: Row) => number): Column<Row> => ({
  ...textColumn("bytes", t("nodeLog.bytes"), (row: Row) => volumeValue(bytes(row)), { width: 112 }),
  align: "right",
});

const isRepairedPart = (part: string): part is (typeof repairedParts)[number] =>
  repairedParts.some((repairedPart) => repairedPart === part);

/** What a row is about: "routing bgpd" of a repair as text. */
const detailOf = (t: Texts, { kind, name, level }: Transition): string | null => {
  if (level !== null) return t("nodeLog.level", { level: t.code("alarmLevel", level) });
  const [part = "", object = ""] = kind === "repair" ? name.split(" ") : [];
  return isRepairedPart(part) ? t(`nodeLog.repair.${part}`, { object }) : name || null;
};

/** By the severity of the alarm. */
const raisedGlyph = ({ level }: Transition): Glyph => {
  const known = alarmLevels.find((alarmLevel) => alarmLevel === level);
  return known === undefined ? "bad" : activeGlyph[known];
};

export const transitionColumns = (t: Texts): Column<Transition>[] => [
  time(t),
  textColumn("kind", t("nodeLog.what"), (row: Transition) => t(`nodeLog.kind.${row.kind}`), {
    width: 128,
  }),
  textColumn("name", t("nodeLog.of"), (row: Transition) => detailOf(t, row)),
  stateColumn("up", t("nodeLog.state"), (row: Transition) => {
    if (row.outcome !== null)
      return { glyph: outcomeGlyphs[row.outcome], label: t.code("outcome", row.outcome) };
    if (row.kind === "repair") return { glyph: "warn", label: t("nodeLog.repaired") };
    if (row.up === null) return { glyph: "run", label: t("nodeLog.changed") };
    if (row.kind === "alarm")
      return row.up
        ? { glyph: "ok", label: t("nodeLog.cleared") }
        : { glyph: raisedGlyph(row), label: t("nodeLog.raised") };
    return row.up
      ? { glyph: "ok", label: t("nodeLog.up") }
      : { glyph: "bad", label: t("nodeLog.down") };
  }),
];

export const rankedColumns = (t: Texts): Column<Ranked>[] => [
  textColumn("name", t("nodeLog.name"), (row: Ranked) => row.name),
  traffic(t, (row: Ranked) => row.bytes),
  numberColumn("count", t("nodeLog.count"), (row: Ranked) => row.count),
];

export const visitColumns = (t: Texts): Column<Visit>[] => [
  time(t),
  textColumn("url", t("nodeLog.url"), (row: Visit) => row.url, { width: 360 }),
  textColumn("source", t("nodeLog.source"), (row: Visit) => row.source),
  textColumn("user", t("nodeLog.user"), (row: Visit) => row.user || null),
  traffic(t, (row: Visit) => row.bytes),
  verdict(t),
];

export const connectionColumns = (t: Texts): Column<Connection>[] => [
  time(t),
  textColumn("source", t("nodeLog.source"), (row: Connection) => row.source),
  textColumn("destination", t("nodeLog.destination"), (row: Connection) =>
    service(row.destination, row.destinationPort),
  ),
  textColumn("protocol", t("nodeLog.protocol"), (row: Connection) => protocolText(row.protocol), {
    width: 96,
  }),
  traffic(t, (row: Connection) => row.bytes),
  numberColumn("count", t("nodeLog.count"), (row: Connection) => row.count),
];

export const sessionColumns = (t: Texts): Column<Session>[] => [
  time(t),
  textColumn("source", t("nodeLog.source"), (row: Session) => service(row.source, row.sourcePort), {
    width: addressWidth,
  }),
  textColumn(
    "destination",
    t("nodeLog.destination"),
    (row: Session) => service(row.destination, row.destinationPort),
    { width: addressWidth },
  ),
  textColumn("protocol", t("nodeLog.protocol"), (row: Session) => protocolText(row.protocol), {
    width: 80,
  }),
  textColumn("application", t("nodeLog.application"), (row: Session) => row.application || null, {
    width: 120,
  }),
  textColumn("user", t("nodeLog.user"), (row: Session) => row.user || null, { width: 120 }),
  numberColumn("seconds", t("nodeLog.seconds"), (row: Session) => row.seconds),
  traffic(t, (row: Session) => row.inBytes + row.outBytes),
  verdict(t),
];
