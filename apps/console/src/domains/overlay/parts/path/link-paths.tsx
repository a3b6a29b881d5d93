import type { PathState } from "@weft/contract/device/v1/paths.ts";
import { linkPathList } from "@weft/contract/domains/overlay/link-path.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { useCall } from "#client/use-call.ts";
import { EmptyState, Failed } from "#feedback/empty-state.tsx";
import { type Column, stateColumn, textColumn, timeColumn } from "#kernel/list/columns.tsx";
import { PlainTable } from "#kernel/list/resource-table.tsx";
import { Card } from "#ui/card.tsx";
import type { Glyph } from "#ui/glyph.tsx";
import { Missing } from "#ui/missing.tsx";
import { millisText, numberText } from "#ui/number-text.tsx";
import { textWidth } from "#ui/text-width.ts";
import { sinceText } from "#ui/time-text.tsx";
import { type PathTexts, usePathTexts } from "./messages.ts";

type PathRow = OutputOf<typeof linkPathList>[number];

const glyphs: Readonly<Record<PathState, Glyph>> = {
  ok: "ok",
  brownout: "warn",
  flapping: "warn",
  oneWay: "bad",
  blackout: "bad",
  unknown: "unknown",
};
/** Each end of a link sends in one. */
const directions = 2;
/** Ms between two readings. */
const every = 5_000;

const metric = (
  key: "loss" | "delay" | "jitter",
  text: (value: number) => string,
  t: PathTexts,
): Column<PathRow> => ({
  key,
  title: t(`path.${key}`),
  align: "right",
  width: 104,
  cell: (row) => {
    const value = row[key];
    return value === null ? <Missing reason={t("path.none")} /> : text(value);
  },
});

const columnsOf = (t: PathTexts): Column<PathRow>[] => [
  stateColumn(
    "state",
    t("path.state"),
    (row: PathRow) => ({
      glyph: glyphs[row.state],
      label: t(`path.state.${row.state}`),
      ...(row.state === "unknown" && { hint: t("path.unknownHelp") }),
    }),
    { width: 120 },
  ),
  {
    ...textColumn("sender", t("path.sender"), (row: PathRow) => row.nodeName, { width: 168 }),
    part: "name",
  },
  metric("loss", (value) => numberText(value, 1), t),
  metric("delay", millisText, t),
  metric("jitter", millisText, t),
  textColumn(
    "traffic",
    t("path.traffic"),
    (row: PathRow) => t(row.left ? "path.left" : row.used ? "path.used" : "path.spare"),
    { width: 176 },
  ),
  {
    key: "classes",
    title: t("path.classes"),
    width: 208,
    need: ({ classes }) => textWidth(namesOf(classes ?? [], t)),
    cell: ({ classes }) => {
      if (classes === null) return <Missing reason={t("path.noClasses")} />;
      return classes.length === 0 ? <Missing /> : <Classes of={classes} t={t} />;
    },
  },
  timeColumn("since", t("path.since"), (row: PathRow) => row.since, { form: "since", width: 96 }),
];

type PathClass = NonNullable<PathRow["classes"]>[number];

const namesOf = (classes: readonly PathClass[], t: PathTexts): string =>
  t.list(classes.map(({ name }) => t(`path.class.${name}`)));

/** In one line, as all rows: a row that is higher than its place moves the page. Since when is on hover. */
function Classes({ of: classes, t }: { readonly of: readonly PathClass[]; readonly t: PathTexts }) {
  const since = classes.map(
    ({ name, since: at }) => `${t(`path.class.${name}`)} ${sinceText(at, t.language)}`,
  );
  return (
    <span className="w-cut" title={t.list(since)}>
      {namesOf(classes, t)}
    </span>
  );
}

/** What each end of a link finds of the direction that it sends in. */
export function LinkPaths({ linkId }: { readonly linkId: number }) {
  const t = usePathTexts();
  const fields = { linkId, nodeId: null, netSpaceId: null, page: 1, limit: 10 };
  const result = useCall(linkPathList, fields, { every });
  const { data, error, refetch, isFirstLoad } = result;
  return (
    <Card title={t("path.title")} flush extra={<span className="w-quiet">{t("path.help")}</span>}>
      {error && !data ? (
        <Failed error={error} retry={refetch} />
      ) : (
        <PlainTable
          rows={data ?? []}
          rowKey="nodeId"
          columns={columnsOf(t)}
          isFirstLoad={isFirstLoad}
          expected={directions}
          empty={<EmptyState kind="good" text={t("path.empty")} />}
        />
      )}
    </Card>
  );
}
