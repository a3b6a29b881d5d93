import { availability, type watchedKinds } from "@weft/contract/domains/monitoring/node-report.ts";
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
import { availabilityMessages } from "./messages.ts";
import { availabilityText, isSignificant, type StretchState, stateOf } from "./share.ts";

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
