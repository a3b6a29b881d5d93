import type { Beside, SiteOverview } from "@weft/contract/domains/monitoring/site-overview.ts";
import { Link } from "react-router";
import { paths, withSearch } from "#client/paths.ts";
import { useTexts } from "#client/texts.ts";
import { sitePath } from "#domains/devices/parts/site/tabs.ts";
import { Card } from "#ui/card.tsx";
import { Sentence } from "#ui/sentence.tsx";
import styles from "./is-it-us.module.css";
import { siteMessages } from "./messages.ts";

/* Whether the trouble is the site's own. Pure. */

/**
 * What the trouble has in common with others: `fine`: there is none here now; `carrier` and `pop`: others over the same
 * have it too; `line`: only this line of the site; `site`: all lines of the site, and no other site.
 */
type Conclusion = "fine" | "carrier" | "pop" | "line" | "site";

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
    .filter((group) => group.kind !== "line" && shareOf(group) >= minShare)
    .sort((a, b) => shareOf(b) - shareOf(a))[0];
  if (shared && shared.kind !== "line") return shared.kind;
  const others = beside.find(({ kind }) => kind === "line");
  return others && shareOf(others) < minShare ? "line" : "site";
}

const conclusionGlyph = (conclusion: Conclusion) => (conclusion === "fine" ? "ok" : "warn");

const glyphOf = ({ links, bad }: Beside) =>
  links === 0 ? "unknown" : bad === 0 ? "ok" : bad === links ? "bad" : "warn";

/** The list of links with the filters that the count was made with. */
const listOf = ({ kind, isp, pop, bad }: Beside, node: SiteOverview["node"]): string =>
  kind === "line"
    ? sitePath(node, "paths")
    : withSearch(paths.linkMonitor(), {
        isp,
        nodeId: pop?.id,
        besideId: node.id,
        trouble: bad > 0 ? 1 : null,
      });

interface Props {
  readonly overview: SiteOverview;
}

/** Whether others have the same trouble: three counts that lead to their links, and what follows from them. */
export function IsItUs({ overview }: Props) {
  const t = useTexts(siteMessages);
  const { node, beside } = overview;
  if (beside.length === 0) return null;
  const conclusion = conclusionOf(overview);
  return (
    <Card title={t("beside.title")}>
      <div className={styles.all}>
        <Sentence glyph={conclusionGlyph(conclusion)} text={t(`beside.conclusion.${conclusion}`)} />
        <ul className={styles.beside}>
          {beside.map((group) => (
            <li key={group.kind}>
              <Sentence
                glyph={glyphOf(group)}
                text={t(`beside.${group.kind}`, {
                  links: group.links,
                  bad: group.bad,
                  isp: group.isp ?? "",
                  pop: group.pop?.name ?? "",
                })}
              />
              {group.links > 0 && (
                <Link className="w-link" to={listOf(group, node)}>
                  {t("beside.show")}
                </Link>
              )}
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
}
