import SearchOutlined from "@ant-design/icons/es/icons/SearchOutlined";
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { useSession } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import type { Choice } from "./choice.ts";
import { Choices } from "./choices.tsx";
import { paletteMessages } from "./messages.ts";
import styles from "./palette.module.css";
import { keepRecent } from "./recent.ts";
import { useOffer } from "./use-offer.ts";

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
  const t = useTexts(paletteMessages);
  const { userId } = useSession();
  const id = useId();
  const [typed, setTyped] = useState("");
  const [wanted, setWanted] = useState<string | null>(null);
  const offer = useOffer(typed.trim());
  const all = offer.groups.flatMap(({ choices }) => choices);
  // Later results come below: the selected one keeps its place, or the first is selected.
  const at = Math.max(
    0,
    all.findIndex((choice) => choice.id === wanted),
  );
  const choose = (choice: Choice): void => {
    keepRecent(userId, choice);
    onClose();
    choice.run();
  };
  const press = (event: KeyboardEvent): void => {
    // Enter and arrows belong to the input method while it composes.
    if (event.nativeEvent.isComposing || all.length === 0) return;
    const next = nextPlace(event.key, at, all.length);
    const selected = event.key === "Enter" ? all[at] : null;
    if (next === null && !selected) return;
    event.preventDefault();
    if (next !== null) setWanted(all[next]?.id ?? null);
    if (selected) choose(selected);
  };
  return (
    <>
      <div className={styles.field}>
        <SearchOutlined aria-hidden="true" />
        <input
          role="combobox"
          aria-label={t("palette.what")}
          placeholder={t("palette.what")}
          aria-expanded={all.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          {...(all.length > 0 && { "aria-activedescendant": `${id}-${at}` })}
          autoComplete="off"
          spellCheck={false}
          maxLength={64}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setWanted(null);
          }}
          onKeyDown={press}
        />
      </div>
      <Choices
        {...{ id, at, offer, choose }}
        text={typed.trim()}
        onPoint={(choice) => setWanted(choice.id)}
      />
    </>
  );
}
