import type { Endpoint, InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { AnyResource, RowOf } from "@weft/contract/kernel/resource.ts";
import { useEffect, useMemo, useRef, useState } from "react";
import type { z } from "zod";
import type { CallError } from "#client/call.ts";
import { useRememberedSearch } from "#client/paths.ts";
import { useSearch } from "#client/search.ts";
import { useSteadyRows } from "#client/steady-rows.ts";
import { type CallResult, useCall } from "#client/use-call.ts";
import {
  filterShape,
  type ListView,
  lastPageBefore,
  readView,
  type Sort,
  writeView,
} from "./list-url.ts";

type PagingField = "page" | "limit" | "orderByColumn" | "isAsc";

/** A page of rows with everything that decides which rows. */
export interface List<Row, Query = Readonly<Record<string, unknown>>> extends ListView {
  /** The resource whose rows they are; absent: of none. */
  readonly resource?: AnyResource;
  /** Those already listed keep their places. */
  readonly rows: readonly Row[];
  /** Their order is another by now. */
  readonly isMoved: boolean;
  /** Rows that match on all pages; null: not known yet. */
  readonly count: number | null;
  readonly filters: { readonly [Key in keyof Query]: Query[Key] | null };
  readonly activeFilters: number;
  /** All that the call was asked with. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Columns that the server can sort by. */
  readonly sortable: readonly string[];
  readonly error: CallError | null;
  readonly isFirstLoad: boolean;
  readonly isRefetching: boolean;
  /** The rows are those of the view before, until the answer to this one is there. */
  readonly isOfBefore: boolean;
  readonly asOf: Date | null;
  /** The last refresh failed, or none came for two intervals. */
  readonly isStale: boolean;
  /** How often it refreshes by itself, in ms; undefined: it does not. */
  readonly every: number | undefined;
  /** True: a table inside a page that is about something else. */
  readonly isEmbedded: boolean;
  setPage(page: number): void;
  setLimit(limit: number): void;
  setSort(sort: Sort | null): void;
  setFilter<Key extends keyof Query & string>(key: Key, value: Query[Key] | null): void;
  clearFilters(): void;
  /** Puts the rows into their order of now. */
  settle(): void;
  refetch(): void;
}

interface Options<Input> {
  /** Input that no person chooses: the owner of the rows. */
  readonly fixed?: Partial<Input>;
  readonly every?: number | undefined;
  /** False: a table inside a page, whose paging is not in the address. */
  readonly inUrl?: boolean;
  /** True: no refresh by itself for now: rows are selected, a menu is open. */
  readonly paused?: boolean;
}

type ChangeParams = (next: (now: URLSearchParams) => URLSearchParams, isTyping: boolean) => void;

/** Where a list keeps its view: the address of the page, or the component alone. */
const useParamsOf = (inUrl: boolean): readonly [URLSearchParams, ChangeParams] => {
  const [search, changeSearch] = useSearch();
  const [own, setOwn] = useState(() => new URLSearchParams());
  // Typing replaces the history entry, paging pushes one; neither scrolls.
  const changeUrl: ChangeParams = (next, isTyping) =>
    changeSearch(next, { replace: isTyping, preventScrollReset: true });
  return inUrl ? [search, changeUrl] : [own, (next) => setOwn(next)];
};

const inputOf = (
  view: ListView,
  shape: Readonly<Record<string, z.ZodType>>,
  endpoint: Endpoint,
  sortable: readonly string[],
): Record<string, unknown> => {
  const fields = (endpoint.input as z.ZodObject).shape;
  const sort = view.sort && sortable.includes(view.sort.by) ? view.sort : null;
  return {
    ...Object.fromEntries(Object.keys(shape).map((name) => [name, view.filters[name] ?? null])),
    page: view.page,
    // The template list is noted with page and size, all others with page and limit.
    ...("size" in fields ? { size: view.limit, limit: null } : { limit: view.limit }),
    ...("orderByColumn" in fields && {
      orderByColumn: sort?.by ?? null,
      isAsc: sort?.order ?? null,
    }),
  };
};

/**
 * Leads from a page beyond the end to the last one that has rows: an old address, or the last row of
 * the last page was removed. It replaces the address, so that Back does not lead there again.
 * @returns true: on its way
 */
const useReturn = (
  view: ListView,
  called: CallResult<Endpoint>,
  setPage: (page: number) => void,
): boolean => {
  const { data, count, isOfBefore } = called;
  const isEmpty = Array.isArray(data) && data.length === 0 && !isOfBefore;
  const last = isEmpty && count !== null ? lastPageBefore(view, count) : null;
  const go = useRef(setPage);
  go.current = setPage;
  useEffect(() => {
    if (last !== null) go.current(last);
  }, [last]);
  return last !== null;
};

type RowIn<E extends Endpoint> = OutputOf<E> extends readonly (infer Row)[] ? Row : never;
type QueryIn<E extends Endpoint> = Omit<InputOf<E>, PagingField>;

const useAnyList = (
  endpoint: Endpoint,
  sortable: readonly string[],
  { fixed = {}, every, inUrl = true, paused = false }: Options<object>,
): List<unknown> => {
  const fixedNames = Object.keys(fixed).join();
  const shape = useMemo(
    () => filterShape(endpoint, fixedNames === "" ? [] : fixedNames.split(",")),
    [endpoint, fixedNames],
  );
  const [params, changeParams] = useParamsOf(inUrl);
  useRememberedSearch(inUrl);
  const view = readView(params, shape);
  const input = { ...inputOf(view, shape, endpoint, sortable), ...fixed };
  const isRefused = view.refused.length > 0;
  const called = useCall(endpoint, isRefused ? null : input, {
    every: paused ? undefined : every,
    keep: !isRefused,
  });
  const steady = useSteadyRows({
    ...called,
    rows: called.data as unknown[] | undefined,
    view: JSON.stringify(input),
  });
  const change = (next: Partial<ListView>, isTyping = false): void =>
    changeParams((now) => writeView(now, shape, next), isTyping);
  const beyond = useReturn(view, called, (page) => change({ page }, true));
  const off = Object.fromEntries(Object.keys(shape).map((name) => [name, null]));
  return {
    ...view,
    ...called,
    isFirstLoad: called.isFirstLoad || beyond,
    input,
    ...steady,
    refetch: () => {
      steady.release();
      called.refetch();
    },
    activeFilters:
      Object.values(view.filters).filter((value) => value !== null).length + view.refused.length,
    sortable,
    every,
    isEmbedded: !inUrl,
    setPage: (page) => change({ page }),
    // Another size or order makes the page number meaningless.
    setLimit: (limit) => change({ limit, page: 1 }),
    setSort: (sort) => change({ sort, page: 1 }),
    setFilter: (key, value) => change({ filters: { [key]: value }, page: 1 }, true),
    clearFilters: () => change({ filters: off, page: 1 }),
  };
};

/** A list of any paged call. */
export const useList = <E extends Endpoint>(
  endpoint: E,
  options: Options<InputOf<E>> = {},
): List<RowIn<E>, QueryIn<E>> =>
  useAnyList(endpoint, [], options as Options<object>) as unknown as List<RowIn<E>, QueryIn<E>>;

/** The list of a resource, with its filters. */
export type ResourceList<R extends AnyResource> = List<RowOf<R>, z.output<R["query"]>>;

/** The list of a resource. */
export const useResourceList = <R extends AnyResource>(
  resource: R,
  options: Options<z.output<R["query"]>> = {},
): ResourceList<R> =>
  ({
    ...useAnyList(resource.ops.list, resource.sort, options as Options<object>),
    resource,
  }) as unknown as ResourceList<R>;
