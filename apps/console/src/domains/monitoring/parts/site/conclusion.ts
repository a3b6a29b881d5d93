/** Whether the trouble is the site's own. Pure. */
import type { Beside, SiteOverview } from "@weft/contract/domains/monitoring/site-overview.ts";

/**
 * What the trouble has in common with others: `fine`: there is none here now; `carrier` and `pop`: others over the same
 * have it too; `line`: only this line of the site; `site`: all lines of the site, and no other site.
 */
export type Conclusion = "fine" | "carrier" | "pop" | "line" | "site";

/** From this share on, trouble of others is no chance: the same as for root causes. */
const minShare = 0.5;

const isBad = ({ up, excess }: SiteOverview["links"][number]): boolean => !up || excess !== null;

const shareOf = ({ links, bad }: Beside): number => (links === 0 ? 0 : bad / links);

/** Links are sorted by trouble: the first is bad if one is. */
export function conclusionOf({
  links,
  beside,
}: Pick<SiteOverview, "links" | "beside">): Conclusion {
  const [worst] = links;
  if (!worst || !isBad(worst)) return "fine";
  const shared = beside
    .filter((one) => one.kind !== "line" && shareOf(one) >= minShare)
    .sort((one, other) => shareOf(other) - shareOf(one))[0];
  if (shared && shared.kind !== "line") return shared.kind;
  const others = beside.find(({ kind }) => kind === "line");
  return others && shareOf(others) < minShare ? "line" : "site";
}
