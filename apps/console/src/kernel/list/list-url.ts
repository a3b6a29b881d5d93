import type { Endpoint } from "@weft/contract/kernel/endpoint.ts";
import { checkMemory, checkWire, type RuleIssue } from "@weft/contract/kernel/rule.ts";
import type { z } from "zod";

/** Section 9: page size by default, and what is offered. */
export const defaultLimit = 10;
export const pageSizes = [10, 20, 30, 40] as const;
const largestLimit = 1_000;

export interface Sort {
  readonly by: string;
  readonly order: "asc" | "desc";
}

/** What a list shows, as its address says it. Filters in memory form, null for those that are off. */
export interface ListView {
  readonly page: number;
  readonly limit: number;
  readonly sort: Sort | null;
  readonly filters: Readonly<Record<string, unknown>>;
  /** Filters that break a rule, such as a text that is too long: without them more rows would match than were asked for. */
  readonly refused: readonly RefusedFilter[];
}

export interface RefusedFilter {
  readonly name: string;
  readonly text: string;
  readonly issue: RuleIssue;
}

type Shape = Readonly<Record<string, z.ZodType>>;

const paging = new Set(["page", "limit", "size", "orderByColumn", "isAsc"]);

/** Input fields of a list that a person may filter by. */
export const filterShape = (endpoint: Endpoint, fixed: readonly string[]): Shape =>
  Object.fromEntries(
    Object.entries((endpoint.input as z.ZodObject).shape as Shape).filter(
      ([name]) => !paging.has(name) && !fixed.includes(name),
    ),
  );

const positive = (text: string | null, fallback: number, max: number): number =>
  text !== null && /^[1-9]\d{0,8}$/.test(text) ? Math.min(Number(text), max) : fallback;

const sortOf = (text: string | null): Sort | null => {
  if (text === null || text === "" || text === "-") return null;
  return text.startsWith("-") ? { by: text.slice(1), order: "desc" } : { by: text, order: "asc" };
};

interface ReadFilter {
  readonly name: string;
  readonly value: unknown;
  readonly refused: RefusedFilter | null;
}

function readFilter(name: string, schema: z.ZodType, text: string | null): ReadFilter {
  if (text === null || text === "") return { name, value: null, refused: null };
  const read = checkWire(schema, text);
  if (read.ok) return { name, value: read.value, refused: null };
  const [issue] = read.issues;
  return { name, value: null, refused: issue ? { name, text, issue } : null };
}

/** Reads an address. Paging that is wrong counts as absent: people edit addresses. A wrong filter is refused. */
export const readView = (params: URLSearchParams, shape: Shape): ListView => {
  const read = Object.entries(shape).map(([name, schema]) =>
    readFilter(name, schema, params.get(name)),
  );
  return {
    ...pagingOf(params),
    filters: Object.fromEntries(read.map(({ name, value }) => [name, value])),
    refused: read.flatMap(({ refused }) => (refused ? [refused] : [])),
  };
};

const pagingOf = (params: URLSearchParams): Pick<ListView, "page" | "limit" | "sort"> => ({
  page: positive(params.get("page"), 1, 1_000_000),
  limit: positive(params.get("limit"), defaultLimit, largestLimit),
  sort: sortOf(params.get("sort")),
});

/**
 * The page that has rows when this one lies beyond the end; null: it does not.
 * @param count rows on all pages
 */
export const lastPageBefore = (
  { page, limit }: Pick<ListView, "page" | "limit">,
  count: number,
): number | null => {
  const last = Math.max(1, Math.ceil(count / limit));
  return page > last ? last : null;
};

/** The address after a change; what has its default value is left out, so that addresses stay short. */
export const writeView = (
  params: URLSearchParams,
  shape: Shape,
  change: Partial<ListView>,
): URLSearchParams => {
  const next = new URLSearchParams(params);
  const put = (name: string, text: string | null): void => {
    if (text === null || text === "") next.delete(name);
    else next.set(name, text);
  };
  const { page, limit, sort, filters } = change;
  if (page !== undefined) put("page", page === 1 ? null : String(page));
  if (limit !== undefined) put("limit", limit === defaultLimit ? null : String(limit));
  if (sort !== undefined) put("sort", sort && `${sort.order === "desc" ? "-" : ""}${sort.by}`);
  for (const [name, value] of Object.entries(filters ?? {})) {
    const schema = shape[name];
    if (!schema) continue;
    const wire = value === null ? null : checkMemory(schema, value);
    // Text that breaks a rule is in the address as it was typed, and refused from there.
    const typed = typeof value === "string" ? value : null;
    put(name, wire?.ok ? String(wire.value) : typed);
  }
  return next;
};

/** Section 5: the size is trimmed, empty means 10; more than the contract allows is cut. */
export const typedLimit = (text: string): number =>
  positive(text.trim(), defaultLimit, largestLimit);
