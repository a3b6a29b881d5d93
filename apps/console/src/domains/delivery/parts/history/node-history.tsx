import { stateGoBack, stateList } from "@weft/contract/domains/delivery/history.ts";
import { outcomeText } from "@weft/contract/domains/delivery/outcome-text.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import Button from "antd/es/button";
import { useState } from "react";
import { useOpened } from "#client/opened.ts";
import { refreshEvery } from "#client/use-call.ts";
import { useConfirm } from "#feedback/confirm.tsx";
import { EmptyState } from "#feedback/empty-state.tsx";
import { useAction } from "#feedback/use-action.ts";
import { type Column, stateColumn, textColumn, timeColumn } from "#kernel/list/columns.tsx";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import { useList } from "#kernel/list/use-list.ts";
import { useSelection } from "#kernel/list/use-selection.ts";
import { Card } from "#ui/card.tsx";
import type { Pair } from "./difference-drawer.tsx";
import { authorsText, causesText, type HistoryTexts, useHistoryTexts } from "./history-texts.ts";
import { outcomeGlyphs } from "./outcome-glyphs.ts";
import { StateDifference } from "./state-difference.tsx";
import { type StateOwner, serialText } from "./state-owner.ts";

type StateRow = OutputOf<typeof stateList>[number];

const columnsOf = (t: HistoryTexts): Column<StateRow>[] => [
  {
    key: "serial",
    title: t("history.serial"),
    align: "right",
    width: 56,
    part: "name",
    cell: (row) => serialText(row.serial),
  },
  stateColumn(
    "outcome",
    t("history.result"),
    (row: StateRow) => ({
      glyph: outcomeGlyphs[row.outcome],
      label: row.running ? t("history.running") : t.code("outcome", row.outcome),
      hint: row.reason === null ? undefined : outcomeText(row.reason, t.language),
    }),
    { width: 144 },
  ),
  textColumn("who", t("history.who"), (row: StateRow) => authorsText(row.causes, t), {
    width: 96,
  }),
  textColumn("cause", t("history.cause"), (row: StateRow) => changeText(row, t), { width: 200 }),
  textColumn(
    "reason",
    t("history.reason"),
    (row: StateRow) => row.reason && outcomeText(row.reason, t.language),
    { width: 112 },
  ),
  timeColumn("createTime", t("history.created"), (row: StateRow) => row.createTime, {
    width: 168,
  }),
  timeColumn("endTime", t("history.ended"), (row: StateRow) => row.endTime, {
    form: "since",
    width: 96,
    missing: t("history.notEnded"),
  }),
];

/** What it came from; of one that brought back another, which. */
const changeText = (row: StateRow, t: HistoryTexts): string =>
  row.restores === null ? causesText(row.causes, t) : t("pin.restores", { serial: row.restores });

/** Every configuration that a node was to have, the newest first, and what lies between any two. */
export function NodeHistory({ node }: { readonly node: StateOwner }) {
  const t = useHistoryTexts();
  const { opened, close } = useOpened();
  const [own, setPair] = useState<Pair | null>(null);
  // "state-7": what the 7th configuration changed.
  const openedSerial = opened?.what === "state" ? opened.id : null;
  const pair =
    own ??
    (openedSerial === null
      ? null
      : { from: openedSerial > 1 ? openedSerial - 1 : null, to: openedSerial });
  const closePair = (): void => {
    setPair(null);
    if (openedSerial !== null) close();
  };
  const list = useList(stateList, {
    fixed: { id: node.id, outcome: null },
    every: refreshEvery,
    inUrl: false,
  });
  const selection = useSelection<StateRow>("serial", list);
  const [one, other] = [...selection.ids].sort((a, b) => a - b);
  const confirm = useConfirm();
  const goBack = useAction(stateGoBack, { touches: ["task"], done: t("pin.wentBack") });
  const confirmGoBack = async (serial: number) => {
    const wanted = await confirm({
      title: t("pin.goBackTitle", { name: node.name, serial }),
      body: t("pin.goBackBody"),
      ok: t("pin.goBack"),
      danger: true,
    });
    if (wanted) await goBack.act({ id: node.id, serial });
  };
  const isPair = selection.ids.length === 2 && one !== undefined && other !== undefined;
  return (
    <Card
      title={t("history.title")}
      flush
      extra={
        <>
          <Button onClick={() => setPair({ from: null, to: null })}>{t("history.pending")}</Button>
          <Button
            disabled={!isPair}
            title={isPair ? undefined : t("history.chooseTwo")}
            onClick={() => isPair && setPair({ from: one, to: other })}
          >
            {t("history.compareTwo")}
          </Button>
        </>
      }
    >
      <ResourceTable
        list={list}
        rowKey="serial"
        columns={columnsOf(t)}
        selection={selection}
        empty={<EmptyState kind="good" text={t("history.empty")} />}
        actions={(row: StateRow) => [
          {
            key: "compare",
            label: t("history.withRunning"),
            disabledReason: row.running ? t("history.isRunning") : null,
            run: () => setPair({ from: null, to: row.serial }),
          },
          {
            key: "goBack",
            label: t("pin.goBack"),
            may: "cpeConfig",
            disabledReason: row.running
              ? t("history.isRunning")
              : row.outcome !== "confirmed"
                ? t("pin.notConfirmed")
                : row.goesBack
                  ? null
                  : t("pin.nothingBack"),
            run: () => void confirmGoBack(row.serial),
          },
        ]}
      />
      <StateDifference node={node} pair={pair} onClose={closePair} />
    </Card>
  );
}
