import { consoleNumbers } from "@weft/contract/domains/devices/node-state.ts";
import { Link } from "react-router";
import { paths } from "#client/paths.ts";
import { useMay } from "#client/session.tsx";
import { refreshEvery, useCall } from "#client/use-call.ts";
import { StateCounts } from "#ui/glyph.tsx";
import styles from "./node-counts.module.css";
import { useNodeTexts } from "./node-texts.ts";

interface Props {
  /** Counts under the filters of the list, without the one on the state. */
  readonly offline: number | null;
  readonly online: number | null;
  /** The filter on the state that is on now. */
  readonly picked: number | null;
  readonly onPick: (linkStatus: 0 | 1 | null) => void;
}

/** Counts above a list of nodes: they follow the filter, a click filters; who waits for approval. */
export function NodeCounts({ offline, online, picked, onPick }: Props) {
  const t = useNodeTexts();
  const may = useMay();
  const numbers = useCall(consoleNumbers, {}, { every: refreshEvery });
  const pending = numbers.data?.enrolmentPending ?? 0;
  return (
    <span className={styles.strip}>
      <StateCounts
        counts={[
          { glyph: "bad", count: offline ?? 0, label: t.code("linkStatus", 0) },
          { glyph: "ok", count: online ?? 0, label: t.code("linkStatus", 1) },
        ]}
        onPick={(glyph) => {
          const state = glyph === "ok" ? 1 : 0;
          onPick(picked === state ? null : state);
        }}
      />
      {may("cpeActive") && (
        <span className={styles.pending}>
          {pending > 0 && (
            <Link className="w-link" to={paths.enrolment()}>
              {pending === 1
                ? t("node.pendingCountOne")
                : t("node.pendingCount", { count: pending })}
            </Link>
          )}
        </span>
      )}
    </span>
  );
}
