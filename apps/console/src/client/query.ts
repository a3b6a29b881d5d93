import { QueryClient } from "@tanstack/react-query";
import type { Endpoint } from "@weft/contract/kernel/endpoint.ts";
import { CallError } from "./call.ts";

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
      queries: { retry: isWorthRetry, retryDelay: 1_000, staleTime: 2_000, networkMode: "always" },
      mutations: { networkMode: "always" },
    },
  });
