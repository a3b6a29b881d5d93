import type { ReactNode } from "react";
import { numberText } from "./number-text.tsx";

interface Props {
  readonly title: string;
  /** Rows that match the filters; null keeps room for them while they are unknown. */
  readonly count?: number | null | undefined;
  /** Beside the title: states with counts, a note. */
  readonly aside?: ReactNode;
  /** At the right end, the one primary button last. */
  readonly actions?: ReactNode;
}

/** The title of a page. */
export function PageHead({ title, count, aside, actions }: Props) {
  return (
    <header className="w-page-head">
      <h1>{title}</h1>
      {count !== undefined && (
        <span className="w-page-count">{count !== null && numberText(count)}</span>
      )}
      {aside}
      {actions && <div className="w-page-actions">{actions}</div>}
    </header>
  );
}
