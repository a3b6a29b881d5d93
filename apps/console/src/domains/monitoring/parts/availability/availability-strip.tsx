import { availability, type watchedKinds } from "@weft/contract/domains/monitoring/node-report.ts";
import { defineMessages } from "@weft/contract/kernel/message.ts";
import Segmented from "antd/es/segmented";
import { useState } from "react";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { Failed, Loading } from "#feedback/empty-state.tsx";
import { useWindow } from "#parts/range/use-window.ts";
import { Card } from "#ui/card.tsx";
import { numberText } from "#ui/number-text.tsx";
import { stampText } from "#ui/time-text.tsx";
import styles from "./availability-strip.module.css";
import { availabilityText, isSignificant, type StretchState, stateOf } from "./share.ts";

const availabilityMessages = defineMessages({
  "availability.title": ["可用率", "Availability"],
  "availability.range": ["时间范围", "Time range"],
  "availability.day": ["24 小时", "24 h"],
  "availability.week": ["7 天", "7 d"],
  "availability.percent": ["在线率 {percent} %（按有效采样）", "{percent} % up (of known time)"],
  "availability.none": ["这段时间没有记录", "No data for this range"],
  "availability.short": [
    "有效采样仅 {time}，不足以计算可用率",
    "Known for {time} only, too short for a rate",
  ],
  "availability.outages": ["中断 {count} 次", "outages: {count}"],
  "availability.unknown": ["未知 {time}", "Unknown for {time}"],
  "availability.bucket": [
    "{time}：在线 {up}，中断 {down}，未知 {unknown}",
    "{time}: up {up}, down {down}, unknown {unknown}",
  ],
  "availability.up": ["在线", "Up"],
  "availability.down": ["中断", "Down"],
  "availability.gap": ["未知", "Unknown"],
  "availability.hours": ["{count} 小时", "{count} h"],
  "availability.minutes": ["{count} 分钟", "{count} min"],
});

interface Props {
  readonly kind: (typeof watchedKinds)[number];
  readonly id: number;
}

const ranges = ["day", "week"] as const;
const states: readonly StretchState[] = ["up", "down", "unknown"];

/** When a node, line or link was up, down, or out of sight, with the share of the time known. */
export function AvailabilityStrip({ kind, id }: Props) {
  const t = useTexts(availabilityMessages);
  const [name, choose] = useState<(typeof ranges)[number]>("day");
  const range = useWindow(name);
  const result = useCall(availability, { kind, id, ...range }, { keep: true });
  const span = (seconds: number): string =>
    seconds >= 7_200
      ? t("availability.hours", { count: numberText(seconds / 3_600, 1) })
      : t("availability.minutes", { count: numberText(Math.round(seconds / 60)) });
  const { data } = result;
  return (
    <Card
      title={t("availability.title")}
      extra={
        <Segmented
          size="small"
          aria-label={t("availability.range")}
          value={name}
          onChange={choose}
          options={ranges.map((value) => ({ value, label: t(`availability.${value}`) }))}
        />
      }
    >
      {data ? (
        <>
          <ul className={styles.strip}>
            {data.buckets.map(({ time, ...seconds }) => {
              const { up, down, unknown } = seconds;
              const shares = { up: span(up), down: span(down), unknown: span(unknown) };
              const label = t("availability.bucket", { time: stampText(time), ...shares });
              return (
                <li key={time.getTime()} className={styles[stateOf(seconds)]} title={label}>
                  <span className="w-hidden">{label}</span>
                </li>
              );
            })}
          </ul>
          <div className={styles.foot}>
            <strong>
              {data.percent === null
                ? t("availability.none")
                : isSignificant(data)
                  ? t("availability.percent", { percent: availabilityText(data.percent) })
                  : t("availability.short", { time: span(data.up + data.down) })}
            </strong>
            <span>{t("availability.outages", { count: data.outages })}</span>
            <span className={styles.keys} aria-hidden="true">
              {states.map((state) => (
                <span key={state}>
                  <i className={`${styles.key} ${styles[state]}`} />
                  {state !== "unknown"
                    ? t(`availability.${state}`)
                    : data.unknown > 0
                      ? t("availability.unknown", { time: span(data.unknown) })
                      : t("availability.gap")}
                </span>
              ))}
            </span>
          </div>
        </>
      ) : result.error ? (
        <Failed error={result.error} retry={result.refetch} />
      ) : (
        <div className={styles.waiting}>
          <Loading rows={1} />
        </div>
      )}
    </Card>
  );
}
