import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { RuleIssue } from "@weft/contract/kernel/rule.ts";
import { type BadRow, type ImportEndpoint, maxImported } from "@weft/contract/kernel/sheet.ts";
import Button from "antd/es/button";
import { useState } from "react";
import { type CallError, call } from "#client/call.ts";
import { resourceOf } from "#client/query.ts";
import { type Translate, useTexts } from "#client/texts.ts";
import { useToast } from "#feedback/toast.tsx";
import { useInvalidate } from "#feedback/use-action.ts";
import { type Column, stateColumn, textColumn } from "#kernel/list/columns.tsx";
import { PlainTable } from "#kernel/list/resource-table.tsx";
import { Modal } from "#ui/overlay/modal.tsx";
import { FileButton } from "./file-button.tsx";
import styles from "./import-dialog.module.css";
import { importMessages } from "./messages.ts";

type Texts = Translate<keyof typeof importMessages>;
type Checked = OutputOf<ImportEndpoint>;

interface Shown {
  readonly row: number;
  readonly cells: Readonly<Record<string, string>>;
  readonly issues: BadRow["issues"];
}

interface Props {
  /** The import call (`importOf`). */
  readonly endpoint: Pick<ImportEndpoint, "id" | "row">;
  /** What all rows belong to: `{ nCpeID: 7 }`. */
  readonly owner: Readonly<Record<string, unknown>>;
  readonly title: string;
  /** Resources besides the call's own whose lists change. */
  readonly touches?: readonly string[];
  readonly onClose: () => void;
}

/** Imports rows from a file: it is checked first, and each error is shown at its row. */
export function ImportDialog({ endpoint, owner, title, touches = [], onClose }: Props) {
  const t = useTexts(importMessages);
  const fields = Object.keys(endpoint.row.shape);
  const state = useImport(endpoint as ImportEndpoint, owner);
  const toast = useToast();
  const invalidate = useInvalidate();
  const { checked, file } = state;
  const isReady = checked !== null && checked.bad.length === 0;
  const run = async (): Promise<void> => {
    const added = await state.run();
    if (added === null) return;
    toast.done(t("import.done", { count: added }));
    invalidate(resourceOf(endpoint as ImportEndpoint), ...touches);
    onClose();
  };
  return (
    <Modal
      open
      width={checked ? 900 : 560}
      title={title}
      okText={t("import.run", { count: checked?.rows ?? 0 })}
      okButtonProps={{ disabled: !isReady }}
      confirmLoading={state.isBusy && isReady}
      cancelText={t("act.cancel")}
      onOk={() => void run()}
      onCancel={onClose}
      destroyOnHidden
    >
      <p>
        {t("import.hint", {
          columns: t.list(fields.map((name) => t.field(name))),
          most: maxImported,
        })}
      </p>
      <div className={styles.bar}>
        <FileButton
          label={file ? t("import.other") : t("import.choose")}
          accept=".xlsx,.csv"
          isBusy={state.isBusy}
          onPick={(picked) => void state.check(picked)}
        />
        <Button type="link" onClick={() => saveEmpty(title, fields, t)}>
          {t("import.sample")}
        </Button>
      </div>
      <div aria-live="polite">
        {state.error && <p className="w-bad">■ {state.error.message}</p>}
        {checked && file && <p>{verdict(checked, file.name, t)}</p>}
      </div>
      {checked && (
        <div className={styles.rows}>
          <PlainTable
            rows={toShown(checked)}
            columns={columnsOf(fields, t)}
            rowKey="row"
            empty=""
          />
        </div>
      )}
    </Modal>
  );
}

/** The file that was picked, and what the controller says of it. */
function useImport(endpoint: ImportEndpoint, owner: Readonly<Record<string, unknown>>) {
  const [file, setFile] = useState<{ name: string; bytes: Uint8Array<ArrayBuffer> } | null>(null);
  const [checked, setChecked] = useState<Checked | null>(null);
  const [error, setError] = useState<CallError | null>(null);
  const [isBusy, setBusy] = useState(false);
  const ask = async (given: typeof file, check: boolean): Promise<Checked | null> => {
    setBusy(true);
    setError(null);
    try {
      const input = { ...owner, file: given, check } as InputOf<ImportEndpoint>;
      return (await call(endpoint, input)).data;
    } catch (failure) {
      setError(failure as CallError);
      return null;
    } finally {
      setBusy(false);
    }
  };
  return {
    file,
    checked,
    error,
    isBusy,
    async check(picked: File): Promise<void> {
      const given = { name: picked.name, bytes: new Uint8Array(await picked.arrayBuffer()) };
      setFile(given);
      setChecked(null);
      setChecked(await ask(given, true));
    },
    /** Rows that were written; null: none, and `error` says why. */
    run: async () => (await ask(file, false))?.added ?? null,
  };
}

const verdict = ({ rows, bad }: Checked, name: string, t: Texts): string =>
  bad.length === 0
    ? t("import.good", { name, count: rows })
    : t("import.bad", { name, count: rows, bad: bad.length });

/** Bad rows first: they are what a person has to look at. */
function toShown({ shown, bad }: Checked): Shown[] {
  const issues = new Map(bad.map((one) => [one.row, one.issues]));
  const rows = shown.map((one) => ({ ...one, issues: issues.get(one.row) ?? [] }));
  return [
    ...rows.filter((one) => one.issues.length > 0),
    ...rows.filter((one) => one.issues.length === 0),
  ];
}

const issueText = ({ path, ...issue }: BadRow["issues"][number], t: Texts): string =>
  [path === "" ? "" : `${t.field(path)}: `, t.issue({ path, ...issue } as RuleIssue)].join("");

const columnsOf = (fields: readonly string[], t: Texts): Column<Shown>[] => [
  textColumn("row", t("import.row"), (one: Shown) => String(one.row), { width: 64 }),
  stateColumn(
    "issues",
    t("import.wrong"),
    ({ issues }: Shown) =>
      issues.length === 0
        ? { glyph: "ok", label: t("import.fine") }
        : { glyph: "bad", label: issues.map((issue) => issueText(issue, t)).join("; ") },
    { width: 300 },
  ),
  ...fields.map((name) =>
    textColumn(name, t.field(name), ({ cells }: Shown) => cells[name] || null, { width: 140 }),
  ),
];

/** A csv with the names of the columns alone, in the reader's language. */
function saveEmpty(title: string, fields: readonly string[], t: Texts): void {
  const head = `\ufeff${fields.map((name) => t.field(name)).join(",")}\r\n`;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([head], { type: "text/csv" }));
  link.download = `${title}.csv`;
  link.click();
  URL.revokeObjectURL(link.href);
}
