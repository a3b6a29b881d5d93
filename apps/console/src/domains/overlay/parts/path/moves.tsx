import { linkMoveList } from "@weft/contract/domains/overlay/link-path.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { Link } from "react-router";
import { paths } from "#client/paths.ts";
import { useCall } from "#client/use-call.ts";
import { EmptyState, Failed } from "#feedback/empty-state.tsx";
import { type Column, textColumn, timeColumn } from "#kernel/list/columns.tsx";
import { PlainTable } from "#kernel/list/resource-table.tsx";
import { Card } from "#ui/card.tsx";
import { millisText, numberText } from "#ui/number-text.tsx";
import { type PathTexts, usePathTexts } from "./messages.ts";

type MoveRow = OutputOf<typeof linkMoveList>[number];

const shownAtMost = 20;
/** Ms between two readings. */
const every = 5_000;

/** Why traffic moved, with the value that decided where there is one. */
const reasonText = ({ reason, from }: Pick<MoveRow, "reason" | "from">, t: PathTexts) => {
  if (reason === "loss")
    return t("move.reason.loss", { value: from.loss === null ? "?" : numberText(from.loss, 1) });
  if (reason === "delay" || reason === "jitter") {
    const value = from[reason];
    return t(`move.reason.${reason}`, { value: value === null ? "?" : millisText(value) });
  }
  return t(`move.reason.${reason}`);
};

const takenText = ({ to }: MoveRow, t: PathTexts): string | null =>
  to.loss === null || to.delay === null
    ? null
    : t("move.quality", { loss: numberText(to.loss, 1), delay: millisText(to.delay) });

const linkColumn = (
  key: "from" | "to",
  title: string,
  id: (row: MoveRow) => number,
  name: (row: MoveRow) => string,
): Column<MoveRow> => ({
  key,
  title,
  width: 240,
  cell: (row) => (
    <Link className="w-link" to={paths.linkReport(id(row))}>
      {name(row)}
    </Link>
  ),
});

const columnsOf = (t: PathTexts): Column<MoveRow>[] => [
  timeColumn("at", t("move.at"), (row: MoveRow) => row.at),
  {
    ...textColumn("reason", t("move.reason"), (row: MoveRow) => reasonText(row, t), { width: 176 }),
    part: "name",
  },
  textColumn(
    "trafficClass",
    t("path.classes"),
    (row: MoveRow) => t(`path.class.${row.trafficClass ?? "default"}`),
    { width: 112 },
  ),
  textColumn("sender", t("path.sender"), (row: MoveRow) => row.nodeName, { width: 144 }),
  linkColumn(
    "from",
    t("move.from"),
    (row) => row.fromId,
    (row) => row.fromName,
  ),
  linkColumn(
    "to",
    t("move.to"),
    (row) => row.toId,
    (row) => row.toName,
  ),
  textColumn("taken", t("move.taken"), (row: MoveRow) => takenText(row, t), {
    width: 200,
    missing: t("path.none"),
  }),
];

/** Traffic that moved from or to a link, or between the links of a node, the latest first. */
export function PathMoves({
  linkId = null,
  nodeId = null,
}: {
  readonly linkId?: number | null;
  readonly nodeId?: number | null;
}) {
  const t = usePathTexts();
  const fields = { linkId, nodeId, netSpaceId: null, page: 1, limit: shownAtMost };
  const { data, count, error, refetch, isFirstLoad } = useCall(linkMoveList, fields, { every });
  const hidden = (count ?? 0) > shownAtMost;
  return (
    <Card
      title={t("move.title")}
      flush
      extra={
        hidden && (
          <span className="w-quiet">
            {t("move.more", { count: count ?? 0, shown: shownAtMost })}
          </span>
        )
      }
    >
      {error && !data ? (
        <Failed error={error} retry={refetch} />
      ) : (
        <PlainTable
          rows={data ?? []}
          rowKey="id"
          columns={columnsOf(t)}
          isFirstLoad={isFirstLoad}
          empty={<EmptyState kind="good" text={t("move.empty")} />}
        />
      )}
    </Card>
  );
}
