import Button from "antd/es/button";
import Input from "antd/es/input/Input";
import { type ComponentType, type ReactNode, useState } from "react";
import { useTexts } from "#client/texts.ts";
import { ChoiceFilter } from "#ui/choice-filter.tsx";
import type { FilterProps } from "#ui/filter-props.ts";
import { textWidth } from "#ui/text-width.ts";
import { useNarrow } from "#ui/use-narrow.ts";
import { useRested } from "#ui/use-rested.ts";
import type { List } from "./use-list.ts";

/** Text counts once no key was pressed for this long, in ms. */
const typingPause = 300;

/** px of a field beside its placeholder: padding, edges and the place of the icon that clears it. */
const besideLabel = 44;

export interface FilterOption {
  readonly value: string | number | boolean;
  readonly label: ReactNode;
}

/** One filter of a list. */
export interface FilterSpec {
  /** Field of the list's query. */
  readonly key: string;
  /**
   * text: immediately while typing; the first of them is the search that `/` focuses. A component: a
   * filter of a subject that the kernel does not know.
   */
  readonly kind: "text" | "select" | ComponentType<FilterProps>;
  readonly label: string;
  readonly options?: readonly FilterOption[];
  /** px. */
  readonly width?: number;
}

interface Props {
  readonly list: List<unknown>;
  readonly filters: readonly FilterSpec[];
  /** Before the filters. */
  readonly start?: ReactNode;
  /** At the other end of the bar. */
  readonly end?: ReactNode;
}

/** The filters above a table; they act at once and live in the address. */
export function FilterBar({ list, filters, start, end }: Props) {
  const t = useTexts();
  const isNarrow = useNarrow();
  const [isShown, setShown] = useState(false);
  const firstText = filters.find((filter) => filter.kind === "text");
  const more = isNarrow && !isShown ? filters.filter((filter) => filter === firstText) : filters;
  const hiddenCount = filters.length - more.length;
  if (filters.length === 0 && !start && !end) return null;
  return (
    <search className="w-filters">
      {start}
      {more.map((filter) => (
        <Filter key={filter.key} filter={filter} list={list} isSearch={filter === firstText} />
      ))}
      {hiddenCount > 0 && (
        <Button onClick={() => setShown(true)} aria-expanded={false}>
          {t("list.filters")}
          {list.activeFilters > 0 && ` ${list.activeFilters}`}
        </Button>
      )}
      {list.activeFilters > 0 && (
        <Button type="text" onClick={list.clearFilters}>
          {t("list.clear", { count: list.activeFilters })}
        </Button>
      )}
      {end}
    </search>
  );
}

interface OneProps {
  readonly filter: FilterSpec;
  readonly list: List<unknown>;
  readonly isSearch: boolean;
}

function Filter({ filter, list, isSearch }: OneProps) {
  const { key, kind, label, options = [], width = 168 } = filter;
  const refused = list.refused.find(({ name }) => name === key);
  const value = (list.filters as Record<string, unknown>)[key] ?? refused?.text ?? null;
  const set = (next: unknown): void => list.setFilter(key as never, next as never);
  if (kind === "text") {
    return (
      <TextFilter
        label={label}
        value={value as string | null}
        onChange={set}
        isSearch={isSearch}
        isWrong={refused !== undefined}
      />
    );
  }
  if (kind !== "select") {
    const Given = kind;
    return <Given label={label} value={value as string | number | null} onChange={set} />;
  }
  return (
    <ChoiceFilter
      label={label}
      width={width}
      value={value as string | number | null}
      // The library's values are text or numbers; ours may be true and false.
      options={options.map((option) => ({ value: option.value as string, label: option.label }))}
      onChange={set}
    />
  );
}

function TextFilter(
  props: FilterProps<string> & { readonly isSearch: boolean; readonly isWrong: boolean },
) {
  const { label, value, onChange, isSearch, isWrong } = props;
  const [typed, setTyped] = useRested(typingPause, (text) =>
    onChange(text.trim() === "" ? null : text.trim()),
  );
  return (
    <Input
      aria-label={label}
      placeholder={label}
      allowClear
      aria-invalid={isWrong}
      {...(isWrong && { status: "error" as const })}
      value={typed ?? value ?? ""}
      onChange={(event) => setTyped(event.target.value)}
      style={{ width: 220, minWidth: `min(100%, ${textWidth(label) + besideLabel}px)` }}
      {...(isSearch && { "data-search": true })}
    />
  );
}
