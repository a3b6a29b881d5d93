import { useSearchParams } from "react-router";

/**
 * Order of a list of nodes until a person picks one: by health, the worst first. It is an input of the call,
 * not a choice of the person, so the address stays free of it.
 */
export const useWorstFirst = (): object => {
  const [search] = useSearchParams();
  return search.has("sort") ? {} : { orderByColumn: "health", isAsc: "asc" };
};
