import { useTexts } from "#client/texts.ts";
import styles from "./moved-pill.module.css";

/**
 * Over the rows of a list whose order changed while it was looked at: they stay where they are until
 * the user asks to sort them. Not announced: it is no result.
 */
export function MovedPill({ onSettle }: { readonly onSettle: () => void }) {
  const t = useTexts();
  return (
    <div className={styles.moved}>
      <button type="button" onClick={onSettle}>
        {t("list.moved")} · <span>{t("list.settle")}</span>
      </button>
    </div>
  );
}
