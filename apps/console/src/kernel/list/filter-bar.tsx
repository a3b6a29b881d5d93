import Button from "antd/es/button";
import Input from "antd/es/input/Input";
import { type ComponentType, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { useTexts } from "#client/texts.ts";
import { ChoiceFilter } from "#ui/choice-filter.tsx";
import type { FilterProps } from "#ui/filter-props.ts";
import { Popover } from "#ui/overlay/popover.tsx";
import { textWidth } from "#ui/text-width.ts";
import { useNarrow } from "#ui/use-narrow.ts";
import { useRested } from "#ui/use-rested.ts";
import type { List } from "./use-list.ts";

/** Text counts once no key was pressed for this long, in ms. */
const typingPause = 300;

/** px of a field beside its placeholder: padding, edges and the place of the icon that clears it. */
const besideLabel = 44;
/** px of a button beside its text. */
const besideText = 32;
/** px that a choice keeps in a short bar: longer values are cut, and whole on hover. */
const shortestChoice = 120;
/** px of the search on a phone, where it gives way to the buttons beside it. */
const shortestSearch = 96;
/** px between two parts of the bar. */
const gap = 8;

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

/** px that a filter has at least. */
const leastWidth = ({ kind, label }: FilterSpec): number =>
  Math.max(kind === "text" ? 0 : shortestChoice, textWidth(label) + besideLabel);

/**
 * How many filters, the first ones, have room in one line.
 * @param room px for them
 * @param rest px of the button that opens the others
 */
export function fitting(widths: readonly number[], room: number, rest: number): number {
  const all = widths.reduce((sum, width) => sum + width + gap, -gap);
  if (all <= room) return widths.length;
  let used = rest;
  let count = 0;
  for (const width of widths) {
    used += width + gap;
    if (used > room) break;
    count += 1;
  }
  // The search has its place in any case.
  return Math.max(count, 1);
}

/** px of a bar beside its ends, and the ref that measures it; undefined: not measured yet, or it may wrap. */
function useRoom(isWrapped: boolean) {
  const bar = useRef<HTMLElement>(null);
  const [room, setRoom] = useState<number>();
  useLayoutEffect(() => {
    const element = bar.current;
    if (!element || isWrapped) return setRoom(undefined);
    const measure = (): void => {
      const { paddingLeft, paddingRight } = getComputedStyle(element);
      const ends = [...element.querySelectorAll<HTMLElement>(":scope > [data-start], .w-batch")];
      const taken = ends.reduce((sum, { offsetWidth }) => sum + offsetWidth + gap, 0);
      const padding = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight);
      setRoom(element.clientWidth - padding - taken);
    };
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    return () => resized.disconnect();
  }, [isWrapped]);
  return { bar, room };
}

/** The filters above a table, in one line; they act at once and live in the address. */
export function FilterBar({ list, filters, start, end }: Props) {
  const t = useTexts();
  const isNarrow = useNarrow();
  const [isShown, setShown] = useState(false);
  const { bar, room } = useRoom(isNarrow);
  const firstText = filters.find((filter) => filter.kind === "text");
  if (filters.length === 0 && !start && !end) return null;
  // Its place is kept while there is nothing to clear: the choice of a value moves no filter away.
  const clear = t("list.clear", { count: Math.max(1, list.activeFilters) });
  const clearWidth = textWidth(clear) + besideText + gap;
  const restWidth = textWidth(t("list.moreFilters")) + besideText;
  const count =
    room === undefined
      ? filters.length
      : fitting(filters.map(leastWidth), room - clearWidth, restWidth);
  const more =
    isNarrow && !isShown
      ? filters.filter((filter) => filter === firstText)
      : filters.slice(0, isNarrow ? filters.length : count);
  const rest = filters.slice(count);
  const hiddenCount = isNarrow ? filters.length - more.length : 0;
  return (
    <search className="w-filters" ref={bar}>
      {start && <div data-start>{start}</div>}
      {more.map((filter) => (
        <Filter key={filter.key} filter={filter} list={list} isSearch={filter === firstText} />
      ))}
      {!isNarrow && rest.length > 0 && <Rest filters={rest} list={list} />}
      {hiddenCount > 0 && (
        <Button onClick={() => setShown(true)} aria-expanded={false}>
          {t("list.filters")}
          {list.activeFilters > 0 && ` ${list.activeFilters}`}
        </Button>
      )}
      {list.activeFilters > 0 && (
        <Button type="text" onClick={list.clearFilters}>
          {clear}
        </Button>
      )}
      {end}
    </search>
  );
}

/** Those that have no room in the bar; the button says how many of them are on. */
function Rest({ filters, list }: Pick<Props, "filters" | "list">) {
  const t = useTexts();
  const label = t("list.moreFilters");
  const values = list.filters as Record<string, unknown>;
  const active = filters.filter(({ key }) => (values[key] ?? null) !== null).length;
  const content = (
    <div className="w-filters-rest">
      {filters.map((filter) => (
        <Filter key={filter.key} filter={filter} list={list} isSearch={false} />
      ))}
    </div>
  );
  return (
    <Popover label={label} content={content} placement="bottomRight" arrow={false}>
      <Button>
        {label}
        {active > 0 && ` ${active}`}
      </Button>
    </Popover>
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
  const isNarrow = useNarrow();
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
      style={{
        width: 220,
        minWidth:
          isSearch && isNarrow ? shortestSearch : `min(100%, ${textWidth(label) + besideLabel}px)`,
      }}
      {...(isSearch && { "data-search": true })}
    />
  );
}
