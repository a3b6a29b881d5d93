import type { ReactNode } from "react";

export interface Fact {
  readonly label: string;
  readonly value: ReactNode;
}

interface Props {
  /** Link back to the list. */
  readonly back: ReactNode;
  readonly title: string;
  readonly state?: ReactNode;
  /** Beside the title: serial number, enterprise. */
  readonly aside?: ReactNode;
  readonly facts?: readonly Fact[];
  /** What is wrong and why, in a sentence. */
  readonly sentence?: ReactNode;
  readonly actions?: ReactNode;
}

/** The head that all screens of one node share. */
export function DetailHead(props: Props) {
  return (
    <header className="w-detail-head">
      <div className="w-detail-back">{props.back}</div>
      <div className="w-detail-title">
        <h1>{props.title}</h1>
        {props.state}
        {props.aside}
        {props.actions && <div className="w-page-actions">{props.actions}</div>}
      </div>
      {props.facts && props.facts.length > 0 && (
        <dl className="w-detail-facts">
          {props.facts.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {props.sentence && <div className="w-detail-sentence">{props.sentence}</div>}
    </header>
  );
}
