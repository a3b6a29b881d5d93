import type { SiteOverview } from "@weft/contract/domains/monitoring/site-overview.ts";
import { Link } from "react-router";
import { paths } from "#client/paths.ts";
import { useTexts } from "#client/texts.ts";
import { SiteFrame } from "#domains/devices/parts/site/site-frame.tsx";
import { NodeMetrics } from "#domains/monitoring/parts/metrics/node-metrics.tsx";
import { siteTrafficMessages } from "./messages.ts";

/** What one site or POP moves, by line and by link, and the load of its device. */
export default function SiteTrafficPage() {
  return <SiteFrame tab="traffic">{({ overview }) => <Traffic overview={overview} />}</SiteFrame>;
}

function Traffic({ overview: { node, links } }: { readonly overview: SiteOverview }) {
  const t = useTexts(siteTrafficMessages);
  const report =
    node.kind === "cpe" ? paths.cpeReport(node.id, "flow") : paths.popReport(node.id, "line");
  return (
    <NodeMetrics
      nodeId={node.id}
      links={links.map(({ id, slot, peer }) => ({
        id,
        name: `wan${slot} – ${peer.name} wan${peer.slot}`,
      }))}
      more={
        <Link className="w-link" to={report}>
          {t("siteTraffic.report")}
        </Link>
      }
    />
  );
}
