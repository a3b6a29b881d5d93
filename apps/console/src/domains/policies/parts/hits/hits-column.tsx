import {
  type CountedFamily,
  countedFamilies,
  type HitSummary,
  hitSummary,
} from "@weft/contract/domains/policies/policy-hits.ts";
import Button from "antd/es/button";
import { useMay } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { refreshEvery, useCall } from "#client/use-call.ts";
import { Loading } from "#feedback/empty-state.tsx";
import { later } from "#feedback/later.tsx";
import type { Column } from "#kernel/list/columns.tsx";
import { Missing } from "#ui/missing.tsx";
import { NumberText, numberText } from "#ui/number-text.tsx";
import { Popover } from "#ui/overlay/popover.tsx";
import { textWidth } from "#ui/text-width.ts";
import { TimeText } from "#ui/time-text.tsx";
import styles from "./hits-column.module.css";
import { hitMessages } from "./messages.ts";

// Opened now and then: settings and templates do not wait for it.
const HitChart = later(
  async () => (await import("./hit-chart.tsx")).HitChart,
  <Loading rows={6} />,
);

const isCounted = (family: string): family is CountedFamily =>
  countedFamilies.some((countedFamily) => countedFamily === family);

interface Listed<Row> {
  /** Of the rows; one that nothing counts has no column. */
  readonly family: string;
  readonly rows: readonly Row[];
  idOf(row: Row): number;
  nameOf(row: Row): string;
}

/** The column with the hits of each row in the last 24 hours, and the chart behind it; empty: there is none. */
export function useHitsColumns<Row>({ family, rows, idOf, nameOf }: Listed<Row>): Column<Row>[] {
  const t = useTexts(hitMessages);
  const may = useMay();
  // Whoever may read templates sees no devices, whose hits these are.
  const counted = isCounted(family) && may(hitSummary.may) ? family : null;
  const ids = rows.map(idOf);
  const input = counted === null || ids.length === 0 ? null : { family: counted, ids };
  const result = useCall(hitSummary, input, { every: refreshEvery, keep: true });
  if (counted === null) return [];
  const hits = new Map(result.data?.map((row) => [row.id, row]));
  return [
    {
      key: "hits",
      title: t("hits.title"),
      width: 168,
      need: (row) => hitsWidth(hits.get(idOf(row))),
      align: "right",
      cell: (row) => (
        <Hits family={counted} name={nameOf(row)} hits={hits.get(idOf(row)) ?? null} />
      ),
    },
  ];
}

/** px of how long ago the last one was, at its longest, and of a button around the number. */
const lastWidth = 80;
const buttonWidth = 20;

const hitsWidth = (hits: HitSummary | undefined): number =>
  hits === undefined || hits.lastTime === null
    ? 0
    : lastWidth + buttonWidth + textWidth(numberText(hits.count));

interface HitsProps {
  readonly family: CountedFamily;
  readonly name: string;
  /** Null: not known. */
  readonly hits: HitSummary | null;
}

function Hits({ family, name, hits }: HitsProps) {
  const t = useTexts(hitMessages);
  if (hits === null) return <Missing />;
  const { id, count, lastTime } = hits;
  if (lastTime === null) return <Missing reason={t("hits.never")} />;
  const title = t("hits.of", { name });
  // Who uses voice control says what is seen (WCAG 2.5.3).
  const label = t("hits.count", { name, count: numberText(count) });
  return (
    <span className={styles.hits}>
      <span className="w-quiet" title={t("hits.last")}>
        <TimeText value={lastTime} form="since" />
      </span>
      <Popover
        label={title}
        placement="left"
        destroyOnHidden
        content={
          <div className={styles.chart}>
            <HitChart family={family} id={id} title={title} />
          </div>
        }
      >
        <Button type="link" size="small" aria-label={label}>
          <NumberText value={count} />
        </Button>
      </Popover>
    </span>
  );
}
