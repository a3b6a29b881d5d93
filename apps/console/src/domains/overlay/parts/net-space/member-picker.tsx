import Checkbox from "antd/es/checkbox";
import Input from "antd/es/input/Input";
import { useId, useState } from "react";
import styles from "./member-picker.module.css";
import { useSpaceTexts } from "./net-space-texts.ts";

export interface Candidate {
  readonly id: number;
  readonly name: string;
  /** Space that has it already; null: free. */
  readonly taken: string | null;
}

interface Props {
  readonly label: string;
  readonly candidates: readonly Candidate[];
  readonly value: readonly number[];
  readonly onChange: (ids: number[]) => void;
  /** Why there is nothing to choose from. */
  readonly empty: string;
}

/** More than this are found by typing: a list of thousands is not read. */
const shownAtMost = 200;

const order = (selected: ReadonlySet<number>) => (candidate: Candidate, other: Candidate) =>
  Number(selected.has(other.id)) - Number(selected.has(candidate.id)) ||
  Number(candidate.taken !== null) - Number(other.taken !== null) ||
  candidate.name.localeCompare(other.name);

/**
 * Chooses members by name. What was selected when it opened comes first; what another space has is
 * named and cannot be taken.
 */
export function MemberPicker({ label, candidates, value, onChange, empty }: Props) {
  const t = useSpaceTexts();
  const heading = useId();
  const [text, setText] = useState("");
  // The first order stays: rows do not jump under the pointer.
  const [first] = useState(() => new Set(value));
  const selected = new Set(value);
  const free = candidates.filter(({ taken }) => taken === null);
  const wanted = text.trim().toLowerCase();
  const matching = candidates
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .sort(order(first));
  const toggle = (id: number) =>
    onChange(selected.has(id) ? value.filter((member) => member !== id) : [...value, id]);
  const addAll = () =>
    onChange([
      ...new Set([...value, ...matching.filter(({ taken }) => taken === null).map(({ id }) => id)]),
    ]);
  return (
    <fieldset className={styles.picker} aria-labelledby={heading}>
      <div className={styles.head}>
        <span id={heading}>{label}</span>
        <span className="w-quiet">
          {t("space.selectedOf", { count: selected.size, free: free.length })}
        </span>
        <button type="button" className="w-link-button" onClick={addAll}>
          {t("space.all")}
        </button>
        <button type="button" className="w-link-button" onClick={() => onChange([])}>
          {t("space.none")}
        </button>
      </div>
      {candidates.length > 8 && (
        <Input
          allowClear
          value={text}
          placeholder={t("space.searchMember")}
          aria-label={`${label} ${t("space.searchMember")}`}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      <ul className={styles.list}>
        {matching.slice(0, shownAtMost).map(({ id, name, taken }) => (
          <li key={id}>
            <Checkbox
              checked={selected.has(id)}
              disabled={taken !== null}
              onChange={() => toggle(id)}
            >
              {name}
              {taken !== null && (
                <span className={styles.taken}>{t("space.takenIn", { space: taken })}</span>
              )}
            </Checkbox>
          </li>
        ))}
        {matching.length > shownAtMost && (
          <li className="w-quiet">
            {t("space.moreMembers", { count: matching.length - shownAtMost })}
          </li>
        )}
        {candidates.length === 0 && <li className="w-quiet">{empty}</li>}
      </ul>
    </fieldset>
  );
}
