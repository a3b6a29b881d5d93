import type { ReactNode } from "react";
import styles from "./rows.module.css";

interface Props {
  /** True: their order means something. */
  readonly ordered?: boolean;
  /** Items of a list. */
  readonly children: ReactNode;
}

/** Rows of a card that is no table, with a line between them. */
export function Rows({ ordered = false, children }: Props) {
  const List = ordered ? "ol" : "ul";
  return <List className={styles.rows}>{children}</List>;
}
