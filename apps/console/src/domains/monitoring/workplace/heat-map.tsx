import type { HeatCell } from "@weft/contract/domains/notifications/root-cause.ts";
import type { CSSProperties } from "react";
import { Card } from "#ui/card.tsx";
import { type Glyph, StatusGlyph } from "#ui/glyph.tsx";
import { Missing } from "#ui/missing.tsx";
import { useWorkplaceTexts, type Workplace, type WorkplaceTexts } from "./messages.ts";
import type { Choice } from "./use-choice.ts";
import styles from "./workplace.module.css";

interface Props {
  readonly heat: Workplace["heat"];
  readonly choice: Choice;
  readonly choose: (next: Choice) => void;
}

/** Where trouble is: POPs by carriers, those with most trouble first. A cell or a head filters the causes. */
export function HeatMap({ heat, choice, choose }: Props) {
  const t = useWorkplaceTexts();
  const carrierName = (isp: string): string => (isp === "" ? t("workplace.noCarrier") : isp);
  const head = (next: Choice, text: string) => (
    <button
      type="button"
      className="w-link-button"
      aria-pressed={isSame(choice, next)}
      onClick={() => choose(next)}
    >
      {text}
    </button>
  );
  return (
    <Card
      title={t("workplace.heat")}
      extra={<span className="w-quiet">{t("workplace.heatHelp")}</span>}
    >
      <div className={styles.scroll}>
        <table className={styles.heat}>
          <thead>
            <tr>
              <td />
              {heat.carriers.map((isp) => (
                <th key={isp} scope="col">
                  {isp === "" ? carrierName(isp) : head({ popId: null, isp }, isp)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {heat.pops.map(({ id, name }) => (
              <tr key={id}>
                <th scope="row">{head({ popId: id, isp: null }, name)}</th>
                {heat.carriers.map((isp) => {
                  const cell = heat.cells.find((cell) => cell.popId === id && cell.isp === isp);
                  // One without a carrier stands for its POP: an empty name asks for nothing.
                  const next = { popId: id, isp: isp === "" ? null : isp };
                  return (
                    <td key={isp}>
                      {cell ? (
                        <Cell
                          cell={cell}
                          label={labelOf(t, cell, name, carrierName(isp))}
                          isPressed={isp !== "" && isSame(choice, next)}
                          onPick={() => choose(next)}
                        />
                      ) : (
                        <Missing />
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

const isSame = (a: Choice, b: Choice): boolean => a.popId === b.popId && a.isp === b.isp;

const labelOf = (
  t: WorkplaceTexts,
  { sites, down, poor, loss }: HeatCell,
  pop: string,
  isp: string,
): string =>
  [
    t("workplace.cell", { pop, isp, sites, down, poor }),
    ...(loss === null ? [] : [t("workplace.cellLoss", { loss })]),
  ].join(" · ");

const glyphOf = ({ down, poor }: HeatCell): Glyph => {
  if (down > 0) return "bad";
  return poor > 0 ? "warn" : "ok";
};

interface CellProps {
  readonly cell: HeatCell;
  readonly label: string;
  readonly isPressed: boolean;
  readonly onPick: () => void;
}

function Cell({ cell, label, isPressed, onPick }: CellProps) {
  const { sites, down, poor } = cell;
  const troubled = down + poor;
  const glyph = glyphOf(cell);
  const share = sites > 0 ? troubled / sites : 0;
  const seen = troubled > 0 ? `${troubled} / ${sites}` : `${sites}`;
  return (
    <button
      type="button"
      className={styles.cell}
      data-glyph={glyph}
      style={{ "--share": share } as CSSProperties}
      title={label}
      // Who uses voice control says what is seen (WCAG 2.5.3).
      aria-label={`${seen} · ${label}`}
      aria-pressed={isPressed}
      onClick={onPick}
    >
      <StatusGlyph glyph={glyph} />
      {seen}
    </button>
  );
}
