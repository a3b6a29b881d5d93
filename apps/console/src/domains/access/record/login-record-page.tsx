import {
  loginFailures,
  loginRecordExport,
  loginRecordList,
} from "@weft/contract/domains/access/record.ts";
import { codeOptions } from "#client/texts.ts";
import {
  type Column,
  copyColumn,
  stateColumn,
  textColumn,
  timeColumn,
} from "#kernel/list/columns.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import { useList } from "#kernel/list/use-list.ts";
import { RangeBar } from "#parts/range/range-bar.tsx";
import { useRange } from "#parts/range/use-range.ts";
import { type LogIn, type RecordTexts, useRecordTexts } from "./record-texts.ts";

const isReason = (label: string): boolean => (loginFailures as readonly string[]).includes(label);

const reasonText = ({ msg }: LogIn, t: RecordTexts): string | null =>
  isReason(msg) ? t.code("loginFailure", msg) : msg || null;

const columnsOf = (t: RecordTexts): Column<LogIn>[] => [
  timeColumn("createTime", t("record.time"), (row: LogIn) => row.createTime, {
    form: "stamp",
    width: 176,
  }),
  stateColumn(
    "result",
    t.field("result"),
    ({ result }: LogIn) => ({ glyph: result ? "ok" : "bad", label: t.code("result", result) }),
    { width: 112 },
  ),
  textColumn("loginName", t("record.who"), (row: LogIn) => row.loginName, { width: 160 }),
  textColumn(
    "enterpriseName",
    t.field("enterpriseName"),
    (row: LogIn) => row.enterpriseName || null,
    {
      width: 160,
    },
  ),
  textColumn("reason", t("record.reason"), (row: LogIn) => reasonText(row, t), { width: 144 }),
  copyColumn("ip", t("record.from"), (row: LogIn) => row.ip, { width: 160 }),
  textColumn("agent", t("record.agent"), (row: LogIn) => row.agent || null),
];

/** Who tried to log in, from where, and why it failed. */
export default function LoginRecordPage() {
  const t = useRecordTexts();
  const picked = useRange();
  const list = useList(loginRecordList, { fixed: picked.range });
  return (
    <ListPage
      title={t("record.logIns")}
      list={{ ...list, refetch: picked.renewOr(list.refetch) }}
      rowKey="id"
      columns={columnsOf(t)}
      filters={[
        { key: "loginName", kind: "text", label: t("record.who") },
        {
          key: "result",
          kind: "select",
          label: t.field("result"),
          options: codeOptions(t, "result", [true, false]),
        },
      ]}
      exports={loginRecordExport}
      tools={<RangeBar picked={picked} />}
      empty={{ text: t("record.emptyLogIns") }}
    />
  );
}
