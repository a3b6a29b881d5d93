import { type Glyph, StatusGlyph } from "./glyph.tsx";
import styles from "./sentence.module.css";

/** A state that takes a sentence to say: unlike a label in a cell, it may wrap. */
export function Sentence({ glyph, text }: { readonly glyph: Glyph; readonly text: string }) {
  return (
    <span className={styles.sentence}>
      <StatusGlyph glyph={glyph} />
      <span>{text}</span>
    </span>
  );
}
