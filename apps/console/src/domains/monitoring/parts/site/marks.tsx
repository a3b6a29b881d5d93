import type { Mark, MarkKind } from "@weft/contract/domains/monitoring/site-overview.ts";
import Button from "antd/es/button";
import { Link } from "react-router";
import type { sitePath } from "#domains/devices/parts/site/tabs.ts";
import { StatusGlyph } from "#ui/glyph.tsx";
import { clustersOf, type Span, shareOf } from "./axis.ts";
import {
  markGlyph,
  markPath,
  markText,
  momentText,
  type SiteTexts,
  useSiteTexts,
} from "./axis-texts.ts";
import { Row } from "./strips.tsx";
import styles from "./timeline.module.css";

/** Marks nearer than this share of the axis are one: their icons would lie over each other. */
const minShare = 0.018;

const percent = (share: number): string => `${(share * 100).toFixed(3)}%`;

const labelOf = (marks: readonly Mark[], t: SiteTexts): string => {
  const [first] = marks;
  if (!first) return "";
  const kind = t(`axis.mark.${first.kind}`);
  const time = momentText(first.from);
  return marks.length === 1
    ? t("axis.markOf", { kind, time, text: markText(first, t) })
    : t("axis.marksOf", { kind, time, count: marks.length });
};

/** The icon of several marks is that of the worst: the highest severity, an outcome that is not well. */
const worstOf = (marks: readonly Mark[]): Mark | undefined =>
  marks.toSorted((a, b) => (a.level ?? 9) - (b.level ?? 9))[0];

interface RowProps {
  readonly kind: MarkKind;
  readonly marks: readonly Mark[];
  readonly span: Span;
  readonly picked: readonly Mark[];
  onPick(marks: readonly Mark[]): void;
}

/** Marks of one kind on the axis; a press shows what they are. */
export function MarkRow({ kind, marks, span, picked, onPick }: RowProps) {
  const t = useSiteTexts();
  const marksOfKind = marks.filter((mark) => mark.kind === kind);
  return (
    <Row
      label={
        <>
          <span className={styles.name}>{t(`axis.mark.${kind}`)}</span>
          <span className={styles.reading}>{marksOfKind.length}</span>
        </>
      }
    >
      <div className={styles.marks}>
        {marksOfKind.length === 0 && <span className="w-quiet">{t("axis.none")}</span>}
        {kind === "alarm" &&
          marksOfKind.map(({ id, from, to }) => {
            const left = shareOf(from.getTime(), span);
            const right = shareOf(to?.getTime() ?? span.to, span);
            const style = { left: percent(left), width: percent(right - left) };
            return <i key={id} className={styles.lasting} style={style} />;
          })}
        {clustersOf(marksOfKind, span, minShare).map((cluster) => (
          <MarkButton
            key={cluster[0]?.id}
            cluster={cluster}
            span={span}
            isPicked={cluster[0] !== undefined && picked.includes(cluster[0])}
            onPick={onPick}
          />
        ))}
      </div>
    </Row>
  );
}

interface ButtonProps extends Pick<RowProps, "span" | "onPick"> {
  readonly cluster: readonly Mark[];
  readonly isPicked: boolean;
}

function MarkButton({ cluster, span, isPicked, onPick }: ButtonProps) {
  const t = useSiteTexts();
  const worst = worstOf(cluster);
  if (!worst) return null;
  const label = labelOf(cluster, t);
  const at = shareOf((cluster[0] ?? worst).from.getTime(), span);
  return (
    <button
      type="button"
      className={styles.mark}
      aria-pressed={isPicked}
      aria-label={label}
      title={label}
      style={{ "--at": percent(at) } as Record<string, string>}
      onClick={() => onPick(isPicked ? [] : cluster)}
    >
      <StatusGlyph glyph={markGlyph(worst)} />
      {cluster.length > 1 && <span>{cluster.length}</span>}
    </button>
  );
}

/** How many are listed while none is picked. */
const latest = 5;

interface ListProps {
  readonly marks: readonly Mark[];
  readonly picked: readonly Mark[];
  readonly node: Parameters<typeof sitePath>[0];
  /** Range in the address, as text; null: it says none. */
  readonly range: string | null;
  onClear(): void;
}

/** What the picked marks are, else the latest ones; each leads to where it is looked at in full. */
export function MarkList({ marks, picked, node, range, onClear }: ListProps) {
  const t = useSiteTexts();
  const shown = picked.length > 0 ? picked : marks.slice(-latest).reverse();
  if (shown.length === 0) return <p className="w-quiet">{t("axis.nothing")}</p>;
  const title = t(picked.length > 0 ? "axis.picked" : "axis.latest");
  return (
    <section className={styles.listed} aria-label={title}>
      <div className={styles.listHead}>
        <h3>{title}</h3>
        {picked.length > 0 && (
          <Button size="small" type="text" onClick={onClear}>
            {t("axis.unpick")}
          </Button>
        )}
      </div>
      <ul>
        {shown.map((mark) => (
          <li key={`${mark.kind}-${mark.id}`}>
            <time dateTime={mark.from.toISOString()}>{momentText(mark.from)}</time>
            <span className="w-state">
              <StatusGlyph glyph={markGlyph(mark)} />
              {t(`axis.mark.${mark.kind}`)}
            </span>
            <span className={styles.story}>{markText(mark, t)}</span>
            {mark.kind === "alarm" && (
              <span className="w-quiet">
                {mark.to === null
                  ? t("axis.lasting")
                  : t("axis.ended", { time: momentText(mark.to) })}
              </span>
            )}
            <Link className="w-link" to={markPath(mark, node, range)}>
              {t(`axis.open.${mark.kind}`)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
