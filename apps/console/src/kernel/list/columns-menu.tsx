import { sysSearchRelEdit } from "@weft/contract/calls/saved-columns.ts";
import Button from "antd/es/button";
import Checkbox from "antd/es/checkbox";
import Popover from "antd/es/popover";
import Switch from "antd/es/switch";
import { useId, useRef, useState } from "react";
import { call } from "#kernel/call.ts";
import { useToast } from "#kernel/feedback/toast.tsx";
import { type Session, useSession } from "#kernel/session.tsx";
import { onSessionEnd } from "#kernel/session-state.ts";
import { useTexts } from "#kernel/texts.ts";
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
    // Not remembered, still chosen.
  }
};

/** Section 3 gives two tables names of their own; others go by the path of their list. */
const ownNames: Readonly<Record<string, string>> = {
  "/sdwan-system/cpe": "cpe",
  "/sdwan-system/mobileTerminal/account": "client",
};
const classTypeOf = (table: string): string => ownNames[table] ?? table;

/** Section 3: the session lists the columns of these two in fields of their own. */
const keptOf = (
  { colums, cpeColomn, clientColomn }: Pick<Session, "colums" | "cpeColomn" | "clientColomn">,
  classType: string,
): readonly string[] => {
  const own = classType === "cpe" ? cpeColomn : classType === "client" ? clientColomn : "";
  const listed = own.split(",").filter((key) => key !== "");
  return listed.length > 0 ? listed : (colums[classType] ?? []);
};

/** Columns that this page has saved since the session was loaded. */
const savedHere = new Map<string, readonly string[]>();
onSessionEnd(() => savedHere.clear());

/** A choice is sent once it has stood still for so long, in ms. */
const restMs = 600;

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
  const classType = classTypeOf(table);
  const session = useSession();
  const toast = useToast();
  const kept = savedHere.get(classType) ?? keptOf(session, classType);
  const usual = all.filter((column) => !column.optional).map((column) => column.key);
  const [choice, setChoice] = useState<Choice>(() => ({
    shown: kept.length > 0 ? kept : usual,
    isDense: readDense(table),
  }));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { shown, isDense } = choice;
  const save = (cols: readonly string[]): void => {
    savedHere.set(classType, cols);
    clearTimeout(timer.current);
    // A visitor's choice ends with the visit: the account's own stays.
    if (session.visitEndTime) return;
    const send = () =>
      call(sysSearchRelEdit, { userId: session.userId, cols: [...cols], classType });
    timer.current = setTimeout(() => send().catch(toast.failed), restMs);
  };
  return {
    all,
    // A row without its name is no row.
    columns: all.filter((column) => column.part === "name" || shown.includes(column.key)),
    isDense,
    toggle: (key) => {
      const wanted = new Set(
        shown.includes(key) ? shown.filter((one) => one !== key) : [...shown, key],
      );
      const next = all.map((column) => column.key).filter((one) => wanted.has(one));
      setChoice({ isDense, shown: next });
      save(next);
    },
    setDense: (next) => {
      setChoice({ shown, isDense: next });
      writeDense(table, next);
    },
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
