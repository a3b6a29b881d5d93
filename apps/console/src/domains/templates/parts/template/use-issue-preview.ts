import { useInfiniteQuery } from "@tanstack/react-query";
import { routerTemplatePreview } from "@weft/contract/domains/templates/router-template.ts";
import { useEffect } from "react";
import { type CallError, call } from "#client/call.ts";
import { type IssueGroup, mergeGroups } from "./issue-summary.ts";

/** CPEs of one call: each is compiled. */
const limit = 20;

interface Found {
  readonly groups: readonly IssueGroup[];
  /** All CPEs of the template; null: not known yet. */
  readonly cpes: number | null;
  /** Of them, those that the groups hold. */
  readonly done: number;
  readonly isWhole: boolean;
  readonly error: CallError | null;
  retry(): void;
}

/**
 * What the issue of a template comes to, page after page.
 * @param fromVersion that is published again; null: the draft
 */
export function useIssuePreview(templateId: number, fromVersion: number | null): Found {
  const query = useInfiniteQuery({
    // Events ask nothing again, for a page compiles its CPEs; a review that opens has nothing of before.
    queryKey: [routerTemplatePreview.id, templateId, fromVersion],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) =>
      call(routerTemplatePreview, { templateId, fromVersion, page, limit }, { signal }),
    getNextPageParam: ({ data }, _pages, page) => (page * limit < data.cpes ? page + 1 : undefined),
  });
  const { data, error, hasNextPage, isFetching, isError, fetchNextPage, refetch } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  const pages = data?.pages.map((page) => page.data) ?? [];
  const groups = mergeGroups(pages);
  return {
    groups,
    cpes: pages.at(-1)?.cpes ?? null,
    done: groups.reduce((sum, { cpes }) => sum + cpes.length, 0),
    isWhole: isError || (data !== undefined && !hasNextPage),
    error: error as CallError | null,
    retry: () => void refetch(),
  };
}
