import { circuit, circuitReport } from "@weft/contract/domains/overlay/circuit.ts";
import { paths, useNumberParam } from "#client/paths.ts";
import { useSearch, withParam } from "#client/search.ts";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { Await } from "#feedback/await.tsx";
import { EmptyState } from "#feedback/empty-state.tsx";
import { useRange } from "#parts/range/use-range.ts";
import { CircuitCharts, ReportPage } from "./circuit-report.tsx";
import { circuitMessages } from "./messages.ts";

/** Circuits that the choice offers. */
const maxCircuits = 1_000;

/** One circuit over time (section 2.4); without one in the address the first of the list. */
export default function CircuitTablePage() {
  const t = useTexts(circuitMessages);
  const linkedId = useNumberParam("id");
  const picked = useRange("24h");
  const [, changeSearch] = useSearch();
  const all = useCall(circuit.ops.list, {
    name: null,
    groupid: null,
    page: 1,
    limit: maxCircuits,
    orderByColumn: "name",
    isAsc: "asc",
  });
  const row = linkedId === null ? all.data?.[0] : all.data?.find(({ id }) => id === linkedId);
  // A circuit in the address that is not in the list is never replaced by another.
  const isAbsent = linkedId !== null && all.data !== undefined && !row;
  const result = useCall(circuitReport, row ? { id: row.id, ...picked.range } : null, {
    keep: true,
  });
  return (
    <ReportPage
      title={t("circuit.reportOf", { name: row?.name ?? "" })}
      picked={picked}
      choice={{
        label: t("circuit.choose"),
        value: row?.id ?? null,
        options: (all.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
        pick: (id) => changeSearch(withParam("id", String(id))),
      }}
    >
      <Await result={all}>
        {(circuits) =>
          isAbsent ? (
            <EmptyState
              kind="waiting"
              text={t("page.notFound")}
              action={{ label: t("circuit.back"), to: paths.circuits() }}
            />
          ) : circuits.length === 0 ? (
            <EmptyState
              kind="first"
              text={t("circuit.empty")}
              action={{ label: t("circuit.back"), to: paths.circuits() }}
            />
          ) : (
            <>
              {row?.links === 0 && <p className="w-quiet">{t("circuit.noLinks")}</p>}
              <CircuitCharts found={result} points={result.data} title={row?.name ?? ""} quality />
            </>
          )
        }
      </Await>
    </ReportPage>
  );
}
