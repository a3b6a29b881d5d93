import { SiteFrame } from "#domains/devices/parts/site/site-frame.tsx";
import { SiteOverviewCards } from "./site-overview.tsx";

/** Why one POP is as it is. */
export default function PopDetailPage() {
  return <SiteFrame tab="overview">{(site) => <SiteOverviewCards site={site} />}</SiteFrame>;
}
