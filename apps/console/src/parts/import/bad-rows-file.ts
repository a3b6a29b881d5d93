import { escapeFormula } from "@weft/contract/kernel/sheet.ts";
import type { Checked } from "./use-import.ts";

const quoted = (cell: string): string => `"${escapeFormula(cell).replaceAll('"', '""')}"`;

/**
 * The wrong rows of a file as csv, in its own columns, with what is wrong behind them: to be corrected
 * and imported again.
 * @param wrong head of the last column, which an import does not read
 */
export function badRowsFile({ head, rows }: Checked, wrong: string): string {
  const lines = rows
    .filter(({ state }) => state === "bad")
    .map(({ cells, issues }) => {
      const texts = issues.map(({ title, text }) => (title === "" ? text : `${title}: ${text}`));
      return [...head.map((_, at) => cells[at] ?? ""), texts.join("; ")];
    });
  // The mark by which spreadsheets know UTF-8.
  return `\ufeff${[[...head, wrong], ...lines].map((line) => line.map(quoted).join(",")).join("\r\n")}\r\n`;
}
