import SearchOutlined from "@ant-design/icons/es/icons/SearchOutlined";
import { type KeyboardEvent, useId, useLayoutEffect, useRef } from "react";
import { useSession } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import type { Choice } from "./choice.ts";
import { Choices } from "./choices.tsx";
import { paletteMessages } from "./messages.ts";
import styles from "./palette.module.css";
import { keepRecent } from "./recent.ts";
import { type Search as SearchState, turnOf, useSearch } from "./use-search.ts";

interface Props {
  readonly onClose: () => void;
}

/**
 * Finds screens, devices, enterprises and actions by a text. The browser's own modal dialog: it
 * keeps the focus inside, ends on Escape and gives the focus back to where it was.
 */
export function Palette({ onClose }: Props) {
  const t = useTexts(paletteMessages);
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // Closed before it is taken away: only then does the focus return.
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles.palette}
      aria-label={t("palette.title")}
      onClose={() => !dialog.current?.open && onClose()}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
        // A drawer below listens too, at the window: this press is not for it.
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <Search onClose={onClose} />
    </dialog>
  );
}

/** Where the arrows lead from a place; null: this key is not ours. */
const nextPlace = (key: string, at: number, count: number): number | null => {
  if (key === "ArrowDown") return (at + 1) % count;
  if (key === "ArrowUp") return (at - 1 + count) % count;
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : null;
};

function Search({ onClose }: Props) {
  const { userId } = useSession();
  const id = useId();
  const search = useSearch();
  const { at, subject } = search;
  const choose = (choice: Choice): void => {
    // A verb is remembered as the row that it is of.
    keepRecent(userId, subject ?? choice);
    onClose();
    choice.run();
  };
  return (
    <>
      <SearchField id={id} search={search} choose={choose} />
      <Choices
        {...{ id, at, offer: search.offer, choose, text: search.text }}
        isOfVerbs={subject !== null}
        onPoint={search.select}
      />
    </>
  );
}

interface FieldProps {
  /** The list of choices is `-list` of it, and each choice has its place behind it. */
  readonly id: string;
  readonly search: SearchState;
  choose(choice: Choice): void;
}

function SearchField({ id, search, choose }: FieldProps) {
  const t = useTexts(paletteMessages);
  const { all, at, subject, typed } = search;
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    // Enter and arrows belong to the input method while it composes.
    if (event.nativeEvent.isComposing) return;
    const selected = all[at];
    const turn = turnOf(search, event.key, event.currentTarget.selectionStart);
    const next = all.length === 0 ? null : nextPlace(event.key, at, all.length);
    if (turn === "leave") search.leave();
    else if (turn === "enter" && selected) search.enter(selected);
    else if (next !== null) search.select(all[next]);
    else if (event.key === "Enter" && selected) choose(selected);
    else return;
    event.preventDefault();
    // Escape leads back before it closes.
    event.stopPropagation();
  };
  const label = subject ? t("palette.verbsOf", { name: subject.title }) : t("palette.what");
  return (
    <div className={styles.field}>
      <SearchOutlined aria-hidden="true" />
      {subject && (
        <button type="button" className={styles.subject} onClick={search.leave}>
          {subject.title} <span aria-hidden="true">›</span>
        </button>
      )}
      <input
        role="combobox"
        aria-label={label}
        placeholder={subject ? "" : label}
        aria-expanded={all.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        {...(all.length > 0 && { "aria-activedescendant": `${id}-${at}` })}
        autoComplete="off"
        spellCheck={false}
        maxLength={64}
        value={typed}
        onChange={(event) => search.type(event.target.value)}
        onKeyDown={press}
      />
    </div>
  );
}
