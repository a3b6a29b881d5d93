import { pop } from "@weft/contract/domains/devices/pop.ts";
import { wallboardData } from "@weft/contract/domains/monitoring/wallboard.ts";
import { expireDevice } from "@weft/contract/domains/notifications/notice.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { defineMessages } from "@weft/contract/kernel/message.ts";
import { type CSSProperties, type ReactNode, useEffect, useState } from "react";
import { systemName, useSession } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { refreshEvery, useCall } from "#client/use-call.ts";
import { toneOf } from "#domains/devices/parts/node/health.ts";
import { healthGlyphs } from "#parts/health/health-glyphs.ts";
import { type Glyph, StatusGlyph } from "#ui/glyph.tsx";
import { Mark } from "#ui/mark.tsx";
import { clockText, stampText } from "#ui/time-text.tsx";
import { isStale, pageAt, scaleOf } from "./layout.ts";
import styles from "./wallboard.module.css";

const wallboardMessages = defineMessages({
  "screen.stale": ["数据截至 {time}", "Data as of {time}"],
  "screen.sites": ["在线 CPE / 全部", "CPEs online / all"],
  "screen.pops": ["在线 POP / 全部", "POPs online / all"],
  "screen.links": ["正常链路 / 全部", "Links up / all"],
  "screen.enterprises": ["企业", "Enterprises"],
  "screen.spaces": ["网络空间", "Network spaces"],
  "screen.causes": ["当前问题", "Problems now"],
  "screen.downLinks": ["中断的链路", "Links that are down"],
  "screen.allUp": ["所有链路正常", "All links are up"],
  "screen.popLoad": ["POP 的链路", "Links of POPs"],
  "screen.linksUp": ["{up} / {all} 正常", "{up} / {all} up"],
  "screen.noPops": ["还没有 POP", "No POPs yet"],
  "screen.expiring": ["即将到期和已到期的 CPE", "CPEs due soon or expired"],
  "screen.noneExpires": ["没有即将到期的 CPE", "Nothing is due soon"],
});

const rowCount = 7;

/** The window's size, followed. */
const useScale = (): number => {
  const [scale, setScale] = useState(() => scaleOf(innerWidth, innerHeight));
  useEffect(() => {
    const follow = (): void => setScale(scaleOf(innerWidth, innerHeight));
    addEventListener("resize", follow);
    return () => removeEventListener("resize", follow);
  }, []);
  return scale;
};

/** The time, each second. */
const useNow = (): Date => {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
};

/**
 * The network at a glance, for a wall: always dark, one canvas scaled into the window. On a phone
 * it would be too small to read: there its parts are stacked.
 */
export default function WallboardPage() {
  const t = useTexts(wallboardMessages);
  const session = useSession();
  const scale = useScale();
  const now = useNow();
  const result = useCall(wallboardData, {}, { every: refreshEvery });
  const stale = result.asOf !== null && isStale(result.asOf, now);
  return (
    <div className={styles.wall}>
      <main className={styles.canvas} style={{ "--scale": scale } as CSSProperties}>
        <header className={styles.head}>
          <span className={styles.logo}>
            <Mark size={40} /> {systemName(session)}
          </span>
          <h1>SD-WAN</h1>
          <time>{stampText(now)}</time>
        </header>
        {stale && result.asOf && (
          <p className={styles.stale} role="alert">
            {t("screen.stale", { time: clockText(result.asOf) })}
          </p>
        )}
        <Grid data={result.data} now={now} />
      </main>
    </div>
  );
}

interface GridProps {
  readonly data: OutputOf<typeof wallboardData> | undefined;
  readonly now: Date;
}

function Grid({ data, now }: GridProps) {
  const numbers = data?.counts;
  const t = useTexts(wallboardMessages);
  const of = (on: number | undefined, all: number | undefined): string =>
    on === undefined || all === undefined ? "—" : `${on} / ${all}`;
  return (
    <div className={styles.grid}>
      <section className={styles.metrics}>
        <Tile label={t("screen.sites")} value={of(numbers?.cpeOnline, numbers?.cpe)} />
        <Tile label={t("screen.pops")} value={of(numbers?.popOnline, numbers?.pop)} />
        <Tile label={t("screen.links")} value={of(numbers?.linkUp, numbers?.link)} />
        <Tile label={t("screen.enterprises")} value={String(numbers?.enterprise ?? "—")} />
        <Tile label={t("screen.spaces")} value={String(numbers?.netSpace ?? "—")} />
        <Tile label={t("screen.causes")} value={String(data?.causeCount ?? "—")} />
      </section>
      <DownLinks links={data?.links ?? []} now={now} />
      <Pops now={now} />
      <Expiring now={now} />
    </div>
  );
}

function Tile({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div className={styles.metric}>
      <strong>{value}</strong>
      <span>{label}</span>
    </div>
  );
}

interface Line {
  readonly key: number;
  readonly glyph: Glyph;
  readonly name: string;
  readonly value: ReactNode;
}
interface PanelProps {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly none: string;
  readonly now: Date;
}

/** A list that turns its pages by itself, as a wallboard has no user to scroll it. */
function Panel({ title, lines, none, now }: PanelProps) {
  const shown = pageAt(lines, rowCount, now);
  return (
    <section className={styles.panel}>
      <h2>
        {title} <small>{lines.length}</small>
      </h2>
      {lines.length === 0 && <p>{none}</p>}
      <ul>
        {shown.map(({ key, glyph, name, value }) => (
          <li key={key}>
            <StatusGlyph glyph={glyph} size={18} />
            <span className="w-cut">{name}</span>
            <span>{value}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface DownProps {
  readonly links: OutputOf<typeof wallboardData>["links"];
  readonly now: Date;
}

function DownLinks({ links, now }: DownProps) {
  const t = useTexts(wallboardMessages);
  const lines = links.map(({ id, source, target, netSpaceName }): Line => {
    const name = `${source.name} — ${target.name}`;
    return { key: id, glyph: "bad", name, value: netSpaceName };
  });
  return <Panel title={t("screen.downLinks")} lines={lines} none={t("screen.allUp")} now={now} />;
}

function Pops({ now }: { readonly now: Date }) {
  const t = useTexts(wallboardMessages);
  const input = {
    page: 1,
    limit: 40,
    name: null,
    groupid: null,
    linkStatus: null,
    tone: null,
    key: null,
    orderByColumn: "health",
    isAsc: "asc" as const,
  };
  const { data = [] } = useCall(pop.ops.list, input, { every: refreshEvery });
  const lines = data.map((row): Line => {
    const glyph = healthGlyphs[toneOf(row.health)];
    const value = t("screen.linksUp", { up: row.linksUp, all: row.links });
    return { key: row.id, glyph, name: row.name, value };
  });
  return <Panel title={t("screen.popLoad")} lines={lines} none={t("screen.noPops")} now={now} />;
}

function Expiring({ now }: { readonly now: Date }) {
  const t = useTexts(wallboardMessages);
  const { data } = useCall(expireDevice, {}, { every: 1_800_000 });
  const lines = (data?.cpeList ?? []).map(
    ({ id, alias, expireTime }): Line => ({
      key: id,
      name: alias,
      value: stampText(expireTime).slice(0, 10),
      glyph: expireTime.getTime() <= now.getTime() ? "bad" : "warn",
    }),
  );
  return (
    <Panel title={t("screen.expiring")} lines={lines} none={t("screen.noneExpires")} now={now} />
  );
}
