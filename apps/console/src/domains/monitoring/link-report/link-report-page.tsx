import { linkReport } from "@weft/contract/domains/monitoring/metrics.ts";
import { anyLink, linkList } from "@weft/contract/domains/overlay/link.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { defineMessages } from "@weft/contract/kernel/message.ts";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useNameWhileOpen } from "#client/page-name.ts";
import { paths, useBackTo, useNumberParam } from "#client/paths.ts";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { AvailabilityStrip } from "#domains/monitoring/parts/availability/availability-strip.tsx";
import { RangeCharts } from "#domains/monitoring/parts/report/report-chart.tsx";
import { ReportPage } from "#domains/monitoring/parts/report/report-page.tsx";
import { LinkPaths } from "#domains/overlay/parts/path/link-paths.tsx";
import { PathMoves } from "#domains/overlay/parts/path/moves.tsx";
import type { Range } from "#parts/range/range.ts";

const linkReportMessages = defineMessages({
  "linkReport.title": ["链路报表", "Link report"],
  "linkReport.pick": ["选择链路", "Choose a link"],
  "linkReport.back": ["返回链路列表", "Back to links"],
  "linkReport.detail": ["质量与可用率", "Quality and availability"],
  "linkReport.table": ["全部指标", "All metrics"],
});

/** Links that the picker offers. */
const maxLinks = 1_000;

/** One link over time, and when it was up (section 2.4, linkTable). */
export default function LinkReportPage() {
  const t = useTexts(linkReportMessages);
  const back = useBackTo(paths.links());
  const id = useNumberParam("id");
  const { data } = useCall(linkList, { ...anyLink, page: 1, limit: maxLinks });
  const open = data?.find((link) => link.id === id);
  useNameWhileOpen([paths.linkPages()], open?.name ?? null);
  return (
    <ReportPage
      screen="linkReport"
      title={t("linkReport.title")}
      back={{ to: back, label: t("linkReport.back") }}
      pick={t("linkReport.pick")}
      items={data}
      start={data?.find(({ status }) => status === 1)?.id}
      aside={(shown) => <Ends link={data?.find((link) => link.id === shown)} />}
      tabs={(["detail", "table"] as const).map((key) => ({ key, label: t(`linkReport.${key}`) }))}
    >
      {(id, tab, range) => (
        <>
          {tab === "detail" && <AvailabilityStrip kind="link" id={id} />}
          {tab === "detail" && <LinkPaths linkId={id} />}
          <Charts id={id} range={range} isWhole={tab === "table"}>
            {tab === "detail" && <PathMoves linkId={id} />}
          </Charts>
        </>
      )}
    </ReportPage>
  );
}

/** The ways to the pages of both ends, where the link lies beside what happened there. */
function Ends({ link }: { readonly link: OutputOf<typeof linkList>[number] | undefined }) {
  if (!link) return null;
  return [link.source, link.target].map(({ kind, nodeId, name }) => (
    <Link
      key={nodeId}
      className="w-link"
      to={kind === "cpe" ? paths.cpeDetail(nodeId) : paths.popDetail(nodeId)}
    >
      {name}
    </Link>
  ));
}

interface ChartsProps {
  readonly id: number;
  readonly range: Range;
  /** True: all metrics, not only the quality. */
  readonly isWhole: boolean;
  /** Below them. */
  readonly children: ReactNode;
}

/**
 * Charts of a link that was never measured are one line: what is below them has its place once it is known whether
 * there are charts.
 */
function Charts({ id, range, isWhole, children }: ChartsProps) {
  const result = useCall(linkReport, { id, ...range }, { keep: true });
  return (
    <>
      <RangeCharts
        result={result}
        points={({ points }) => points}
        show={isWhole ? ["rate", "quality", "loss"] : ["quality", "loss"]}
      />
      {(result.data ?? result.error) && children}
    </>
  );
}
