import { useMemo, useState } from "react";
import { useSearch, withParam } from "#client/search.ts";
import { isPreset, type Preset, type Range, type RangeKey, toRange } from "./range.ts";

const parameter = "range";

export interface PickedRange {
  readonly key: RangeKey;
  readonly range: Range;
  pick(key: RangeKey): void;
  /** What "refresh" does: a preset ends now instead of when it was picked, a span stays. */
  renewOr(refetch: () => void): () => void;
}

/** The range of a log or of records, kept in the URL; `fallback` is the preset while it says none. A preset stands still until it is renewed or picked again. */
export const useRange = (fallback: Preset = "1h"): PickedRange => {
  const [search, changeSearch] = useSearch();
  const [now, setNow] = useState(() => Date.now());
  const spanText = search.get(parameter);
  const { key, range } = useMemo(() => toRange(spanText, now, fallback), [spanText, now, fallback]);
  return {
    key,
    range,
    renewOr: (refetch) => () => {
      if (isPreset(key)) setNow(Date.now());
      else refetch();
    },
    pick(next) {
      setNow(Date.now());
      changeSearch(withParam(parameter, next));
    },
  };
};
