import { useMemo, useState } from "react";
import { useSearch, withWord } from "#client/search.ts";
import { isPreset, type Preset, type Range, type RangeWord, toRange } from "./range.ts";

const PARAMETER = "range";

export interface PickedRange {
  readonly word: RangeWord;
  readonly range: Range;
  pick(word: RangeWord): void;
  /** What "refresh" does: a preset ends now instead of when it was picked, a span stays. */
  renewOr(refetch: () => void): () => void;
}

/** The range of a log or of records, kept in the URL; `usual` is the preset while it says none. A preset stands still until it is renewed or picked again. */
export const useRange = (usual: Preset = "1h"): PickedRange => {
  const [search, changeSearch] = useSearch();
  const [now, setNow] = useState(() => Date.now());
  const asked = search.get(PARAMETER);
  const { word, range } = useMemo(() => toRange(asked, now, usual), [asked, now, usual]);
  return {
    word,
    range,
    renewOr: (refetch) => () => {
      if (isPreset(word)) setNow(Date.now());
      else refetch();
    },
    pick(next) {
      setNow(Date.now());
      changeSearch(withWord(PARAMETER, next));
    },
  };
};
