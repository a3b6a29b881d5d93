import type { ReactNode } from "react";

interface Props {
  readonly title: string;
  /** Of all that is inside. */
  readonly unit?: string | undefined;
  readonly extra?: ReactNode;
  /** True: a table inside goes to the card's edges. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

/** A part of a page with a title; cards never contain cards. */
export function Card({ title, unit, extra, flush = false, children }: Props) {
  return (
    <section className="w-card">
      <div className="w-card-head">
        <h2>
          {title}
          {unit !== undefined && <span className="w-quiet"> {unit}</span>}
        </h2>
        {extra && <div className="w-card-extra">{extra}</div>}
      </div>
      <div className="w-card-body" data-flush={flush || undefined}>
        {children}
      </div>
    </section>
  );
}
