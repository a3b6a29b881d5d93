import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Endpoint, InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { type CallError, call } from "./call.ts";
import { queryKey } from "./query.ts";
import { useAutoRefresh } from "./use-auto-refresh.ts";

/** Default interval of polling for what changes by itself, in ms (specification section 9). */
export const refreshEvery = 15_000;

interface Options {
  /** Ask again after this many ms; rests while the page is hidden, and while the screen has auto
   * refresh off. */
  readonly every?: number | undefined;
  /** True: what was shown stays while the answer to another input is on its way (lists). */
  readonly keep?: boolean;
}

export interface Called<E extends Endpoint> {
  readonly data: OutputOf<E> | undefined;
  /** Rows that match, of a paged call. */
  readonly count: number | null;
  readonly error: CallError | null;
  /** Nothing to show yet. */
  readonly isFirstLoad: boolean;
  readonly isRefetching: boolean;
  /** The data answers another input: that of before, kept while this one is asked. */
  readonly isOfBefore: boolean;
  /** When the data came. */
  readonly asOf: Date | null;
  refetch(): void;
}

/**
 * Asks a reading call and keeps the answer. `input` null: not asked.
 * A failed refresh leaves the old data beside the error.
 */
export const useCall = <E extends Endpoint>(
  endpoint: E,
  input: InputOf<E> | null,
  { every, keep = false }: Options = {},
): Called<E> => {
  const isAuto = useAutoRefresh();
  const query = useQuery({
    queryKey: queryKey(endpoint, input),
    queryFn: ({ signal }) => call(endpoint, input as InputOf<E>, { signal }),
    enabled: input !== null,
    ...(every !== undefined && isAuto && { refetchInterval: every }),
    ...(keep && { placeholderData: keepPreviousData }),
  });
  return {
    data: query.data?.data,
    count: query.data?.count ?? null,
    error: query.error as CallError | null,
    isFirstLoad: query.isPending && input !== null,
    isOfBefore: query.isPlaceholderData,
    isRefetching: query.isFetching && !query.isPending,
    asOf: query.dataUpdatedAt > 0 ? new Date(query.dataUpdatedAt) : null,
    refetch: () => void query.refetch(),
  };
};
