import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Endpoint, InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { useEffect, useMemo, useState } from "react";
import { answerAhead, CallError, call, readingMs } from "./call.ts";
import { freshMs, queryKey } from "./query.ts";
import { commonTexts } from "./texts.ts";
import { useAutoRefresh } from "./use-auto-refresh.ts";

/** So many refreshes may be missed before what is shown counts as old. */
const missed = 2;

/**
 * Whether what arrived at a time should have been followed by something newer: a controller that hangs gives no
 * error, only nothing.
 * @param arrived ms since 1970; 0: nothing yet. @param every ms between two refreshes; undefined: there are none
 */
function useOverdue(arrived: number, every: number | undefined): boolean {
  const [overdue, setOverdue] = useState(0);
  useEffect(() => {
    if (every === undefined || arrived === 0) return undefined;
    const left = arrived + missed * every - Date.now();
    const timer = setTimeout(() => setOverdue(arrived), Math.max(0, left));
    return () => clearTimeout(timer);
  }, [arrived, every]);
  return every !== undefined && arrived > 0 && overdue === arrived;
}

/** True once something has been waited for so long, in ms. */
function useLate(isWaiting: boolean, ms: number): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isWaiting) return setLate(false);
    const timer = setTimeout(() => setLate(true), ms);
    return () => clearTimeout(timer);
  }, [isWaiting, ms]);
  return isWaiting && isLate;
}

/** Default polling interval for data that changes on the server, in ms (specification section 9). */
export const refreshEvery = 15_000;

/** ms after which a page says that no answer came. It goes on waiting: what comes later is shown. */
const lateMs = 10_000;
/** ms for which a screen takes what was sent before its code was there, which may take longer than `freshMs`. */
const aheadFreshMs = 10_000;

const lateError = (): CallError =>
  new CallError("late", commonTexts()("call.late", { seconds: lateMs / 1_000 }));

interface Options {
  /** Repeat after this many ms; paused while the page is hidden, and while auto refresh of the page
   * is off. */
  readonly every?: number | undefined;
  /** True: the previous data stays visible while the response to another input is loading (lists). */
  readonly keep?: boolean;
}

export interface CallResult<E extends Endpoint> {
  readonly data: OutputOf<E> | undefined;
  /** Rows that match, of a paged call. */
  readonly count: number | null;
  readonly error: CallError | null;
  /** Nothing to show yet. */
  readonly isFirstLoad: boolean;
  readonly isRefetching: boolean;
  /** The data belongs to the previous input, and is kept while this one is loading. */
  readonly isOfBefore: boolean;
  /** The last refresh failed, or none came for two intervals: what is shown is old. */
  readonly isStale: boolean;
  /** When the data arrived. */
  readonly asOf: Date | null;
  refetch(): void;
}

/**
 * Makes a reading call and keeps the response. `input` null: no call.
 * A failed refresh leaves the old data beside the error.
 */
export const useCall = <E extends Endpoint>(
  endpoint: E,
  input: InputOf<E> | null,
  { every, keep = false }: Options = {},
): CallResult<E> => {
  const isAuto = useAutoRefresh();
  let cameAt = 0;
  const query = useQuery({
    queryKey: queryKey(endpoint, input),
    queryFn: ({ signal }) => call(endpoint, input as InputOf<E>, { signal, withinMs: readingMs }),
    enabled: input !== null,
    initialData: () => {
      const ahead = input === null ? null : answerAhead(endpoint, input);
      cameAt = ahead?.at ?? 0;
      return ahead?.answer;
    },
    initialDataUpdatedAt: () => cameAt,
    staleTime: ({ state }) => (state.dataUpdateCount === 0 ? aheadFreshMs : freshMs),
    ...(every !== undefined && isAuto && { refetchInterval: every }),
    ...(keep && { placeholderData: keepPreviousData }),
  });
  const isLate = useLate(query.isFetching, lateMs);
  const tooLate = useMemo(() => (isLate ? lateError() : null), [isLate]);
  const isOverdue = useOverdue(query.dataUpdatedAt, isAuto && input !== null ? every : undefined);
  return {
    isStale: query.error !== null || isOverdue || isLate,
    data: query.data?.data,
    count: query.data?.count ?? null,
    error: (query.error as CallError | null) ?? (query.isPending ? tooLate : null),
    isFirstLoad: query.isPending && input !== null && !isLate,
    isOfBefore: query.isPlaceholderData,
    isRefetching: query.isFetching && !query.isPending,
    asOf: query.dataUpdatedAt > 0 ? new Date(query.dataUpdatedAt) : null,
    refetch: () => void query.refetch(),
  };
};
