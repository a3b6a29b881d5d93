import {
  type ToneCounts as Counts,
  type HealthTone,
  healthCounts,
} from "@weft/contract/domains/devices/health.ts";
import { consoleNumbers } from "@weft/contract/domains/monitoring/console-numbers.ts";
import type { InputOf } from "@weft/contract/kernel/endpoint.ts";
import { Link } from "react-router";
import { paths } from "#client/paths.ts";
import { useMay } from "#client/session.tsx";
import { refreshEvery, useCall } from "#client/use-call.ts";
import { shortHead, useNarrow } from "#ui/use-narrow.ts";
import styles from "./node-counts.module.css";
import { useNodeTexts } from "./node-texts.ts";
import { ToneCounts } from "./tone-counts.tsx";

interface Props {
  readonly kind: "cpe" | "pop";
  /** Filters of the list: the counts follow them, but for the one on the tone. */
  readonly filters: Omit<InputOf<typeof healthCounts>, "classType">;
  /** The filter on the tone that is on now. */
  readonly picked: HealthTone | null;
  readonly onPick: (tone: HealthTone | null) => void;
}

const noCounts: Counts = { bad: 0, warn: 0, run: 0, unknown: 0, ok: 0, off: 0 };

/** Counts above a list of nodes: they follow the filter, a click filters; who waits for approval. */
export function NodeCounts({ kind, filters, picked, onPick }: Props) {
  const t = useNodeTexts();
  const may = useMay();
  const isShort = useNarrow(shortHead);
  const numbers = useCall(consoleNumbers, {}, { every: refreshEvery });
  const { enrolmentPending: all = 0, enrolmentPendingPop: pops = 0 } = numbers.data ?? {};
  const pending = kind === "pop" ? pops : all - pops;
  const result = useCall(
    healthCounts,
    { classType: kind, ...filters },
    { every: refreshEvery, keep: true },
  );
  const text =
    pending === 1 ? t("node.pendingCountOne") : t("node.pendingCount", { count: pending });
  return (
    <span className={styles.strip}>
      {result.data ? (
        <ToneCounts counts={result.data} onPick={(tone) => onPick(picked === tone ? null : tone)} />
      ) : (
        // What is not known is not shown as none; its place is kept.
        <span className={styles.comes} aria-hidden="true">
          <ToneCounts counts={noCounts} />
        </span>
      )}
      {/* POPs are few and seldom new: no room is kept for those that wait. */}
      {may("cpeActive") && (kind === "cpe" || pending > 0) && (
        <span className={styles.pending}>
          {pending > 0 && (
            <Link className="w-link" to={paths.enrolment()} {...(isShort && { title: text })}>
              {isShort ? t("node.pendingShort", { count: pending }) : text}
            </Link>
          )}
        </span>
      )}
    </span>
  );
}
