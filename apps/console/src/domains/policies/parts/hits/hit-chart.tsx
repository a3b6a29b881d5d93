import { type CountedFamily, hitReport } from "@weft/contract/domains/policies/policy-hits.ts";
import Segmented from "antd/es/segmented";
import { useMemo, useState } from "react";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { Failed } from "#feedback/empty-state.tsx";
import { LineChart } from "#parts/chart/line-chart.tsx";
import { seriesOf } from "#parts/chart/series.ts";
import { counts } from "#parts/chart/value-texts.ts";
import { useWindow, type WindowName } from "#parts/range/use-window.ts";
import { hitMessages } from "./messages.ts";

interface Props {
  readonly family: CountedFamily;
  readonly id: number;
  readonly title: string;
}

const names = ["day", "week", "month"] as const satisfies readonly WindowName[];

/** Hits of one object over time. */
export function HitChart({ family, id, title }: Props) {
  const t = useTexts(hitMessages);
  const [name, choose] = useState<(typeof names)[number]>("day");
  const range = useWindow(name);
  const result = useCall(hitReport, { family, id, ...range }, { keep: true });
  const points = result.data?.points;
  const series = useMemo(
    () => (points ? [seriesOf(t("hits.each"), points, ({ count }) => count)] : []),
    [points, t],
  );
  return (
    <>
      <Segmented
        aria-label={t("hits.range")}
        value={name}
        onChange={choose}
        options={names.map((value) => ({ value, label: t(`hits.${value}`) }))}
      />
      {result.error && !points ? (
        <Failed error={result.error} retry={result.refetch} />
      ) : (
        <LineChart title={title} series={series} measure={counts} isWaiting={!points} />
      )}
    </>
  );
}
