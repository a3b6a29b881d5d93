import { type QualityGrade, qualityGrade } from "@weft/contract/domains/devices/link-quality.ts";
import { linkList } from "@weft/contract/domains/overlay/link.ts";
import { paths } from "#client/paths.ts";
import { excessText } from "#domains/devices/parts/node/excess.ts";
import { linkColumns } from "#domains/devices/parts/node/link-columns.tsx";
import type { LinkRow } from "#domains/devices/parts/node/link-end.ts";
import { spaceColumn } from "#domains/devices/parts/node/link-metrics.tsx";
import { type Column, stateColumn } from "#kernel/list/columns.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import { useList } from "#kernel/list/use-list.ts";
import type { Glyph } from "#ui/glyph.tsx";
import { LinkCounts, linksEvery } from "./link-counts.tsx";
import { useLinkFilters } from "./link-filters.ts";
import { type LinkTexts, useLinkTexts } from "./messages.ts";

type LinkGrade = QualityGrade;

type Quality = Pick<LinkRow, "status" | "delay" | "excess">;

/** What it was over the last minutes, by the grades of charts. */
const gradeOfExcess = ({ metric, value }: NonNullable<LinkRow["excess"]>): LinkGrade => {
  const within = { loss: 0, delay: 0, jitter: 0 };
  const grade =
    metric === "oneWay" || metric === "flapping"
      ? "poor"
      : qualityGrade({ ...within, [metric]: value });
  return grade === "poor" ? "poor" : "fair";
};

/** How a link does, measured over minutes; null: it is down, or nothing was measured yet. */
export function gradeOf({ status, delay, excess }: Quality): LinkGrade | null {
  if (status !== 1 || delay === null) return null;
  return excess === null ? "good" : gradeOfExcess(excess);
}

const glyphs: Readonly<Record<LinkGrade, Glyph>> = { good: "ok", fair: "warn", poor: "warn" };
const worstFirst = { worst: true };

/** The quality of each link at this moment: what is down first, then what does worst. */
export default function LinkMonitorPage() {
  const t = useLinkTexts();
  const list = useList(linkList, { every: linksEvery, fixed: worstFirst });
  const [state, ...metrics] = linkColumns(t);
  return (
    <ListPage
      title={t("links.monitor")}
      list={list}
      rowKey="id"
      columns={[...(state ? [state] : []), gradeColumn(t), ...metrics, spaceColumn(t)]}
      actions={(row: LinkRow) => [
        { key: "report", label: t("links.report"), to: paths.linkReport(row.id) },
      ]}
      filters={useLinkFilters()}
      summary={<LinkCounts list={list} />}
      empty={{
        text: t("links.empty"),
        action: { label: t("links.toSpaces"), to: paths.netSpace() },
      }}
    />
  );
}

const gradeColumn = (t: LinkTexts): Column<LinkRow> =>
  stateColumn(
    "grade",
    t("links.grade"),
    (row: LinkRow) => {
      const grade = gradeOf(row);
      return grade === null
        ? { glyph: "unknown", label: t("links.grade.none") }
        : {
            glyph: glyphs[grade],
            label: t(`links.grade.${grade}`),
            hint: row.excess ? excessText(row.excess, t) : t("links.gradeHelp"),
          };
    },
    { width: 112 },
  );
