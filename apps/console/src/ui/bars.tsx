interface Props {
  readonly count: number;
}

/** In place of rows that are on their way: as many bars, as far apart as rows are. */
export function Bars({ count }: Props) {
  return (
    <div className="w-bars" aria-hidden="true">
      {Array.from({ length: count }, (_, at) => at).map((at) => (
        <i key={at} />
      ))}
    </div>
  );
}
