import type { ReactNode } from "react";
import { type Translate, useTexts } from "#client/texts.ts";
import styles from "./import.module.css";
import { importMessages } from "./messages.ts";
import type { Checked } from "./use-import.ts";

type Texts = Translate<keyof typeof importMessages>;

/** Lines of one table: a file of thousands of rows would keep the page from moving. */
const maxLines = 200;

const listOf = (t: Texts, targets: Checked["targets"]): string =>
  t.list(targets.map(({ name, rows }) => t("import.targetRows", { name, rows })));

const targetText = (t: Texts, { owner, targets }: Checked): string =>
  owner === null
    ? t("import.into", { targets: listOf(t, targets) })
    : t("import.intoOwner", { owner, targets: listOf(t, targets) });

interface Props {
  readonly checked: Checked;
  /** Of the file. */
  readonly name: string;
}

/** What an import would do: where it writes, how many rows, each wrong cell and each change in full. */
export function ImportReport({ checked, name }: Props) {
  const t = useTexts(importMessages);
  const { counts, unknown, unread, rows } = checked;
  const wrong = rows.flatMap(({ row, issues }) =>
    issues.map(({ title, value, text }) => [
      String(row),
      title || t("import.wholeRow"),
      value,
      text,
    ]),
  );
  const changes = rows
    .filter(({ state }) => state === "changed" || state === "kept")
    .flatMap(({ row, differences }) =>
      differences.map(({ title, old, new: now }) => [String(row), title, old, now]),
    );
  return (
    <>
      <p>
        <strong>{t("import.counts", { name, ...counts })}</strong>
      </p>
      <p>{targetText(t, checked)}</p>
      {unknown.length > 0 && (
        <p className="w-warn">▲ {t("import.unknown", { columns: t.list(unknown) })}</p>
      )}
      {unread.length > 0 && (
        <p className="w-quiet">{t("import.unread", { columns: t.list(unread) })}</p>
      )}
      {counts.kept > 0 && <p>{t("import.keptHint", { count: counts.kept })}</p>}
      <div className={styles.rows}>
        <Cells
          title={t("import.badCells")}
          heads={[t("import.row"), t("import.column"), t("import.value"), t("import.rule")]}
          lines={wrong}
        />
        <Cells
          title={t("import.changes")}
          heads={[t("import.row"), t("import.column"), t("import.old"), t("import.new")]}
          lines={changes}
        />
      </div>
    </>
  );
}

interface CellsProps {
  readonly title: string;
  readonly heads: readonly string[];
  readonly lines: readonly (readonly string[])[];
}

/** A table whose cells are never cut. */
export function Cells({ title, heads, lines }: CellsProps): ReactNode {
  const t = useTexts(importMessages);
  if (lines.length === 0) return null;
  return (
    <>
      <table className={styles.cells}>
        <caption>{title}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.slice(0, maxLines).map((cells) => (
            <tr key={cells.join("\n")}>
              {cells.map((cell, at) => (
                <td key={heads[at]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length > maxLines && (
        <p className="w-quiet">{t("import.more", { count: lines.length - maxLines })}</p>
      )}
    </>
  );
}
