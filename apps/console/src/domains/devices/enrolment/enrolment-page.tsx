import { enrolmentList } from "@weft/contract/domains/devices/enrolment.ts";
import { enrolmentStates } from "@weft/contract/domains/devices/enums.ts";
import { paths } from "#client/paths.ts";
import { refreshEvery } from "#client/use-call.ts";
import { ListPage } from "#kernel/list/list-page.tsx";
import type { RowAction } from "#kernel/list/row-actions.tsx";
import { useList } from "#kernel/list/use-list.ts";
import { useSelection } from "#kernel/list/use-selection.ts";
import { useDecide } from "./decide.ts";
import { enrolmentColumns } from "./enrolment-columns.tsx";
import { type EnrolmentRow, useEnrolmentTexts } from "./enrolment-texts.ts";

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
          options: enrolmentStates.map((value) => ({ value, label: t.code("enrolment", value) })),
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
