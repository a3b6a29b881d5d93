import { linkReport } from "@weft/contract/domains/monitoring/metrics.ts";
import { linkList } from "@weft/contract/domains/overlay/link.ts";
import { paths, useBackTo } from "#client/paths.ts";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { AvailabilityStrip } from "#domains/monitoring/parts/availability/availability-strip.tsx";
import { ReportCharts } from "#domains/monitoring/parts/report/report-chart.tsx";
import { ReportPage } from "#domains/monitoring/parts/report/report-page.tsx";
import { Await } from "#feedback/await.tsx";
import type { Range } from "#parts/range/range.ts";
import { linkReportMessages } from "./messages.ts";

/** Links that the picker offers. */
const maxLinks = 1_000;

/** One link over time, and when it was up (section 2.4, linkTable). */
export default function LinkReportPage() {
  const t = useTexts(linkReportMessages);
  const back = useBackTo(paths.links());
  const every = { netSpaceId: null, nodeId: null, status: null, name: null, worst: null };
  const { data } = useCall(linkList, { ...every, page: 1, limit: maxLinks });
  return (
    <ReportPage
      screen="linkReport"
      title={t("linkReport.title")}
      back={{ to: back, label: t("linkReport.back") }}
      pick={t("linkReport.pick")}
      items={data}
      start={data?.find(({ status }) => status === 1)?.id}
      tabs={(["detail", "table"] as const).map((key) => ({ key, label: t(`linkReport.${key}`) }))}
    >
      {(id, tab, range) => (
        <>
          {tab === "detail" && <AvailabilityStrip kind="link" id={id} />}
          <Charts id={id} range={range} isWhole={tab === "table"} />
        </>
      )}
    </ReportPage>
  );
}

interface ChartsProps {
  readonly id: number;
  readonly range: Range;
  /** True: all metrics, not only the quality. */
  readonly isWhole: boolean;
}

function Charts({ id, range, isWhole }: ChartsProps) {
  const asked = useCall(linkReport, { id, ...range }, { keep: true });
  return (
    <Await asked={asked}>
      {({ points }) => (
        <ReportCharts
          points={points}
          show={isWhole ? ["rate", "quality", "loss"] : ["quality", "loss"]}
        />
      )}
    </Await>
  );
}
