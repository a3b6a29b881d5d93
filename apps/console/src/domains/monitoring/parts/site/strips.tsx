import type { SiteOverview, Stretch } from "@weft/contract/domains/monitoring/site-overview.ts";
import { memo, type ReactNode } from "react";
import { availabilityText, isSignificant } from "#domains/monitoring/parts/availability/share.ts";
import { millis, percents } from "#parts/chart/value-texts.ts";
import { StatusGlyph } from "#ui/glyph.tsx";
import {
  type AxisLink,
  type Grade,
  measuredAt,
  type Segment,
  type Span,
  type Steps,
  segmentsOf,
  shareOf,
  troubleOf,
} from "./axis.ts";
import { lengthText, momentText, type SiteTexts, useSiteTexts } from "./axis-texts.ts";
import styles from "./timeline.module.css";

interface RowProps {
  readonly label: ReactNode;
  readonly children: ReactNode;
}

/** One line of the axis: what it is about, and the time beside it. */
export function Row({ label, children }: RowProps) {
  return (
    <div className={styles.row}>
      <div className={styles.label}>{label}</div>
      <div className={styles.plot}>{children}</div>
    </div>
  );
}

interface StripProps {
  readonly segments: readonly Segment[];
  readonly span: Span;
  /** What it shows, for who cannot see it. */
  readonly label: string;
  readonly nameOf: (grade: Grade) => string;
}

const percent = (share: number): string => `${(share * 100).toFixed(3)}%`;

/** Time in pieces: worse ones are higher, so that they are distinguished without colour. */
function Strip({ segments, span, label, nameOf }: StripProps) {
  return (
    <div className={styles.strip} role="img" aria-label={label}>
      {segments.map(({ from, to, grade }) => {
        const left = shareOf(from, span);
        return (
          <i
            key={from}
            data-grade={grade}
            title={`${momentText(from)} – ${momentText(to)} ${nameOf(grade)}`}
            style={{ left: percent(left), width: percent(shareOf(to, span) - left) }}
          />
        );
      })}
    </div>
  );
}

const gradeOfState = { up: "good", down: "down", unknown: "unknown" } as const;

const segmentsOfStretches = (stretches: readonly Stretch[]): Segment[] =>
  stretches.map(({ from, to, state }) => ({
    from: from.getTime(),
    to: to.getTime(),
    grade: gradeOfState[state],
  }));

const stateName = (grade: Grade, t: SiteTexts): string =>
  t(`axis.state.${grade === "good" ? "up" : grade === "down" ? "down" : "unknown"}`);

interface StateRowProps {
  readonly name: string;
  readonly label: ReactNode;
  readonly stretches: readonly Stretch[];
  readonly span: Span;
}

function StateRow({ name, label, stretches, span }: StateRowProps) {
  const t = useSiteTexts();
  const segments = segmentsOfStretches(stretches);
  return (
    <Row label={label}>
      <Strip
        segments={segments}
        span={span}
        label={t("axis.strip", { name, time: lengthText(troubleOf(segments), t) })}
        nameOf={(grade) => stateName(grade, t)}
      />
    </Row>
  );
}

/** Seconds of each state. */
const secondsOf = (stretches: readonly Stretch[]) => {
  const of = (state: Stretch["state"]): number =>
    stretches
      .filter((stretch) => stretch.state === state)
      .reduce((sum, { from, to }) => sum + (to.getTime() - from.getTime()) / 1_000, 0);
  return { up: of("up"), down: of("down"), unknown: of("unknown") };
};

/** When the device was in contact with the controller. */
export const ContactRow = memo(function ContactRow({
  contact,
  span,
}: {
  readonly contact: readonly Stretch[];
  readonly span: Span;
}) {
  const t = useSiteTexts();
  const seconds = secondsOf(contact);
  const share = (100 * seconds.up) / (seconds.up + seconds.down);
  return (
    <StateRow
      name={t("axis.contact")}
      label={
        <>
          <span className={styles.name}>{t("axis.contact")}</span>
          {isSignificant(seconds) && (
            <span className={styles.reading}>
              {t("axis.contactPercent", { percent: availabilityText(share) })}
            </span>
          )}
        </>
      }
      stretches={contact}
      span={span}
    />
  );
});

/** When a WAN line was up. */
export const LineRow = memo(function LineRow({
  line,
  span,
}: {
  readonly line: SiteOverview["lines"][number];
  readonly span: Span;
}) {
  const name = `${line.interfaceName} ${line.name}`;
  const carrier = line.isp !== "" && line.isp !== line.name ? line.isp : null;
  return (
    <StateRow
      name={name}
      label={
        <>
          <span className={styles.name}>{name}</span>
          {carrier && <span className={styles.reading}>{carrier}</span>}
        </>
      }
      stretches={line.stretches}
      span={span}
    />
  );
});

export interface Swatch {
  readonly colour: string;
  readonly dash: string;
}

interface LinkRowProps {
  readonly link: AxisLink;
  readonly steps: Steps;
  readonly span: Span;
  /** Moment below the cursor; null: now. */
  readonly at: number | null;
  /** Its line in the charts; null: it has none. */
  readonly swatch: Swatch | null;
}

/** How one path did, and what was measured below the cursor. */
export function LinkRow({ link, steps, span, at, swatch }: LinkRowProps) {
  const t = useSiteTexts();
  const { peer } = link;
  const name = t("axis.path", { peer: peer.name, slot: peer.slot });
  const measured = at === null ? link : measuredAt(link.quality, at, steps);
  return (
    <Row
      label={
        <>
          {swatch && (
            <svg width="16" height="8" aria-hidden="true" className={styles.swatch}>
              <line
                x1="0"
                y1="4"
                x2="16"
                y2="4"
                stroke={swatch.colour}
                strokeWidth="2"
                strokeDasharray={swatch.dash}
              />
            </svg>
          )}
          {!link.up && at === null && <StatusGlyph glyph="bad" label={t("axis.grade.down")} />}
          <span className={styles.name} title={`${name} ${link.spaceName}`}>
            {name}
          </span>
          <Reading loss={measured.loss} delay={measured.delay} />
        </>
      }
    >
      <LinkStrip link={link} steps={steps} span={span} name={name} />
    </Row>
  );
}

const LinkStrip = memo(function LinkStrip({
  link,
  steps,
  span,
  name,
}: Pick<LinkRowProps, "link" | "steps" | "span"> & { readonly name: string }) {
  const t = useSiteTexts();
  const segments = segmentsOf(link, steps, span);
  return (
    <Strip
      segments={segments}
      span={span}
      label={t("axis.strip", { name, time: lengthText(troubleOf(segments), t) })}
      nameOf={(grade) => t(`axis.grade.${grade}`)}
    />
  );
});

function Reading({ loss, delay }: { readonly loss: number | null; readonly delay: number | null }) {
  const t = useSiteTexts();
  if (loss === null && delay === null) return <span className={styles.reading}>—</span>;
  return (
    <span className={styles.reading}>
      {t("axis.reading", {
        loss: loss === null ? "—" : percents.text(loss),
        delay: delay === null ? "—" : millis.text(delay),
      })}
    </span>
  );
}
