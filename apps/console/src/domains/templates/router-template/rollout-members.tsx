import { compileFailureText } from "@weft/contract/domains/delivery/failure-text.ts";
import { routerTemplateRolloutMembers } from "@weft/contract/domains/templates/rollout.ts";
import { waveFailureText } from "@weft/contract/domains/templates/wave-failure-text.ts";
import { useEffect, useRef } from "react";
import {
  type Column,
  numberColumn,
  stateColumn,
  textColumn,
  timeColumn,
} from "#kernel/list/columns.tsx";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import { useList } from "#kernel/list/use-list.ts";
import {
  outcomeGlyphs,
  type RolloutMember,
  type RolloutTexts,
  useRolloutTexts,
} from "./rollout-texts.ts";

/** What the gates find about a CPE. */
function resultText(t: RolloutTexts, row: RolloutMember): string | null {
  if (row.failure) return waveFailureText(row.failure, t.language);
  if (row.suspects.length > 0) {
    return t("rollout.suspect", {
      gate: t.list(row.suspects.map((gate) => t(`rollout.gate.${gate}`))),
    });
  }
  if (row.heldBy !== null) return t(`rollout.heldBy.${row.heldBy}`);
  return row.steadySince === null ? null : t("rollout.fine");
}

/** That the gate of objects leaves the CPE out, and why. */
function uncheckedText(t: RolloutTexts, { unchecked }: RolloutMember): string | null {
  if (unchecked === null) return null;
  const reason =
    unchecked.code === "noReport"
      ? t("rollout.noReport")
      : compileFailureText(JSON.stringify(unchecked), t.language);
  return t("rollout.unchecked", { reason });
}

/** A measurement at the start of the wave and now. */
const changeText = (
  t: RolloutTexts,
  row: RolloutMember,
  read: (sight: NonNullable<RolloutMember["now"]>) => number | null,
): string | null => {
  if (!row.before || !row.now) return null;
  const text = (value: number | null) => (value === null ? t("rollout.none") : String(value));
  return t("rollout.change", { before: text(read(row.before)), now: text(read(row.now)) });
};

/** Columns of the CPEs of a rollout. */
const memberColumns = (t: RolloutTexts, waves: number): Column<RolloutMember>[] => [
  stateColumn("outcome", t("rollout.outcome"), (row: RolloutMember) => ({
    glyph: row.failure ? "bad" : outcomeGlyphs[row.outcome],
    label: t(`rollout.outcome.${row.outcome}`),
  })),
  {
    ...textColumn("cpeName", t("rollout.cpe"), (row: RolloutMember) => row.cpeName, { width: 128 }),
    part: "name",
  },
  ...(waves > 1
    ? [numberColumn("wave", t("rollout.number"), (row: RolloutMember) => row.wave, { width: 72 })]
    : []),
  {
    key: "result",
    title: t("rollout.result"),
    width: 208,
    cell: (row) => {
      const [result, more] = [resultText(t, row), uncheckedText(t, row)];
      if (result === null || more === null) return result ?? more ?? t("rollout.none");
      return t("rollout.resultAndMore", { result, more });
    },
  },
  textColumn(
    "links",
    t("rollout.links"),
    (row: RolloutMember) => changeText(t, row, ({ links }) => links),
    { width: 88 },
  ),
  textColumn(
    "loss",
    t("rollout.loss"),
    (row: RolloutMember) => changeText(t, row, ({ loss }) => loss),
    { width: 88 },
  ),
  numberColumn(
    "versionBefore",
    t("rollout.versionBefore"),
    (row: RolloutMember) => row.versionBefore,
    { width: 128, missing: t("rollout.noVersion") },
  ),
  timeColumn("startTime", t("rollout.started"), (row: RolloutMember) => row.startTime, {
    form: "since",
    width: 88,
    missing: t("rollout.outcome.ahead"),
  }),
];

interface Props {
  readonly rolloutId: number;
  /** null: of all waves. */
  readonly wave: number | null;
  readonly waves: number;
  readonly every: number;
  /** When the rollout got into its state. */
  readonly since: Date;
}

/** CPEs of a rollout, or of one of its waves, with what the gates find about each. */
export function RolloutMembers({ rolloutId, wave, waves, every, since }: Props) {
  const t = useRolloutTexts();
  const list = useList(routerTemplateRolloutMembers, {
    fixed: { rolloutId, wave },
    inUrl: false,
    every,
  });
  const { refetch } = list;
  const at = since.getTime();
  const read = useRef(at);
  useEffect(() => {
    // What became of CPEs goes with the state, which was read before them.
    if (read.current === at) return;
    read.current = at;
    refetch();
  }, [at, refetch]);
  return (
    <ResourceTable
      list={list}
      columns={memberColumns(t, waves)}
      rowKey="cpeId"
      empty={t("rollout.noMembers")}
    />
  );
}
