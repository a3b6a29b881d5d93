import {
  enrolmentApprove,
  enrolmentList,
  enrolmentReject,
} from "@weft/contract/domains/devices/enrolment.ts";
import { type EnrolmentState, enrolmentStates } from "@weft/contract/domains/devices/enums.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { paths } from "#client/paths.ts";
import { codeOptions, useTexts } from "#client/texts.ts";
import { refreshEvery } from "#client/use-call.ts";
import { useConfirm } from "#feedback/confirm.tsx";
import { useAction } from "#feedback/use-action.ts";
import {
  type Column,
  copyColumn,
  nameColumn,
  stateColumn,
  textColumn,
  timeColumn,
} from "#kernel/list/columns.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import type { RowAction } from "#kernel/list/row-actions.tsx";
import { useList } from "#kernel/list/use-list.ts";
import { useSelection } from "#kernel/list/use-selection.ts";
import type { Glyph } from "#ui/glyph.tsx";
import { Missing } from "#ui/missing.tsx";
import { TimeText } from "#ui/time-text.tsx";
import { enrolmentMessages } from "./messages.ts";

type EnrolmentRow = OutputOf<typeof enrolmentList>[number];

const useEnrolmentTexts = () => useTexts(enrolmentMessages);
type EnrolmentTexts = ReturnType<typeof useEnrolmentTexts>;

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

const enrolmentColumns = (t: EnrolmentTexts): Column<EnrolmentRow>[] => [
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

/** What a decision changes beside the queue. */
const touches = ["cpe", "pop", "nodeState", "auth"];

/** "SH-03 (SN 8F3A)": a name alone does not say which device asked. */
const named = (rows: readonly EnrolmentRow[], t: EnrolmentTexts): string =>
  t.list(rows.map(({ nodeName, sn }) => `${nodeName} (${sn})`));

/** Approves and rejects devices after asking by name; true: it was done. */
const useDecide = () => {
  const t = useEnrolmentTexts();
  const confirm = useConfirm();
  const approval = useAction(enrolmentApprove, { touches });
  const rejection = useAction(enrolmentReject, { touches });

  const approve = async (rows: readonly EnrolmentRow[]): Promise<boolean> => {
    const [first] = rows;
    if (!first) return false;
    const isOne = rows.length === 1;
    const facts = { name: first.nodeName, sn: first.sn, fingerprint: first.fingerprint };
    const isMeant = await confirm({
      title: isOne
        ? t("enrolment.approveTitle", facts)
        : t("enrolment.approveMany", { count: rows.length }),
      body: isOne
        ? t("enrolment.approveBody", facts)
        : t("enrolment.approveManyBody", { names: named(rows, t) }),
      ok: t("enrolment.approve"),
    });
    return isMeant && (await approval.act({ ids: rows.map(({ id }) => id) })) !== null;
  };

  const reject = async (rows: readonly EnrolmentRow[]): Promise<boolean> => {
    const [first] = rows;
    if (!first) return false;
    const isOne = rows.length === 1;
    const kind = first.state === "approved" ? "cutOff" : "reject";
    const facts = { name: first.nodeName, sn: first.sn };
    const isMeant = await confirm({
      title: isOne
        ? t(`enrolment.${kind}Title`, facts)
        : t("enrolment.rejectMany", { count: rows.length }),
      body: isOne
        ? t(`enrolment.${kind}Body`, facts)
        : t("enrolment.rejectManyBody", { names: named(rows, t) }),
      ok: t(isOne ? `enrolment.${kind}` : "enrolment.reject"),
      danger: true,
    });
    return isMeant && (await rejection.act({ ids: rows.map(({ id }) => id) })) !== null;
  };

  return { approve, reject };
};

/** Devices that used a claim, those that wait for a person first. */
export default function EnrolmentPage() {
  const t = useEnrolmentTexts();
  const list = useList(enrolmentList, { every: refreshEvery });
  const selection = useSelection<EnrolmentRow>("id", list);
  const { approve, reject } = useDecide();
  const actions = (row: EnrolmentRow): RowAction[] => [
    ...(row.state === "approved"
      ? []
      : [
          {
            key: "approve",
            label: t("enrolment.approve"),
            may: "cpeActive" as const,
            disabledReason: row.state === "rejected" ? t("enrolment.isOver") : null,
            run: () => void approve([row]),
          },
        ]),
    {
      key: "reject",
      label: t(row.state === "approved" ? "enrolment.cutOff" : "enrolment.reject"),
      may: "cpeActive",
      danger: true,
      disabledReason: row.state === "rejected" ? t("enrolment.isOver") : null,
      run: () => void reject([row]),
    },
  ];
  const batch = (rows: readonly EnrolmentRow[]): RowAction[] => {
    const isMixed = rows.some(({ state }) => state !== "pending");
    const disabledReason = isMixed ? t("enrolment.onlyPending") : null;
    const then = (done: Promise<boolean>) =>
      void done.then((isDone) => isDone && selection.clear());
    return [
      {
        key: "approve",
        label: t("enrolment.approve"),
        may: "cpeActive",
        disabledReason,
        run: () => then(approve(rows)),
      },
      {
        key: "reject",
        label: t("enrolment.reject"),
        may: "cpeActive",
        danger: true,
        disabledReason,
        run: () => then(reject(rows)),
      },
    ];
  };
  return (
    <ListPage
      title={t("enrolment.title")}
      list={list}
      rowKey="id"
      columns={enrolmentColumns(t)}
      filters={[
        {
          key: "state",
          kind: "select",
          label: t("enrolment.state"),
          options: codeOptions(t, "enrolment", enrolmentStates),
        },
      ]}
      actions={actions}
      {...((list.count ?? 0) > 0 && { selection, batch })}
      empty={{
        text: t("enrolment.empty"),
        action: { label: t("enrolment.toCpe"), to: paths.cpe() },
      }}
    />
  );
}
