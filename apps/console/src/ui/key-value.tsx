import type { CSSProperties } from "react";
import type { Fact } from "./detail-head.tsx";

interface Props {
  readonly items: readonly Fact[];
  readonly columns?: number;
}

/** Names and values of one thing, in columns on wide screens. */
export function KeyValue({ items, columns = 1 }: Props) {
  return (
    <dl className="w-pairs" style={{ "--w-columns": columns } as CSSProperties}>
      {items.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
