import { QueryClient } from "@tanstack/react-query";
import type { Endpoint } from "@weft/contract/kernel/endpoint.ts";
import { CallError } from "./call.ts";

/** ms for which a screen that is opened takes what is kept. */
export const freshMs = 2_000;

/** "cpe" of "cpe.findAll": what is made stale together. */
export const resourceOf = (endpoint: Endpoint): string => endpoint.id.split(".")[0] ?? endpoint.id;

export const queryKey = (endpoint: Endpoint, input: unknown): readonly unknown[] => [
  resourceOf(endpoint),
  endpoint.id,
  input,
];

/** A refusal stays one; a lost connection is tried again. */
const isWorthRetry = (failures: number, error: unknown): boolean =>
  error instanceof CallError &&
  error.kind === "network" &&
  error.requestId === null &&
  failures < 2;

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        retry: isWorthRetry,
        retryDelay: 1_000,
        staleTime: freshMs,
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });

/**
 * Makes what is kept of a resource stale, so that what is on screen is asked again. What is being asked already is not
 * the answer to that: the server may have read the rows before they changed (a filter was typed, and a row of the list
 * before it removed). It is asked again once it is there. To cancel it instead would keep a slow list empty, or old, as long
 * as things change.
 */
export const makeStale = (client: QueryClient, resource: string): void => {
  const about = { queryKey: [resource] };
  const early = client.getQueryCache().findAll({ ...about, fetchStatus: "fetching" });
  void client.invalidateQueries(about, { cancelRefetch: false });
  for (const query of early) {
    const again = () =>
      client.invalidateQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false });
    query.fetch().then(again, again);
  }
};
