import { createContext, type ReactNode, use } from "react";
import { numberText } from "./number-text.tsx";

interface Props {
  readonly title: string;
  /** Rows that match the filters, or a text that counts them; null keeps room for them while they are unknown. */
  readonly count?: number | string | null | undefined;
  /** Beside the title: states with counts, a note. */
  readonly aside?: ReactNode;
  /** At the right end, the one primary button last. */
  readonly actions?: ReactNode;
}

/** True inside a page that has a title of its own: a page has exactly one. */
export const InsidePage = createContext(false);

/** The title of a page. */
export function PageHead({ title, count, aside, actions }: Props) {
  const Heading = use(InsidePage) ? "h2" : "h1";
  return (
    <header className="w-page-head">
      <Heading>{title}</Heading>
      {count !== undefined && (
        <span className="w-page-count">
          {typeof count === "number" ? numberText(count) : count}
        </span>
      )}
      {aside}
      {actions && <div className="w-page-actions">{actions}</div>}
    </header>
  );
}
