import { importModes } from "@weft/contract/domains/access/sheet.ts";
import { enterpriseCombo } from "@weft/contract/domains/enterprises/enterprise.ts";
import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import { escapeFormula, maxImported } from "@weft/contract/kernel/sheet.ts";
import Button from "antd/es/button";
import Checkbox from "antd/es/checkbox";
import PasswordInput from "antd/es/input/Password";
import Radio from "antd/es/radio";
import Select from "antd/es/select";
import { useId, useState } from "react";
import { useSession } from "#client/session.tsx";
import { type Translate, useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { useToast } from "#feedback/toast.tsx";
import { useInvalidate } from "#feedback/use-action.ts";
import { Modal } from "#ui/overlay/modal.tsx";
import { FileButton } from "./file-button.tsx";
import styles from "./import.module.css";
import { ImportReport } from "./import-report.tsx";
import { listFileMessages } from "./list-file-messages.ts";
import { importMessages } from "./messages.ts";
import { type Checked, useImport } from "./use-import.ts";

const quoted = (cell: string): string => `"${escapeFormula(cell).replaceAll('"', '""')}"`;

/**
 * The wrong rows of a file as csv, in its own columns, with what is wrong behind them: to be corrected
 * and imported again.
 * @param wrong head of the last column, which an import does not read
 */
function badRowsFile({ head, rows }: Checked, wrong: string): string {
  const lines = rows
    .filter(({ state }) => state === "bad")
    .map(({ cells, issues }) => {
      const texts = issues.map(({ title, text }) => (title === "" ? text : `${title}: ${text}`));
      return [...head.map((_, at) => cells[at] ?? ""), texts.join("; ")];
    });
  // The mark by which spreadsheets know UTF-8.
  return `\ufeff${[[...head, wrong], ...lines].map((line) => line.map(quoted).join(",")).join("\r\n")}\r\n`;
}

type Texts = Translate<keyof typeof importMessages | keyof typeof listFileMessages>;
type Mode = (typeof importModes)[number];

interface Props {
  readonly open: boolean;
  readonly resource: AnyResource;
  /** Whose rows they are, for rows inside a node, a template or a policy; else empty. */
  readonly inside: Readonly<Record<string, unknown>>;
  /** Enterprise that the list is filtered by; null: none. */
  readonly groupid: number | null;
  readonly onTemplate: () => void;
  readonly onClose: () => void;
}

/** Imports rows from a file: it is compared with what exists first, and nothing is written unseen. */
export function ImportDialog(props: Props) {
  const { resource, onTemplate, onClose } = props;
  const t = useTexts(importMessages, listFileMessages);
  const state = useImport();
  const choice = useChoice(props);
  const toast = useToast();
  const invalidate = useInvalidate();
  const [isSkipping, setSkipping] = useState(false);
  const [password, setPassword] = useState("");
  const { checked, file } = state;
  const counts = checked?.counts ?? null;
  const writes = counts ? counts.new + counts.changed : 0;
  const isReady = writes > 0 && (counts?.bad === 0 || isSkipping);
  const change = (next: Partial<Selected>): void => state.recheck(choice.set(next));
  const run = async (): Promise<void> => {
    const done = await state.run(choice.now, isSkipping, password || null);
    if (!done) return;
    toast.done(t("import.done", { new: done.counts.new, changed: done.counts.changed }));
    invalidate(resource.name.replace(/\.manage$/, ""), resource.name);
    onClose();
  };
  const [zh, en] = resource.title;
  return (
    <Modal
      open={props.open}
      width={checked ? 900 : 600}
      title={t("import.title", { what: t.language === "zh_cn" ? zh : en })}
      okText={checked && writes === 0 ? t("import.none") : t("import.run", { count: writes })}
      okButtonProps={{ disabled: !isReady }}
      confirmLoading={state.isBusy && isReady}
      cancelText={t("act.cancel")}
      onOk={() => void run()}
      onCancel={onClose}
      destroyOnHidden
    >
      <p>{t("import.hint", { most: maxImported })}</p>
      <Choices {...props} t={t} selected={choice.selected} onChange={change} />
      <div className={styles.bar}>
        <FileButton
          label={file ? t("import.other") : t("import.choose")}
          accept=".xlsx,.csv"
          isBusy={state.isBusy}
          onPick={(picked) => void state.pick(picked, choice.now)}
        />
        <Button type="link" onClick={onTemplate}>
          {t("files.template")}
        </Button>
      </div>
      <div aria-live="polite">
        {state.error && <p className="w-bad">■ {state.error.message}</p>}
        {checked && file && <ImportReport checked={checked} name={file.name} />}
      </div>
      {checked && checked.counts.bad > 0 && (
        <Wrong t={t} checked={checked} isSkipping={isSkipping} onSkip={setSkipping} />
      )}
      {checked && takesPassword.has(resource.name) && (
        <Password t={t} value={password} onChange={setPassword} />
      )}
    </Modal>
  );
}

/** Rows that decide who logs in, or may: the controller asks for the own password (contract ways-in.ts). */
const takesPassword: ReadonlySet<string> = new Set(["user", "role", "enterprise"]);

interface PasswordProps {
  readonly t: Texts;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Password({ t, value, onChange }: PasswordProps) {
  const id = useId();
  return (
    <label className="w-field" htmlFor={id}>
      <span className="w-field-label">{t("import.ownPassword")}</span>
      <PasswordInput
        id={id}
        autoComplete="current-password"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}

interface Selected {
  readonly mode: Mode;
  /** Enterprise of rows that name none. */
  readonly groupid: number;
}

/** What the person chose, and the call's fields that it makes. */
function useChoice({ resource, inside, groupid }: Props) {
  const session = useSession();
  const [selected, setSelected] = useState<Selected>({
    mode: "add",
    groupid: groupid ?? session.groupid,
  });
  const fieldsOf = ({ mode, groupid: target }: Selected) => ({
    resource: resource.name,
    mode,
    inside: (hasTarget(resource) ? { groupid: target } : inside) as Record<string, number>,
  });
  return {
    selected,
    now: fieldsOf(selected),
    set(next: Partial<Selected>) {
      const all = { ...selected, ...next };
      setSelected(all);
      return fieldsOf(all);
    },
  };
}

/** Whether rows of a resource say whose they are. */
const hasTarget = ({ draft, id }: AnyResource): boolean =>
  "groupid" in draft.shape && id !== "groupid";

interface ChoicesProps extends Pick<Props, "resource"> {
  readonly t: Texts;
  readonly selected: Selected;
  readonly onChange: (next: Partial<Selected>) => void;
}

function Choices({ resource, t, selected, onChange }: ChoicesProps) {
  const { data = [] } = useCall(enterpriseCombo, hasTarget(resource) ? {} : null);
  return (
    <>
      {data.length > 1 && (
        <div className={styles.bar}>
          <span>{t("import.target")}</span>
          <Select
            aria-label={t("import.target")}
            className="w-choice"
            value={selected.groupid}
            options={data.map((row) => ({ value: row.groupid, label: row.name }))}
            showSearch={{ optionFilterProp: "label" }}
            onChange={(groupid) => onChange({ groupid })}
          />
        </div>
      )}
      {resource.verbs.includes("edit") && (
        <div className={styles.bar}>
          <span>{t("import.mode")}</span>
          <Radio.Group
            aria-label={t("import.mode")}
            value={selected.mode}
            options={importModes.map((value) => ({ value, label: t(`import.mode.${value}`) }))}
            onChange={({ target }) => onChange({ mode: target.value as Mode })}
          />
        </div>
      )}
    </>
  );
}

interface WrongProps {
  readonly t: Texts;
  readonly checked: Checked;
  readonly isSkipping: boolean;
  readonly onSkip: (skips: boolean) => void;
}

/** What can be done about wrong rows. */
function Wrong({ t, checked, isSkipping, onSkip }: WrongProps) {
  return (
    <>
      <p>{t("import.badHint")}</p>
      <div className={styles.bar}>
        <Button onClick={() => saveBad(checked, t)}>{t("import.saveBad")}</Button>
        <Checkbox checked={isSkipping} onChange={({ target }) => onSkip(target.checked)}>
          {t("import.skipBad", { bad: checked.counts.bad })}
        </Checkbox>
      </div>
    </>
  );
}

function saveBad(checked: Checked, t: Texts): void {
  const link = document.createElement("a");
  const text = badRowsFile(checked, t("import.wrong"));
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  link.download = `${t("import.saveBad")}.csv`;
  link.click();
  URL.revokeObjectURL(link.href);
}
