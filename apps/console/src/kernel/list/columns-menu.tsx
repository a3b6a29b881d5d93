import Button from "antd/es/button";
import Checkbox from "antd/es/checkbox";
import Popover from "antd/es/popover";
import Switch from "antd/es/switch";
import { useId, useState } from "react";
import { useTexts } from "#kernel/texts.ts";
import { useNarrow } from "#ui/use-narrow.ts";
import type { Column } from "./columns.tsx";

/** What a person wants to see of one table. */
interface Choice {
  readonly hidden: readonly string[];
  readonly isDense: boolean;
}

const keyOf = (table: string): string => `columns:${table}`;

const readChoice = (table: string): Choice | null => {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(keyOf(table)) ?? "null");
    const { hidden, isDense } = (found ?? {}) as Partial<Choice>;
    return Array.isArray(hidden) ? { hidden, isDense: isDense === true } : null;
  } catch {
    return null;
  }
};

const writeChoice = (table: string, choice: Choice): void => {
  try {
    localStorage.setItem(keyOf(table), JSON.stringify(choice));
  } catch {
    // Not remembered, still chosen.
  }
};

export interface ShownColumns<Row> {
  readonly columns: readonly Column<Row>[];
  readonly all: readonly Column<Row>[];
  readonly isDense: boolean;
  toggle(key: string): void;
  setDense(isDense: boolean): void;
}

/** Columns as the person wants them, remembered in this browser. */
export const useShownColumns = <Row,>(
  table: string,
  all: readonly Column<Row>[],
): ShownColumns<Row> => {
  const usual: Choice = {
    hidden: all.filter((column) => column.optional).map((column) => column.key),
    isDense: false,
  };
  const [choice, setChoice] = useState(() => readChoice(table) ?? usual);
  const change = (next: Choice): void => {
    setChoice(next);
    writeChoice(table, next);
  };
  const { hidden, isDense } = choice;
  return {
    all,
    columns: all.filter((column) => !hidden.includes(column.key)),
    isDense,
    toggle: (key) =>
      change({
        isDense,
        hidden: hidden.includes(key) ? hidden.filter((one) => one !== key) : [...hidden, key],
      }),
    setDense: (next) => change({ hidden, isDense: next }),
  };
};

/** Which columns are shown, and how high the rows are. */
export function ColumnsMenu<Row>({ shown }: { readonly shown: ShownColumns<Row> }) {
  const t = useTexts();
  const id = useId();
  // Cards have no columns.
  if (useNarrow()) return null;
  const visible = new Set(shown.columns.map((column) => column.key));
  const content = (
    <div className="w-columns-menu">
      {shown.all.map((column) => (
        <Checkbox
          key={column.key}
          checked={visible.has(column.key)}
          // A row without its name is no row.
          disabled={column.part === "name"}
          onChange={() => shown.toggle(column.key)}
        >
          {column.title}
        </Checkbox>
      ))}
      <label className="w-columns-dense" htmlFor={id}>
        <Switch id={id} size="small" checked={shown.isDense} onChange={shown.setDense} />
        {t("list.dense")}
      </label>
    </div>
  );
  return (
    <Popover content={content} trigger="click" placement="bottomRight" arrow={false}>
      <Button>{t("list.columns")}</Button>
    </Popover>
  );
}
