import type { NodeState } from "#domains/delivery/parts/state/delivery.ts";
import { EmptyState } from "#feedback/empty-state.tsx";
import type { Column } from "#kernel/list/columns.tsx";
import { stateColumn, textColumn } from "#kernel/list/columns.tsx";
import { PlainTable } from "#kernel/list/resource-table.tsx";
import { Card } from "#ui/card.tsx";
import { Copyable } from "#ui/copyable.tsx";
import { StateText } from "#ui/glyph.tsx";
import { Missing } from "#ui/missing.tsx";
import styles from "./node-facts.module.css";
import { type NodeTexts, useNodeTexts } from "./node-texts.ts";

type ReportedLine = NodeState["lines"][number];
type Capability = NodeState["capabilities"][number];

const lineColumns = (t: NodeTexts): Column<ReportedLine>[] => [
  stateColumn(
    "up",
    t("link.state"),
    (row: ReportedLine) =>
      row.up ? { glyph: "ok", label: t("line.up") } : { glyph: "bad", label: t("line.down") },
    {
      width: 112,
    },
  ),
  textColumn("interfaceName", t.field("interfaceName"), (row: ReportedLine) => row.interfaceName, {
    width: 96,
  }),
  textColumn(
    "addressing",
    t.field("addressing"),
    (row: ReportedLine) => t.code("addressing", row.addressing),
    { width: 104 },
  ),
  {
    key: "address",
    title: t.field("currentIp"),
    cell: (row) =>
      row.address === null ? (
        <Missing reason={t("node.addressNone")} />
      ) : (
        <Copyable text={row.address} short={28} />
      ),
  },
];

/** Lines as the device reported them: what it really has, not what was set. */
export function ReportedLines({ state }: { readonly state: NodeState }) {
  const t = useNodeTexts();
  const rows = [...state.lines].sort((line, other) => Number(line.up) - Number(other.up));
  return (
    <Card title={t("node.card.lines")} flush>
      <PlainTable
        rows={rows}
        rowKey="interfaceName"
        columns={lineColumns(t)}
        empty={<EmptyState kind="good" text={t("node.linesEmpty")} />}
      />
    </Card>
  );
}

const byName = (one: Capability, other: Capability): number => one.name.localeCompare(other.name);

/** What this device cannot do, with the reason; what it can is folded away. */
export function Capabilities({ state }: { readonly state: NodeState }) {
  const t = useNodeTexts();
  const cannot = state.capabilities.filter(({ can }) => !can).sort(byName);
  const can = state.capabilities.filter((capability) => capability.can).sort(byName);
  return (
    <Card title={t("node.card.capabilities")}>
      {state.capabilities.length === 0 && (
        <span className="w-quiet">{t("node.capabilitiesEmpty")}</span>
      )}
      {cannot.length > 0 && (
        <ul className={styles.cannot}>
          {cannot.map(({ name, reason }) => (
            <li key={name}>
              <StateText glyph="warn" label={t("node.cannot")} />
              <span className="w-mono">{name}</span>
              <span className={styles.reason}>{reason ?? <Missing />}</span>
            </li>
          ))}
        </ul>
      )}
      {can.length > 0 && (
        <details className={styles.can}>
          <summary>
            <StateText
              glyph="ok"
              label={t(cannot.length === 0 ? "node.capabilitiesAll" : "node.can", {
                count: can.length,
              })}
            />
          </summary>
          <p className="w-mono">{can.map(({ name }) => name).join(", ")}</p>
        </details>
      )}
    </Card>
  );
}
