import Button from "antd/es/button";
import Checkbox from "antd/es/checkbox";
import Switch from "antd/es/switch";
import { type ReactNode, useId, useState } from "react";
import { useTexts } from "#client/texts.ts";
import { useSavedColumns } from "#feedback/use-saved-columns.ts";
import { Popover } from "#ui/overlay/popover.tsx";
import { useNarrow } from "#ui/use-narrow.ts";
import type { Column } from "./columns.tsx";

/** What a person wants to see of one table. */
interface Choice {
  readonly shown: readonly string[];
  readonly isDense: boolean;
}

/** How high rows are belongs to the screen one sits at, so this browser remembers it. */
const denseKey = (table: string): string => `dense:${table}`;

const readDense = (table: string): boolean => {
  try {
    return localStorage.getItem(denseKey(table)) === "1";
  } catch {
    return false;
  }
};

const writeDense = (table: string, isDense: boolean): void => {
  try {
    localStorage.setItem(denseKey(table), isDense ? "1" : "0");
  } catch {
    // Not stored, but still selected.
  }
};

export interface ShownColumns<Row> {
  readonly columns: readonly Column<Row>[];
  readonly all: readonly Column<Row>[];
  readonly isDense: boolean;
  toggle(key: string): void;
  setDense(isDense: boolean): void;
}

/** Columns as the person wants them, kept with the account (section 7.1, sysSearchRel). */
export const useShownColumns = <Row,>(
  table: string,
  all: readonly Column<Row>[],
): ShownColumns<Row> => {
  const { kept, save } = useSavedColumns(table);
  const preset = all.filter((column) => !column.optional).map((column) => column.key);
  const [choice, setChoice] = useState<Choice>(() => ({
    shown: kept.length > 0 ? kept : preset,
    isDense: readDense(table),
  }));
  const { shown, isDense } = choice;
  return {
    all,
    // A row without its name is no row.
    columns: all.filter((column) => column.part === "name" || shown.includes(column.key)),
    isDense,
    toggle: (key) => {
      const wanted = new Set(
        shown.includes(key) ? shown.filter((text) => text !== key) : [...shown, key],
      );
      const next = all.map((column) => column.key).filter((text) => wanted.has(text));
      setChoice({ isDense, shown: next });
      save(next);
    },
    setDense: (next) => {
      setChoice({ shown, isDense: next });
      writeDense(table, next);
    },
  };
};

interface MenuProps<Row> {
  readonly shown: ShownColumns<Row>;
  /** What stands above the columns where there is no room for it beside the button. */
  readonly before?: ReactNode;
}

/** Which columns are shown, and how high the rows are. */
export function ColumnsMenu<Row>({ shown, before }: MenuProps<Row>) {
  const t = useTexts();
  const id = useId();
  // Cards have no columns.
  if (useNarrow()) return null;
  const visible = new Set(shown.columns.map((column) => column.key));
  const content = (
    <div className="w-columns-menu">
      {before}
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
  const label = t(before ? "list.view" : "list.columns");
  return (
    <Popover label={label} content={content} placement="bottomRight" arrow={false}>
      <Button>{label}</Button>
    </Popover>
  );
}
