import type { SiteOverview } from "@weft/contract/domains/monitoring/site-overview.ts";
import styles from "#domains/devices/parts/site/site-frame.module.css";
import { useNameOfSite } from "#domains/devices/parts/site/site-frame.tsx";
import { SiteTabs } from "#domains/devices/parts/site/site-tabs.tsx";
import type { SiteTab } from "#domains/devices/parts/site/tabs.ts";
import { useSite } from "./use-site.ts";

interface Props {
  readonly id: number;
  readonly tab: SiteTab;
}

/** The tabs of a site's page below a head that its screen has already. */
export function TabsOfSite({ id, tab }: Props) {
  const { data } = useSite(id).result;
  return data ? <Tabs overview={data} tab={tab} /> : <div className={styles.comes} />;
}

function Tabs(props: { readonly overview: SiteOverview; readonly tab: SiteTab }) {
  useNameOfSite(props.overview.node);
  return <SiteTabs {...props} />;
}
