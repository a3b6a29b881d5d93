import { useSearchParams } from "react-router";

/**
 * Order of a list of nodes until a person picks one: never seen, then longest out of contact. It is
 * an input of the call, not a choice of the person, so the address stays free of it.
 */
export const useWorstFirst = (): object => {
  const [search] = useSearchParams();
  return search.has("sort") ? {} : { orderByColumn: "lastOnline", isAsc: "asc" };
};
