import Checkbox from "antd/es/checkbox";
import { type ReactNode, useId, useState } from "react";
import { useTexts } from "#client/texts.ts";
import type { Column } from "./columns.tsx";
import { type RowAction, RowActions } from "./row-actions.tsx";

/** Values that a card shows besides name and state: more would be a second screen. */
const maxValues = 4;

/** px of a card's padding with its edge, of its name, of a value, of the actions, and between them. */
const cardSizes = { around: 25, name: 22, value: 22, actions: 24, gap: 8, valueGap: 4 } as const;

/** px of a card with all that these columns show in it. */
export function cardHeight(columns: number, hasState: boolean, hasActions: boolean): number {
  const values = Math.min(columns - (hasState ? 2 : 1), maxValues);
  const { around, name, value, actions, gap, valueGap } = cardSizes;
  return (
    around +
    name +
    (values > 0 ? gap + values * value + (values - 1) * valueGap : 0) +
    (hasActions ? gap + actions : 0)
  );
}

interface Props<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly rowKey: keyof Row & string;
  readonly actions?: ((row: Row) => readonly RowAction[]) | undefined;
  /** What a card opens to. */
  readonly expanded?: ((row: Row) => ReactNode) | undefined;
  readonly selected?: { readonly ids: readonly number[]; toggle(row: Row): void } | undefined;
}

/** A table on a narrow screen: one card a row. */
export function RowCards<Row extends object>(props: Props<Row>) {
  const { rows, columns, rowKey, actions, selected, expanded } = props;
  const t = useTexts();
  const top = columns.find((column) => column.part === "name") ?? columns[0];
  const state = columns.find((column) => column.part === "state");
  const rest = columns.filter((column) => column !== top && column !== state).slice(0, maxValues);
  return (
    <ul className="w-cards">
      {rows.map((row) => (
        <li
          key={String(row[rowKey])}
          data-row-key={String(row[rowKey])}
          className="w-row-card"
          // Keys move over rows: ui/keys.
          tabIndex={-1}
        >
          <div className="w-row-card-head">
            {selected && (
              <Checkbox
                checked={selected.ids.includes(row[rowKey] as number)}
                onChange={() => selected.toggle(row)}
                aria-label={t("list.selectRow", { name: String(row[rowKey]) })}
              />
            )}
            <strong>{top?.cell(row)}</strong>
            {state && <span>{state.cell(row)}</span>}
          </div>
          <dl>
            {rest.map((column) => (
              <div key={column.key}>
                <dt>{column.title}</dt>
                <dd>{column.cell(row)}</dd>
              </div>
            ))}
          </dl>
          <Foot row={row} actions={actions?.(row)} expanded={expanded} />
        </li>
      ))}
    </ul>
  );
}

interface FootProps<Row> {
  readonly row: Row;
  readonly actions: readonly RowAction[] | undefined;
  readonly expanded: ((row: Row) => ReactNode) | undefined;
}

/** What can be done with the row, and behind it the way to what its card opens to. */
function Foot<Row>({ row, actions, expanded }: FootProps<Row>) {
  const t = useTexts();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  if (!expanded) return actions && <RowActions actions={actions} />;
  return (
    <>
      <div className="w-row-card-foot">
        {actions && <RowActions actions={actions} />}
        <button
          type="button"
          className="w-link-button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {t(isOpen ? "list.close" : "list.open")}
        </button>
      </div>
      <div id={id} hidden={!isOpen}>
        {isOpen && expanded(row)}
      </div>
    </>
  );
}
