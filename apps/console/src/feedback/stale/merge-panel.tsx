import { fieldText } from "@weft/contract/value-texts.ts";
import Radio from "antd/es/radio";
import { type ReactNode, useEffect, useRef } from "react";
import { useTexts } from "#client/texts.ts";
import { StatusGlyph } from "#ui/glyph.tsx";
import { KeyValue } from "#ui/key-value.tsx";
import { TimeText } from "#ui/time-text.tsx";
import { FieldValue, type ShownField } from "./field-value.tsx";
import type { Met } from "./merge.ts";
import styles from "./merge-panel.module.css";

interface Props {
  readonly met: Met;
  readonly form: {
    readonly values: Readonly<Record<string, unknown>>;
    /** The fields that it shows: values are shown here as there. */
    readonly fields: ReadonlyMap<string, ShownField>;
    set(name: string, value: unknown): void;
  };
}

/** Above a form that met someone else's edit: what was taken over, what stays, what to choose. */
export function MergePanel({ met, form }: Props) {
  const t = useTexts();
  const root = useRef<HTMLElement>(null);
  const { merge, base, stored, mine, changes } = met;
  const mergedAt = useRef<Met>(null);
  useEffect(() => {
    if (mergedAt.current === met) return;
    mergedAt.current = met;
    root.current?.scrollIntoView({ block: "nearest" });
  }, [met]);
  const who = t.list([...new Set(changes.map(({ loginName }) => loginName))]);
  const at = changes.at(-1)?.at;
  const label = (name: string): string =>
    form.fields.get(name)?.label ?? fieldText(name, t.language);
  const shown = (name: string, value: unknown): ReactNode => (
    <FieldValue field={form.fields.get(name) ?? { name }} value={value} />
  );
  const pairs = (names: readonly string[], now: Readonly<Record<string, unknown>>) =>
    names.map((name) => ({
      label: label(name),
      value: (
        <>
          {shown(name, base[name])} → {shown(name, now[name])}
        </>
      ),
    }));
  return (
    <section ref={root} className={styles.panel} role="alert">
      <div className={styles.head}>
        <StatusGlyph glyph="warn" />
        <b>{t("stale.title", { who: who || t("stale.someone") })}</b>
        {at && <TimeText value={at} />}
      </div>
      {merge.both.length > 0 && (
        <>
          <h4>{t("stale.both")}</h4>
          {merge.both.map((name) => (
            <Choice
              key={name}
              name={label(name)}
              mine={shown(name, mine[name])}
              theirs={shown(name, stored[name])}
              isTheirs={form.values[name] === stored[name]}
              choose={(isTheirs) => form.set(name, isTheirs ? stored[name] : mine[name])}
            />
          ))}
        </>
      )}
      {merge.theirs.length > 0 && (
        <>
          <h4>{t("stale.theirs")}</h4>
          <KeyValue items={pairs(merge.theirs, stored)} />
        </>
      )}
      {merge.mine.length > 0 && (
        <>
          <h4>{t("stale.mine")}</h4>
          <KeyValue items={pairs(merge.mine, mine)} />
        </>
      )}
      <p className="w-quiet">{t("stale.again")}</p>
    </section>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly mine: ReactNode;
  readonly theirs: ReactNode;
  readonly isTheirs: boolean;
  choose(isTheirs: boolean): void;
}

/** Two values of one field side by side. */
function Choice({ name, mine, theirs, isTheirs, choose }: ChoiceProps) {
  const t = useTexts();
  return (
    <fieldset className={styles.choice}>
      <legend>{name}</legend>
      <Radio.Group value={isTheirs} onChange={(event) => choose(event.target.value as boolean)}>
        <Radio value={false}>
          {t("stale.yours")}: <b>{mine}</b>
        </Radio>
        <Radio value={true}>
          {t("stale.other")}: <b>{theirs}</b>
        </Radio>
      </Radio.Group>
    </fieldset>
  );
}
