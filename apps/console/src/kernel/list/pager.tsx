import AutoComplete from "antd/es/auto-complete";
import Pagination from "antd/es/pagination";
import { useEffect, useRef, useState } from "react";
import { useTexts } from "#kernel/texts.ts";
import { figureText } from "#ui/figure.tsx";
import { useNarrow } from "#ui/use-narrow.ts";
import { DEFAULT_LIMIT, pageSizes, typedLimit } from "./list-url.ts";
import type { List } from "./use-list.ts";

/** A typed size counts once no key was pressed for this long, in ms (specification section 9). */
const TYPING_PAUSE = 1_000;

/** Which rows are shown, the pages, and how many rows a page has. */
export function Pager({ list }: { readonly list: List<unknown> }) {
  const t = useTexts();
  const isNarrow = useNarrow();
  const { page, limit, count } = list;
  if (count === null || count === 0) return null;
  // A short table inside a page needs no pages.
  if (list.isEmbedded && count <= DEFAULT_LIMIT) return null;
  const from = Math.min((page - 1) * limit + 1, count);
  const range = { from: figureText(from), to: figureText(Math.min(page * limit, count)) };
  return (
    <div className="w-pager">
      <span className="w-quiet">{t("list.range", { ...range, count: figureText(count) })}</span>
      <Pagination
        current={page}
        pageSize={limit}
        total={count}
        showSizeChanger={false}
        simple={isNarrow}
        onChange={list.setPage}
      />
      <PageSize limit={limit} onChange={list.setLimit} />
    </div>
  );
}

interface PageSizeProps {
  readonly limit: number;
  onChange(limit: number): void;
}

/** One of the usual sizes, or a typed one. */
function PageSize({ limit, onChange }: PageSizeProps) {
  const t = useTexts();
  const [text, setText] = useState<string | null>(null);
  const [isFocused, setFocused] = useState(false);
  const change = useRef(onChange);
  change.current = onChange;
  useEffect(() => {
    if (text === null) return;
    const timer = setTimeout(() => {
      setText(null);
      change.current(typedLimit(text));
    }, TYPING_PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  const shown = t("list.perPage", { size: limit });
  return (
    <AutoComplete
      className="w-page-size"
      aria-label={t("list.pageSize")}
      // Empty while it is being typed into; what holds now stands there as a hint.
      value={text ?? (isFocused ? "" : shown)}
      placeholder={shown}
      options={pageSizes.map((size) => ({
        value: String(size),
        label: t("list.perPage", { size }),
      }))}
      onSelect={(value: string) => {
        setText(null);
        onChange(Number(value));
      }}
      onSearch={setText}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      style={{ width: 108 }}
    />
  );
}
