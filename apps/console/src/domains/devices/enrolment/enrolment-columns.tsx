import type { EnrolmentState } from "@weft/contract/domains/devices/enums.ts";
import { paths } from "#client/paths.ts";
import {
  type Column,
  copyColumn,
  nameColumn,
  stateColumn,
  textColumn,
  timeColumn,
} from "#kernel/list/columns.tsx";
import type { Glyph } from "#ui/glyph.tsx";
import { Missing } from "#ui/missing.tsx";
import { TimeText } from "#ui/time-text.tsx";
import type { EnrolmentRow, EnrolmentTexts } from "./enrolment-texts.ts";

/** A device that waits needs attention: the same sign as in the lists of nodes. */
const glyphs: Readonly<Record<EnrolmentState, Glyph>> = {
  pending: "warn",
  approved: "ok",
  rejected: "disabled",
  quarantined: "bad",
};

/** Who decided and when; a claim may have decided beforehand. */
function Decided({ row, t }: { readonly row: EnrolmentRow; readonly t: EnrolmentTexts }) {
  if (row.decideTime === null) return <Missing />;
  return (
    <span className="w-cut">
      <TimeText value={row.decideTime} form="since" />{" "}
      <span className="w-quiet">{row.decidedBy ?? t("enrolment.byClaim")}</span>
    </span>
  );
}

export const enrolmentColumns = (t: EnrolmentTexts): Column<EnrolmentRow>[] => [
  stateColumn(
    "state",
    t("enrolment.state"),
    (row: EnrolmentRow) => ({ glyph: glyphs[row.state], label: t.code("enrolment", row.state) }),
    { width: 168 },
  ),
  nameColumn("nodeName", t("enrolment.node"), (row: EnrolmentRow) => ({
    text: row.nodeName,
    to: row.kind === "cpe" ? paths.cpeDetail(row.nodeId) : paths.popDetail(row.nodeId),
    note: t.code("kind", row.kind),
  })),
  copyColumn("fingerprint", t("enrolment.fingerprint"), (row: EnrolmentRow) => row.fingerprint),
  copyColumn("sn", t.field("sn"), (row: EnrolmentRow) => row.sn),
  textColumn("address", t("enrolment.address"), (row: EnrolmentRow) => row.address || null),
  textColumn(
    "enterpriseName",
    t.field("enterpriseName"),
    (row: EnrolmentRow) => row.enterpriseName || null,
  ),
  timeColumn("createTime", t("enrolment.asked"), (row: EnrolmentRow) => row.createTime),
  {
    key: "decided",
    title: t("enrolment.decided"),
    width: 200,
    cell: (row) => <Decided row={row} t={t} />,
  },
];
